#!/bin/sh
# An aarch64 guest with exact counters: what is recorded there is reported here.
. "$(dirname "$0")/lib.sh"
in_guest aarch64 units record cycles stat stat_cycles files
same_here flat 'flat profile'
same_here all 'all CPUs'
same_here chain 'frame pointers'
same_here dwarf 'stack dumps'
same_here trace 'tracepoints'
same_here packed 'compressed file'
same_here pipe 'pipe file'
stat_same_here stat
