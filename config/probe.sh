#!/bin/sh
# probe.sh OUTDIR CC...: finds out which libraries of config/libs.tsv are there, and what the linker can do.
# Writes OUTDIR/config.mk, OUTDIR/include/config.h and OUTDIR/include/features.def. A missing required one:
# says what to do and exits 1. With CHECK=1: writes nothing, prints the names of missing rows. With STATIC=1,
# when CC links statically, libraries that must be shared are missing ones.
# shellcheck disable=SC2086,SC2046,SC2016
set -eu
here=$(dirname "$0")
out=$1
shift
tab=$(printf '\t')
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

rows() {
	grep -v '^#' "$here/libs.tsv"
}

# what links a library: as the row says, or as pkg-config does; what it does not know cannot be linked
link_of() {
	case $1 in
	pkg-config:*) "${PKG_CONFIG:-pkg-config}" --cflags --libs "${1#*:}" 2> /dev/null || echo -lpkg-config-does-not-know ;;
	headers:*) "${PKG_CONFIG:-pkg-config}" --cflags "${1#*:}" 2> /dev/null || echo -lpkg-config-does-not-know ;;
	perl-embed)
		if [ -n "${PERL_LIBDIR-}" ]; then
			# of another machine, whose perl cannot be asked
			echo "-isystem $(ls -d "$PERL_LIBDIR"/*/CORE | head -n 1) -D_LARGEFILE_SOURCE -D_FILE_OFFSET_BITS=64 -lperl"
			return
		fi
		"${PERL:-perl}" -MConfig -e 'my $d = "$Config{archlibexp}/CORE"; -e "$d/perl.h" or exit 1;
		print "-isystem $d -D_LARGEFILE_SOURCE -D_FILE_OFFSET_BITS=64 -L$d -lperl\n"' 2> /dev/null ||
		echo -lperl-is-not-there ;;
	*) echo "$1" ;;
	esac
}

# archives do not say which others they need
group= needed=
if [ "${STATIC-}" = 1 ]; then
	group=-Wl,--start-group
	for l in dw elf lzma bz2 zstd z; do
		[ "$("$@" -print-file-name=lib$l.a)" = lib$l.a ] || needed="$needed -l$l"
	done
	needed="$needed -Wl,--end-group -lm"
fi

if ! echo 'int long_has_64_bits[sizeof(long) == 8 ? 1 : -1];' |
		"$@" -w -x c -c -o "$tmp/long" - > "$tmp/long.log" 2>&1 && grep -q long_has_64_bits "$tmp/long.log"; then
	echo "perf: this compiler is for a machine of 32 bits, where perf cannot be built: it runs on those of 64 bits," \
		"and reads what was recorded on others" >&2
	[ "${CHECK-}" = 1 ] && exit 0
	exit 1
fi

# all probes at once; $tmp/NAME.ok exists where one compiled and linked
rows | while IFS="$tab" read -r name need macro link without; do
	case $need:$link in as:* | *:-) continue ;; esac
	# these interpreters are shared libraries; the tables of libpfm4 are 2 MB, a seventh of a static perf
	case ${STATIC-}:$link in 1:headers:* | 1:perl-embed | 1:-lpfm) continue ;; esac
	(
		if "$@" -w -o "$tmp/$name.bin" "$here/probe-$name.c" $group $(link_of "$link") $needed 2> "$tmp/$name.log"; then
			: > "$tmp/$name.ok"
		fi
	) &
	echo $! >> "$tmp/pids"
done
# the subshell's children cannot be waited for: wait until each has ended
while read -r pid; do
	while kill -0 "$pid" 2> /dev/null; do
		sleep 0.05
	done
done < "$tmp/pids"

missing=
libs=
plugins=
: > "$tmp/plugins.mk"
: > "$tmp/config.h"
: > "$tmp/features.def"
while IFS="$tab" read -r name need macro link without; do
	case $name in '#'*) continue ;; esac
	plugin=0
	case $need in
	*plugin | plugin-alone) plugin=1 ;;
	as)
		# all but the names is that row's
		sed -n "s/^FEATURE(\"[^\"]*\", \"$link\", \"[^\"]*\", \([01], [01]\),.*/FEATURE(\"$name\", \"$link\", \"HAVE_${macro}_SUPPORT\", \1, \"$without\")/p" \
			"$tmp/features.def" | head -n 1 > "$tmp/as.def"
		[ -s "$tmp/as.def" ] || { echo "perf: config/libs.tsv: $name comes before $link" >&2; exit 1; }
		cat "$tmp/as.def" >> "$tmp/features.def"
		continue ;;
	esac
	if [ "$need" = own ]; then
		echo "FEATURE(\"$name\", \"$name\", \"HAVE_${macro}_SUPPORT\", 1, 0, \"$without\")" >> "$tmp/features.def"
	elif [ -e "$tmp/$name.ok" ]; then
		link=$(link_of "$link")
		echo "FEATURE(\"$name\", \"$name\", \"HAVE_${macro}_SUPPORT\", 1, $plugin, \"$without\")" >> "$tmp/features.def"
		if [ $plugin = 1 ]; then
			plugins="$plugins $name"
			echo "PLUGIN_LIBS_$name := $link" >> "$tmp/plugins.mk"
		else
			libs="$libs $link"
		fi
		[ "$need" = plugin-alone ] || echo "#define HAVE_$macro 1" >> "$tmp/config.h"
	else
		echo "FEATURE(\"$name\", \"$name\", \"HAVE_${macro}_SUPPORT\", 0, $plugin, \"$without\")" >> "$tmp/features.def"
		[ "$link" = - ] || missing="$missing $name"
		case $need in required*) required_missing=1 ;; esac
	fi
done < "$here/libs.tsv"

if [ "${CHECK-}" = 1 ]; then
	[ -z "$missing" ] || printf '%s\n' $missing
	exit 0
fi
if [ -n "${required_missing-}" ]; then
	echo "perf: these libraries are missing:$missing" >&2
	"$here/deps.sh" --name $missing >&2
	exit 1
fi
# perf has 23,000 addresses in tables, which are half a megabyte in the usual form. The C library must know
# the short one, too
link_flags=-Wl,-z,pack-relative-relocs
if [ "${STATIC-}" = 1 ]; then
	link_flags=
elif ! echo 'int x, *volatile p = &x; int main(void) { return *p; }' |
		"$@" -w -x c -o "$tmp/relocs" $link_flags - > "$tmp/relocs.log" 2>&1 || [ -s "$tmp/relocs.log" ] ||
		! "$tmp/relocs" 2> "$tmp/relocs.log"; then
	link_flags=
fi
mkdir -p "$out/include"
for name in $missing; do
	echo "  note: built without $name: $(rows | awk -F '\t' -v n="$name" '$1 == n { print $5 }')" >&2
done
{
	echo "FEATURE_LIBS := $libs"
	echo "PLUGINS := $plugins"
	echo "LINK_FLAGS := $link_flags"
	cat "$tmp/plugins.mk"
} > "$tmp/config.mk"
for f in config.h features.def; do
	cmp -s "$tmp/$f" "$out/include/$f" || cp "$tmp/$f" "$out/include/$f"
done
cp "$tmp/config.mk" "$out/config.mk"
