#include <bpf/libbpf.h>

int main(void)
{
	return bpf_object__open_mem("", 0, 0) != 0 || libbpf_major_version() < 1;
}
