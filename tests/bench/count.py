# counts system calls by number, and tasks by name, of the sample's dictionary
calls, names = {}, {}

def raw_syscalls__sys_enter(event, context, cpu, secs, nsecs, pid, comm, chain, number, args, sample):
	calls[number] = calls.get(number, 0) + 1
	name = sample["comm"]
	names[name] = names.get(name, 0) + 1

def trace_end():
	for number in sorted(calls):
		print(number, calls[number])
	for name in sorted(names):
		print(name, names[name])
