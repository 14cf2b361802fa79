"""The rules of Palazzo for the piecepack, clause by clause."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from tabletop.rules.game import Illegal, Json, SeatScore
from tabletop.rules.piecepack import GAME
from tabletop.rules.piecepack.building.palazzo import PiecepackPalazzo
from tabletop.rules.piecepack.components import COINS, COST, PIECES, STRUCTURES
from tabletop.rules.piecepack.phases.payments import Purse
from tabletop.rules.piecepack.position import PiecepackPosition
from tests.refusals import code_of, nearest_of, refused
from tests.rules.piecepack.board import board, code, do, legal

LINE = {"TM1": [0, 0], "TM2": [1, 0], "TM3": [2, 0]}


def dice(position: PiecepackPosition) -> list[int]:
    """Return the value that each seat's die shows."""
    return [purse.die for purse in position.purses]


class TestComponents:
    def test_there_are_24_structures_and_24_coins_of_four_suits_and_six_values(self) -> None:
        assert len(set(STRUCTURES)) == len(set(COINS)) == 24
        assert len([piece for piece in PIECES.values() if piece.kind != "turret"]) == 48
        assert {piece[1] for piece in STRUCTURES} == set("MSAC")
        assert {piece[2] for piece in COINS} == set("012345")

    def test_a_structure_costs_five_and_its_value(self) -> None:
        assert [COST["TM0"], COST["TM1"], COST["TM5"]] == [5, 6, 10]

    @pytest.mark.parametrize(("null", "enough"), [(6, True), (0, False)])
    def test_a_null_coin_is_worth_six_or_by_the_option_nothing(self, null: int, enough: bool) -> None:
        position = board(hand=["DM0"], yard=["TM1"], options={"coin_null": null})
        assert (code(position, "purchase TM1 pay DM0") is None) is enough


class TestSetup:
    def test_four_structures_then_four_coins_are_turned_up_then_each_seat_in_order_is_dealt_two(self) -> None:
        position = GAME.new(["A", "B"], {"first_seat": 1})
        for piece in ("TM0", "TM1", "TM2", "TM3"):
            assert (position.phase, position.awaits, position.decider) == ("setup", "structure", None)
            position = do(position, f"reveal {piece}")
        for piece in ("DM0", "DM1", "DM2", "DM3"):
            assert (position.phase, position.awaits) == ("setup", "coin")
            position = do(position, f"reveal {piece}")
        assert position.phase == "deal"
        assert code(position, "deal 1 DS0+DS1") == "not-your-turn"
        assert code(position, "deal 0 DS0") == "bad-request"
        assert code(position, "deal 0 DS0+DM0") == "not-in-pool"
        assert code(position, "deal 0 DS0+DS0") == "not-in-pool"
        position = do(position, "deal 0 DS0+DS1", "deal 1 DS2+DS3")
        assert (position.phase, position.decider, dice(position)) == ("action", 1, [5, 5])

    def test_dice_show_five(self) -> None:
        assert dice(GAME.new(["A", "B"])) == [5, 5]

    @pytest.mark.parametrize("names", [[], ["A"], ["A"] * 5])
    def test_two_to_four_seats_play(self, names: Sequence[str]) -> None:
        with pytest.raises(Illegal) as caught:
            GAME.new(names)
        assert caught.value.code == "bad-request"

    def test_only_what_is_awaited_is_turned_up(self) -> None:
        position = GAME.new(["A", "B"])
        assert code(position, "reveal DM0") == "not-in-pool"
        assert code(do(position, "reveal TM0"), "reveal TM0") == "not-in-pool"

    def test_like_coins_are_listed_once_and_every_structure_by_itself(self) -> None:
        position = GAME.new(["A", "B"])
        assert len(position.legal) == 24
        position = do(position, *(f"reveal TM{face}" for face in range(4)))
        assert len(position.legal) == 6
        position = do(position, *(f"reveal D{suit}0" for suit in "MSAC"))
        assert len(position.legal) == 15, "two coins of the five values left, nulls gone"


