#!/usr/bin/env python3
"""nonblocking.py CMD...: standard input and output of CMD are pipes that do not block, with slow other ends.

What nonblocking.py reads goes to CMD, what CMD writes is printed. Ends with the status of CMD."""
import fcntl
import os
import select
import subprocess
import sys
import threading


def pipe(flag_end):
    ends = os.pipe()
    fcntl.fcntl(ends[1], 1031, 4096)    # F_SETPIPE_SZ
    os.set_blocking(ends[flag_end], False)
    return ends


def feed(fd):
    while True:
        data = os.read(0, 1024)
        if not data:
            break
        os.write(fd, data)
    os.close(fd)


stdin, stdout = pipe(0), pipe(1)
with subprocess.Popen(sys.argv[1:], stdin=stdin[0], stdout=stdout[1], close_fds=True) as process:
    os.close(stdin[0])
    os.close(stdout[1])
    feeder = threading.Thread(target=feed, args=(stdin[1],))
    feeder.start()
    select.select([stdout[0]], [], [])
    while True:
        piece = os.read(stdout[0], 512)
        if not piece:
            break
        sys.stdout.buffer.write(piece)
    feeder.join()
sys.exit(process.returncode)
