"""Parlor over HTTP, and its command line."""

import os

# Before anything counts: prometheus_client would count in mapped files, which a full disk makes deadly.
os.environ.pop("PROMETHEUS_MULTIPROC_DIR", None)
# Before numpy is there: a bot thinks on one core, and threads that share a small product wait more than they work.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