class TestCoin:
    def test_a_coin_of_the_bank_is_taken_and_the_bank_filled_up_at_once(self) -> None:
        position = board(bank=["DM1", "DM2", "DM3", "DM4"])
        position = do(position, "coin DM1")
        assert (position.phase, position.awaits, position.purses[0].coins) == ("reveal", "coin", ("DM1",))
        position = do(position, "reveal DM5")
        assert (position.phase, position.active, len(position.bank)) == ("action", 1, 4)

    def test_coins_of_one_value_are_copies(self) -> None:
        position = board(bank=["DM1", "DS1", "DA2", "DC2"])
        assert legal(position, "coin") == {"coin DM1", "coin DA2"}
        assert code(position, "coin DS1") is None

    def test_what_is_not_in_the_bank_cannot_be_taken(self) -> None:
        assert code(board(bank=["DM1"]), "coin DM2") == "not-in-bank"
        assert code(board(bank=["DM1"]), "coin TM2") == "not-in-bank"

    def test_without_face_down_coins_the_discards_become_the_pool_not_sooner(self) -> None:
        held = [coin for coin in COINS if coin not in ("DM1", "DM2", "DM3", "DM4", "DM5", "DS5")]
        position = board(bank=["DM1", "DM2", "DM3", "DM4"], coins=[], discards=["DM5", "DS5"], other={"hand": held})
        position = do(position, "coin DM1")
        assert (position.coins, position.discards) == ((), ("DM5", "DS5"))
        assert len(position.legal) == 1
        position = do(position, "reveal DS5")
        assert (position.coins, position.discards) == (("DM5",), ())

    def test_the_bank_is_filled_as_far_as_there_are_any(self) -> None:
        held = [coin for coin in COINS if coin not in ("DM1", "DM2")]
        position = board(bank=["DM1", "DM2"], coins=[], other={"hand": held})
        position = do(position, "coin DM1")
        assert (position.phase, position.active, position.bank) == ("action", 1, ("DM2",))

    def test_coins_paid_fill_a_bank_that_had_run_short(self) -> None:
        held = [coin for coin in COINS if coin not in ("DM5", "DS5")]
        position = board(hand=["DM5", "DS5"], bank=[], coins=[], yard=["TM4"], other={"hand": held})
        position = do(position, "purchase TM4 pay DM5+DS5")
        assert (position.phase, position.awaits) == ("reveal", "coin")
        assert do(position, "reveal DM5", "reveal DS5").phase == "place"


