"""Messages of every kind, and a German that translates them."""

from __future__ import annotations

from gettext import NullTranslations

from tabletop.messages import Message, PieceRef, SeatRef, join, listed

GERMAN = {
    "{name} lays {what}.": "{what} wird von {name} gelegt.",
    "a tile": "ein Plättchen",
    "{items} and {last}": "{items} und {last}",
    "{count} tile of {name}": "{count} Plättchen von {name}",
    "{count} tiles of {name}": "{count} Plättchen (Mehrzahl) von {name}",
}


class German(NullTranslations):
    def gettext(self, message: str) -> str:
        return GERMAN.get(message, message)

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def show(fact: object) -> object:
    return ("Ada", "Ben")[fact] if isinstance(fact, SeatRef) else f"[{fact}]" if isinstance(fact, PieceRef) else fact


LAYS = Message("{name} lays {what}.", name=SeatRef(1), what=Message("a tile"))
SAMPLES = [
    (LAYS, "Seat 2 lays a tile.", "ein Plättchen wird von Ben gelegt."),
    (Message.plural("{count} tile of {name}", "{count} tiles of {name}", 1, name=SeatRef(0)),
     "1 tile of Seat 1", "1 Plättchen von Ada"),
    (Message.plural("{count} tile of {name}", "{count} tiles of {name}", 3, name=SeatRef(0)),
     "3 tiles of Seat 1", "3 Plättchen (Mehrzahl) von Ada"),
    (listed([PieceRef("B1.1")]), "B1.1", "[B1.1]"),
    (listed([PieceRef("B1.1"), "x", Message("a tile")]), "B1.1, x and a tile", "[B1.1], x und ein Plättchen"),
    (join([LAYS, Message("a tile")]), "Seat 2 lays a tile. a tile", "ein Plättchen wird von Ben gelegt. ein Plättchen"),
    (Message("{took:.1f} s", took=1.25), "1.2 s", "1.2 s"),
    (Message("{text}", text="{name} of {0}"), "{name} of {0}", "{name} of {0}"),
]  # fmt: skip
