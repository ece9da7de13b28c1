/* Numbers of the MSRs that the image itself depends on. [intel/vol4], [amd/vol2 A] */
#ifndef KERNEL_CPU_MSR_NUMBERS_H
#define KERNEL_CPU_MSR_NUMBERS_H

#define MSR_IA32_PAT 0x277
#define MSR_IA32_EFER 0xc0000080
#define MSR_IA32_FS_BASE 0xc0000100
#define MSR_IA32_GS_BASE 0xc0000101

#endif
