# The commands of this project; `make` alone lists them. Needs Rust, gcc, make, Python 3 and openssl; everything else is
# fetched from the ordinary package registries and stays in this folder.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

CARGO ?= cargo
PYTHON3 ?= python3

VENV := .venv
BIN := $(VENV)/bin
TOOLS := target/tools
REQUIREMENTS := tests/python/requirements.txt bench/requirements.txt website/requirements.txt \
    examples/notebooks/requirements.txt

# nextest runs the same tests faster; where it is not installed, nothing is lost.
RUST_TEST := $(if $(shell $(CARGO) nextest --version 2>/dev/null),nextest run,test) --no-fail-fast
# One that is installed already is taken.
CARGO_DENY_VERSION := 0.20.2
CARGO_PUBLIC_API_VERSION := 0.52.0
CARGO_PUBLIC_API := $(TOOLS)/bin/cargo-public-api
CARGO_FUZZ_VERSION := 0.13.2
CARGO_FUZZ := $(or $(shell command -v cargo-fuzz 2>/dev/null),$(TOOLS)/bin/cargo-fuzz)
CARGO_MUTANTS_VERSION := 27.1.0
CARGO_MUTANTS := $(or $(shell command -v cargo-mutants 2>/dev/null),$(TOOLS)/bin/cargo-mutants)
CARGO_LLVM_COV_VERSION := 0.9.1
CARGO_LLVM_COV := $(or $(shell command -v cargo-llvm-cov 2>/dev/null),$(TOOLS)/bin/cargo-llvm-cov)
CARGO_DENY := $(or $(shell command -v cargo-deny 2>/dev/null),$(TOOLS)/bin/cargo-deny)

PURE_RUST := --no-default-features --features pure-rust,sandbox
# What a bank links: neither a test key nor the simulated bank.
PRODUCTION := -p xs2a -p xs2a-ffi --no-default-features --features xs2a/aws-lc,xs2a/sqlite,xs2a/postgres
# What the tests add to the default features. With both backends of the cryptography, tests compare them.
FEATURES := xs2a/conformance,xs2a/parquet,xs2a/pure-rust
# An extension module takes the interpreter's symbols from the interpreter: no Rust program can be linked with
# it. The benchmark has no tests. libxs2a is tested as it is built: without the sandbox.
TESTED := --workspace --exclude xs2a-python --exclude xs2a-bench --exclude xs2a-ffi

.PHONY: help
help: ## Lists the commands.
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 24

# ---------------------------------------------------------------- the main job, seen

.PHONY: demo
demo: stories story-openssl ## Installs what is needed, builds, and runs the main job in Rust, C and Python.

.PHONY: stories
stories: python-wheel ## Runs the numbered stories in the three languages; their outputs must be the same.
	PATH="$$PWD/$(BIN):$$PATH" examples/stories.sh

.PHONY: story-openssl
story-openssl: python-wheel ## Runs the story of a client that signs with the openssl command.
	PATH="$$PWD/$(BIN):$$PATH" examples/openssl/demo.sh

# Beside a PostgreSQL server, where there is a program for one. Where a library or SoftHSM is missing, that is said.
.PHONY: gateway
gateway: python-wheel ## Runs the gateways in C and Python, called by curl, killed and started again.
	PATH="$$PWD/$(BIN):$$PATH" core/tests/postgres_server/server.sh run examples/gateway/run.sh

# Where the toolchain of a language is missing, that is said.
.PHONY: served
served: python-wheel ## Runs the suites in Java, Node and Go against a served bank.
	PATH="$$PWD/$(BIN):$$PATH" examples/served/run.sh

.PHONY: notebooks
notebooks: python-wheel ## Runs the notebooks.
	$(BIN)/python examples/notebooks/run.py

# What is large is installed for this alone. What cannot be installed, or is missing, is reported. PERSONS: how many.
.PHONY: clusters
clusters: python-wheel ## Runs the examples of a population on two workers, with Dask and Spark.
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r examples/cluster/requirements.txt \
	    || echo "## SKIPPED: Dask or PySpark cannot be installed here."
	examples/cluster/run.sh $(BIN)/python $(PERSONS)

