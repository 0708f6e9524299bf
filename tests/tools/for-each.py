#!/usr/bin/env python3
# for-each.py TOOL [OPTION...] -- FILE...
# Runs the Python program TOOL, with these options, on each file, all in one process: starting Python takes
# longer than reading a small file. What it prints for FILE goes to FILE.read. Status 1, with what the tool
# said, at the first file that it refuses.

import contextlib
import sys


def main(tool, arguments):
    options, files = arguments[:arguments.index('--')], arguments[arguments.index('--') + 1:]
    with open(tool) as source:
        code = compile(source.read(), tool, 'exec')
    for name in files:
        sys.argv = [tool, *options, name]
        try:
            with open(name + '.read', 'w') as out, contextlib.redirect_stdout(out):
                exec(code, {'__name__': '__main__', '__file__': tool})
        except SystemExit as end:
            if end.code:
                sys.exit(f'{name}: {end.code}')
        except Exception as error:
            sys.exit(f'{name}: {type(error).__name__}: {error}')


main(sys.argv[1], sys.argv[2:])
