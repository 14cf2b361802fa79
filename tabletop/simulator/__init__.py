"""A table without a table: draws what a camera would see, moves pieces as hands would, presses buttons.

The one face that others use is :class:`tabletop.simulator.world.World`::

    world = World(GAME, ["Ann", "Bob", "Cem"], seed=1, harsh=1, size=(2304, 1296))
    frame = world.camera.frame(time)              # what the camera sees now: tabletop.vision.frame.Frame
    actions = world.bundle(position, choose)      # the next decision (choose), or what chance brings, with the
                                                  # decisions that hands carry out in the same movement
    for step in world.steps_for(position, *actions):
        world.perform(step)                       # a frame after each HandIn and HandOut shows it happen
    for step in world.tidy_for(position):         # after the referee accepted: what the position wants lies so
        world.perform(step)

Packages: ``table`` holds what lies where, the hands that move it and what chance brings; ``camera`` makes the pictures
and says how hard the camera's life is; ``play`` plays whole games and written scenarios.
"""
