# The two commands most people need: make run, make test. "make help" lists all.

BIN ?= bin/webshell
# How long make fuzz runs each fuzz test.
FUZZTIME ?= 30s
# How long one package's tests may take.
TIMEOUT ?= 45m

TOOLS := internal/tools
# Modules of their own, which "./..." does not reach.
NESTED := internal/tools deploy/composetest

VERSION ?= $(shell git -c safe.directory='*' describe --tags --always --dirty 2>/dev/null || echo unknown)
LDFLAGS := -s -w -X webshell/internal/app.Version=$(VERSION)

# Version control is asked for the version above and for nothing else: go would
# refuse to build in a clone that another user owns.
ifeq (,$(findstring -buildvcs,$(GOFLAGS)))
export GOFLAGS := $(strip $(GOFLAGS) -buildvcs=false)
endif

# Everything but help is done with the Go that go.mod names.
ifneq (,$(filter-out help clean,$(MAKECMDGOALS)))
ifndef GOTOOLCHAIN
GOTOOLCHAIN := $(shell $(TOOLS)/toolchain.sh)
ifeq (,$(GOTOOLCHAIN))
$(error no usable Go)
endif
export GOTOOLCHAIN
endif
endif

.DEFAULT_GOAL := help
.PHONY: help run build test check generate licenses fuzz bench pictures clean \
	need format tidy vet lint vuln generated licence-check client nested race browser tools

help: ## this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / {printf "make %-10s %s\n", $$1, $$2}' Makefile

run: ## build and serve on 127.0.0.1:8080; Ctrl-C stops everything
	@$(TOOLS)/need.sh run
	@echo "Building $(BIN); the first time this takes a minute or two." >&2
	@$(MAKE) --no-print-directory build
	@exec $(BIN) serve

build: ## the program, static, at bin/webshell
	@CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o $(BIN) ./cmd/webshell

test: ## every test, browser tests included; installs what they need, or says what to install
	@$(TOOLS)/stages.sh need format tidy vet lint vuln generated licence-check client nested race browser

check: ## what of make test needs no database and no browser
	@$(TOOLS)/stages.sh format tidy vet lint vuln generated licence-check client

generate: ## write the generated files anew
	go generate ./...

licenses: tools ## write docs/licenses.md anew
	bin/tools/licenses list ./cmd/webshell > docs/licenses.md.new
	mv docs/licenses.md.new docs/licenses.md

fuzz: ## each fuzz test for FUZZTIME (30s)
	@$(TOOLS)/fuzz.sh $(FUZZTIME)

bench: build ## every figure in bench/: Go benchmarks, an idle server, submissions beside pgbench, first loads in Chromium
	go test -run '^$$' -bench . -benchmem ./...
	go run ./bench/idle
	go run ./bench/submit
	go run ./bench/import
	go run ./bench/page
	go run ./bench/pageload

pictures: build ## the pictures of the documentation, anew
	go run ./e2e/shots

clean: ## remove what the targets above built
	rm -rf bin

# The stages of make test.

need:
	@$(TOOLS)/need.sh test

format:
	@stale=$$("$$(go env GOROOT)/bin/gofmt" -l .) || exit 1; \
	if [ -n "$$stale" ]; then echo "Not formatted by gofmt:"; echo "$$stale"; exit 1; fi

tidy:
	@set -e; for dir in . $(NESTED); do \
		go -C $$dir mod tidy -diff || { echo "$$dir/go.mod is not tidy: run \"go mod tidy\" there."; exit 1; }; \
	done

vet:
	go vet ./...
	@set -e; for dir in $(NESTED); do echo "go vet ./... in $$dir"; go -C $$dir vet ./...; done

lint: tools
	bin/tools/staticcheck ./...
	@set -e; for dir in $(NESTED); do echo "staticcheck ./... in $$dir"; (cd $$dir && $(CURDIR)/bin/tools/staticcheck ./...); done

vuln: tools
	bin/tools/vulncheck ./...

generated:
	@$(TOOLS)/fresh.sh

licence-check: tools
	@bin/tools/licenses list ./cmd/webshell | diff -u docs/licenses.md - || \
	{ echo 'docs/licenses.md is stale, or a licence is refused: see above; "make licenses" writes it anew.'; exit 1; }

client:
	@set -e; dir=$$(mktemp -d); trap 'rm -rf "$$dir"' EXIT; \
	go run ./web/static/bundle/clienttests "$$dir"; \
	web/client/node_modules/.bin/tsc --noEmit -p web/client; \
	node --test "$$dir"

nested:
	@set -e; for dir in $(NESTED); do echo "go test ./... in $$dir"; go -C $$dir test -vet=off -count=1 -timeout $(TIMEOUT) ./...; done

# -count=1: a stored result says nothing about the Postgres and the browser
# that are installed now.
race:
	CGO_ENABLED=1 go test -race -vet=off -count=1 -timeout $(TIMEOUT) $$(go list ./... | grep -v '/e2e$$')

# Alone: browsers that wait for a core too long are no finding.
browser:
	go test -vet=off -count=1 -timeout $(TIMEOUT) ./e2e

tools:
	@go -C $(TOOLS) build -o $(CURDIR)/bin/tools/ honnef.co/go/tools/cmd/staticcheck ./vulncheck ./licenses
