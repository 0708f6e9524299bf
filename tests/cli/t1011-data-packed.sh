#!/bin/sh
# Recordings that somebody compressed are read as they are; files that are not recordings are named.
. "$(dirname "$0")/lib.sh"

has_program() { command -v "$1" > /dev/null || { echo "needs $1"; return 1; }; }
have_ZSTD_PROGRAM() { has_program zstd; }
have_XZ() { has_program xz; }
have_BZIP2() { has_program bzip2; }

{ echo "event e config=cpu-clock sample=ip|tid|time"
  printf "repeat 20000\nsample ip=0x1000+\$i tid=7 time=\$i\nend\n"; } | mkdata x.data
$PERF script -i x.data -F ip,time > want
test -s want

same_samples() {
	test -s want
	$PERF script -i "$1" -F ip,time > got
	same want got
	$PERF script -i - -F ip,time < "$1" > got
	same want got
	cat "$1" | $PERF script -i - -F ip,time > got
	same want got
}
check 'gzip: also several in one file' '
	gzip -c x.data > x.gz
	same_samples x.gz
	{ head -c 10000 x.data | gzip -c; tail -c +10001 x.data | gzip -c; } > two.gz
	same_samples two.gz
'
check_if XZ 'xz' 'xz -c x.data > x.xz; same_samples x.xz'
check_if ZSTD_PROGRAM 'zstd' 'zstd -q -c x.data > x.zst; same_samples x.zst'
check_if BZIP2 'bzip2' 'bzip2 -c x.data > x.bz2; same_samples x.bz2'
check 'what is there of a compressed file that is cut or damaged is shown, and a warning' '
	gzip -c x.data > x.gz
	head -c $(($(stat -c %s x.gz) / 2)) x.gz > cut.gz
	$PERF script -i cut.gz -F ip,time > got 2> err
	test "$(wc -l < got)" -gt 100
	test "$(wc -l < got)" -lt 20000
	says "could not be unpacked" err
	head -c 20 x.gz > short.gz
	fails_with 1 $PERF script -i short.gz > out 2> err
	says "short.gz" err
'
check 'much from little: it ends early, with a warning' '
	{ head -c 8192 x.data; head -c 2000000000 /dev/zero; } | gzip -c | gzip -c > bomb.gz
	fails_with 1 $PERF script -i bomb.gz > out 2> err
	says "is not a perf.data file" err
'
check_if ZSTD_PROGRAM 'much from little: the rest is left out' '
	{ cat x.data; head -c 1000000000 /dev/zero; } | zstd -q -c > bomb.zst
	$PERF script -i bomb.zst -F ip,time > got 2> err
	same want got
	says "unpack to more than 4096 times" err
'
check 'other files are called what they are, with what helps' '
	tar cf a.tar x.data
	gzip -c a.tar > a.tgz
	printf "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n" > lfs
	printf "PK\003\004 and more bytes" > a.zip
	cp "$PERF" elf
	printf "prog  7 [000]  1.5:  1 cycles:  401000 main (/bin/prog)\n" > text
	while read -r file word help; do
		fails_with 1 $PERF report --stdio -i $file > out 2> err
		says "$word" err
		says "$help" err
		fails_with 1 $PERF script -i - < $file > out 2> err
		says "$word" err
	done <<-END
		a.tar tar tar
		a.tgz tar tar
		lfs git-lfs pull
		a.zip zip unzip
		text text recording
		elf ELF record
	END
'