# ---------------------------------------------------------------- installation

# PREFIX, LIBDIR and DESTDIR go to the scripts as they are given; packaging/destination.sh has the defaults.
# `dev` builds faster; the tests use it.
PROFILE ?= release
# What links the shared libraries; docs/guide/gateway.md has one for an older glibc.
LINKER ?= gcc
export LINKER

VERSION := $(shell sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -n 1)
ABI_VERSION := $(shell sed -n 's/^\#define XS2A_ABI_VERSION //p' include/xs2a.h)
CARGO_BUILT := $(or $(CARGO_TARGET_DIR),target)/$(if $(filter dev,$(PROFILE)),debug,$(PROFILE))
# What is installed and had to be made.
INSTALLED := $(CARGO_BUILT)/installed

.PHONY: libraries
libraries: $(INSTALLED)/libxs2a.so.$(ABI_VERSION) $(INSTALLED)/libxs2a_sandbox.so.$(ABI_VERSION)
libraries: $(INSTALLED)/xs2a.3 $(INSTALLED)/xs2a_sandbox.3
libraries: $(INSTALLED)/libxs2a.cdx.json $(INSTALLED)/libxs2a_sandbox.cdx.json
libraries: $(INSTALLED)/THIRD-PARTY-NOTICES ## Builds what `make install` installs.

# Where there is no Cargo, as with sudo, what `make libraries` built is installed.
.PHONY: install
install: $(if $(shell command -v $(CARGO) 2>/dev/null),libraries) ## Installs the C libraries: PREFIX, LIBDIR, DESTDIR.
	packaging/install.sh $(INSTALLED) $(ABI_VERSION) $(VERSION)

.PHONY: uninstall
uninstall: ## Removes them.
	packaging/uninstall.sh $(ABI_VERSION)

# One command for each: together they would share a core, and libxs2a would have the sandbox in it. Cargo knows what is
# stale. The tests use `dev`, whose dependencies are built already and with other flags.
.PHONY: build-libraries
build-libraries: BUILD := $(if $(filter dev,$(PROFILE)),,packaging/reproducibly.sh) $(CARGO) build --quiet
build-libraries:
	$(BUILD) --profile $(PROFILE) -p xs2a-ffi
	$(BUILD) --profile $(PROFILE) -p xs2a-ffi-sandbox

$(CARGO_BUILT)/libxs2a.a $(CARGO_BUILT)/libxs2a_sandbox.a: build-libraries ;

$(INSTALLED)/libxs2a.so.$(ABI_VERSION): $(CARGO_BUILT)/libxs2a.a ffi/symbols.txt packaging/link_library.sh
	packaging/link_library.sh $< ffi/symbols.txt $(ABI_VERSION) $(@D)

$(INSTALLED)/libxs2a_sandbox.so.$(ABI_VERSION): $(CARGO_BUILT)/libxs2a_sandbox.a ffi/symbols.txt \
    ffi/sandbox/symbols.txt packaging/link_library.sh
	packaging/link_library.sh $< ffi/symbols.txt ffi/sandbox/symbols.txt $(ABI_VERSION) $(@D)

$(INSTALLED)/%.3: include/%.h packaging/manual_page.py
	mkdir -p $(@D)
	$(PYTHON3) packaging/manual_page.py $< $(VERSION) > $@

$(INSTALLED)/libxs2a.cdx.json: Cargo.lock packaging/components.py packaging/sbom.py
	mkdir -p $(@D)
	$(PYTHON3) packaging/sbom.py xs2a-ffi libxs2a > $@

$(INSTALLED)/libxs2a_sandbox.cdx.json: Cargo.lock packaging/components.py packaging/sbom.py
	mkdir -p $(@D)
	$(PYTHON3) packaging/sbom.py xs2a-ffi-sandbox libxs2a_sandbox > $@

