#!/bin/sh
# A riscv64 guest with counters that do not tell user and kernel apart, and no kprobes. What is recorded there
# is reported here.
. "$(dirname "$0")/lib.sh"
in_guest riscv64 units record stat stat_loop files
recorded_same_here
