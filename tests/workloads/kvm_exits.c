/*
 * kvm_exits: a virtual machine of one page whose only CPU writes to an I/O port and halts, again and again,
 * for what observes exits from guests. On x86 alone, with /dev/kvm.
 */
#include "workload.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#if defined(__x86_64__) || defined(__i386__)
#include <fcntl.h>
#include <linux/kvm.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE 4096u
#define GUEST_ADDRESS 0x1000u

static int open_guest(int kvm)
{
	/* out %al, $0x10; hlt; back to the first one */
	static const u8 code[] = { 0xe6, 0x10, 0xf4, 0xeb, 0xfb };
	void *page = mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct kvm_userspace_memory_region region = {
		.guest_phys_addr = GUEST_ADDRESS, .memory_size = PAGE, .userspace_addr = (uintptr_t)page };
	struct kvm_regs regs = { .rip = GUEST_ADDRESS, .rflags = 2 };
	struct kvm_sregs sregs;
	int vm = ioctl(kvm, KVM_CREATE_VM, 0), cpu = -1;

	if (page == MAP_FAILED || vm < 0)
		return -1;
	memcpy(page, code, sizeof(code));
	if (!ioctl(vm, KVM_SET_USER_MEMORY_REGION, &region))
		cpu = ioctl(vm, KVM_CREATE_VCPU, 0);
	if (cpu < 0 || ioctl(cpu, KVM_GET_SREGS, &sregs))
		return -1;
	sregs.cs.base = 0;
	sregs.cs.selector = 0;
	return ioctl(cpu, KVM_SET_SREGS, &sregs) || ioctl(cpu, KVM_SET_REGS, &regs) ? -1 : cpu;
}

int kvm_exits(int argc, const char **argv)
{
	int kvm = open("/dev/kvm", O_RDWR | O_CLOEXEC), cpu = kvm < 0 ? -1 : open_guest(kvm), why = errno;
	u64 nr = 1000;

	if (!workload_number(argc, argv, 0, &nr))
		return 1;
	for (u64 i = 0; cpu >= 0 && i < 2 * nr; i++)
		if (ioctl(cpu, KVM_RUN, 0)) {
			why = errno;
			cpu = -1;
		}
	if (cpu >= 0)
		return 0;
	fprintf(stderr, "Error: no virtual machine runs: %s\n", strerror(why));
	return 1;
}
#else
int kvm_exits(int argc UNUSED, const char **argv UNUSED)
{
	fprintf(stderr, "Error: kvm_exits is for x86\n");
	return 1;
}
#endif
