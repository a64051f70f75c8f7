"""A bot of your own, with nothing but Python: it plays any legal command, in every game.

    python bot.py http://127.0.0.1:8000 checkers         opens a match against the server's bots
    python bot.py http://127.0.0.1:8000 MATCH            joins a match that somebody has opened

PARLOR_TOKEN is the token to play with (`bot:play` is enough to join); without it the bot signs up. PARLOR_PAUSE is how
many seconds to wait before it looks again.
"""

import json
import os
import random
import sys
import time
import urllib.error
import urllib.request
import uuid

SERVER, WANTED = sys.argv[1:3]
PAUSE, TOKEN = float(os.environ.get("PARLOR_PAUSE", "1")), os.environ.get("PARLOR_TOKEN", "")


def ask(method, path, body=None, more=None):
    """The status, the body and the ETag of an answer. What got none, or came too early, is sent again as it was."""
    token = {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}
    headers = {"Content-Type": "application/json", **token, **(more or {})}
    data = None if body is None else json.dumps(body).encode()
    while True:
        request = urllib.request.Request(f"{SERVER}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status, json.load(answer), answer.headers["ETag"]
        except urllib.error.HTTPError as answer:
            if answer.code not in (429, 503):
                text = answer.read()
                return answer.code, json.loads(text) if text else None, answer.headers["ETag"]
            time.sleep(float(answer.headers["Retry-After"] or 1))
        except (OSError, ValueError):
            time.sleep(1)  # nobody knows whether it arrived: a command has a key, so that it is played once


def must(status, body, _):
    return body if status < 300 else sys.exit(f"{status}: {body}")


def filled(template, table):
    """Secret Seven lists no packets, there are too many: two cards of different suits that make seven, and others."""
    pack = random.sample(table["pack"], len(table["pack"]))
    pairs = [[a, b] for a in pack for b in pack if a[0] < b[0] and int(a[2:]) + int(b[2:]) == 7]
    rest = [card for card in pack if card not in pairs[0]][: int(template["fill"]["cards"].split()[0]) - 2]
    return {"type": template["type"], "cards": pairs[0] + rest, "combo": pairs[0]}


if not TOKEN:
    TOKEN = must(*ask("POST", "/v1/players", {"name": "Example in Python"}))["token"]
if len(WANTED) == 36:
    match = must(*ask("POST", f"/v1/matches/{WANTED}/join", {"program": True}))["id"]
else:
    least = must(*ask("GET", f"/v1/games/{WANTED}"))["seats"][0]
    seats = [{"kind": "me", "program": True}] + [{"kind": "bot"}] * (least - 1)
    match = must(*ask("POST", "/v1/matches", {"game": WANTED, "seats": seats}))["id"]
    must(*ask("POST", f"/v1/matches/{match}/start"))

view, seen = {"status": "open"}, '"0"'
while view["status"] != "over":
    status, body, tag = ask("GET", f"/v1/matches/{match}", None, {"If-None-Match": seen})
    view, seen = (body, tag) if status != 304 else (view, seen)
    if status == 304 or view["you"] not in view["to_act"]:
        time.sleep(PAUSE)
        continue
    legal = must(*ask("GET", f"/v1/matches/{match}/legal"))
    commands = [one for one in legal["commands"] if one["type"] not in legal["asides"]] or legal["commands"]
    if commands:
        command = random.choice([one for one in commands if "fill" not in one] or commands)
        command = filled(command, view["table"]) if "fill" in command else command
        # Judged at the version that it was chosen at. 409 and 412 mean that it came too late: look again, choose again.
        sent = {"If-Match": f'"{legal["version"]}"', "Idempotency-Key": str(uuid.uuid4())}
        status, body, _ = ask("POST", f"/v1/matches/{match}/commands", command, sent)
        seen = '"0"' if status in (200, 409, 412) else sys.exit(f"{status}: {body}")
print(json.dumps({"match": match, "you": view["you"], "result": view["result"]}))
