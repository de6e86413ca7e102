# One list of commands. `make` or `make help` prints them.

SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: setup run demo test agents bench lint help

BIN := .venv/bin
# Worker processes of the test run. Tests wait for processes more than they compute: three fill two cores.
JOBS ?= 3

setup: ## Set up this checkout: .venv, developer's tools, system libraries, speech models
	@PYTHON="$(PYTHON)" packaging/setup.sh

run: setup ## Set up, then open the desktop app
	@$(BIN)/sayso desktop

demo: setup ## Set up, then do the main job without a screen or a microphone (ARGS="--shots DIR")
	@packaging/demo.sh $(ARGS)

test: setup ## Set up, then run every test that needs no outside agent (ARGS="tests/actions -k inbox")
	@packaging/setup.sh tests
	@JOBS=$(JOBS) packaging/test.sh $(ARGS)

agents: setup ## Install the real agents and MCP servers and test with them, against a model server on loopback
	@packaging/agents.sh $(ARGS)

bench: setup ## Run the benchmarks against their floors and write bench-results.json
	@$(BIN)/python -m tests.bench $(ARGS)

lint: setup ## Check style, types and the direction of imports
	@failed=0; \
	for check in "ruff check" "ruff format --check" pyright lint-imports; do \
		echo "lint: $$check"; $(BIN)/$$check || failed=1; \
	done; \
	exit $$failed

help: ## Print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile
