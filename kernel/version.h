/* What this build is called. */
#ifndef KERNEL_VERSION_H
#define KERNEL_VERSION_H

/* "COMMIT compiler": made by the Makefile, the same for the same commit and tools. */
extern const char kernel_version[];

#endif
