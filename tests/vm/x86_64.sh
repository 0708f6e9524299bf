#!/bin/sh
# A guest of this machine's own kind, for what its kernel has and ours may lack: probes, and tracers of
# functions.
. "$(dirname "$0")/lib.sh"
debuginfo
in_guest x86_64 stat probes kernel_probes kernel_debuginfo ftrace
