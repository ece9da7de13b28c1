/* The same entries as GRUB's menu. A machine without a keyboard starts the first one. */
#include "boot/app/menu.h"

#include "boot/efi/efi_console.h"
#include "boot/efi/efi_keys.h"
#include "boot/info/loader_text.h"

enum { SECONDS = 5, MS_OF_S = 1000, ENTRIES = 6 };

static const struct {
    char title[72];
    char options[32];
} entries[ENTRIES] = {
    {"full: topology, measured topology, page clearing", ""},
    {"topology only: what CPUID and ACPI say, what Linux concludes", "run=topology"},
    {"clear_page only", "run=topology,bench"},
    {"quick: everything within a minute", "budget=45s"},
    {"strict quiet: leave the firmware for good, report by serial line", "quiet=exit"},
    {"serial only: leave the screen alone", "screen=none"},
};

static void show(struct efi_boot *boot)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        char line[96] = "";

        loader_text_append_number(line, sizeof line, i + 1, 1);
        loader_text_append(line, sizeof line, "  ");
        loader_text_append(line, sizeof line, entries[i].title);
        efi_console_say(boot, line);
    }
    efi_console_say(boot, "1 to 6 starts at once, Enter or 5 seconds without a key the first");
}

const char *menu_choose(struct efi_boot *boot)
{
    show(boot);
    for (unsigned seconds = 0; seconds < SECONDS; seconds++) {
        char key = efi_keys_wait(boot, MS_OF_S);

        if (key >= '1' && key < '1' + ENTRIES)
            return entries[key - '1'].options;
        if (key)
            break;
    }
    return entries[0].options;
}
