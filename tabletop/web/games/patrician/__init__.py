"""The words and pictures of Patrician."""

from tabletop.web.games.patrician.game_ui import PatricianUI

UI = PatricianUI()
