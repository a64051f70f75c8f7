"""Acey-Ducey: nothing is hidden."""

from tests.leaks.declaring import known

EVENTS = {
    "start_thrown": {"game_no": known, "dice": known, "starter": known},
    "dice_rolled": {"seat": known, "dice": known, "numbers": known, "kind": known, "free": known},
    "man_moved": {"seat": known, "from": known, "to": known, "number": known, "hit": known},
    "numbers_lost": {"seat": known, "numbers": known, "bonus_lost": known},
    "double_named": {"seat": known, "number": known, "numbers": known},
    "game_won": {"colour": known, "seats": known, "men_left": known, "points": known, "score": known},
}