class TestReserve:
    def test_a_reserve_structure_is_put_into_the_palazzo(self) -> None:
        position = do(board(palazzo=LINE, reserve=["TM4"]), "add TM4 at 3,0")
        assert position.palazzi[0].cells["TM4"] == (3, 0)
        assert (position.reserves[0], position.active) == ((), 1)

    def test_a_structure_is_taken_out_into_the_reserve_even_the_last(self) -> None:
        position = do(board(palazzo={"TM1": [4, 4]}), "remove TM1")
        assert (len(position.palazzi[0]), position.reserves[0]) == (0, ("TM1",))

    def test_taking_out_must_not_split_the_palazzo(self) -> None:
        assert code(board(palazzo=LINE), "remove TM2") == "splits-the-palazzo"
        assert code(board(palazzo=LINE), "remove TM3") is None

    def test_taking_out_must_not_leave_a_hole(self) -> None:
        block = {f"T{suit}{face}": [x, y] for x, suit in enumerate("MSA") for y, face in enumerate((1, 2, 3))}
        assert code(board(palazzo=block), "remove TS2") == "makes-a-hole"
        assert code(board(palazzo=block), "remove TM1") is None

    @pytest.mark.parametrize(("holes", "expected"), [("enclosed_4", "makes-a-hole"), ("enclosed_8", None)])
    def test_by_the_option_a_diagonal_way_leads_out(self, holes: str, expected: str | None) -> None:
        block = {f"T{suit}{face}": [x, y] for x, suit in enumerate("MSA") for y, face in enumerate((1, 2, 3))}
        del block["TM1"]
        assert code(board(palazzo=block, options={"holes": holes}), "remove TS2") == expected

    def test_an_exchange_is_in_the_same_cell(self) -> None:
        position = do(board(palazzo=LINE, reserve=["TM4"]), "exchange TM4 for TM2")
        assert position.palazzi[0].cells["TM4"] == (1, 0)
        assert position.reserves[0] == ("TM2",)
        assert code(board(palazzo=LINE, reserve=["TM4"]), "exchange TM4 for TM2 at 1,0") == "bad-request"

    def test_a_structure_exchanged_in_must_match_its_neighbours(self) -> None:
        assert code(board(palazzo=LINE, reserve=["TS2"]), "exchange TS2 for TM2") == "clashing-neighbour"
        assert code(board(palazzo=LINE, reserve=["TS2"]), "exchange TS2 for TM1") is None

    def test_by_the_option_the_exchange_names_its_cell_and_only_the_result_must_obey(self) -> None:
        position = board(palazzo=LINE, reserve=["TM4"], options={"exchange_same_cell": False})
        assert code(position, "exchange TM4 for TM2") == "bad-request"
        assert code(position, "exchange TM4 for TM2 at 1,0") is None, "it heals the split that the removal makes"
        assert code(position, "exchange TM4 for TM2 at 3,0") == "splits-the-palazzo"
        assert code(position, "exchange TM4 for TM1 at 3,0") is None
        assert code(position, "exchange TM4 for TM1 at 2,0") == "cell-taken"
        assert code(position, "exchange TM4 for TM1 at 5,5") == "no-shared-edge"

    def test_an_exchange_elsewhere_says_what_the_removal_breaks(self) -> None:
        """If an exchange with different cells leaves a hole, the refusal names the removed structure as its cause."""
        square = {f"T{suit}{value}": [value, row] for row, suit in enumerate("MSA") for value in range(3)}
        position = board(palazzo=square, reserve=["TM3"], options={"exchange_same_cell": False})
        refusal = refused(position.refusal(GAME.parse("exchange TM3 for TS1 at 3,0")))
        assert refusal.message == "Without TS1, its cell would be a hole in the palazzo."
        assert code(position, "exchange TM3 for TS0 at 3,0") is None

    def test_a_lone_exchange_is_listed_once_and_its_cell_is_free(self) -> None:
        position = board(palazzo={"TM1": [3, 3]}, reserve=["TS5"], options={"exchange_same_cell": False})
        assert len(legal(position, "reserve")) == 3 + 1 - 2
        assert code(position, "exchange TS5 for TM1 at -7,9") is None

    def test_an_exchange_needs_both_sides(self) -> None:
        assert code(board(palazzo=LINE), "exchange TM4 for TM2") == "nothing-to-exchange"
        assert code(board(reserve=["TM4"]), "exchange TM4 for TM2") == "nothing-to-exchange"
        assert code(board(palazzo=LINE, reserve=["TM4"]), "exchange TM5 for TM2") == "not-in-reserve"
        assert code(board(palazzo=LINE, reserve=["TM4"]), "exchange TM4 for TM5") == "not-in-palazzo"

    def test_pieces_must_be_where_they_are_taken_from(self) -> None:
        assert code(board(palazzo=LINE), "add TM4 at 3,0") == "not-in-reserve"
        assert code(board(palazzo=LINE), "remove TM4") == "not-in-palazzo"


