# `make check` is what CI runs; it needs the environment that `python3 scripts/check.py` makes (and then runs the same steps).
BIN ?= .venv/bin

.PHONY: check nightly docs lock format

check:
	$(BIN)/python scripts/check.py --no-install

# What is too rare for every push: all guards after a run of their tests with the guards in, all tests, all examples.
nightly:
	$(BIN)/python scripts/check.py --no-install --all

docs:
	$(BIN)/python scripts/generate_docs.py

format:
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock:
	uv pip compile -q pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --custom-compile-command "make lock" -o requirements/run.lock
	uv pip compile -q pyproject.toml --extra fleet --extra mcp --extra models --group dev --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --custom-compile-command "make lock" -o requirements/dev.lock
	uv pip compile -q requirements/small-model.in --no-deps --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --custom-compile-command "make lock" -o requirements/small-model.lock
	uv pip compile -q requirements/build.in --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-annotate \
	  --custom-compile-command "make lock" -o requirements/build.lock
