#!/bin/sh
# perf report -s stack_size: which samples have a stack that is as large as record copies at most.
. "$(dirname "$0")/lib.sh"

# stacks ORDER: three stacks of 64 bytes, the most that is copied, one of 8, and a sample of the kernel
# without
stacks() {
	mkdata x.data <<-END
	order $1
	event cpu-clock config=cpu-clock period=10 sample=ip|tid|time|period|regs_user|stack_user regs_user=0xff stack_user=64
	default tid=100 period=10 regs_user=2,1,2,3,4,5,6,7,8
	repeat 3
	sample ip=0x1000 time=10+\$i stack="0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" dyn_size=64
	end
	sample ip=0x1000 time=20 stack="0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef" dyn_size=8
	sample ip=0x1000 time=30 regs_user=0
	END
}
rows() { "$PERF" report -i x.data -g none --no-children "$@" 2> err | sed '/^#/d; /^$/d; s/^ *//; s/ *$//'; }

check 'samples by the size of their stacks, the largest first at the same overhead, in both byte orders' '
	for order in little big; do
		stacks $order
		rows -s stack_size > got
		printf "60.00%%  64\n20.00%%  8\n20.00%%  0\n" | diff - got
	done'
check 'JSON gives a number in bytes, and says where nothing was recorded' '
	stacks little
	"$PERF" report --json -i x.data -g none --no-children -s stack_size > out
	grep -qF "{\"key\": \"stack_size\", \"title\": \"User Stack Size\", \"type\": \"number\", \"unit\": \"bytes\"}" out
	grep -qF "\"stack_size\": 64" out
	grep -qF "\"stack_size\": null, \"stack_size-reason\": \"not recorded\"" out'
check 'the number of threads changes nothing' '
	stacks little
	rows -j1 -s stack_size,comm > one
	test -s one
	rows -j8 -s stack_size,comm | diff one -'
