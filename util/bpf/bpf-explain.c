/* Bpf-explain: see bpf-explain.h. */
#include "bpf-explain.h"

#include <errno.h>

int bpf_explain(struct err *err, int errnum, const char *what)
{
	switch (errnum) {
	case EPERM:
		err_set(err, -errnum, "no permission to load %s", what);
		err_hint(err, "run as root, or with CAP_BPF and CAP_PERFMON");
		return -errnum;
	case ENOSYS:
		return err_set(err, -errnum, "this kernel was built without BPF");
	default:
		return err_sys(err, errnum, "the kernel refuses %s", what);
	}
}
