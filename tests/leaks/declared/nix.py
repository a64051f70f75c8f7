"""Nix: other hands are hidden. A card drawn from a hand is known to the drawer and to the seat that lost it; one that
fits is open, because it is played at once. Who holds Nix shows at the close."""

from typing import Any

from tests.leaks.declaring import its_own, known, news, to


def drawer_and_victim(event: Any, at: Any, _: Any) -> Any:
    return None if event["fits"] else (event["seat"], event["victim"])


EVENTS = {
    "deal_cards_drawn": {"seats": known, "cards": news, "lowest": news},
    "hand_dealt": {
        "hand_no": known,
        "dealer": known,
        "counts": known,
        "leader": news,
        "wanted": known,
        "hands": its_own,
    },
    "card_played": {"seat": known, "card": known, "wanted": known},
    "set_completed": {"set_no": known, "seat": known},
    "card_drawn": {"seat": known, "victim": known, "fits": news, "card": to(drawer_and_victim)},
    "hand_scored": {"nix_holder": news, "delta": news, "totals": news},
}
