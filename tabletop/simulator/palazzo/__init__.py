"""What the simulator knows of Palazzo: where its zone cards are laid, and how each act is done by hand."""

from tabletop.simulator.palazzo.gestures import gestures
from tabletop.simulator.palazzo.places import PLACES
from tabletop.simulator.table.simulation import Simulation

SIMULATION = Simulation(PLACES, gestures)
