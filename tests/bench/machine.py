#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""machine.py CPUS FOLDER: files of a machine with so many CPUs below FOLDER, for PERF_FS_ROOT."""
import os
import sys

n, root = int(sys.argv[1]), sys.argv[2]


def put(name, text):
    path = os.path.join(root, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, 'w', encoding='ascii') as f:
        f.write(f'{text}\n')


cpu = 'sys/devices/system/cpu'
for name in ('online', 'possible', 'present'):
    put(f'{cpu}/{name}', f'0-{n - 1}')
for i in range(n):
    core, socket = i // 2, i // 64
    both, package = f'{core * 2}-{core * 2 + 1}', f'{socket * 64}-{min(n, socket * 64 + 64) - 1}'
    for name, text in (('core_id', core % 32), ('physical_package_id', socket), ('die_id', 0),
                       ('core_cpus_list', both), ('thread_siblings_list', both), ('package_cpus_list', package),
                       ('core_siblings_list', package), ('die_cpus_list', package)):
        put(f'{cpu}/cpu{i}/topology/{name}', text)
    for j, (level, kind, shared) in enumerate(((1, 'Data', both), (1, 'Instruction', both), (2, 'Unified', both),
                                               (3, 'Unified', package))):
        for name, text in (('level', level), ('type', kind), ('size', '32K'), ('coherency_line_size', 64),
                           ('number_of_sets', 64), ('ways_of_associativity', 8), ('shared_cpu_list', shared)):
            put(f'{cpu}/cpu{i}/cache/index{j}/{name}', text)
for node in range((n + 63) // 64):
    put(f'sys/devices/system/node/node{node}/cpulist', f'{node * 64}-{min(n, node * 64 + 64) - 1}')
    put(f'sys/devices/system/node/node{node}/meminfo', f'Node {node} MemTotal: 16000000 kB\nNode {node} MemFree: 8000000 kB')
put('sys/devices/system/node/online', f'0-{(n + 63) // 64 - 1}')
put('proc/cpuinfo', '\n'.join(f'processor\t: {i}\nvendor_id\t: GenuineIntel\nmodel name\t: large\n' for i in range(n)))
put('proc/self/status', 'Name:\tperf\nCapEff:\t000001ffffffffff')
put('proc/self/uid_map', '0 0 4294967295')
put('proc/meminfo', 'MemTotal: 16000000 kB')