class TestTurret:
    def test_the_pawn_is_put_on_an_own_structure_and_moved_to_another(self) -> None:
        position = do(board(palazzo=LINE), "turret on TM1")
        assert (position.turrets, position.active) == (("TM1", None), 1)
        assert legal(board(palazzo=LINE, turret="TM1"), "turret") == {"turret on TM2", "turret on TM3"}
        assert code(board(palazzo=LINE, turret="TM1"), "turret on TM1") == "cell-taken"
        assert code(board(palazzo=LINE), "turret on TS1") == "not-in-palazzo"

    @pytest.mark.parametrize("action", ["remove TM3", "exchange TM4 for TM3"])
    def test_taken_or_exchanged_away_with_its_structure_it_returns_to_the_seat(self, action: str) -> None:
        assert do(board(palazzo=LINE, reserve=["TM4"], turret="TM3"), action).turrets[0] is None

    def test_it_stays_where_another_structure_is_taken(self) -> None:
        assert do(board(palazzo=LINE, turret="TM1"), "remove TM3").turrets[0] == "TM1"


class TestPurchase:
    def test_coins_and_die_pay_together_and_are_discarded_and_turned_down(self) -> None:
        position = do(board(hand=["DM2", "DM3", "DM4"], yard=["TM4"]), "purchase TM4 pay DM2+DM4+die")
        assert (position.discards, dice(position), position.purses[0].coins) == (("DM2", "DM4"), [4, 5], ("DM3",))
        assert (position.phase, position.pending, position.left) == ("place", ("TM4",), 0)

    def test_what_is_not_in_the_yard_cannot_be_purchased(self) -> None:
        assert code(board(hand=["DM5", "DS5"], yard=["TM0"]), "purchase TM1 pay DM5+DS5") == "not-in-yard"

    def test_overpaying_is_legal_and_gives_no_change(self) -> None:
        position = do(board(hand=["DM5", "DS5", "DA5"], yard=["TM0"]), "purchase TM0 pay DM5+DS5+DA5")
        assert (position.purses[0].coins, position.phase) == ((), "place")

    def test_a_die_steps_down_to_null_and_then_has_no_further_use(self) -> None:
        position = do(board(hand=["DM5"], yard=["TM1"], die=1), "purchase TM1 pay DM5+die")
        assert position.purses[0].die == 0
        assert code(board(hand=["DM5"], yard=["TM0"], die=0), "purchase TM0 pay DM5+die") == "die-spent"

    def test_too_little_says_how_much_is_missing_and_what_would_do(self) -> None:
        position = board(hand=["DM2", "DM3", "DM4"], yard=["TM4"])
        refusal = position.refusal(GAME.parse("purchase TM4 pay DM2+DM4"))
        assert refusal is not None
        assert (code_of(refusal), refusal.facts) == (
            "too-little",
            {"structure": "TM4", "needed": 9, "value": 6, "short": 3, "add": "a coin of 3 or the die"},
        )
        assert refusal.message == "TM4 costs 9; this makes 6, 3 short: add a coin of 3 or the die."
        assert GAME.format(nearest_of(refusal)) == "purchase TM4 pay DM2+DM3+DM4"
        assert position.refusal(nearest_of(refusal)) is None

    def test_too_little_beyond_any_single_coin_only_says_how_much_is_missing(self) -> None:
        refusal = board(hand=["DM2", "DM1"], yard=["TM4"], die=1).refusal(GAME.parse("purchase TM4 pay DM1"))
        assert refusal is not None
        assert refusal.message == "TM4 costs 9; this makes 1, 8 short."
        assert refusal.nearest is None

    @pytest.mark.parametrize("line", ["purchase TM4 pay DM5", "purchase TM4 pay DM4+DC5", "purchase TM4 pay DM2"])
    def test_the_refusal_of_a_payment_names_the_nearest_legal_one(self, line: str) -> None:
        refusal = board(hand=["DC5", "DM2"], yard=["TM4"]).refusal(GAME.parse(line))
        assert refusal is not None
        assert GAME.format(nearest_of(refusal)) == "purchase TM4 pay DC5+die"

    def test_the_order_of_refusals_is_tile_hand_die_amount(self) -> None:
        position = board(hand=["DM2"], yard=["TM4"], die=0)
        assert code(position, "purchase TM3 pay DM5+die") == "not-in-yard"
        assert code(position, "purchase TM4 pay DM5+die") == "not-in-hand"
        assert code(position, "purchase TM4 pay DM2+DM2+die") == "not-in-hand"
        assert code(position, "purchase TM4 pay DM2+die") == "die-spent"
        assert code(position, "purchase TM4 pay DM2") == "too-little"
        assert code(position, "purchase TM4 pay -") == "too-little"

    def test_an_exact_payment_gives_one_more_action_of_any_kind_as_often_as_it_happens(self) -> None:
        position = board(hand=["DM5", "DS5", "DA1"], yard=["TM0", "TS0", "TA0", "TC0"])
        position = do(position, "purchase TM0 pay DM5")
        assert (position.phase, position.active, position.left, position.pending) == ("action", 0, 1, ("TM0",))
        position = do(position, "purchase TS0 pay DS5")
        assert (position.phase, position.left, position.pending) == ("action", 1, ("TM0", "TS0"))
        position = do(position, "purchase TA0 pay die")
        assert position.left == 1
        bank = position.bank[0]
        position = do(position, f"coin {bank}", f"reveal {position.coins[0]}")
        assert (position.phase, position.active, position.left) == ("place", 0, 0)

    def test_while_the_extra_action_is_open_structures_may_be_placed(self) -> None:
        position = do(board(hand=["DM5"], yard=["TM0"]), "purchase TM0 pay DM5")
        position = do(position, "build TM0 at 0,0")
        assert (position.phase, position.left, position.active) == ("action", 1, 0)
        assert code(position, "turret on TM0") is None
        assert code(position, "keep TM0") == "wrong-phase"

    def test_the_extra_action_is_not_optional_while_anything_is_legal(self) -> None:
        position = do(board(hand=["DM5"], yard=["TM0"]), "purchase TM0 pay DM5", "keep TM0")
        assert code(position, "pass") == "wrong-phase"

    def test_the_purchased_structure_goes_into_palazzo_or_reserve_by_free_choice(self) -> None:
        position = do(board(hand=["DM5", "DS5"], yard=["TM0"], palazzo=LINE), "purchase TM0 pay DM5+DS5")
        assert "keep TM0" in legal(position)
        assert code(position, "build TM0 at -1,0") is None
        assert do(position, "keep TM0").reserves[0] == ("TM0",)

    def test_by_the_option_keeping_is_illegal_while_it_fits_somewhere(self) -> None:
        options = {"reserve_only_if_unplaceable": True}
        hand = ["DM5", "DS5"]
        fits = do(board(hand=hand, yard=["TM0"], palazzo=LINE, options=options), "purchase TM0 pay DM5+DS5")
        assert code(fits, "keep TM0") == "wrong-phase"
        assert refused(fits.refusal(GAME.parse("keep TM0"))).nearest in fits.legal
        stuck = do(
            board(hand=hand, yard=["TS5"], palazzo=LINE, options=options), "purchase TS5 pay DM5+DS5", "turret on TM1"
        )
        assert legal(stuck) == {"keep TS5"}

    def test_the_yard_is_filled_at_the_end_of_the_turn(self) -> None:
        position = do(board(hand=["DM5", "DS5"]), "purchase TM0 pay DM5+DS5")
        assert position.phase == "place"
        position = do(position, "keep TM0")
        assert (position.phase, position.awaits, position.active) == ("reveal", "structure", 0)
        position = do(position, "reveal TC5")
        assert (position.phase, position.active) == ("action", 1)

    def test_by_the_option_the_yard_is_filled_right_after_the_purchase(self) -> None:
        position = do(board(hand=["DM5", "DS5"], options={"yard_refill": "immediate"}), "purchase TM0 pay DM5+DS5")
        assert (position.phase, position.awaits) == ("reveal", "structure")
        assert do(position, "reveal TC5").phase == "place"

    def test_coins_come_before_structures(self) -> None:
        held = [coin for coin in COINS if coin not in ("DM5", "DS5")]
        position = board(
            hand=["DM5", "DS5"], bank=[], coins=[], other={"hand": held}, options={"yard_refill": "immediate"}
        )
        assert do(position, "purchase TM0 pay DM5+DS5").awaits == "coin"


