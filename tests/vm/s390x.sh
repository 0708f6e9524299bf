#!/bin/sh
# An s390x guest: big-endian, software events only. What is recorded there is reported here.
. "$(dirname "$0")/lib.sh"
in_guest s390x units record stat files
same_here flat 'flat profile'
same_here all 'all CPUs'
same_here chain 'frame pointers'
same_here dwarf 'stack dumps'
same_here trace 'tracepoints'
same_here packed 'compressed file'
same_here pipe 'pipe file'
stat_same_here stat
