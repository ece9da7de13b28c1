/* The one thing boot/ hands to kernel_main(). Nothing below boot/ asks how the
 * machine was booted; the strings are only repeated in the report. */
#ifndef BOOT_INFO_BOOT_INFO_H
#define BOOT_INFO_BOOT_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { BOOT_INFO_MAX_RANGES = 1024, BOOT_INFO_MAX_FILES = 8, BOOT_INFO_CMDLINE_BYTES = 2048 };

/* What a physical range may be used for. */
enum boot_range_kind {
    BOOT_RANGE_GRANTED,    /* RAM we may write: free and taken for us */
    BOOT_RANGE_KERNEL,     /* our own image, stacks and boot data: ours, in use */
    BOOT_RANGE_FIRMWARE,   /* RAM that stays the firmware's (boot services kept, runtime) */
    BOOT_RANGE_ACPI,       /* ACPI tables and NVS: read only */
    BOOT_RANGE_RESERVED,   /* never touched */
    BOOT_RANGE_PERSISTENT, /* never written */
    BOOT_RANGE_SPECIAL,    /* specific-purpose or unaccepted: never written */
};

struct boot_range {
    uint64_t start, end;         /* physical bytes, end exclusive, sorted, no overlap */
    enum boot_range_kind kind;
    uint32_t source_type;        /* the loader's own type number (E820 or EFI) */
    uint64_t efi_attribute;      /* 0 on BIOS */
};

/* What was wrong with the firmware's map, in entries. */
struct boot_map_repairs {
    uint32_t unsorted;           /* starts below the entry before it */
    uint32_t overlapping;        /* shares bytes with another one */
    uint32_t unaligned;          /* RAM that was cut to whole pages */
    uint32_t empty;              /* no bytes, or an end before its start */
    uint32_t endless;            /* reaches the end of the address space */
};

/* One byte of a UEFI variable; not read: the firmware has no such variable, or no UEFI. */
struct boot_variable {
    bool is_read;
    uint8_t value;
};

enum boot_path { BOOT_BIOS_GRUB, BOOT_UEFI_GRUB, BOOT_UEFI_APP };
enum boot_quiet { BOOT_QUIET_NONE /* BIOS */, BOOT_QUIET_FIRMWARE, BOOT_QUIET_EXIT };

enum boot_pixel { BOOT_PIXEL_NONE, BOOT_PIXEL_RGB, BOOT_PIXEL_TEXT };

struct boot_framebuffer {
    enum boot_pixel kind;
    uint64_t address;            /* physical */
    uint32_t width, height;      /* pixels, or characters in BOOT_PIXEL_TEXT */
    uint32_t pitch_bytes;        /* from one line to the next */
    uint8_t bits_per_pixel;
    uint8_t red_shift, red_bits, green_shift, green_bits, blue_shift, blue_bits;
};

/* The kernel is entered twice: to run, and, after the loader has tried to save the files,
 * to speak the last lines. */
enum boot_call { BOOT_CALL_RUN, BOOT_CALL_GOODBYE,
                 BOOT_CALL_KEY /* a key of the firmware's keyboard, after goodbye */ };

struct boot_info {
    enum boot_call call;
    char saved[200];             /* goodbye: one sentence on the files; empty: none were to be saved */
    bool is_save_failed;         /* goodbye: they should have been saved and were not */
    char key;                    /* BOOT_CALL_KEY: "b" shows the page before, others the next */
    bool can_end_machine;        /* the loader carries out boot_result.after; else the kernel does */
    enum boot_path path;
    enum boot_quiet quiet;
    bool can_save_files;         /* the loader will write result files to a volume */
    /* Why a test file could not be written to the volume before the run; empty: it was, or
     * nothing is to be saved. */
    char save_problem[64];
    bool is_volume_optical;      /* nobody expects files on it */
    uint64_t volume_free_bytes;
    char volume[64];             /* that volume's label or device, for the report */
    char loader[64];             /* "GRUB 2.06", "coretruth.efi" */
    char firmware_vendor[64];    /* EFI_SYSTEM_TABLE.FirmwareVendor; empty on BIOS */
    uint32_t firmware_revision;
    struct boot_variable secure_boot, setup_mode; /* SecureBoot, SetupMode [uefi 3.3] */
    char cmdline[BOOT_INFO_CMDLINE_BYTES];
    bool is_cmdline_cut;
    uint64_t rsdp_address;       /* physical; 0: the loader knows none */
    uint64_t smbios_address;     /* of the entry point, physical; 0: the loader knows none */
    uint8_t rsdp_copy[36];       /* Multiboot2 hands over a copy, not an address */
    uint32_t rsdp_copy_bytes;    /* 0: no copy */
    struct boot_framebuffer framebuffer;
    uint64_t kernel_physical, kernel_bytes; /* where the image lies */
    /* A granted page below 1 MiB (not page 0): CPUs are started through it and parked ones
     * stay on it for good, so on UEFI it is EfiReservedMemoryType and never freed. 0: none. */
    uint64_t trampoline_physical;
    struct boot_range ranges[BOOT_INFO_MAX_RANGES];
    uint32_t range_count;
    uint32_t dropped_ranges;     /* did not fit in ranges[] */
    struct boot_map_repairs map_repairs;
};

/* What kernel_main() leaves behind for the loader. */
struct boot_file {
    char name[32];               /* "report.txt" */
    const void *bytes;           /* virtual address in the direct map */
    uint64_t length_bytes;
};

enum boot_after { BOOT_AFTER_POWEROFF, BOOT_AFTER_REBOOT, BOOT_AFTER_HALT, BOOT_AFTER_RETURN };

struct boot_result {
    struct boot_file files[BOOT_INFO_MAX_FILES];
    uint32_t file_count;
    enum boot_after after;
    int status;                  /* 0 pass, 1 findings, 2 fail */
    uint32_t pause_ms;           /* how long keys are waited for before `after`; 0: not at all */
};

#endif
