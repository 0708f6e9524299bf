#!/bin/sh
# What perf stat asks of the kernel, beside what the newest upstream asks. See attr-calls-lib.sh. It takes
# minutes:
# early
. "$(dirname "$0")/attr-calls-lib.sh"

check 'the same attributes, tasks, CPUs and groups' 'compare stat'
