"""Four Nines: nothing is hidden."""

from tests.leaks.declaring import known

EVENTS = {
    "start_thrown": {"seats": known, "throws": known, "best": known},
    "dice_rolled": {
        "seat": known,
        "dice": known,
        "throw_no": known,
        "numbers": known,
        "need": known,
        "chances": known,
        "again": known,
    },
    "gift_given": {"seat": known, "thrower": known, "numbers": known, "need": known},
    "disc_entered": {
        "seat": known,
        "disc": known,
        "by": known,
        "road": known,
        "captured": known,
        "points": known,
        "left": known,
    },
    "disc_moved": {
        "seat": known,
        "disc": known,
        "number": known,
        "from": known,
        "to": known,
        "road": known,
        "captured": known,
        "points": known,
        "left": known,
    },
    "disc_forfeited": {"seat": known, "disc": known, "reason": known},
    "play_ended": {"seat": known, "unused": known},
    "entry_missed": {"seat": known, "discs": known, "points": known},
    "game_won": {"seats": known, "scores": known, "discs_home": known, "wins": known, "sums": known},
}