# libxs2a_sandbox links what libxs2a links, and more.
$(INSTALLED)/THIRD-PARTY-NOTICES: Cargo.lock packaging/components.py packaging/third_party_notices.py
	mkdir -p $(@D)
	$(PYTHON3) packaging/third_party_notices.py xs2a-ffi-sandbox > $@

# As `make install`, PROFILE says how it is built.
.PHONY: deb
deb: python-wheel ## Makes Debian packages in target/deb: libraries, headers, Python.
	PROFILE=$(PROFILE) packaging/deb.sh target/wheels/*.whl target/deb

# What other implementations can be tested with; tests/vectors/README.md describes it.
.PHONY: vectors
vectors: ## Makes an archive of the test vectors in target/vectors.
	packaging/vectors.sh target/vectors

# ---------------------------------------------------------------- everything CI checks

.PHONY: test
test: lint test-rust test-simulator
test: test-package test-c test-install test-bindings test-python test-examples ## All that CI checks.
	@echo "make test: all passed"

.PHONY: test-examples
test-examples: stories story-openssl gateway served notebooks clusters test-readme docs

.PHONY: test-rust
test-rust: test-rust-default test-rust-production test-rust-pure
test-rust: test-rust-docs ## The Rust tests, with every backend.

# Beside a PostgreSQL server; where the machine has no program for one, that is said, not hidden.
.PHONY: test-rust-default
test-rust-default:
	core/tests/postgres_server/server.sh run $(CARGO) $(RUST_TEST) $(TESTED) --features xs2a/postgres,$(FEATURES)

# Without the sandbox. The tests that drive one are left out; the stores, the cryptography and the rules are tested.
.PHONY: test-rust-production
test-rust-production:
	core/tests/postgres_server/server.sh run $(CARGO) $(RUST_TEST) $(PRODUCTION)

# Without a C compiler for cryptography. The rules and the sandbox are the same with each backend, and are tested with
# AWS-LC.
.PHONY: test-rust-pure
test-rust-pure:
	$(CARGO) $(RUST_TEST) -p xs2a $(PURE_RUST) --lib --test trust --test vectors --test corpus

# Examples in the documentation are run; links that lead nowhere are errors.
.PHONY: test-rust-docs
test-rust-docs:
	$(CARGO) test --doc -p xs2a
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --no-deps -p xs2a --all-features

# What a crate registry would get, built from nothing but that.
.PHONY: test-package
test-package: ## The crate as it is packaged.
	$(CARGO) package -p xs2a --locked --allow-dirty --list | $(PYTHON3) tests/package_files.py
	$(CARGO) package -p xs2a --locked --allow-dirty

# Both libraries: static and shared, sanitizers, valgrind where there is one; what libxs2a must not have in it.
.PHONY: test-c
test-c: ## The C libraries.
	tests/c/run.sh

# A clean prefix, debug libraries; what uses them is what others write.
.PHONY: test-install
test-install: ## The installed C libraries, used by CMake, make and Meson.
	tests/install/run.sh

# From an installed prefix. A language whose tools are missing is left out, and that is said.
.PHONY: test-bindings
test-bindings: ## The bindings for Go, Java and .NET.
	bindings/run.sh

# Seeds, for less than a minute; `make simulate` runs them for an hour.
.PHONY: test-simulator
test-simulator:
	XS2A_SIMULATE_SECONDS=40 core/tests/simulator/simulate.sh

# What was run is noted in tests/results/simulator.csv. With FAULT, a name of core/tests/simulator/faults or the path
# of a patch: applied to a copy, it must be found.
.PHONY: simulate
simulate: ## Runs the simulator for SECONDS (3600), from SEED (1) on; or proves that it finds FAULT.
	XS2A_SIMULATE_SECONDS=$(or $(SECONDS),$(if $(FAULT),300,3600)) XS2A_SIMULATE_SEED=$(or $(SEED),1) \
	    core/tests/simulator/simulate.sh $(or $(FAULT),record)

# Every fault. What was found is in tests/results, and is not looked for again.
.PHONY: simulate-faults
simulate-faults:
	core/tests/simulator/simulate.sh all-faults

# A few inputs of each target are a part of test-rust-default. Where there is no nightly compiler, that is said here.
# What was executed is noted in tests/results/fuzz.csv. TARGETS: all by default.
.PHONY: fuzz
fuzz: $(CARGO_FUZZ) ## Runs each fuzz target for SECONDS (600), with the address sanitizer.
	CARGO_FUZZ=$(CARGO_FUZZ) XS2A_FUZZ_SECONDS=$(or $(SECONDS),600) fuzz/fuzz.sh record $(TARGETS)

# A fault for each target. What was found is in tests/results, and is not looked for again.
.PHONY: fuzz-proof
fuzz-proof: $(CARGO_FUZZ) ## Proves that each fuzz target finds the fault of its name in fuzz/faults.
	CARGO_FUZZ=$(CARGO_FUZZ) fuzz/fuzz.sh proof

# Not to be confused with test-mutations, which changes requests. What was tried is in tests/results, and is not tried
# again. PARTS: all by default.
.PHONY: mutants
mutants: $(CARGO_MUTANTS) ## Changes a sample of the rules in one place each; the tests must find 90 %.
	CARGO_MUTANTS=$(abspath $(CARGO_MUTANTS)) $(PYTHON3) tests/rule_mutants.py

# Needs LLVM (Debian's llvm-19). The result goes to tests/results/coverage.csv.
.PHONY: coverage
coverage: $(CARGO_LLVM_COV) ## Measures which regions of the rules the Rust tests reach; at least 95 %.
	FEATURES=xs2a/postgres,$(FEATURES) CARGO_LLVM_COV=$(abspath $(CARGO_LLVM_COV)) \
	    core/tests/postgres_server/server.sh run $(PYTHON3) tests/rule_coverage.py

# What takes too long, or fetches too much, for every change.
.PHONY: test-long
test-long: test-valgrind test-old-glibc test-dist test-reproducible test-debian test-mutations
test-long: test-clusters simulate-faults simulate fuzz-proof fuzz coverage mutants ## Further checks, before a release.
	@echo "make test-long: all passed"

# The short programs run under valgrind in `make test-c`, this one for minutes.
.PHONY: test-valgrind
test-valgrind: test-c
	tests/c/valgrind.sh $(CARGO_BUILT)/c/tests tests/vectors

.PHONY: test-old-glibc
test-old-glibc: $(TOOLS)/packaging/installed
	tests/install/old_glibc.sh $(TOOLS)/packaging/bin/python

# A release build for an old glibc, and one of the packed sources.
.PHONY: test-dist
test-dist: dist
	tests/install/wheel.sh $(TOOLS)/packaging/bin

# Two million transactions.
.PHONY: test-clusters
test-clusters:
	$(MAKE) clusters PERSONS=20000

# Twice a release build.
.PHONY: test-reproducible
test-reproducible:
	tests/install/reproducible.sh

# Needs root, debootstrap and what `make deb` needs.
.PHONY: test-debian
test-debian: deb
	tests/install/debian.sh

# A million of them, in parts. What was done is in tests/results, and is not done again.
.PHONY: test-mutations
test-mutations:
	tests/mutations.sh

# Beside a PostgreSQL server, as the Rust tests.
.PHONY: test-python
test-python: python-wheel lint-python-types ## The Python package.
	core/tests/postgres_server/server.sh run $(BIN)/pytest --numprocesses auto

# Every example of the README is run as printed.
.PHONY: test-readme
test-readme: python-wheel
	PATH="$$PWD/$(BIN):$$PATH" $(BIN)/python tests/readme.py

# Its figures are those of tests/results and of the tree; a test compares it.
.PHONY: testing-page
testing-page: ## Prints docs/testing.md: how xs2a is tested, with figures.
	$(PYTHON3) tests/testing_page.py

# ---------------------------------------------------------------- the site

WEBSITE := target/website
# Mermaid draws the state machines. It is taken from npm; without one the page loads it from another host.
MERMAID := $(WEBSITE)/node_modules/mermaid/dist/mermaid.min.js
MERMAID_VERSION := 11.12.0

# A dead link fails. The folder can be read without a server, except for the search.
.PHONY: docs
docs: python-wheel ## Builds the site of the documentation, with the references, in target/website/html.
	rm -rf $(WEBSITE)/pages
	$(BIN)/python website/pages.py $(WEBSITE)/pages
	$(BIN)/pdoc --output-directory $(WEBSITE)/pages/reference/python xs2a
	RUSTDOCFLAGS="-D warnings" $(CARGO) doc --quiet --no-deps -p xs2a --all-features
	cp -r $(or $(CARGO_TARGET_DIR),target)/doc $(WEBSITE)/pages/reference/rust
	@if ! command -v npm >/dev/null; then \
	    echo "## SKIPPED: there is no npm here; the site has no Mermaid of its own."; \
	elif ! test -e $(MERMAID); then \
	    npm install --prefix $(WEBSITE) --no-audit --no-fund --silent mermaid@$(MERMAID_VERSION) \
	        || echo "## SKIPPED: Mermaid cannot be installed; the site has none of its own."; \
	fi
	mkdir -p $(WEBSITE)/pages/assets
	test ! -e $(MERMAID) || cp $(MERMAID) $(WEBSITE)/pages/assets/
	cd website && NO_MKDOCS_2_WARNING=1 ../$(BIN)/mkdocs build --strict

# ---------------------------------------------------------------- lint

.PHONY: lint
lint: lint-format lint-rust lint-rust-version lint-dependencies
lint: lint-advisories lint-api lint-python lint-python-types ## Style and dependencies.

.PHONY: lint-format
lint-format:
	$(CARGO) fmt --all --check
	$(CARGO) fmt --manifest-path fuzz/libfuzzer/Cargo.toml --check

.PHONY: lint-rust
lint-rust: python-environment
	PYO3_PYTHON="$$PWD/$(BIN)/python" $(CARGO) clippy --workspace --all-targets --features $(FEATURES) -- -D warnings
	$(CARGO) clippy -p xs2a $(PURE_RUST) --all-targets -- -D warnings
	$(CARGO) clippy $(PRODUCTION) --all-targets -- -D warnings

# Cargo looks at the toolchain that is there, not at the one the README names.
.PHONY: lint-rust-version
lint-rust-version:
	$(CARGO) metadata --locked --format-version 1 | $(PYTHON3) tests/rust_version.py

.PHONY: lint-dependencies
lint-dependencies: $(CARGO_DENY)
	$(CARGO_DENY) --all-features check --hide-inclusion-graph bans licenses sources

# The advisories are a repository of their own: where it cannot be reached, that is said, not hidden.
.PHONY: lint-advisories
lint-advisories: $(CARGO_DENY)
	@if timeout 120 $(CARGO_DENY) fetch db; then \
	    $(CARGO_DENY) --all-features check --disable-fetch advisories; \
	else \
	    echo "################################################################"; \
	    echo "## SKIPPED: the advisory database cannot be reached from here."; \
	    echo "## Dependencies were NOT checked for known vulnerabilities."; \
	    echo "################################################################"; \
	fi

# The public interface of the crate, item by item.
.PHONY: lint-api
lint-api: $(CARGO_PUBLIC_API)
	core/tests/public_api.sh $(CARGO_PUBLIC_API)

.PHONY: lint-python
lint-python: python-environment
	$(BIN)/ruff check
	$(BIN)/ruff format --check

# The stubs against the native module, then everything against the stubs.
.PHONY: lint-python-types
lint-python-types: python-wheel
	$(BIN)/mypy
	$(BIN)/stubtest xs2a --allowlist tests/python/stubtest_allowlist.txt

# ---------------------------------------------------------------- bench

.PHONY: bench
bench: bench-python bench-prism target/bench/c_interface ## Measures; writes docs/performance.md and target/bench.json.
	$(CARGO) run --release -p xs2a-bench

.PHONY: target/bench/c_interface
target/bench/c_interface:
	$(CARGO) build --release -p xs2a-ffi-sandbox
	mkdir -p $(@D)
	gcc -std=c11 -O2 -Wall -Wextra -Werror -Iinclude bench/c_interface.c target/release/libxs2a_sandbox.a \
	    -lpthread -ldl -lm -o $@

# Apart from `make bench`: four languages, and libraries as they are installed.
.PHONY: bench-bindings
bench-bindings: libraries ## Measures payments by four threads through each binding, against C.
	bindings/bench.sh

.PHONY: bench-python
bench-python: python-environment
	$(call install_wheel,--release)

# A mock to measure a served sandbox against; it needs Node.
PRISM := target/bench/prism
PRISM_VERSION := 5.14.2

.PHONY: bench-prism
bench-prism:
	@if ! command -v npm >/dev/null; then \
	    echo "## SKIPPED: there is no npm here; a served sandbox is NOT measured against Prism."; \
	elif ! test -e $(PRISM)/node_modules/.bin/prism; then \
	    mkdir -p $(PRISM); \
	    npm install --prefix $(PRISM) --no-audit --no-fund --silent @stoplight/prism-cli@$(PRISM_VERSION) \
	        || echo "## SKIPPED: Prism cannot be installed; a served sandbox is NOT measured against it."; \
	fi

# ---------------------------------------------------------------- what the above need

$(TOOLS)/bin/cargo-deny:
	$(CARGO) install cargo-deny --locked --version $(CARGO_DENY_VERSION) --root $(TOOLS)

$(TOOLS)/bin/cargo-fuzz:
	$(CARGO) install cargo-fuzz --locked --version $(CARGO_FUZZ_VERSION) --root $(TOOLS)

$(TOOLS)/bin/cargo-mutants:
	$(CARGO) install cargo-mutants --locked --version $(CARGO_MUTANTS_VERSION) --root $(TOOLS)

$(TOOLS)/bin/cargo-llvm-cov:
	$(CARGO) install cargo-llvm-cov --locked --version $(CARGO_LLVM_COV_VERSION) --root $(TOOLS)

$(TOOLS)/bin/cargo-public-api:
	$(CARGO) install cargo-public-api --locked --version $(CARGO_PUBLIC_API_VERSION) --root $(TOOLS)

$(TOOLS)/packaging/installed: packaging/requirements.txt
	$(PYTHON3) -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	touch $@

.PHONY: python-environment
python-environment: $(VENV)/installed

$(VENV)/installed: $(REQUIREMENTS)
	$(PYTHON3) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check $(addprefix -r ,$(REQUIREMENTS))
	touch $@

# A wheel, as users install it: what only works beside the sources is found out here.
.PHONY: python-wheel
python-wheel: python-environment
	$(call install_wheel,--profile dev)

# The package is not on PyPI: this wheel is for installation in other environments.
.PHONY: wheel
wheel: python-environment ## Builds the Python package for release, as a wheel in target/wheels.
	$(call build_wheel,--release)

.PHONY: dist
dist: $(TOOLS)/packaging/installed ## Builds the Python package for glibc 2.28 or newer, and its sources: target/dist.
	packaging/dist.sh $(TOOLS)/packaging/bin target/dist

# $(1): the profile. Cargo knows what is stale.
define build_wheel
rm -rf target/wheels
$(BIN)/maturin build --quiet --interpreter $(BIN)/python --out target/wheels $(1)
endef

# The same; pip takes the wheel of any version.
define install_wheel
$(call build_wheel,$(1))
$(BIN)/python -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps target/wheels/*.whl
endef
