/* Unit tests of the setting that --smi-cost needs. */
#include "test.h"
#include "fake-root.h"

#include <errno.h>
#include "../../util/base/fs.h"
#include "../../util/count/freeze-smi.h"

static u64 setting(void)
{
	u64 v = 99;

	CHECK_INT(fs_read_u64("/sys/devices/cpu/freeze_on_smi", &v), 0);
	return v;
}

TEST(smi_freeze_is_put_back)
{
	struct smi_freeze f = { 0 };
	struct err err = ERR_INIT;

	fake_file("/sys/devices/cpu/freeze_on_smi", "0\n");
	CHECK_INT(smi_freeze_begin(&f, &err), 0);
	CHECK_U64(setting(), 1);
	smi_freeze_end(&f);
	CHECK_U64(setting(), 0);
	smi_freeze_end(&f);
	CHECK_U64(setting(), 0);
}

TEST(smi_freeze_that_was_on_stays)
{
	struct smi_freeze f = { 0 };
	struct err err = ERR_INIT;

	fake_file("/sys/devices/cpu/freeze_on_smi", "1\n");
	CHECK_INT(smi_freeze_begin(&f, &err), 0);
	smi_freeze_end(&f);
	CHECK_U64(setting(), 1);
}

TEST(smi_freeze_needs_the_setting)
{
	struct smi_freeze f = { 0 };
	struct err err = ERR_INIT;

	fake_file("/sys/x", "");
	CHECK_INT(smi_freeze_begin(&f, &err), -EOPNOTSUPP);
	CHECK(!f.changed);
	smi_freeze_end(&f);
}
