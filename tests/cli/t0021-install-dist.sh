#!/bin/sh
# make dist: a tarball of the last commit; its version. make sbom: the libraries of this perf, as SPDX.
. "$(dirname "$0")/../cli/lib.sh"

have_CHECKOUT() {
	have_GIT && [ "$(git -C "$SRC" rev-parse --show-toplevel 2> /dev/null)" = "$SRC" ] || { echo "needs a git checkout"; return 1; }
}
check_if CHECKOUT 'the tarball has the same bytes each time, the committed files and the version' '
	"$SRC/packaging/dist.sh" one > out 2> err
	(umask 077; TZ=Asia/Tokyo "$SRC/packaging/dist.sh" two > out 2> err)
	name=$(basename "$(cat out)")
	cmp "one/$name" "two/$name"
	(cd one && sha256sum -c "$name.sha256")
	tar -tzf "one/$name" | grep -v "/\$" | sed "s|^[^/]*/||" | LC_ALL=C sort > in
	{ git -C "$SRC" ls-tree -r --name-only HEAD | grep -vE "^\.(ci/|gitignore)"; echo config/RELEASE; } | LC_ALL=C sort | same - in
	tar -xzf "one/$name"
	"$SRC/config/version.sh" --commit > version
	grep -q . version
	test "perf-$(cat version).tar.gz" = "$name"
'
check_if CHECKOUT 'a build of the tarball has this version, also within the checkout of something else' '
	cd perf-*/
	sh config/version.sh include/version.h
	says "#define OWN_VERSION \"$(cat ../version)\"" include/version.h
	git init -q ..
	sh config/version.sh include/version.h
	says "#define OWN_VERSION \"$(cat ../version)\"" include/version.h
	cd .. && rm -rf perf-* .git
'
check_if GIT 'between releases the version has the commit; a release has only its number' '
	mkdir -p repo/config
	cp "$SRC/config/version.sh" "$SRC/config/LEVEL" repo/config
	echo 3.4 > repo/config/VERSION
	cd repo
	git init -q .
	git add -A
	git -c user.name=t -c user.email=t@t commit -q -m one
	commit=$(git rev-parse --short=12 HEAD)
	test "$(sh config/version.sh --own)" = "3.4.g$commit"
	git tag v3.3
	test "$(sh config/version.sh --own)" = "3.4.g$commit"
	git -c user.name=t -c user.email=t@t tag -a -m release v3.4
	test "$(sh config/version.sh --own)" = 3.4
	echo changed > config/LEVEL
	test "$(sh config/version.sh --own)" = "3.4.g$commit-dirty"
	test "$(sh config/version.sh --commit)" = 3.4
'
have_LDD() {
	command -v ldd > /dev/null && command -v readelf > /dev/null || { echo "needs ldd and readelf"; return 1; }
}
check_if LDD,PYTHON,PLAIN 'the bill of materials is JSON with the libraries of perf and of its plug-ins' '
	CC=false LIBS= "$SRC/packaging/sbom.sh" "$PERF" "$O/lib/perf" > sbom.json
	cat > read.py <<-END
		import json
		d = json.load(open("sbom.json"))
		assert d["spdxVersion"] == "SPDX-2.3"
		names = {p["SPDXID"]: p["name"] for p in d["packages"]}
		assert len(names) == len(d["packages"])
		for r in d["relationships"]:
		    print(names.get(r["spdxElementId"], "-"), r["relationshipType"], names[r["relatedSpdxElement"]])
	END
	python3 read.py > out
	grep -Fxq -e "- DESCRIBES perf" out
	grep -Fxq "perf DYNAMIC_LINK libc.so.6" out
	grep -Fxq "plug-in-libelf OPTIONAL_COMPONENT_OF perf" out
	grep -q "^plug-in-libelf DYNAMIC_LINK libelf.so" out
	says "\"checksumValue\": \"$(sha256sum < "$PERF" | cut -d " " -f 1)\"" sbom.json
'
have_MAKE() {
	command -v make > /dev/null || { echo "needs make"; return 1; }
}
check_if MAKE 'a cross compiler names the machine: its objects are beside those of this one' '
	make_clean() {
		env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u O -u ARCH -u PERF -u CC make -n V=1 -C "$SRC" "$@" clean > out
		grep "^rm -rf " out
	}
	test "$(make_clean)" = "rm -rf build perf"
	test "$(make_clean CROSS_COMPILE=aarch64-linux-gnu-)" = "rm -rf build/aarch64 build/aarch64/perf"
	test "$(make_clean CROSS_COMPILE=/opt/x/bin/s390x-linux-gnu-)" = "rm -rf build/s390x build/s390x/perf"
	test "$(make_clean ARCH=riscv64)" = "rm -rf build/riscv64 build/riscv64/perf"
'
have_HARDEN() {
	have_GCC && command -v make > /dev/null && command -v readelf > /dev/null || { echo "needs gcc, make and readelf"; return 1; }
	[ "$(uname -m)" = x86_64 ] || { echo "needs x86-64"; return 1; }
}
check_if HARDEN 'HARDEN=1 compiles and links with what distributions ask for; the check finds what is missing' '
	env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL -u CFLAGS make -n V=1 -C "$SRC" HARDEN=1 O="$PWD/hard" "$PWD/hard/perf" > commands 2> err
	compile=$(sed -n "s|^\([^ ]*gcc .*\) -c -o $PWD/hard/perf.o perf.c\$|\1|p" commands)
	link=$(sed -n "s|^\([^ ]*gcc .*\) -o $PWD/hard/perf .*|\1|p" commands)
	test -n "$compile" && test -n "$link"
	{
		echo "#include <stdio.h>"
		i=0
		while [ $((i += 1)) -lt 200 ]; do echo "int f$i(int x); int f$i(int x) { return x + $i; }"; done
		echo "int main(int argc, char **argv) { char text[64]; sprintf(text, argv[0], argc); return text[argc]; }"
	} > y.c
	$compile -w -c -o y.o y.c
	$link -o strong y.o
	"$SRC/packaging/check-hardening.sh" strong
	echo "int main(void) { return 0; }" > x.c
	gcc -no-pie -fno-stack-protector -fcf-protection=none -z norelro -z lazy -z execstack -o weak x.c 2> err
	fails_with 1 "$SRC/packaging/check-hardening.sh" weak > out
	for word in PIE RELRO BIND_NOW "executable stack" "stack protector" FORTIFY CET; do
		says "$word" out
	done
'
