"""A bot of your own, with nothing but Python: it plays any legal command, in every game.

    python bot.py http://127.0.0.1:8000 checkers         opens a match against the server's bots
    python bot.py http://127.0.0.1:8000 MATCH            joins a match that somebody has opened

PARLOR_TOKEN is the token to play with (`bot:play` is enough to join); without it the bot signs up.
"""

import http.client
import json
import os
import random
import sys
import time
import uuid
from urllib.request import Request, urlopen

SERVER, WANTED = sys.argv[1:] if len(sys.argv) == 3 else sys.exit(__doc__)
AUTH = {"Authorization": f"Bearer {os.environ['PARLOR_TOKEN']}"} if os.environ.get("PARLOR_TOKEN") else {}
BROKEN = (OSError, ValueError, IndexError, http.client.HTTPException)  # no answer, half of one, or a refusal


def told(method, path, body=None, more=None):
    """What an answer says: most are one line, a stream brings a line whenever something happens."""
    headers = {"Content-Type": "application/json", "Accept": "application/x-ndjson, */*;q=0.5", **AUTH, **(more or {})}
    with urlopen(Request(SERVER + path, body and json.dumps(body).encode(), headers, method=method), timeout=30) as got:
        yield from map(json.loads, filter(bytes.strip, got))  # an empty line is a sign of life


def pause(trouble):
    if getattr(trouble, "code", 503) not in (429, 502, 503, 504):  # other refusals would stay what they are
        sys.exit(f"{trouble.code}: {trouble.read().decode()}")
    print(f"Again in a moment: {trouble}", file=sys.stderr)
    time.sleep(float(getattr(trouble, "headers", {}).get("Retry-After") or 1))


def ask(method, path, body=None, at=None, fine=()):  # however often it takes, the key lets it be done once
    more = {"Idempotency-Key": str(uuid.uuid4())} | ({"If-Match": f'"{at}"'} if at else {})
    while True:
        try:
            return list(told(method, path, body, more)).pop()
        except BROKEN as trouble:
            if getattr(trouble, "code", 0) in fine:
                return trouble.code
            pause(trouble)


def chosen(message):
    command = min(message["legal"], key=lambda one: (one["type"] in message["asides"], "fill" in one, random.random()))
    if "fill" not in command:
        return command
    # Secret Seven lists no packets, there are too many: two cards of different suits that make seven, and others.
    pack = ask("GET", here)["table"]["pack"]
    combo = random.choice([[a, b] for a in pack for b in pack if a[0] < b[0] and int(a[2:]) + int(b[2:]) == 7])
    rest = random.sample([one for one in pack if one not in combo], int(command["fill"]["cards"].split()[0]) - 2)
    return {"type": command["type"], "cards": combo + rest, "combo": combo}


AUTH = AUTH or {"Authorization": f"Bearer {ask('POST', '/v1/players', {'name': 'Example in Python'})['token']}"}
if len(WANTED) == 36:
    match = ask("POST", f"/v1/matches/{WANTED}/join", {"program": True})
else:
    seats = [{"kind": "me", "program": True}] + [{"kind": "bot"}] * (ask("GET", f"/v1/games/{WANTED}")["seats"][0] - 1)
    match = ask("POST", "/v1/matches", {"game": WANTED, "seats": seats})
    ask("POST", f"/v1/matches/{match['id']}/start", fine=(409,))  # it has started if the first answer was lost

here, version, result = f"/v1/matches/{match['id']}", None, None
while not result:
    try:
        for message in told("GET", f"{here}/events?follow=1" + (f"&after={version}" if version else "")):
            result, at = message.get("result"), message.get("event") or message.get("view")
            version = at["version"] if at else version
            # A command is judged at the version that it was chosen at. After 412 the stream tells what came between.
            if message.get("legal") and ask("POST", f"{here}/commands", chosen(message), version, (409, 412)) == 409:
                version = None  # another choice may do
                break
        time.sleep(not result)
    except BROKEN as trouble:
        pause(trouble)
print(json.dumps({"match": match["id"], "you": match["you"], "result": result}))
