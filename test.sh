#!/usr/bin/env bash
# Every test. Needs Rust; uses cargo-nextest, Node and Python where they are.
set -euo pipefail
cd "$(dirname "$0")"

step() { printf '\n== %s\n' "$*" >&2; "$@"; }

step cargo fmt --all --check
step cargo clippy --workspace --all-targets --locked -- -D warnings

# Every feature alone, and none: a feature only adds.
for features in "" http cli validation rate-limit client testing chrono uuid url; do
    step cargo clippy --package mcp-runtime --locked --no-default-features --features "$features" -- -D warnings
done

if cargo nextest --version >/dev/null 2>&1; then
    step cargo nextest run --workspace --locked --no-fail-fast
else
    step cargo test --workspace --all-targets --locked --no-fail-fast
fi
step cargo test --workspace --doc --locked
RUSTDOCFLAGS="-D warnings" step cargo doc --no-deps --locked --package mcp-runtime --package mcp-runtime-macros

if cargo deny --version >/dev/null 2>&1; then
    step cargo deny check bans licenses sources
fi
printf '\nAll tests passed.\n' >&2
