# counts system calls by number
my %calls;

sub raw_syscalls::sys_enter
{
	my ($event, $context, $cpu, $secs, $nsecs, $pid, $comm, $chain, $number) = @_;
	$calls{$number}++;
}

sub trace_end
{
	print "$_ $calls{$_}\n" for sort { $a <=> $b } keys %calls;
}
