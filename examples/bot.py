"""A bot of your own, with nothing but Python: it plays any legal command, in every game.

    python bot.py http://127.0.0.1:8000 checkers         opens a match against the server's bots
    python bot.py http://127.0.0.1:8000 MATCH            joins a match that somebody has opened

PARLOR_TOKEN is the token to play with (`bot:play` is enough to join); without it the bot signs up.
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
TOKEN = os.environ.get("PARLOR_TOKEN", "")


def ask(method, path, body=None, more=None):
    """The status and the body of an answer. What got none, or came too early, is sent again as it was."""
    headers = {"Content-Type": "application/json", **(more or {})}
    headers |= {"Authorization": f"Bearer {TOKEN}"} if TOKEN else {}
    data = None if body is None else json.dumps(body).encode()
    while True:
        request = urllib.request.Request(f"{SERVER}{path}", data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=40) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as answer:
            if answer.code not in (429, 503):
                text = answer.read()
                return answer.code, json.loads(text) if text else None
            time.sleep(float(answer.headers["Retry-After"] or 1))
        except (OSError, ValueError):
            time.sleep(1)  # nobody knows whether it arrived: a command has a key, so that it is played once


def must(status, body):
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

here, NOTHING = f"/v1/matches/{match}", {"commands": []}
view, legal = {"status": "open", "version": 0}, NOTHING
while view["status"] != "over":
    if not legal["commands"]:
        status, body = ask("GET", f"{here}?wait=25&after={view['version']}")  # as soon as there is more; if not, 304
        view = body if status == 200 else view
        legal = must(*ask("GET", f"{here}/legal")) if status == 200 and view["you"] in view["to_act"] else NOTHING
        continue
    commands = [one for one in legal["commands"] if one["type"] not in legal["asides"]] or legal["commands"]
    command = random.choice([one for one in commands if "fill" not in one] or commands)
    command = filled(command, view["table"]) if "fill" in command else command
    # Judged at the version that it was chosen at. 409 and 412 mean that it came too late: look again, choose again.
    key, at = str(uuid.uuid4()), f'"{legal["version"]}"'
    sent = {"If-Match": at, "Idempotency-Key": key, "Prefer": "return=representation"}
    status, body = ask("POST", f"{here}/commands", command, sent)
    view = {**view, "version": 0} if status in (409, 412) else must(status, body)["view"]
    legal = body["legal"] if status == 200 and view["you"] in view["to_act"] else NOTHING
print(json.dumps({"match": match, "you": view["you"], "result": view["result"]}))
