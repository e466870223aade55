# `make run` and `make test` need Python 3.11 or newer with its venv module; everything else they install into .venv.

PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python3.14; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
WORKERS ?= 2

BIN := .venv/bin
STAMPS := .venv/.stamps
INSTALL := -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: help run test slow-tests test-all campaign fuzz lint types layers docs docs-quick docs-peers screenshots bench wheel clean
.NOTPARALLEL:

help:
	@echo "make run       install, run the double pendulum, print its certificate, write run.png and run.zarr"
	@echo "make test      the tests, then the laws and exact ones again without heyoka"
	@echo "make test-all  the same with the slow tests"
	@echo "make slow-tests measure all tests and list those that make test leaves out, in tests/slow_tests.txt (quiet machine)"
	@echo "make fuzz      wrong files, calls and stores, and killed runs, for some minutes (SEED=1)"
	@echo "make lint | types | layers   ruff | pyright | import-linter"
	@echo "make docs      the documentation as a site, in site/; open site/index.html, no server and no net needed"
	@echo "make screenshots pictures of pages of examples, by Chromium, into docs/pictures/view (SHOTS=\"four_bar tree\": some of them)"
	@echo "make bench     the benchmarks, next to their peers, and their page (BENCH=\"--quick\" or names of some)"
	@echo "make campaign  500 random scenes with contact by every engine: counts, with the seeds (hours)"
	@echo "make wheel     a wheel with compiled kernels for this Python and platform, in dist/ (some minutes)"
	@echo "make clean     remove .venv, caches and results"

run: $(STAMPS)/run
	$(BIN)/vinculum run examples/double_pendulum.toml --out run.zarr --plot run.png

# What depends on the engine that integrates; the second pass runs these without heyoka, and `make test-all` all laws and exact tests.
OF_ENGINES = $(addprefix tests/exact/,constraints contact impacts motion) $(wildcard $(addprefix tests/laws/*/test_,certificates.py certificate_offsets.py certificate_sharpness.py charts.py \
	coming_to_rest.py constraints.py ensembles.py loops_of_every_size.py small_motions.py storage.py pair_loops.py)) \
	$(addprefix --ignore=,$(wildcard $(addprefix tests/exact/*/test_,arms_of_free_bodies.py draped_chains.py hopping_legs.py houses_of_cards.py free_bodies.py \
	shapes_in_contact.py standing_discs.py steps_by_hand.py)))

test: $(STAMPS)/dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not slow"
	VINCULUM_HIDE_HEYOKA=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -m "not slow" $(OF_ENGINES)

slow-tests: $(STAMPS)/dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile -o junit_family=xunit1 --junitxml=build/tests.xml
	$(BIN)/python tests/slow_list.py build/tests.xml

test-all: $(STAMPS)/dev
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile
	VINCULUM_HIDE_HEYOKA=1 $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile tests/laws tests/exact

SEED ?= 1

fuzz: $(STAMPS)/dev
	PYTHONPATH=tests:tests/systems $(BIN)/python tests/fuzz.py --seed $(SEED) --files 100000 --calls 10000 --stores 1000 --kills 200

lint: $(STAMPS)/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: $(STAMPS)/dev
	$(BIN)/pyright

layers: $(STAMPS)/dev
	$(BIN)/lint-imports

# A warning is an error. Pages of the gallery and of the reference are written by the build; the quick form runs no example and no
# notebook. Afterwards a browser asks the search of the site some questions.
docs: $(STAMPS)/docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -c docs/_site -d build/doctrees docs site
	PYTHONPATH=tests $(BIN)/python docs/_site/check_site.py site
	@$(MAKE) --no-print-directory docs-peers
	@echo "The site is in site/: open site/index.html."

# Pages that compare with other programs run where these are installed.
docs-peers: benchmarks/.venv/.installed
	benchmarks/.venv/bin/python -m pytest tests/examples/test_docs.py -k "says_what_happens and from/"

docs-quick: $(STAMPS)/docs
	$(BIN)/python -m sphinx --fail-on-warning --keep-going --quiet -t quick -c docs/_site -d build/doctrees docs site
	PYTHONPATH=tests $(BIN)/python docs/_site/check_site.py site --quick

screenshots: $(STAMPS)/dev
	PYTHONPATH=tests $(BIN)/python docs/_site/screenshots.py $(SHOTS)

# Other seeds: make campaign SCENES=100 FIRST=7000.
SCENES ?= 500
FIRST ?= 1000
campaign: $(STAMPS)/dev
	$(BIN)/python tests/campaign.py --scenes $(SCENES) --first $(FIRST) --workers $(WORKERS)

# Benchmarks run next to their peers, which benchmarks/requirements.txt names and which stay out of .venv.
bench: benchmarks/.venv/.installed
	@benchmarks/.venv/bin/python benchmarks/_all.py $(BENCH)

# The wheel is built in an environment of its own, with the versions of the compiler that constraints.txt names.
wheel: | $(BIN)/pip
	VINCULUM_KERNELS=1 $(BIN)/python -m pip wheel --disable-pip-version-check --no-deps --wheel-dir dist .

clean:
	rm -rf .venv benchmarks/.venv build dist site jupyter_execute docs/gallery docs/reference run.zarr run.png
	rm -rf .pytest_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests examples benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

# Editable: a change of the sources needs no new installation.
$(STAMPS)/run: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing Vinculum into .venv (some minutes the first time) ..."
	@$(BIN)/python $(INSTALL) --editable '.[full]'
	@mkdir -p $(STAMPS) && touch $@

$(STAMPS)/dev: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing Vinculum and its development tools into .venv (some minutes the first time) ..."
	@$(BIN)/python $(INSTALL) --editable '.[full,dev]'
	@mkdir -p $(STAMPS) && touch $(STAMPS)/run $@

$(STAMPS)/docs: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "Installing Vinculum and what builds its documentation into .venv (some minutes the first time) ..."
	@$(BIN)/python $(INSTALL) --editable '.[full,docs]'
	@mkdir -p $(STAMPS) && touch $(STAMPS)/run $@

benchmarks/.venv/.installed: pyproject.toml constraints.txt $(wildcard benchmarks/requirements.txt) | benchmarks/.venv/bin/pip
	@echo "Installing Vinculum and its peers into benchmarks/.venv (some minutes the first time) ..."
	@benchmarks/.venv/bin/python $(INSTALL) --editable '.[full,elements]' $(patsubst %,--requirement %,$(wildcard benchmarks/requirements.txt))
	@touch $@

%/bin/pip:
	@test -n "$(PYTHON)" || { echo "Vinculum needs Python 3.11 or newer and finds none on PATH." >&2; \
		echo "Install it (Debian 12 or newer: apt-get install python3 python3-venv)" >&2; \
		echo "or name one: make PYTHON=/path/to/python3.11" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Vinculum needs Python 3.11 or newer; $(PYTHON) is `$(PYTHON) --version 2>&1`." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
		echo "$(PYTHON) has no venv module. Install it (Debian: apt-get install python3-venv)." >&2; exit 1; }
	$(PYTHON) -m venv $*
