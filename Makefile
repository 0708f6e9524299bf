# Build of perf. Sources are found by wildcard: adding a file edits nothing here.
CC ?= gcc
O ?= build
CFLAGS ?= -O2 -g
WARN := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wno-unused-parameter -Wformat-security
ALL_CFLAGS := -std=gnu11 -D_GNU_SOURCE $(WARN) $(CFLAGS) -MMD -MP
LIBS := -lelf -ldw -lz -lpthread -ldl -lm

SRC := $(wildcard perf.c builtin-*.c ui/*.c ui/*/*.c arch/*.c arch/*/*.c util/*/*.c)
OBJ := $(SRC:%.c=$(O)/%.o)

all: perf
perf: $(OBJ)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $^ $(LIBS)
$(O)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) -c -o $@ $<
clean:
	rm -rf $(O) perf
.PHONY: all clean
-include $(OBJ:.o=.d)
