#!/bin/sh
# Debug files of stripped programs from debuginfod servers: perf report, script, annotate --debuginfod.
. "$(dirname "$0")/lib.sh"
need GCC
command -v python3 > /dev/null || skip_all "needs python3"
command -v objcopy > /dev/null || skip_all "needs objcopy"
[ -e "$O/lib/perf/debuginfod.so" ] || skip_all "built without debuginfod"

unset http_proxy HTTP_PROXY all_proxy ALL_PROXY DEBUGINFOD_PROGRESS DEBUGINFOD_VERBOSE DEBUGINFOD_MAXTIME
export DEBUGINFOD_CACHE_PATH="$PWD/cache" no_proxy=127.0.0.1

printf '%s\n' 'static int work(int n) { return n * 3; }' 'int main(int argc, char **argv) { (void)argv; return work(argc); }' > w.c
gcc -g -O0 -no-pie -Wl,--build-id=sha1 -o w w.c
id=$("$PERF" buildid-list -i w)
at=$(nm w | awk '$3 == "work" { print "0x" $1 }')
text=$(readelf -SW w | awk '{ sub(/^ *\[ *[0-9]+\]/, "") } $1 == ".text" { print "0x" $3, "0x" $4; exit }')
mkdir -p "served/buildid/$id"
objcopy --only-keep-debug w "served/buildid/$id/debuginfo"
strip w
mkdata x.data <<END
event cpu-clock config=cpu-clock period=1 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2
comm tid=100 comm="w" time=1
mmap2 tid=100 addr=$(printf '0x%x' $((${text% *} & ~0xfff))) len=0x1000 pgoff=$(printf '0x%x' $((${text#* } & ~0xfff))) prot=5 flags=2 filename="$PWD/w" time=2
sample tid=100 ip=$at time=10 period=1
END

# a server that logs what it is asked for, one that answers badly in the way that its URL names, and one that
# takes connections and never answers; a port that refuses them
cat > serve.py <<'END'
import http.server, os, socket, sys, threading, time
os.chdir("served")
class Bad(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        how = self.path.split("/")[1]
        self.send_response(500 if how == "error" else 200)
        self.send_header("Content-Length", str({"error": 0, "cut": 1000}.get(how, 1 << 40)))
        self.end_headers()
        try:
            while how in ("endless", "slow"):
                self.wfile.write(b"x" * (65536 if how == "endless" else 1))
                time.sleep(0.01 if how == "endless" else 0.1)
            if how == "cut":
                self.wfile.write(b"x" * 10)
        except OSError:
            pass
    def log_message(self, *args):
        pass
http.server.ThreadingHTTPServer.daemon_threads = True
good = http.server.ThreadingHTTPServer(("127.0.0.1", 0), http.server.SimpleHTTPRequestHandler)
bad = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Bad)
threading.Thread(target=bad.serve_forever, daemon=True).start()
deaf = socket.create_server(("127.0.0.1", 0))
closed = socket.socket()
closed.bind(("127.0.0.1", 0))
with open("../ports.new", "w") as f:
    print(good.server_port, deaf.getsockname()[1], closed.getsockname()[1], bad.server_port, file=f)
os.rename("../ports.new", "../ports")
good.serve_forever()
END
python3 serve.py 2> requests &
server=$!
on_end 'kill $server'
until_true test -s ports > /dev/null
read -r good deaf closed bad < ports

check 'nothing is fetched unless asked for, whatever the environment says' '
	DEBUGINFOD_URLS=http://127.0.0.1:$good "$PERF" report -i x.data -s sym > out 2> err
	silent_about work out
	test ! -s requests
	fails_with 129 "$PERF" report --debuginfod -i x.data 2> err
	says "no servers: give their URLs, or set DEBUGINFOD_URLS" err'
check 'the debug file gives names and lines, and is kept' '
	"$PERF" report --debuginfod=http://127.0.0.1:$good -i x.data -s sym > out 2> err
	says "100.00%  [.] work" out
	says "asking http://127.0.0.1:$good for debug files, for at most 10 s" err
	says "debuginfod: 1 debug file found, 0 not found, 0 given up" err
	test "$(grep -c "GET /buildid/$id/debuginfo" requests)" = 1
	DEBUGINFOD_URLS=http://127.0.0.1:$good "$PERF" script --debuginfod -i x.data -F ip,sym,srcline > out 2> err
	says "work" out
	says "w.c:1" out
	test "$(grep -c "GET" requests)" = 1'
check 'perf probe fetches them, too, when asked for' '
	rm -rf cache
	: > requests
	fails_with 1 "$PERF" probe -x ./w -D "work n" 2> err
	says "or fetch them with --debuginfod" err
	test ! -s requests
	"$PERF" probe --debuginfod=http://127.0.0.1:$good -x ./w -D "work n" > out 2> err
	grep -q "^p:probe_w/work $PWD/w:0x[0-9a-f]* n=" out
	test "$(grep -c "GET /buildid/$id/debuginfo" requests)" = 1
	DEBUGINFOD_URLS=http://127.0.0.1:$good "$PERF" probe --debuginfod -x ./w -V work > out 2> err
	says "int	n" out
	test "$(grep -c "GET" requests)" = 1'
check 'what a server does not have is asked for once, and a wrong file is not used' '
	rm -rf cache
	mv "served/buildid/$id/debuginfo" kept
	: > requests
	for again in 1 2; do
		"$PERF" report --debuginfod=http://127.0.0.1:$good -i x.data -s sym > out 2> err
		says "debuginfod: 0 debug files found, 1 not found, 0 given up" err
	done
	test "$(grep -c "GET" requests)" = 1
	rm -rf cache
	cp "$PERF" "served/buildid/$id/debuginfo"
	"$PERF" report --debuginfod=http://127.0.0.1:$good -i x.data -s sym > out 2> err
	silent_about "work" out
	says "debuginfod: 1 fetched debug file is not used: damaged, of another build" err
	mv kept "served/buildid/$id/debuginfo"'
check 'damaged replies give no names, and a line says so' '
	for how in garbage half empty; do
		rm -rf cache
		mv "served/buildid/$id/debuginfo" kept
		case $how in
		garbage) head -c 100000 /dev/urandom > "served/buildid/$id/debuginfo" ;;
		half) head -c $(($(wc -c < kept) / 2)) kept > "served/buildid/$id/debuginfo" ;;
		empty) : > "served/buildid/$id/debuginfo" ;;
		esac
		"$PERF" report --debuginfod=http://127.0.0.1:$good -i x.data -s sym > out 2> err
		mv kept "served/buildid/$id/debuginfo"
		silent_about "work" out
		says "100.00%" out
		grep -q "is not used\|1 not found" err
	done'
check 'a reply that never ends, or ends early, costs a limited time' '
	for how in endless slow; do
		rm -rf cache
		timeout 60 "$PERF" report --debuginfod=http://127.0.0.1:$bad/$how --debuginfod-seconds=1 -i x.data -s sym > out 2> err
		says "1 given up for lack of time" err
		says "100.00%" out
	done
	for how in cut error; do
		rm -rf cache
		timeout 60 "$PERF" report --debuginfod=http://127.0.0.1:$bad/$how -i x.data -s sym > out 2> err
		silent_about "1 debug file found" err
		says "100.00%" out
	done'
check 'a server that cannot be reached is not one without the file' '
	rm -rf cache
	"$PERF" report --debuginfod=http://127.0.0.1:$closed -i x.data -s sym > out 2> err
	silent_about "not found" err
	says "http://127.0.0.1:$closed not reached for 1 debug file: Connection refused" err
	says "100.00%" out
	fails_with 129 "$PERF" report --debuginfod=nfs://x -i x.data 2> err
	says "is not the URL of a server" err'
check 'buildid-cache.debuginfod turns it on, for URLs or those of the environment' '
	rm -rf cache
	printf "[buildid-cache]\n\tdebuginfod = http://127.0.0.1:%s\n" "$good" > urls.config
	printf "[buildid-cache]\n\tdebuginfod = system\n" > system.config
	PERF_CONFIG=urls.config "$PERF" report -i x.data -s sym > out 2> err
	says "100.00%  [.] work" out
	rm -rf cache
	PERF_CONFIG=system.config DEBUGINFOD_URLS=http://127.0.0.1:$good "$PERF" script -i x.data -F ip,sym > out 2> err
	says "work" out
	PERF_CONFIG=system.config "$PERF" report -i x.data -s sym > out 2> err
	says "buildid-cache.debuginfod: no servers" err
	silent_about "work" out
	PERF_CONFIG=urls.config "$PERF" report --no-debuginfod -i x.data -s sym > out 2> err
	silent_about "debuginfod" err'
check 'buildid-cache --debuginfod keeps the debug file beside the program' '
	rm -rf cache
	"$PERF" --buildid-dir "$PWD/kept" buildid-cache -v --debuginfod=http://127.0.0.1:$good -a w > out 2> err
	says "debug file of $id" out
	says "1 debug file found" err
	"$PERF" inject -f -b -i x.data -o id.data	# the file is newer than the recording
	"$PERF" --buildid-dir "$PWD/kept" report -i id.data -s sym > out 2> err
	says "100.00%  [.] work" out
	: > requests
	"$PERF" --buildid-dir "$PWD/kept" buildid-cache --debuginfod=http://127.0.0.1:$good -a w > out 2> err
	test ! -s requests
	rm -rf kept cache
	mv "served/buildid/$id/debuginfo" good
	cp "$PERF" "served/buildid/$id/debuginfo"
	"$PERF" --buildid-dir "$PWD/kept" buildid-cache --debuginfod=http://127.0.0.1:$good -a w > out 2> err
	says "is of another build" err
	test -z "$(find kept -name debug)"
	mv good "served/buildid/$id/debuginfo"'
check_if EVENTS 'record --debuginfod keeps program and debug file for reports without a server' '
	rm -rf cache
	printf "%s\n" "int main(void) { volatile unsigned long n = 100000000; while (n) n--; return 0; }" > busy.c
	gcc -g -O0 -Wl,--build-id=sha1 -o busy busy.c
	busy=$("$PERF" buildid-list -i busy)
	mkdir -p "served/buildid/$busy"
	objcopy --only-keep-debug busy "served/buildid/$busy/debuginfo"
	strip busy
	"$PERF" --buildid-dir "$PWD/kept" record --debuginfod=http://127.0.0.1:$good -e cpu-clock:u -o busy.data ./busy > out 2> err
	says "1 debug file found" err
	"$PERF" --buildid-dir "$PWD/kept" report -i busy.data -s sym,srcline > out 2> err
	grep -q "main  *busy.c:1" out
	"$PERF" --buildid-dir "$PWD/none" record -N --debuginfod=http://127.0.0.1:$good -e cpu-clock:u -o busy.data ./busy > out 2> err
	says "1 debug file found" err
	test ! -e none
	"$PERF" record --debuginfod=http://127.0.0.1:$closed -e cpu-clock:u -o - true 2> err > pipe.data
	says "needs an output file, not a pipe" err
	fails_with 129 "$PERF" record --debuginfod -e cpu-clock:u -o busy.data true 2> err
	says "no servers" err'
check 'the program with most samples is asked for first' '
	rm -rf cache
	{ echo "event cpu-clock config=cpu-clock period=1 sample=ip|tid|time|period flags=sample_id_all|comm|mmap2"
	  for k in 1 2 3; do
		printf "%s\n" "int main(void) { return $k; }" > "p$k.c"
		gcc -s -Wl,--build-id=sha1 -o "p$k" "p$k.c"
		"$PERF" buildid-list -i "p$k" > "p$k.id"
		echo "mmap2 tid=100 addr=0x${k}0000000 len=0x100000 prot=5 flags=2 filename=\"$PWD/p$k\" time=$k"
	  done
	  # more addresses in p1, more samples in p2
	  for k in 1 2 3 4 5 6; do echo "sample tid=100 ip=0x1000100$k time=1$k period=1"; done
	  for k in 1 2 3 4 5 6 7 8; do echo "sample tid=100 ip=0x20001000 time=2$k period=1"; done
	  echo "sample tid=100 ip=0x30001000 time=40 period=1"; } | mkdata order.data
	for command in "report -s sym" "script -F ip,sym" "annotate --stdio"; do
		rm -rf cache
		: > requests
		"$PERF" $command --jobs 1 --debuginfod=http://127.0.0.1:$good -i order.data > out 2> err || says "no sample is in" err
		sed -n "s|.*GET /buildid/\\([0-9a-f]*\\)/.*|\\1|p" requests > got
		cat p2.id p1.id p3.id | same - got
	done'
check 'a server that does not answer costs a limited time' '
	rm -rf cache
	timeout 60 "$PERF" report --debuginfod=http://127.0.0.1:$deaf --debuginfod-seconds=1 -i x.data -s sym > out 2> err
	says "debuginfod: 0 debug files found, 0 not found, 1 given up for lack of time" err
	says "100.00%" out'
