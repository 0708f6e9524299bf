# Build of perf. Sources are found by wildcard: adding a file edits nothing here.
CC ?= gcc
O ?= build
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter -Wformat-security
ifeq ($(WERROR),1)
WARN += -Werror
endif
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -MMD -MP
LIBS := -lelf -ldw -lz -lpthread -ldl -lm -ltraceevent

SRC := $(wildcard perf.c builtin-*.c ui/*.c ui/*/*.c arch/*.c arch/*/*.c util/*/*.c tests/workloads/*.c)
SRC += $(filter-out tests/unit/main.c,$(wildcard tests/unit/*.c))
OBJ := $(SRC:%.c=$(O)/%.o)

all: perf
perf: $(OBJ)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(O)/unit-tests: $(filter-out $(O)/perf.o,$(OBJ)) $(O)/tests/unit/main.o
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
unit-quick: $(O)/unit-tests
	$(O)/unit-tests
$(O)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<
clean:
	rm -rf $(O) perf
.PHONY: all clean unit-quick
-include $(OBJ:.o=.d)
