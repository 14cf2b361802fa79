"""A simulated table: draws what a camera would see, moves pieces as hands would, presses buttons.

Its interface for other packages is :class:`tabletop.simulator.world.World`::

    world = World(GAME, ["Ann", "Bob", "Cem"], seed=1, harsh=1, size=(2304, 1296))
    frame = world.camera.frame(time)              # what the camera sees now: tabletop.vision.frame.Frame
    actions = world.bundle(position, choose)      # the next decision (choose), or what chance brings, with the
                                                  # decisions that hands carry out in the same movement
    for step in world.steps_for(position, *actions):
        world.perform(step)                       # a frame after each HandIn and HandOut shows it happen
    for step in world.tidy_for(position):         # after the referee accepted: everything is laid as in the position
        world.perform(step)

Packages: ``table`` has what lies where and the hands that move it; ``camera`` makes the pictures; ``play`` plays whole
games and written scenarios.
"""