class TestPass:
    def test_no_action_possible_is_the_only_reason_to_pass(self) -> None:
        stuck = board(bank=[], coins=[], die=4, other={"hand": list(COINS)})
        assert legal(stuck) == {"pass"}
        assert do(stuck, "pass").active == 1
        assert code(board(), "pass") == "wrong-phase"

    def test_an_empty_bank_gives_no_coin(self) -> None:
        stuck = board(bank=[], coins=[], die=4, other={"hand": list(COINS)})
        assert code(stuck, "coin DM1") == "not-in-bank"


class TestBuilding:
    def test_the_first_structure_is_free_and_listed_once(self) -> None:
        position = do(board(hand=["DM5", "DS5"], yard=["TM0"]), "purchase TM0 pay DM5+DS5")
        assert legal(position, "build") == {"build TM0 at 0,0"}
        assert code(position, "build TM0 at -12,5") is None

    def place(self, palazzo: Mapping[str, Sequence[int]], structure: str, **fields: Json) -> PiecepackPosition:
        return board(palazzo=palazzo, pending=[structure], actions_left=0, turn={"phase": "place", "seat": 0}, **fields)

    def test_each_later_one_shares_a_full_edge(self) -> None:
        position = self.place(LINE, "TM4")
        assert code(position, "build TM4 at 3,1") == "no-shared-edge"
        assert code(position, "build TM4 at 1,0") == "cell-taken"
        assert code(position, "build TM4 at 3,0") is None

    def test_every_neighbour_shares_suit_or_value(self) -> None:
        position = self.place({"TM1": [0, 0], "TM2": [1, 0], "TS2": [1, 1]}, "TS3")
        refusal = position.refusal(GAME.parse("build TS3 at 0,1"))
        assert code_of(refusal) == "clashing-neighbour"
        assert refusal is not None
        assert "TM1" in refusal.message
        assert "TS2" not in refusal.message
        assert code(position, "build TS3 at 2,1") is None

    @pytest.mark.parametrize(
        ("line", "nearest"),
        [
            ("build TM4 at 5,0", "build TM4 at 3,0"),
            ("build TM4 at 1,0", "build TM4 at 1,-1"),
            ("build TM4 at 0,9", "build TM4 at 0,1"),
        ],
    )
    def test_the_nearest_cell_that_takes_it_is_named(self, line: str, nearest: str) -> None:
        position = self.place(LINE, "TM4")
        refusal = position.refusal(GAME.parse(line))
        assert refusal is not None
        assert GAME.format(nearest_of(refusal)) == nearest
        assert refusal.nearest in position.legal

    def test_the_nearest_cell_is_named_for_the_reserve_too(self) -> None:
        position = board(palazzo=LINE, reserve=["TS2", "TS5"])
        assert GAME.format(nearest_of(position.refusal(GAME.parse("add TS2 at 0,1")))) == "add TS2 at 1,1"
        assert refused(position.refusal(GAME.parse("add TS5 at 0,1"))).nearest is None

    def test_no_empty_cell_may_be_cut_off(self) -> None:
        ring = {"TM1": [0, 0], "TM2": [1, 0], "TM3": [2, 0], "TS3": [2, 1], "TA3": [2, 2], "TA2": [1, 2], "TA1": [0, 2]}
        assert code(self.place(ring, "TS1"), "build TS1 at 0,1") == "makes-a-hole"

    @pytest.mark.parametrize(("holes", "expected"), [("enclosed_4", "makes-a-hole"), ("enclosed_8", None)])
    def test_a_hole_is_judged_by_orthogonal_or_by_the_option_diagonal_steps(
        self, holes: str, expected: str | None
    ) -> None:
        ring = {"TM2": [1, 0], "TM3": [2, 0], "TS3": [2, 1], "TA3": [2, 2], "TA2": [1, 2], "TA1": [0, 2]}
        position = self.place(ring, "TS1", options={"holes": holes})
        assert code(position, "build TS1 at 0,1") == expected

    def test_palazzi_that_differ_by_a_shift_are_the_same(self) -> None:
        here = board(palazzo=LINE)
        there = board(palazzo={one: [x - 5, y + 9] for one, (x, y) in LINE.items()})
        assert here == there
        assert hash(here) == hash(there)
        assert here.to_json() != there.to_json()


