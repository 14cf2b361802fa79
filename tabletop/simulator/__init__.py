"""A table without a table: draws what a camera would see, moves pieces as hands would, presses buttons.

The one face that others use is :class:`tabletop.simulator.table.world.World`::

    world = World(GAME, ["Ann", "Bob", "Cem"], seed=1, harsh=1, size=(2304, 1296))
    frame = world.camera.frame(time)              # what the camera sees now: tabletop.vision.frame.Frame
    actions = world.bundle(position, choose)      # the next decision (choose), or what chance has on top of the stack,
                                                  # with the decisions that hands carry out in the same movement
    for step in world.steps_for(position, *actions):
        world.perform(step)                       # a frame after each HandIn and HandOut shows it happen
    for step in world.tidy_for(position):         # after the referee accepted: what the position wants lies so
        world.perform(step)

Rooms: ``table`` and ``places`` know where pieces lie, ``hands`` and ``gestures`` move them, ``stock`` decides what
comes next; ``lens``, ``light``, ``drawing``, ``cloth``, ``arm``, ``surface``, ``picture``, ``sensor`` and ``camera``
make the pictures, ``conditions`` says how hard the camera's life is; ``scenario`` reads and plays written scenes.
"""
