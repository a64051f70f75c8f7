PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Tests start hundreds of processes: what was compiled once is kept, whatever the environment says.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: run test browser pictures game-pages forgeries chaos mutants leaks feed lint bench arena train openapi clients clean

run: $(VENV)/ready
	@$(BIN)/parlor serve

# The pages come second, by themselves: their server has bots at work, which would play in the matches of other tests.
test: $(VENV)/ready-dev
	$(BIN)/python -m pytest -n 3 --dist worksteal --ignore=tests/browser
	$(MAKE) --no-print-directory browser

# The pages alone, in a real browser, which is installed where there is none; FULL=1 plays all games at their usual length.
browser: $(VENV)/ready-dev
	FULL=$(FULL) $(BIN)/python -m pytest -n 2 --dist worksteal tests/browser

# Pictures of every table, for README.md and docs/games.
pictures: $(VENV)/ready-dev
	PICTURES=docs/games/pictures $(BIN)/python -m pytest tests/browser/test_pictures.py

# What docs/games show of the API, taken from a server anew.
game-pages: $(VENV)/ready-dev
	$(BIN)/python -m tests.api.turns

# Bytes flipped in a thousand events of all games, and every other forgery; EVENTS=50 for a quick look, SEED=monday for others.
forgeries: $(VENV)/ready-dev
	$(BIN)/python -m tests.audit.forgeries $(if $(EVENTS),--events $(EVENTS)) $(if $(SEED),--seed $(SEED))

# KILLS=20 and FLUSHES=3 for a quick look, ONLY=FLUSHALL for one trial.
chaos: $(VENV)/ready-dev
	$(BIN)/python -m tests.chaos $(if $(KILLS),--kills $(KILLS)) $(if $(FLUSHES),--flushes $(FLUSHES)) $(if $(ONLY),--only "$(ONLY)")

# GAME=quenette for one game, SAMPLE=50 for a quick look.
mutants: $(VENV)/ready-dev
	$(BIN)/python -m tests.mutants $(GAME) $(if $(SAMPLE),--sample $(SAMPLE))

# GAME=goat for one game, PAIRS=500 for a quick look, SEED=monday for other matches.
leaks: $(VENV)/ready-dev
	$(BIN)/python -m tests.leaks $(if $(GAME),--game $(GAME)) $(if $(PAIRS),--pairs $(PAIRS)) $(if $(SEED),--seed $(SEED))

# A million events by sixteen writers; EVENTS=50000 for a quick look.
feed: $(VENV)/ready-dev
	$(BIN)/python -m tests.feed $(if $(EVENTS),--events $(EVENTS))

lint: $(VENV)/ready-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m tests.clients.typed

bench: $(VENV)/ready-bench
	$(BIN)/python -m bench

# GAME=quenette for one game, HANDS=100 for a quick look, JOBS=1 for one process; WRITE=1 keeps what is found, and goes on
# where it stopped.
arena: $(VENV)/ready-bench
	$(BIN)/python -m bench.arena $(if $(GAME),--game $(GAME)) $(if $(HANDS),--hands $(HANDS)) $(if $(JOBS),--jobs $(JOBS)) \
		$(if $(WRITE),--write) $(if $(OPPONENT),--opponent $(OPPONENT))

# GAME=backgammon, GAME=acey-ducey or GAME=four-nines: the weights of its bots are learned anew, by self-play on one core.
train: $(VENV)/ready-train
	$(BIN)/python -m train $(GAME)

openapi: $(VENV)/ready-dev
	$(BIN)/python -m tests.api.examples

# Linters read openapi.yaml, generators make clients from it, and type checkers read those.
clients: $(VENV)/ready-dev
	$(BIN)/python -m tests.clients

clean:
	rm -rf $(VENV) build .parlor .mypy_cache .ruff_cache .pytest_cache

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Parlor needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

# One marker a set of packages: what is installed is installed once.
$(VENV)/ready: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e .
	@touch $@

$(VENV)/ready-dev: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev]'
	@touch $@ $(VENV)/ready

$(VENV)/ready-bench: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,bench]'
	@touch $@ $(VENV)/ready-dev $(VENV)/ready

$(VENV)/ready-train: $(VENV)/bin/python pyproject.toml constraints.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e '.[dev,train]'
	@touch $@ $(VENV)/ready-dev $(VENV)/ready
