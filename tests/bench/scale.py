#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""scale.py KIND N: text for mkdata: a recording of a machine that is large in one way, with 16 samples of each.

cpus: N CPUs with their topology and caches, a ring each; streams: N threads, a ring each, whose side-band
and samples begin at the same time; processes: N processes, each with its maps; cgroups: N control groups.
"""
import sys

SAMPLES = 16


def cpus(n):
    ids = ','.join(str(1000 + i) for i in range(n))
    event('identifier|ip|tid|time|cpu|period', ids)
    print(f'feature nrcpus u32:{n},{n}')
    threads = ' '.join(f'str:"{i}-{i + 1}"' for i in range(0, n, 2))
    places = ','.join(f'{i // 2},{i // 64}' for i in range(n))
    print(f'feature cpu_topology u32:{n // 64} ' + ' '.join(f'str:"{i}-{i + 63}"' for i in range(0, n, 64)) +
          f' u32:{n // 2} {threads} u32:{places} u32:0 u32:' + ','.join('0' for _ in range(n)))
    caches = ' '.join(f'u32:{level},64,64,8 str:"{kind}" str:"32K" str:"{i}-{i + 1}"' for i in range(0, n, 2)
                      for level, kind in ((1, 'Data'), (1, 'Instruction'), (2, 'Unified')))
    print(f'feature cache u32:1,{n // 2 * 3} {caches}')
    print(f'feature numa_topology u32:{n // 64} ' +
          ' '.join(f'u32:{i // 64} u64:16000000,8000000 str:"{i}-{i + 63}"' for i in range(0, n, 64)))
    task(7)
    for i in range(n):
        for s in range(SAMPLES):
            print(f'sample id={1000 + i} tid=7 cpu={i} ip={0x400000 + s * 16:#x} time={1000 + s * 1000 + i % 1000} period=1')


def streams(n):
    event('identifier|ip|tid|time|cpu|period', ','.join(str(1000 + i) for i in range(n)))
    task(7)
    for i in range(n):
        tid = 100 + i
        print(f'fork pid=7 tid={tid} ppid=7 ptid=7 time={100 + i % 7} s_id={1000 + i}')
        print(f'comm pid=7 tid={tid} comm="t{i % 50}" time={200 + i % 7} s_id={1000 + i}')
        for s in range(SAMPLES):
            print(f'sample id={1000 + i} pid=7 tid={tid} cpu=0 ip={0x400000 + s * 16:#x} time={1000 + s * 1000 + i % 1000} period=1')


def processes(n):
    event('identifier|ip|tid|time|cpu|period', '1000')
    task(7)
    for i in range(n):
        pid = 100 + i
        print(f'fork pid={pid} tid={pid} ppid=7 ptid=7 time={1000 + i * 100} s_id=1000')
        print(f'comm pid={pid} tid={pid} comm="p{i % 50}" misc=0x2000 time={1001 + i * 100} s_id=1000')
        for m in range(8):
            print(f'mmap2 pid={pid} tid={pid} addr={0x400000 + m * 0x10000:#x} len=0x8000 prot=5 flags=2 ino={m} '
                  f'filename="/lib/l{m}.so" time={1002 + i * 100 + m} s_id=1000')
        for s in range(SAMPLES):
            print(f'sample id=1000 tid={pid} cpu=0 ip={0x400000 + s * 0x8000:#x} time={1020 + i * 100 + s} period=1')


def cgroups(n):
    event('identifier|ip|tid|time|cpu|period|cgroup', '1000')
    task(7)
    for i in range(n):
        print(f'cgroup id={10 + i} path="/machine.slice/box{i}.scope" time={100 + i}')
    for s in range(SAMPLES):
        for i in range(n):
            print(f'sample id=1000 tid=7 cpu=0 ip=0x400010 time={100000 + s * n + i} period=1 cgroup={10 + i}')


def event(fields, ids):
    print(f'event cpu-clock config=cpu-clock period=1 sample={fields} flags=sample_id_all|comm|task|mmap|mmap2 ids={ids}')


def task(pid):
    print(f'comm tid={pid} comm="main" s_id=1000')
    print(f'mmap2 tid={pid} addr=0x400000 len=0x10000 prot=5 flags=2 ino=7 filename="/bin/main" s_id=1000')


{'cpus': cpus, 'streams': streams, 'processes': processes, 'cgroups': cgroups}[sys.argv[1]](int(sys.argv[2]))
