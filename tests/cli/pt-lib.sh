# shellcheck shell=sh disable=SC2034,SC2154
# pt-lib.sh: a program of a few instructions, and files with an Intel PT trace of it. A script sources this
# after lib.sh.

z4='\000\000\000\000'
# pt_program [BYTES]: one section, mapped at 0x400000; its code begins at 0x80. BYTES: the last nine, 97 to 9f
pt_program() {
	printf "\177ELF\002\001\001\000$z4$z4\002\000\076\000\001\000\000\000\200\000\100\000$z4"
	printf "\100\000\000\000$z4\240\000\000\000$z4$z4\100\000\070\000\001\000\100\000\002\000\000\000"
	printf "\001\000\000\000\005\000\000\000$z4$z4\000\000\100\000$z4\000\000\100\000$z4"
	printf "\240\000\000\000$z4\240\000\000\000$z4$z4$z4$z4$z4"
	printf '\061\300'			# 80 xor  %eax,%eax
	printf '\350\011\000\000\000'		# 82 call 90
	printf '\165\367'			# 87 jne  80
	printf '\377\340'			# 89 jmp  *%rax
	printf '\017\005'			# 8b syscall
	printf '\353\361'			# 8d jmp  80
	printf '\220'				# 8f
	printf '\220'				# 90 nop
	printf '\164\001'			# 91 je   94
	printf '\220'				# 93 nop
	printf '\303'				# 94 ret
	printf '\353\376'			# 95 jmp  95
	printf "${1-\372\220\373\353\364$z4}"	# 97 cli, 98 nop, 99 sti, 9a jmp 90
	printf "$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4$z4"
	printf "$z4\001\000\000\000\006\000\000\000$z4\200\000\100\000$z4\200\000\000\000$z4\040\000\000\000$z4$z4$z4$z4$z4$z4$z4"
}

# the start of a file; words: after those that every file has
pt_before() {
	test -e prog || pt_program > prog
	cat <<-END
	event intel_pt// type=8 config=${config-0x2400} period=1 sample=ip|tid|time|cpu|identifier ids=10 flags=sample_id_all|exclude_kernel
	event dummy:u type=software config=9 sample=ip|tid|time|cpu|identifier ids=11 flags=sample_id_all|mmap|comm|mmap2
	${events-}
	feature hostname str:"$(uname -n)"
	feature osrelease str:"$(uname -r)"
	feature arch str:"x86_64"
	feature auxtrace u64:0
	auxtrace_info auxtrace_type=1 priv=8,0,1,0,1,0x400,0x800,0,0,0,0x200,0x3c000,16,1,2,20,0,${event_trace-0}
	comm ev=dummy:u pid=100 tid=100 comm="pttest" time=10 s_pid=100 s_tid=100 s_id=11
	mmap2 ev=dummy:u pid=100 tid=100 addr=0x400000 len=0x1000 prot=5 flags=2 filename="$(pwd)/prog" time=11 s_pid=100 s_tid=100 s_id=11
	END
}

# pt_trace PACKETS: an AUXTRACE record of thread 100
pt_trace() {
	echo "auxtrace offset=${off-0} reference=${reference-9} idx=0 tid=100 cpu=-1 $*"
}
pt_start="pt-psb:0 pt-tsc:1000 pt-cbr:20 pt-mode:1 pt-psbend:0"
# the same for scripts that assemble a program of their own
before() { pt_before; }
trace() { pt_trace "$@"; }
