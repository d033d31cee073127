#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# How often the interval over resamples of one trace holds the truth (docs/evidence/intervals.md): the trials of
# tests/analysis/resample_coverage.cpp, more of them. resample.sh [BUILD] [TRIALS]; two minutes of one core for 100 trials.
set -euo pipefail
build=${1:-build/release}
PALSTUDY_COVERAGE_TRIALS=${2:-300} "$build/test_analysis" --gtest_filter='*ResampleCoverage*' | grep 'trials,'
