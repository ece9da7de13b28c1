# coretruth: one Makefile. `make help` lists the targets, V=1 shows the commands.
# Two source lists: a folder is pure (host and image) or it touches hardware (image only).

# As many jobs as CPUs, unless a -j was given; a sub-make shares them.
ifeq ($(MAKELEVEL)$(filter -j%,$(MAKEFLAGS)),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

PURE     := kernel/lib kernel/facts kernel/options kernel/topology kernel/stats kernel/report kernel/page boot/info
HARDWARE := kernel/cpu drivers/apic drivers/serial drivers/screen kernel/smp kernel/capture \
            kernel/bench kernel/measure kernel

B       := build
V       ?= 0
quiet    = $(if $(filter 1,$(V)),,@printf '  %-5s %s\n' $(1) $(2);)

CLANG   ?= clang
NASM    ?= nasm
HOSTCC  ?= $(CLANG)
WERROR  ?= $(if $(CI),1,0)

# What a build is called, and the only time that may enter an output.
VERSION := $(shell git describe --always --dirty --abbrev=12 2>/dev/null || echo unknown)
export SOURCE_DATE_EPOCH := $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

WARN    := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wvla \
           $(if $(filter 1,$(WERROR)),-Werror)
CSTD    := -std=gnu17 -I. '-ffile-prefix-map=$(CURDIR)=.' '-fdebug-prefix-map=$(CURDIR)=.' -MMD -MP

# Asked once, when first used: the compiler may not be installed before that.
RESOURCE_DIR = $(eval RESOURCE_DIR := $(shell $(CLANG) -print-resource-dir))$(RESOURCE_DIR)
# C library routines of the image: klibc, its headers before the compiler's.
KLIBC   := /usr/lib/klibc
KLIBINC  = -nostdinc -D__KLIBC__=2 -D__KLIBC_MINOR__=0 -D_BITSIZE=64 \
           -isystem $(KLIBC)/include/arch/x86_64 -isystem $(KLIBC)/include/bits64 \
           -isystem $(KLIBC)/include -isystem $(RESOURCE_DIR)/include
KCFLAGS  = --target=x86_64-unknown-none-elf -ffreestanding $(KLIBINC) -Os -g1 \
           -mgeneral-regs-only -mno-red-zone -mcmodel=small -fpie -fvisibility=hidden -fdirect-access-external-data -fno-stack-protector \
           -fno-omit-frame-pointer -fno-optimize-sibling-calls -ffunction-sections -fdata-sections \
           $(CSTD) $(WARN)

HCFLAGS  = -O2 -g $(CSTD) $(WARN) -D_GNU_SOURCE
SAN     := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
SCFLAGS  = -O1 -g $(SAN) $(CSTD) $(WARN) -D_GNU_SOURCE

sources  = $(sort $(foreach d,$(1),$(wildcard $(d)/*.$(2))))
PURE_C  := $(call sources,$(PURE),c)
LOADERS := boot/grub boot/efi
HARD_C  := $(call sources,$(HARDWARE) $(LOADERS),c)
HARD_A  := $(call sources,$(HARDWARE) $(LOADERS),asm)
HOST_C  := $(call sources,host,c)
TEST_C  := $(sort $(wildcard tests/unit/*/*_test.c))
FUZZ_C  := $(sort $(wildcard tests/fuzz/*_fuzz.c))

PURE_SAN  := $(PURE_C:%.c=$(B)/san/%.o)
# Pure folders, the bench's engine and its assembler: the same objects in the image and on
# the desk. They call nothing of a C library but memory, strings, qsort and snprintf.
PURE_HOST := $(patsubst %.c,$(B)/kernel/%.o,$(filter-out boot/info/%,$(PURE_C)))
BENCH_C   := $(sort $(wildcard kernel/bench/engine*.c))
BENCH_A   := kernel/bench/clear_page.asm kernel/bench/timed.asm
BENCH_OBJ := $(BENCH_A:%.asm=$(B)/kernel/%.asm.o)
HOST_OBJ  := $(HOST_C:%.c=$(B)/hostobj/%.o) $(BENCH_C:%.c=$(B)/kernel/%.o) $(BENCH_OBJ)
HOST_SAN  := $(HOST_C:%.c=$(B)/san/%.o) $(BENCH_C:%.c=$(B)/san/%.o) $(BENCH_OBJ)
UNIT      := $(TEST_C:tests/unit/%_test.c=$(B)/unit/%)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SECONDARY:

# --- what the machine must have ------------------------------------------------
# host/scripts/need installs missing packages of groups, or says what is missing. A target
# that goes on to other groups names them, so that all is asked for at once and at first.
NEED :=
all iso sbom pxe:               NEED += iso
bochs:                          NEED += iso qemu bochs
run qemu boots matrix faults soak: NEED += iso qemu
test:                           NEED += iso qemu test bochs sign shim
secure-boot:                    NEED += iso sign shim qemu
findings fidelity hosted unit simulate formats: NEED += test
$(B)/.need-%: host/scripts/need
	@host/scripts/need $* $(NEED) && mkdir -p $(B) && touch $@

# --- sanitised for tests, plain for the host tool ---------------------------------
$(B)/san/%.o: %.c Makefile | $(B)/.need-build
	$(call quiet,CCS,$<) mkdir -p $(@D) && $(HOSTCC) $(SCFLAGS) -c $< -o $@
$(B)/hostobj/%.o: %.c Makefile | $(B)/.need-build
	$(call quiet,CC,$<) mkdir -p $(@D) && $(HOSTCC) $(HCFLAGS) -c $< -o $@

# One program per unit test; unused objects of the archive stay out.
$(B)/san/libpure.a: $(PURE_SAN)
	$(call quiet,AR,$@) rm -f $@ && llvm-ar rcsD $@ $(PURE_SAN)
$(B)/unit/%: tests/unit/%_test.c $(B)/san/libpure.a | $(B)/.need-test
	$(call quiet,TEST,$<) mkdir -p $(@D) && $(HOSTCC) $(SCFLAGS) $< $(B)/san/libpure.a -lcmocka -lm -o $@

$(B)/unit/boot/efi_screen: SCFLAGS += $(EFIINC)

# The simulations of the statistics once more in full, with the image's own objects.
SIMULATED := $(addprefix $(B)/simulate/,stats/groups stats/verdict)
$(B)/simulate/%: tests/unit/%_test.c $(B)/hostobj/libpure.a | $(B)/.need-test
	$(call quiet,TEST,$<) mkdir -p $(@D) && $(HOSTCC) $(HCFLAGS) -DSIMULATIONS=1000 $< $(B)/hostobj/libpure.a -lcmocka -lm -o $@

# Tests of host/ also get its objects, without main().
$(B)/san/libhost.a: $(filter-out $(B)/san/host/main.o,$(HOST_SAN))
	$(call quiet,AR,$@) rm -f $@ && llvm-ar rcsD $@ $^
# The counter drivers are no pure folder, but they reach registers through functions.
$(B)/san/pmu_event_table.o: $(B)/kernel/pmu_event_table.c
	$(call quiet,CCS,$<) mkdir -p $(@D) && $(HOSTCC) $(SCFLAGS) -c $< -o $@
PMU_SAN   := $(patsubst %.c,$(B)/san/%.o,$(sort $(wildcard kernel/bench/pmu*.c))) $(B)/san/pmu_event_table.o
$(B)/unit/bench/pmu $(B)/unit/bench/pmu_uncore: $(B)/unit/bench/%: tests/unit/bench/%_test.c $(PMU_SAN) $(B)/san/libpure.a | $(B)/.need-test
	$(call quiet,TEST,$<) mkdir -p $(@D) && $(HOSTCC) $(SCFLAGS) $< $(PMU_SAN) $(B)/san/libpure.a -lcmocka -lm -o $@
$(B)/unit/host/%: tests/unit/host/%_test.c $(B)/san/libhost.a $(B)/san/libpure.a | $(B)/.need-test
	$(call quiet,TEST,$<) mkdir -p $(@D) && $(HOSTCC) $(SCFLAGS) $< $(B)/san/libhost.a $(B)/san/libpure.a -lcmocka -ljansson -lm -lpthread -o $@

# --- fuzzing: every parser of foreign bytes, each program linked with what it calls ---
FUZZ_FLAGS = -O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all \
             -fno-omit-frame-pointer $(CSTD) $(WARN) -D_GNU_SOURCE
FUZZ_LIB  := $(patsubst %.c,$(B)/fuzzobj/%.o,$(PURE_C) $(filter-out host/main.c,$(HOST_C)))
FUZZERS   := $(FUZZ_C:tests/fuzz/%_fuzz.c=$(B)/fuzz/%)
$(B)/fuzzobj/%.o: %.c Makefile | $(B)/.need-test
	$(call quiet,CCF,$<) mkdir -p $(@D) && $(CLANG) $(FUZZ_FLAGS) -c $< -o $@
$(B)/fuzzobj/libfuzz.a: $(FUZZ_LIB)
	$(call quiet,AR,$@) rm -f $@ && llvm-ar qcsD $@ $(FUZZ_LIB)
$(B)/fuzz/%: tests/fuzz/%_fuzz.c $(B)/fuzzobj/libfuzz.a
	$(call quiet,FUZZ,$<) mkdir -p $(@D) && $(CLANG) $(FUZZ_FLAGS) -fsanitize=fuzzer $< \
	    $(B)/fuzzobj/libfuzz.a -ljansson -lm -lpthread -o $@

# --- the host tool -------------------------------------------------------------
$(B)/hostobj/libpure.a: $(PURE_HOST)
	$(call quiet,AR,$@) rm -f $@ && llvm-ar rcsD $@ $(PURE_HOST)
$(B)/host/coretruth: $(HOST_OBJ) $(B)/hostobj/libpure.a
	$(call quiet,LD,$@) mkdir -p $(@D) && $(HOSTCC) $(HOST_OBJ) $(B)/hostobj/libpure.a -ljansson -lm -lpthread -o $@
# The same program with sanitizers, for tests that feed it bad files.
$(B)/host/coretruth-san: $(HOST_SAN) $(B)/san/libpure.a
	$(call quiet,LD,$@) mkdir -p $(@D) && $(HOSTCC) $(SAN) $(HOST_SAN) $(B)/san/libpure.a -ljansson -lm -lpthread -o $@

# The page's style sheet and script are bytes inside this object.
$(foreach d,hostobj san fuzzobj,$(B)/$(d)/host/html_files.o): host/html/page.css host/html/page.js

# --- the image: see boot/ ---------------------------------------------------------
IMAGE_OBJ = $(PURE_C:%.c=$(B)/kernel/%.o) $(HARD_C:%.c=$(B)/kernel/%.o) $(HARD_A:%.asm=$(B)/kernel/%.asm.o) \
            $(B)/kernel/version.o $(B)/kernel/pmu_event_table.o
$(B)/kernel/%.o: %.c Makefile | $(B)/.need-build
	$(call quiet,KCC,$<) mkdir -p $(@D) && $(CLANG) $(KCFLAGS) -c $< -o $@
$(B)/kernel/%.asm.o: %.asm Makefile | $(B)/.need-build
	$(call quiet,NASM,$<) mkdir -p $(@D) && $(NASM) -f elf64 -I. -MD $(@:.o=.d) -o $@ $<

# What the report says about the build: commit and tools, nothing of the place or time. The
# temporary file is the shell's own ($$): two runs of make in one tree both come here.
BUILD_ID = $(VERSION) $(shell $(CLANG) --version 2>/dev/null | sed -n '1s/.*clang version/clang/p') \
           $(shell $(NASM) --version 2>/dev/null | sed -n '1s/NASM version \([0-9.]*\).*/nasm \1/p')
.PHONY: force
$(B)/kernel/version.c: force | $(B)/.need-build
	@mkdir -p $(@D) && printf '#include "kernel/version.h"\nconst char kernel_version[] = "%s";\n' \
	    "$(strip $(BUILD_ID))" >$@.$$$$ && { cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@; }
$(B)/kernel/version.o: $(B)/kernel/version.c
	@$(CLANG) $(KCFLAGS) -c $< -o $@

# What performance counters can count on which CPU.
$(B)/kernel/pmu_event_table.c: kernel/bench/pmu-events.csv kernel/bench/pmu-events.awk
	$(call quiet,AWK,$<) mkdir -p $(@D) && awk -f kernel/bench/pmu-events.awk $< >$@
$(B)/kernel/pmu_event_table.o: $(B)/kernel/pmu_event_table.c | $(B)/.need-build
	@$(CLANG) $(KCFLAGS) -c $< -o $@

# The screen's fonts, as Debian ships them for the console.
FONTS := /usr/share/consolefonts
$(B)/font-16.psf: | $(B)/.need-build
	@zcat $(FONTS)/Lat15-Terminus16.psf.gz >$@
$(B)/font-32.psf: | $(B)/.need-build
	@zcat $(FONTS)/Lat15-Terminus32x16.psf.gz >$@
$(B)/kernel/drivers/screen/font.asm.o: NASM := $(NASM) -I$(B)/
$(B)/kernel/drivers/screen/font.asm.o: $(B)/font-16.psf $(B)/font-32.psf

# The QR encoder: Debian's archive, whose header lies among glibc's.
QRCODE  := /usr/lib/x86_64-linux-gnu/libqrcodegen.a
$(B)/kernel/drivers/screen/qr.o: KCFLAGS += -isystem /usr/include/qrcodegen

# Nothing pure is timed in the image, and the application has to stay small. In stats -Oz
# would call compiler-rt for shifts of 128 bits.
$(PURE_C:%.c=$(B)/kernel/%.o): KCFLAGS += $(if $(findstring /stats/,$@),-Os,-Oz)

# Linked twice: the first link tells the addresses of the functions, which the symbol
# table of the second holds. The archive leaves out what nothing refers to.
IMAGE_ROOTS = $(filter $(B)/kernel/boot/% $(B)/kernel/kernel/cpu/% $(B)/kernel/kernel/main.o,$(IMAGE_OBJ))
# What runs before the switch to our own page tables, where the image was loaded.
LOADER_OBJ = $(filter $(B)/kernel/boot/%.o,$(filter-out %.asm.o,$(IMAGE_OBJ))) \
             $(addprefix $(B)/kernel/kernel/,cpu/paging.o cpu/pagetable.o lib/reader.o)
KLD = ld.lld -nostdlib -static --gc-sections -n -z noexecstack --build-id=none \
      -T linker.ld
$(B)/kernel/libimage.a: $(filter-out $(IMAGE_ROOTS),$(IMAGE_OBJ))
	$(call quiet,AR,$@) rm -f $@ && llvm-ar rcsD $@ $^
$(B)/kernel/symbols0.c: host/scripts/symbols
	@mkdir -p $(@D) && host/scripts/symbols >$@
$(B)/kernel/symbols.c: $(B)/kernel/kernel0.elf host/scripts/symbols
	@host/scripts/symbols $< >$@
$(B)/kernel/symbols%.o: $(B)/kernel/symbols%.c
	@$(CLANG) $(KCFLAGS) -c $< -o $@
$(B)/kernel/symbols.o: $(B)/kernel/symbols.c
	@$(CLANG) $(KCFLAGS) -c $< -o $@
$(B)/kernel/kernel0.elf: $(IMAGE_ROOTS) $(B)/kernel/libimage.a $(B)/kernel/symbols0.o linker.ld
	@host/scripts/position-independent $(LOADER_OBJ)
	@$(KLD) -o $@ $(IMAGE_ROOTS) $(B)/kernel/symbols0.o $(B)/kernel/libimage.a $(QRCODE) $(KLIBC)/lib/libc.a
$(B)/kernel.elf: $(IMAGE_ROOTS) $(B)/kernel/libimage.a $(B)/kernel/symbols.o linker.ld
	$(call quiet,LD,$@) $(KLD) -o $@.debug $(IMAGE_ROOTS) $(B)/kernel/symbols.o \
	    $(B)/kernel/libimage.a $(QRCODE) $(KLIBC)/lib/libc.a && llvm-strip --strip-all -o $@ $@.debug

# Loaders run where they were loaded, the C library only where it was linked.
$(B)/kernel/boot/info/multiboot2.o: KCFLAGS += -include boot/grub/loader_error.h \
    -Dinput_error_set=loader_error_set
EFIINC  = -isystem /usr/include/efi -isystem /usr/include/efi/x86_64 -DGNU_EFI_USE_MS_ABI \
          -fshort-wchar
$(B)/kernel/boot/%.o: KCFLAGS += $(EFIINC) -fno-jump-tables

# The UEFI application: the same loader sources as a PE file that carries kernel.elf. Zeros
# stand in the file: lld-link merges .bss into .data without marking it as uninitialised,
# and shim refuses a section of data that has no bytes behind the headers.
ACFLAGS = --target=x86_64-unknown-windows-gnu -ffreestanding -nostdinc -isystem boot/app/include \
          -isystem $(RESOURCE_DIR)/include $(EFIINC) -O2 -mgeneral-regs-only \
          -mno-red-zone -fno-stack-protector -mno-stack-arg-probe -fno-zero-initialized-in-bss $(CSTD) $(WARN)
APP_C   := $(call sources,boot/app boot/efi,c) boot/info/memory_map.c boot/info/range_list.c \
           boot/info/loader_text.c kernel/lib/reader.c
APP_OBJ  = $(APP_C:%.c=$(B)/app/%.o) $(B)/app/kernel_file.o $(B)/app/sbat.o
$(B)/app/%.o: %.c Makefile | $(B)/.need-build
	$(call quiet,ACC,$<) mkdir -p $(@D) && $(CLANG) $(ACFLAGS) -c $< -o $@
$(B)/app/kernel_file.o: boot/app/kernel_file.asm $(B)/kernel.elf
	$(call quiet,NASM,$<) mkdir -p $(@D) && $(NASM) -f win64 -o $@ $<
# component, generation, vendor, package, version, where to read more
SBAT_GENERATION := 1
$(B)/app/sbat.csv: force
	@mkdir -p $(@D) && printf '%s\n' \
	    'sbat,1,SBAT Version,sbat,1,https://github.com/rhboot/shim/blob/main/SBAT.md' \
	    'coretruth,$(SBAT_GENERATION),coretruth,coretruth,$(VERSION),docs/secure-boot.md' >$@.$$$$ && \
	    { cmp -s $@.$$$$ $@ && rm $@.$$$$ || mv $@.$$$$ $@; }
$(B)/app/sbat.o: boot/app/sbat.asm $(B)/app/sbat.csv | $(B)/.need-build
	$(call quiet,NASM,$<) $(NASM) -f win64 -o $@ $<
$(B)/coretruth.efi: $(APP_OBJ)
	$(call quiet,LINK,$@) lld-link -subsystem:efi_application -entry:efi_main -nodefaultlib \
	    -dynamicbase -nxcompat -timestamp:0 -out:$@ $(APP_OBJ)

# Firmware that is not as it should be, for tests: it starts the application.
FIRMWARE_OBJ = $(patsubst %.c,$(B)/app/%.o,$(call sources,tests/firmware,c)) $(B)/app/boot/app/memory.o \
               $(B)/app/tests/firmware/paging.asm.o
$(B)/app/tests/firmware/paging.asm.o: tests/firmware/paging.asm | $(B)/.need-build
	$(call quiet,NASM,$<) mkdir -p $(@D) && $(NASM) -f win64 -o $@ $<
$(B)/firmware.efi: $(FIRMWARE_OBJ)
	$(call quiet,LINK,$@) lld-link -subsystem:efi_application -entry:efi_main -nodefaultlib \
	    -dynamicbase -nxcompat -timestamp:0 -out:$@ $(FIRMWARE_OBJ)

# The medium for BIOS and UEFI, optical and stick.
$(B)/coretruth.iso: $(B)/kernel.elf $(B)/coretruth.efi iso/build iso/grub.cfg iso/grub-early.cfg \
                    iso/coretruth.cfg | $(B)/.need-iso
	$(call quiet,ISO,$@) iso/build $(B)/kernel.elf $(B)/coretruth.efi $@

# What a TFTP server hands out; grub.cfg is the last file that iso/pxe writes.
PXE_FROM = iso/pxe iso/pxe.cfg $(B)/kernel.elf $(B)/coretruth.efi $(B)/host/coretruth | $(B)/.need-iso
$(B)/pxe/grub.cfg: $(PXE_FROM)
	$(call quiet,PXE,$(@D)) iso/pxe $(B)

# What the outputs are made of: SPDX 2.3.
$(B)/coretruth.spdx.json: host/scripts/sbom host/scripts/sbom.cfg \
        $(B)/kernel.elf $(B)/coretruth.efi $(B)/coretruth.iso | $(B)/.need-sbom
	$(call quiet,SBOM,$@) host/scripts/sbom $(B) '$(VERSION)' >$@

# --- top-level targets -------------------------------------------------------------
.PHONY: all iso unit fuzz check findings fidelity boots matrix faults test run clean help
## make            build/kernel.elf, build/coretruth.efi, build/coretruth.iso, build/host/coretruth
all: $(B)/kernel.elf $(B)/coretruth.efi $(B)/coretruth.iso $(B)/host/coretruth
iso: $(B)/coretruth.iso

## make sbom       build/coretruth.spdx.json: what the outputs are made of, and its licences
.PHONY: sbom sbom-check
sbom: $(B)/coretruth.spdx.json
sbom-check: $(B)/coretruth.spdx.json | $(B)/.need-test
	@tests/check/sbom.py $(B)

## make pxe        build/pxe: the folder for a TFTP server; CMDLINE='…' are the options
.PHONY: pxe pxe-check
pxe: $(PXE_FROM)
	$(call quiet,PXE,$(B)/pxe) iso/pxe $(B) $(CMDLINE)
pxe-check: $(PXE_FROM)
	@tests/pxe/run $(B)

## make run        boots the image in QEMU (RUN_CPUS='-smp 8,sockets=2,cores=2,threads=2'), shows
##                 report.txt, leaves the files in build/run/; CMDLINE='budget=1m' unless given
RUN_BOOT ?= bios-iso
RUN_CPUS ?= -smp 8,sockets=2,cores=2,threads=2
# In a virtual machine no time is worth waiting five minutes for.
RUN_OPTIONS = $(or $(CMDLINE),budget=1m)
run: $(B)/coretruth.iso $(B)/coretruth.efi $(B)/host/coretruth | $(B)/.need-qemu
	@BOOT='$(RUN_BOOT)' QEMU_ARGS='-m 1024 $(RUN_CPUS)' CMDLINE='$(RUN_OPTIONS)' OUT='$(B)/run' TIMEOUT=600 \
	    PROGRESS=1 QEMU='$(QEMU)' BUILD='$(B)' tests/qemu/boot; status=$$?; \
	    [ ! -f $(B)/run/report.txt ] || cat $(B)/run/report.txt; \
	    echo; echo "files: $(B)/run/"; exit $$status

## make qemu BOOT=bios-iso|bios-usb|bios-pxe|uefi-iso|uefi-usb|uefi-app|uefi-pxe QEMU_ARGS='…' CMDLINE='…' OUT=DIR
##                 one boot; exit status 0 only for a whole report with status pass or findings
.PHONY: qemu
qemu: $(B)/coretruth.iso $(B)/coretruth.efi $(B)/pxe/grub.cfg $(B)/host/coretruth | $(B)/.need-qemu
	@BOOT='$(BOOT)' QEMU_ARGS='$(QEMU_ARGS)' CMDLINE='$(CMDLINE)' OUT='$(OUT)' \
	    QEMU='$(QEMU)' TIMEOUT='$(TIMEOUT)' BUILD='$(B)' tests/qemu/boot

## make bench      coretruth bench beside perf bench mem memset on this machine (BENCH_ARGS='…')
.PHONY: bench
bench: $(B)/host/coretruth | $(B)/.need-bench
	@BENCH_ARGS='$(BENCH_ARGS)' host/scripts/bench $(B)/host/coretruth $(B)/bench

## make speed      every speed that was promised, beside Linux in QEMU and perf bench: a table;
##                 SPEED='boots host sizes line bench build', SPEED_CPUS=8,64,255
.PHONY: speed
speed: $(B)/coretruth.iso $(B)/coretruth.efi $(B)/host/coretruth $(UNIT) \
       | $(B)/.need-iso $(B)/.need-qemu $(B)/.need-bench
	@BUILD='$(B)' SPEED_CPUS='$(SPEED_CPUS)' SPEED_TURNS='$(SPEED_TURNS)' tests/speed/run $(SPEED)

## make usb DEV=/dev/sdX   writes a stick that boots by BIOS and UEFI and takes the report
.PHONY: usb
usb:
	@ONLY_CHECK=1 host/scripts/usb '$(DEV)'
	@$(MAKE) --no-print-directory NEED=usb $(B)/.need-usb $(B)/kernel.elf $(B)/coretruth.efi
	@BUILD='$(B)' YES='$(YES)' SIGNED='$(SIGNED)' host/scripts/usb '$(DEV)'

## make sign KEY=db.key CERT=db.pem   build/coretruth.signed.efi and .signed.iso for Secure Boot
##                 (PASSIN=file:… for the key's passphrase); make usb SIGNED=1 takes it then
.PHONY: sign
sign:
	@ONLY_CHECK=1 KEY='$(KEY)' CERT='$(CERT)' host/scripts/sign
	@$(MAKE) --no-print-directory NEED='iso sign' $(B)/.need-sign $(B)/.need-iso $(B)/kernel.elf $(B)/coretruth.efi
	@BUILD='$(B)' KEY='$(KEY)' CERT='$(CERT)' PASSIN='$(PASSIN)' host/scripts/sign

## make unit       unit tests of the pure folders, with address and undefined sanitizers
unit: $(UNIT) | $(B)/.need-test
	@tests/tools/run-unit $(UNIT)

## make simulate   what the verdicts and groups say of simulated runs with known truth: a table
.PHONY: simulate
simulate: $(SIMULATED)
	@tests/tools/run-unit --show $(SIMULATED)

## make fuzz       every parser of foreign bytes, FUZZ_SECONDS=5 each
FUZZ_SECONDS ?= 5
fuzz: $(FUZZERS)
	@tests/tools/run-fuzz $(FUZZ_SECONDS) $(FUZZERS)

## make check      layer table, rules about the sources
check: | $(B)/.need-test
	@tests/tools/run-all 'layers=python3 tests/check/layers.py' 'sources=python3 tests/check/sources.py' 'usb=tests/usb/run'

## make findings   what check finds in the corpus and the cases
findings: $(B)/host/coretruth | $(B)/.need-test
	@tests/tools/findings $(B)/host/coretruth

## make fidelity   the profiles against recorded kernels, machines and cases, as a table
fidelity: $(B)/host/coretruth | $(B)/.need-test
	@tests/tools/fidelity $(B)/host/coretruth

## make formats    the report as other programs read it: JSON Schema, lstopo, replay, extract
formats: $(B)/host/coretruth | $(B)/.need-test
	@BUILD='$(B)' tests/report/run

## make desk       help, manual page, completion, colours of the desk tool
.PHONY: desk
desk: $(B)/host/coretruth | $(B)/.need-test
	@BUILD='$(B)' tests/desk/run

## make hwloc      topology.xml of every recorded machine in hwloc's tools and beside hwloc's decoder
.PHONY: hwloc
hwloc: $(B)/host/coretruth | $(B)/.need-test
	@BUILD='$(B)' tests/report/hwloc

## make html       report.html in a headless browser; screenshots in build/html
.PHONY: html
html: $(B)/host/coretruth | $(B)/.need-test
	@host/scripts/need html || echo 'html: no browser could be installed'
	@BUILD='$(B)' tests/html/run

## make hosted     coretruth bench and compare as a user runs them
.PHONY: hosted
hosted: $(B)/host/coretruth | $(B)/.need-test
	@tests/bench/run $(B)/host/coretruth $(B)/hosted

## make boots      boots in QEMU: tests/qemu/cases.cfg (CASES='pattern …')
CASES ?= *
boots: $(B)/coretruth.iso $(B)/coretruth.efi $(B)/host/coretruth | $(B)/.need-qemu
	@tests/qemu/run $(foreach c,$(CASES),'$(c)')

## make paths      what a boot leaves behind: stick, firmware, end of the machine
.PHONY: paths
paths: $(B)/coretruth.iso $(B)/coretruth.efi $(B)/host/coretruth | $(B)/.need-qemu $(B)/.need-usb
	@tests/qemu/paths

## make secure-boot   what `make sign` refuses and makes, booted by OVMF with Secure Boot on
.PHONY: secure-boot pe
secure-boot: $(B)/kernel.elf $(B)/coretruth.efi $(B)/pxe/grub.cfg $(B)/host/coretruth \
             | $(B)/.need-sign $(B)/.need-shim $(B)/.need-iso $(B)/.need-qemu
	@BUILD='$(B)' tests/secure-boot/run
# The application's PE header, sections and SBAT lines.
pe: $(B)/coretruth.efi
	@tests/check/pe.py $(B)/coretruth.efi

## make matrix     every way of booting on many machines (MATRIX='pattern …' SET=ci): a table
MATRIX ?= *
SET    ?=
matrix: $(B)/coretruth.iso $(B)/coretruth.efi $(B)/pxe/grub.cfg $(B)/host/coretruth | $(B)/.need-qemu
	@tests/qemu/run --file matrix.cfg $(if $(SET),--set $(SET)) --table $(foreach c,$(MATRIX),'$(c)')

## make soak       BOOTS=200 boots of the matrix in an order by SEED=1, CYCLES=10000 AP starts
.PHONY: soak
BOOTS  ?= 200
CYCLES ?= 10000
SEED   ?= 1
soak: $(B)/coretruth.iso $(B)/coretruth.efi $(B)/pxe/grub.cfg $(B)/host/coretruth | $(B)/.need-qemu
	@tests/qemu/soak --seed $(SEED) --cycles $(CYCLES) $(BOOTS)

## make bochs      boots in Bochs, whose Bulldozer has compute units (BOCHS='pattern …'): a table
.PHONY: bochs
BOCHS ?= *
bochs: $(B)/coretruth.iso $(B)/host/coretruth | $(B)/.need-qemu $(B)/.need-bochs
	@tests/qemu/run --file bochs.cfg $(if $(SET),--set $(SET)) --table $(foreach c,$(BOCHS),'$(c)')

## make faults     what can go wrong, made to happen, one line each (FAULTS='pattern …' SET=ci)
FAULTS ?= *
faults: $(B)/coretruth.iso $(B)/coretruth.efi $(B)/firmware.efi $(B)/host/coretruth | $(B)/.need-qemu
	@tests/qemu/run --file faults.cfg $(if $(SET),--set $(SET)) $(foreach c,$(FAULTS),'$(c)')

## make harm       no byte of RAM changes that the run does not own (HARM='pattern …')
.PHONY: harm harm-ci
HARM ?= *
harm: $(B)/coretruth.iso $(B)/coretruth.efi $(B)/host/coretruth | $(B)/.need-qemu
	@tests/qemu/harm $(foreach c,$(HARM),'$(c)')
harm-ci:
	@$(MAKE) --no-print-directory harm HARM='bios-all-parts uefi-app-return stray-store-bios'

## make screens    screenshots compared with the report: SCREENS='*' for all of tests/screen/run
.PHONY: screens
SCREENS ?= 800x600 text menu full
screens: $(B)/coretruth.iso $(B)/coretruth.efi $(B)/host/coretruth | $(B)/.need-qemu $(B)/.need-test
	@BUILD='$(B)' tests/screen/run $(foreach c,$(SCREENS),'$(c)')

## make reproducible   two builds of the last commit, in places that differ: equal bytes?
.PHONY: matrix-ci faults-ci bochs-ci wrmsr reproducible
reproducible: | $(B)/.need-iso
	@tests/check/reproducible
matrix-ci faults-ci bochs-ci:
	@$(MAKE) --no-print-directory $(@:-ci=) SET=ci
wrmsr: $(B)/kernel.elf $(B)/coretruth.efi
	@python3 tests/check/wrmsr.py $(B)

## make test       everything that needs no hardware; last line "N passed, N failed"
TEST_PARTS = unit simulate check wrmsr pe sbom-check pxe-check findings fidelity hosted fuzz boots matrix-ci faults-ci secure-boot bochs-ci harm-ci reproducible screens paths formats desk hwloc html
test: all $(UNIT) | $(B)/.need-test $(B)/.need-qemu $(B)/.need-sign $(B)/.need-shim
	@tests/tools/run-all $(foreach part,$(TEST_PARTS),'$(part)=$(MAKE) --no-print-directory $(part)')

clean:
	rm -rf $(B)

help:
	@grep -hE '^## ' Makefile | sed 's/^## //'

-include $(shell find $(B) -name '*.d' 2>/dev/null)
