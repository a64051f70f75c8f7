"""What the HTTP server loads: one application a process, from the environment."""

from __future__ import annotations

import logging

from api.app import create_app, services
from eventstore import memory
from eventstore.settings import settings

_settings = settings()
logging.basicConfig(level=_settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s %(message)s")
if _settings.database_url is None or _settings.redis_url is None:
    raise SystemExit("DATABASE_URL and REDIS_URL are needed here; `parlor serve` brings servers of its own")
app = create_app(services(_settings.database_url, _settings.redis_url, _settings), _settings)
memory.settle()
