#!/bin/sh
# An s390x guest: big-endian, software events only. What is recorded there is reported here.
. "$(dirname "$0")/lib.sh"
in_guest s390x units record stat probes kernel_probes files
recorded_same_here