class TestPlacing:
    def test_nothing_pending_is_the_wrong_phase_and_another_piece_is_not_in_the_pool(self) -> None:
        assert code(board(), "build TM1 at 0,0") == "wrong-phase"
        assert code(board(), "keep TM1") == "wrong-phase"
        position = do(board(hand=["DM5", "DS5"], yard=["TM0"]), "purchase TM0 pay DM5+DS5")
        assert code(position, "keep TM1") == "not-in-pool"
        assert code(position, "build TM1 at 0,0") == "not-in-pool"
        assert code(position, "coin DM1") == "wrong-phase"


class TestEnd:
    def last(self, **options: bool) -> PiecepackPosition:
        return board(
            hand=["DM5"],
            yard=["TM0"],
            stack=[],
            other={"reserve": [structure for structure in STRUCTURES if structure != "TM0"]},
            options=options,
        )

    def test_after_the_last_purchase_each_seat_from_the_left_may_act_once_more_the_buyer_last(self) -> None:
        position = do(self.last(), "purchase TM0 pay DM5")
        assert position.closing is None, "the buyer's turn is not over"
        position = do(position, "keep TM0", f"coin {position.bank[0]}", "reveal DC5")
        assert (position.closing, position.active, position.phase) == ((1, 0), 1, "action")
        position = do(position, "add TM1 at 0,0")
        assert (position.closing, position.active) == ((0,), 0)
        position = do(position, "pass")
        assert (position.phase, position.closing, position.decider) == ("over", (), None)

    def test_by_the_option_the_buyer_has_no_last_action(self) -> None:
        position = do(self.last(final_action_includes_ender=False), "purchase TM0 pay DM5+die", "keep TM0")
        assert position.closing == (1,)
        assert do(position, "pass").over

    def test_in_the_closing_round_passing_is_always_legal_and_nothing_can_be_bought(self) -> None:
        position = do(self.last(), "purchase TM0 pay DM5+die", "keep TM0")
        assert "pass" in legal(position)
        assert {action.do for action in position.legal} == {"coin", "reserve", "pass"}

    def test_in_the_closing_round_a_turret_may_be_set(self) -> None:
        position = do(self.last(), "purchase TM0 pay DM5+die", "build TM0 at 0,0", "pass")
        assert (position.closing, position.active) == ((0,), 0)
        position = do(position, "turret on TM0")
        assert (position.over, position.turrets[0]) == (True, "TM0")

    @pytest.mark.parametrize("do_", ["agree", "end", "stall", "resign"])
    def test_ending_by_agreement_is_not_an_action_of_the_rules(self, do_: str) -> None:
        with pytest.raises(Illegal) as caught:
            GAME.action({"do": do_})
        assert caught.value.code == "unknown-action"

    def test_the_bank_is_filled_after_the_last_coin_too(self) -> None:
        position = do(self.last(), "purchase TM0 pay DM5+die", "keep TM0", "pass")
        position = do(position, f"coin {position.bank[0]}")
        assert (position.phase, position.closing) == ("reveal", (0,))
        assert do(position, f"reveal {position.pool[0]}").over


