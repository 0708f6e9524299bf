#!/usr/bin/env python3
"""processes.py N COMMAND...: runs COMMAND while N other processes exist, which wait for its end."""
import os
import subprocess
import sys

wait, end = os.pipe()
for i in range(int(sys.argv[1])):
    if os.fork() == 0:
        os.close(end)
        os.read(wait, 1)
        os._exit(0)
os.close(wait)
status = subprocess.call(sys.argv[2:])
os.close(end)
sys.exit(status)
