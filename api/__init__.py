"""Parlor over HTTP, and its command line."""

import os

# Before anything counts: prometheus_client would count in mapped files, which a full disk makes deadly.
os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
