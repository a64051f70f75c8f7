"""Backgammon: nothing is hidden."""

from tests.leaks.declaring import known

EVENTS = {
    "opening_cast": {"game_no": known, "dice": known, "first": known, "crawford": known},
    "dice_adopted": {"seat": known, "dice": known, "numbers": known},
    "dice_rolled": {"seat": known, "dice": known, "numbers": known},
    "man_moved": {"seat": known, "from": known, "to": known, "die": known, "hit": known},
    "play_undone": {"seat": known, "from": known, "to": known, "die": known, "hit": known},
    "numbers_lost": {"seat": known, "numbers": known},
    "turn_skipped": {"seat": known, "reason": known},
    "double_offered": {"seat": known, "value": known},
    "double_taken": {"seat": known, "value": known},
    "double_dropped": {"seat": known},
    "concession_offered": {"seat": known, "value": known},
    "concession_answered": {"seat": known, "accepted": known},
    "game_won": {
        "seat": known,
        "reason": known,
        "value": known,
        "cube": known,
        "points": known,
        "men_off": known,
        "totals": known,
    },
}
