"""What a board of Checkers is worth, in hundredths of a man."""

from __future__ import annotations

from typing import Final

from domain.games.checkers.draughts import APART, DARK, WHOLE, Bits, Board, Side, bits, squares

MAN: Final = 100
KING: Final = 130


def _turned(some: Bits) -> Bits:
    """The same squares as the other side sees them."""
    return bits(33 - square for square in squares(some))


def _rows(*numbers: int) -> Bits:
    return bits(square for square in range(1, 33) if (square - 1) // 4 in numbers)


# How far men have come, as a number in binary: their row from 0 to 7 is the sum of what these rows count.
ONE, TWO, FOUR = _rows(1, 3, 5, 7), _rows(2, 3, 6, 7), _rows(4, 5, 6, 7)
CENTRE: Final = bits((10, 11, 14, 15, 18, 19, 22, 23))
RIM: Final = bits((4, 5, 12, 13, 20, 21, 28, 29))  # the squares at either side
FRAME: Final = RIM | _rows(0, 7)
DOUBLE_CORNERS: Final = bits((1, 5, 28, 32))
# Two men that keep enemies from being crowned, and the corner that is the safest when it stays closed.
BRIDGE: Final = (bits((1, 3)), _turned(bits((1, 3))))
CORNER: Final = (bits((1, 2, 6)), _turned(bits((1, 2, 6))))
HOME: Final = (_rows(0), _rows(7))

# What a row of advance is worth when so many pieces are left: early on men are better kept back.
ADVANCE: Final = tuple(4 if pieces <= 10 else 3 if pieces <= 14 else 1 if pieces <= 18 else 0 for pieces in range(25))
TRADE: Final = 250  # what being ahead is worth beyond the pieces, the more the fewer there are
FEW: Final = 7  # pieces, with which kings have to be driven together


def worth(board: Board, side: Side) -> int:
    """To the side that is to move."""
    dark, light, kings = board
    empty = WHOLE ^ dark ^ light
    dark_kings, light_kings = dark & kings, light & kings
    dark_men, light_men = dark ^ dark_kings, light ^ light_kings
    dark_count, light_count = dark_men.bit_count(), light_men.bit_count()
    own, other = MAN * dark_count, MAN * light_count
    pieces = dark_count + light_count
    value = 0
    if kings:
        dark_crowns, light_crowns = dark_kings.bit_count(), light_kings.bit_count()
        own += KING * dark_crowns
        other += KING * light_crowns
        pieces += dark_crowns + light_crowns
        value += 4 * ((dark_kings & CENTRE).bit_count() - (light_kings & CENTRE).bit_count())
        value -= 4 * ((dark_kings & FRAME).bit_count() - (light_kings & FRAME).bit_count())
    value += (
        own - other + TRADE * (own - other) // (own + other)
        if own >= other
        else -((other - own) + TRADE * (other - own) // (own + other))
    )
    # Men: how far they have come, where they stand, and who guards the row where the enemy is crowned.
    come = (
        (dark_men & ONE).bit_count()
        + 2 * (dark_men & TWO).bit_count()
        + 4 * (dark_men & FOUR).bit_count()
        - 7 * light_count
        + (light_men & ONE).bit_count()
        + 2 * (light_men & TWO).bit_count()
        + 4 * (light_men & FOUR).bit_count()
    )
    value += ADVANCE[pieces] * come
    value += 2 * ((dark_men & CENTRE).bit_count() - (light_men & CENTRE).bit_count())
    value -= 2 * ((dark_men & RIM).bit_count() - (light_men & RIM).bit_count())
    if light_men:
        value += 4 * (dark_men & HOME[0]).bit_count()
        if dark_men & BRIDGE[0] == BRIDGE[0]:
            value += 6
        if dark_men & CORNER[0] == CORNER[0]:
            value += 3
    if dark_men:
        value -= 4 * (light_men & HOME[1]).bit_count()
        if light_men & BRIDGE[1] == BRIDGE[1]:
            value -= 6
        if light_men & CORNER[1] == CORNER[1]:
            value -= 3
    # Freedom to move.
    value += (dark << 4 & empty).bit_count() + (dark << 5 & empty).bit_count()
    value -= (light >> 4 & empty).bit_count() + (light >> 5 & empty).bit_count()
    if pieces <= FEW and kings and own != other:
        value += driven(dark, light, kings) if own > other else -driven(light, dark, kings)
    return value + 3 if side == DARK else 3 - value


def driven(ahead: Bits, behind: Bits, kings: Bits) -> int:
    """How near the kings of the side that is ahead have come to those that they have to catch."""
    value = 0
    hunted = squares(behind)
    hunters = squares(ahead & kings)
    for hunter in hunters:
        value -= 2 * sum([APART[hunter, prey] for prey in hunted])
    value -= 12 * (behind & kings & DOUBLE_CORNERS).bit_count()
    return value