class TestScore:
    def scores(self, *palazzi: Sequence[str], turrets: Sequence[str] = (), **fields: Json) -> Sequence[SeatScore]:
        used = {structure for palazzo in palazzi for structure in palazzo}
        position = GAME.new(["Ada", "Ben", "Cyd", "Dan"][: len(palazzi)])
        grids = [PiecepackPalazzo({one: (x, 0) for x, one in enumerate(own)}) for own in palazzi]
        held: tuple[str | None, ...] = (*turrets, *[None] * (len(palazzi) - len(turrets)))
        stack = tuple(one for one in STRUCTURES if one not in used)
        return position.change(palazzi=tuple(grids), turrets=held, stack=stack, **fields).score()

    def test_observatories_two_with_turret_two_one_one_are_nine_four_one_one(self) -> None:
        scores = self.scores(["TM0", "TM1"], ["TM2", "TM3"], ["TM4"], ["TM5"], turrets=["TM0"])
        assert [score.parts[0]["points"] for score in scores] == [9, 4, 1, 1]

    def test_solaria_two_two_one_one_are_six_six_one_one(self) -> None:
        scores = self.scores(["TS0", "TS1"], ["TS2", "TS3"], ["TS4"], ["TS5"])
        assert [score.parts[1]["points"] for score in scores] == [6, 6, 1, 1]

    def test_materials_with_the_turret_on_a_five_are_21(self) -> None:
        scores = self.scores(["TM5", "TM4", "TM3", "TM2", "TM1", "TS1"], [], turrets=["TM5"])
        assert scores[0].parts[-1] == {"materials": 21, "points": 21}

    def test_with_more_than_two_seats_ahead_and_with_none_of_a_suit_it_scores_nothing(self) -> None:
        scores = self.scores(["TM0", "TM1"], ["TM2", "TM3"], ["TM4", "TM5"], ["TS0"])
        assert [score.parts[0]["points"] for score in scores] == [6, 6, 6, 0]
        scores = self.scores(["TC0", "TC1", "TC2"], ["TC3", "TC4"], ["TC5"], [], turrets=["TC0", "TC3"])
        assert [score.parts[3]["points"] for score in scores] == [12, 6, 1, 0]

    def test_parts_add_up_to_the_points_and_reserves_count_nothing(self) -> None:
        scores = self.scores(["TM5"], ["TS5"], reserves=(("TC5",), ()))
        assert [score.points for score in scores] == [8, 8]
        assert all(sum(part["points"] for part in score.parts) == score.points for score in scores)

    def test_a_tie_is_broken_by_coins_and_die_then_by_fewer_structures_and_else_shared(self) -> None:
        level = self.scores(["TM5"], ["TS5"])
        assert [score.rank for score in level] == [1, 1]
        coins = self.scores(["TM5"], ["TS5"], purses=(Purse(("DM1",), 5, 6), Purse(("DM0",), 5, 6)))
        assert [(score.tiebreak, score.rank) for score in coins] == [([6, 1], 2), ([11, 1], 1)]
        die = self.scores(["TM5"], ["TS5"], purses=(Purse((), 0, 6), Purse((), 1, 6)))
        assert [score.rank for score in die] == [2, 1]
        fewer = self.scores(["TM1", "TM0"], ["TS5"], ["TA0", "TA1"])
        assert [score.points for score in fewer] == [7, 8, 7]
        assert [score.rank for score in fewer] == [2, 1, 2]

    def test_fewer_structures_win_a_tie_of_points_and_coins(self) -> None:
        scores = self.scores(["TM2"], ["TS0", "TA0"], ["TC0", "TC1"])
        assert [score.points for score in scores] == [5, 6, 7]
        scores = self.scores(["TM3"], ["TS0", "TA0"])
        assert [(score.points, score.tiebreak, score.rank) for score in scores] == [(6, [5, 1], 1), (6, [5, 2], 2)]
