#!/bin/sh
# The module perf reads every file of the fuzzers' corpus, and files that end anywhere: hostile bytes are left
# out with a warning, or are an exception of perf.
. "$(dirname "$0")/lib.sh"
need MODULE

cat > corpus.py << "END"
import perf, sys, warnings
warnings.simplefilter("ignore")
names = [l.strip().split(":")[0] for l in perf.session.columns.__doc__.splitlines() if l.startswith("    ")]
opened = samples = 0
for path in sys.argv[1:]:
	try: s = perf.session(path, force=True)
	except perf.Error as e:
		assert e.message
		continue
	opened += 1
	str(s.header), s.times, repr(s.events)
	seen = 0
	for e in s:
		repr(e), [getattr(e, m) for m in dir(e) if not m.startswith("__")]
		if isinstance(e, perf.sample_event):
			seen += 1
			e.frames(lines=True), e.text()
			for f in ("pid", "comm", "f1", "n"): getattr(e, f, None)
	c = s.columns(*names)
	assert {len(v) for v in c.values()} <= set(range(s.nr_samples + 1)) and len({len(v) for v in c.values()}) == 1
	for k in ("event", "comm", "dso", "symbol"):
		n = s.names(k)
		assert all(i < len(n) or i == 2 ** 32 - 1 for i in c[k]), (path, k)
	samples += seen
print(opened, samples)
END
for dir in data session record tracing; do
	for f in "$SRC"/tests/fuzz/corpus/$dir/*.mk; do
		[ -e "$f" ] || continue
		(cd "$SRC" && "$MKDATA" -o "$TMP/work/$dir-${f##*/}.data" "$f") 2> /dev/null || true
	done
done
check 'the corpus of the fuzzers' '
	ls -d *.data > files
	test "$(wc -l < files)" -ge 15
	python -W ignore corpus.py *.data > out 2> err
	same /dev/null err
	read -r opened samples < out
	test "$opened" -ge 10
	test "$samples" -ge 20
'
check 'a file that ends anywhere' '
	mkdir cut
	for f in data-every-record.mk data-every-field-big.mk data-pipe.mk; do
		size=$(wc -c < $f.data)
		for part in 1 2 3 4 5 6 7 8 9; do
			head -c $((size * part / 10)) $f.data > cut/$part-$f.data
		done
	done
	python -W ignore corpus.py cut/*.data > out 2> err
	same /dev/null err
	read -r opened samples < out
	test "$opened" -ge 3
'
