#!/bin/sh
# An aarch64 guest with exact counters: what is recorded there is reported here.
. "$(dirname "$0")/lib.sh"
in_guest aarch64 units record cycles leaf stat stat_cycles probes kernel_probes files
recorded_same_here
