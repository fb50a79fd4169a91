# Everything that is done with this project from a shell. `make` alone builds; `make help` lists the rest.

GO ?= go
BIN := bin/darqline
PORT ?= 7777

.DEFAULT_GOAL := build

.PHONY: help
help: ## list these targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-14s %s\n", $$1, $$2}'

.PHONY: build
build: ## build bin/darqline
	@mkdir -p bin
	@$(GO) build -o $(BIN) ./cmd/darqline

.PHONY: run
run: build ## build and run the demo server
	@$(BIN) serve fixtures/demo --port $(PORT)

.PHONY: play
play: build ## join the demo server from a browser
	@$(BIN) play 127.0.0.1:$(PORT)

.PHONY: test
test: tools ## every check: format, vet, lint, generated files, builds for other systems, tests with -race
	@sh .ci/checks

.PHONY: tools
tools: # what some tests use, where it can be had
	@sh .ci/tools

.PHONY: lint
lint: ## gofmt, go vet and staticcheck
	@test -z "$$(gofmt -l .)" || { echo "gofmt would change:"; gofmt -l .; exit 1; }
	@$(GO) vet ./...
	@$(GO) tool staticcheck ./...

.PHONY: fixtures
fixtures: ## write the golden packets in fixtures/protocol again
	@$(GO) run ./protocol/internal/gen fixtures

.PHONY: docs
docs: ## write the generated parts of docs/ again
	@$(GO) run ./protocol/internal/gen docs
	@$(GO) run ./host/internal/gen

.PHONY: bench
bench: ## every benchmark of docs/performance.md (minutes)
	@sh .ci/bench

.PHONY: soak
soak: ## the long runs of docs/reliability.md: simulation, fuzzing, floods, kills, reloads (hours); PART=fuzz runs one
	@sh .ci/soak $(PART)

.PHONY: bench-peers
bench-peers: ## the lane beside ENet and QUIC through one lossy proxy (minutes)
	@cd bench/peers && $(GO) run -mod=mod . --seconds 60

.PHONY: clean
clean: ## remove what was built
	@rm -rf bin
