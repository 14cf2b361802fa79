"""The words and pictures of Palazzo."""

from tabletop.web.games.palazzo.game_ui import PalazzoUI

UI = PalazzoUI()
