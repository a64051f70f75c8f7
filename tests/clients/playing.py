"""A player made of the generated client, as `playing.ts` is in TypeScript: it plays whole matches of three games through
their streams, typed all the way.

`make clients` runs it in the folder where the client was generated, with the address of a server.
"""

from __future__ import annotations

import json
import sys
import uuid
from typing import Any, Final

sys.path.insert(0, ".")

# It is made anew each time, so nothing is known of it here.
from python import AuthenticatedClient, Client, models  # type: ignore[import-not-found]
from python.api.matches import post_matches, post_matches_match_id_commands, post_matches_match_id_start  # type: ignore[import-not-found]
from python.api.players import post_players  # type: ignore[import-not-found]

NAMES: Final = {"quenette": "Quenette", "checkers": "Checkers", "backgammon": "Backgammon"}
TABLES: Final[dict[str, dict[str, Any]]] = {
    "quenette": {"options": {"hands": 1}},
    "checkers": {},
    "backgammon": {},
}


def one_of(game: str, message: dict[str, Any]) -> Any:
    """A line of a stream as the type that the document gives it."""
    kinds = {"view": f"{NAMES[game]}ViewMessage", "event": f"{NAMES[game]}EventMessage"}
    kinds |= {"end": "EndMessage", "bye": "ByeMessage"}
    return getattr(models, kinds[message["kind"]]).from_dict(message)


def play(client: AuthenticatedClient, game: str) -> int:
    """Plays a match to its end against a bot; the number of commands that were sent."""
    seats = [{"kind": "me", "program": True}, {"kind": "bot", "level": "random"}]
    asked = getattr(models, f"{NAMES[game]}NewMatch").from_dict({"game": game, "seats": seats, **TABLES[game]})
    match: Any = post_matches.sync(client=client, body=asked, idempotency_key=str(uuid.uuid4()))
    post_matches_match_id_start.sync(match.id, client=client)
    sent, path = 0, f"/v1/matches/{match.id}/events?follow=1"
    headers = {"Accept": "application/x-ndjson"}
    with client.get_httpx_client().stream("GET", path, headers=headers, timeout=60) as stream:
        for line in stream.iter_lines():
            if not line:
                continue
            told = one_of(game, json.loads(line))
            if isinstance(told, models.EndMessage):
                return sent
            if isinstance(told, models.ByeMessage):
                break
            version = told.view.version if told.kind == "view" else told.event.version
            if told.legal:
                command = next(one for one in told.legal if one.type_ not in told.asides)
                done: Any = post_matches_match_id_commands.sync(
                    match.id, client=client, body=command, idempotency_key=str(uuid.uuid4()), if_match=f'"{version}"'
                )
                if isinstance(done, models.ProblemDetails) and done.code != "stale_version":
                    sys.exit(f"{game}: {done.code}: {done.detail}")
                sent += 1
    sys.exit(f"{game}: the stream ended before the match")


def main() -> None:
    server = sys.argv[1]
    signed: Any = post_players.sync(client=Client(server), body=models.SignUp(name="Generated"))
    client = AuthenticatedClient(server, token=signed.token)
    for game in TABLES:
        print(f"{game}: over after {play(client, game)} commands", flush=True)


if __name__ == "__main__":
    main()
