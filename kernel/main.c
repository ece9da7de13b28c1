/* The steps of a run, in order. */
#include "kernel/cpu/early_console.h"
#include "kernel/cpu/instructions.h"
#include "kernel/cpu/start.h"
#include "kernel/lib/textbuf.h"

enum { QEMU_EXIT_PORT = 0xf4 };

static struct boot_result result;

struct boot_result *kernel_main(struct boot_info *info)
{
    char line[BOOT_INFO_CMDLINE_BYTES + 200];
    struct textbuf text;
    textbuf_init(&text, line, sizeof line);
    textbuf_printf(&text, "coretruth by %s at 0x%llx, %u ranges, options: %s\n", info->loader,
                   (unsigned long long)info->kernel_physical, info->range_count, info->cmdline);
    early_console_put(text.text, text.length);
    port_write8(QEMU_EXIT_PORT, 0);
    result.after = BOOT_AFTER_HALT;
    return &result;
}
