"""Webhooks over HTTP: where to send word, and what became of it."""

from __future__ import annotations

import ipaddress
import uuid
from typing import Any
from urllib.parse import urlsplit

from flask import Response, current_app

from api import schemas
from api.problems import unfit
from api.queries import DeliveriesQuery
from api.web import Pages, answer, cursor, from_cursor, needs, nothing, problems
from eventstore.players import Caller
from eventstore.webhooks import Webhooks
from workers.addresses import is_public

pages = Pages(
    "webhooks",
    __name__,
    url_prefix="/v1/webhooks",
    description="Have word sent to you instead of asking again and again.",
)


def webhooks() -> Webhooks:
    return current_app.extensions["parlor"].webhooks  # type: ignore[no-any-return]


@pages.route("", methods=["POST"])
@needs("match:read")
@pages.arguments(schemas.NewWebhook, location="json")
@pages.response(201, schemas.FreshWebhook)
@problems(400, 401, 403, 409, 413, 415, 422, 503)
def add(who: Caller, given: dict[str, Any]) -> Response:
    """Have word sent to an address when you are to act and when a match of yours ends; the answer holds the secret"""
    _not_ours(given["url"])
    return answer(webhooks().add(who, given["url"], given.get("secret")), 201)


def _not_ours(url: str) -> None:
    """An address in numbers can be judged at once. A name is looked up when something is sent, and judged then."""
    try:
        address = ipaddress.ip_address(urlsplit(url).hostname or "")
    except ValueError:
        return
    if not is_public(address) and not current_app.config["WEBHOOK_PRIVATE"]:
        raise unfit({"url": ["must not be a private, loopback or link-local address"]})


@pages.route("", methods=["GET"])
@needs("match:read")
@pages.response(200, schemas.WebhookList)
@problems(401, 403, 503)
def list_webhooks(who: Caller) -> Response:
    """Your webhooks without their secrets"""
    return answer({"webhooks": webhooks().of(who)})


@pages.route("/<uuid:webhook_id>", methods=["DELETE"])
@needs("match:read")
@pages.response(204)
@problems(401, 403, 404, 503)
def remove(who: Caller, webhook_id: uuid.UUID) -> Response:
    """Delete a webhook, with all that was to be sent to it"""
    webhooks().remove(who, str(webhook_id))
    return nothing()


@pages.route("/<uuid:webhook_id>/deliveries", methods=["GET"])
@needs("match:read")
@pages.arguments(DeliveriesQuery, location="query")
@pages.response(200, schemas.DeliveryList)
@problems(401, 403, 404, 422, 503)
def deliveries(who: Caller, query: dict[str, Any], webhook_id: uuid.UUID) -> Response:
    """What was sent to a webhook or is to be; with `state=dead` what was given up"""
    before = from_cursor(query["cursor"]) if "cursor" in query else None
    found = webhooks().deliveries(who, str(webhook_id), query["limit"] + 1, state=query.get("state"), before=before)
    page = found[: query["limit"]]
    return answer({"deliveries": page, "next": cursor(page, "created_at") if len(found) > len(page) else None})


@pages.route("/<uuid:webhook_id>/deliveries/<uuid:delivery_id>/redeliver", methods=["POST"])
@needs("match:read")
@pages.response(202, schemas.DeliveryInfo)
@problems(401, 403, 404, 503)
def redeliver(who: Caller, webhook_id: uuid.UUID, delivery_id: uuid.UUID) -> Response:
    """Send a delivery again, whatever became of it"""
    return answer(webhooks().send_again(who, str(webhook_id), str(delivery_id)), 202)
