/* Freeze-smi: changes the setting and restores it. */
#include "freeze-smi.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>
#include "../base/fs.h"

#define SETTING "/sys/devices/cpu/freeze_on_smi"

static int set(const char *value)
{
	int fd = fs_open(SETTING, O_WRONLY), ret;

	if (fd < 0)
		return fd;
	ret = fd_write_all(fd, value, 1);
	close(fd);
	return ret;
}

int smi_freeze_begin(struct smi_freeze *f, struct err *err)
{
	u64 now;
	int ret;

	f->changed = false;
	if (fs_read_u64(SETTING, &now))
		return err_set(err, -EOPNOTSUPP, "this machine cannot stop counters during system management "
			       "interrupts (there is no " SETTING ")");
	if (now)
		return 0;
	ret = set("1");
	if (ret)
		return err_sys(err, -ret, "cannot stop counters during system management interrupts: writing "
			       SETTING);
	f->changed = true;
	return 0;
}

void smi_freeze_end(struct smi_freeze *f)
{
	if (f->changed)
		set("0");
	f->changed = false;
}
