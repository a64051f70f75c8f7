"""Rough odds."""

from __future__ import annotations

from math import comb

from domain.kit.odds import SURE, lacks, nobody


def test_the_odds_that_a_hand_lacks_some_cards_are_near_the_true_ones() -> None:
    for size, unseen, cards in ((10, 40, 3), (6, 30, 5), (13, 39, 1), (4, 12, 2)):
        true = comb(unseen - cards, size) / comb(unseen, size)
        assert abs(lacks(size, unseen)[cards] / SURE - true) < 0.07


def test_where_nothing_is_unseen_every_card_is_lacking() -> None:
    assert lacks(0, 0)[0] == lacks(0, 0)[5] == SURE


def test_what_all_do_is_not_left_undone_by_two() -> None:
    assert nobody(SURE, 2) == 0
    assert nobody(SURE, 0) == nobody(0, 5) == SURE
