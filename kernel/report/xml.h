/* The two things an hwloc XML file is made of: escaped attributes and bitmaps. */
#ifndef KERNEL_REPORT_XML_H
#define KERNEL_REPORT_XML_H

#include <stdint.h>

#include "kernel/lib/cpumask.h"
#include "kernel/lib/textbuf.h"

/* ` name="text"`, escaped; control bytes and invalid UTF-8 become U+FFFD. */
void xml_attribute(struct textbuf *out, const char *name, const char *text);
void xml_attribute_u64(struct textbuf *out, const char *name, uint64_t value);

/* A set in hwloc's form: 32-bit groups "0x00000003,0x00000000", highest first. */
void xml_bitmap(struct textbuf *out, const struct cpumask *mask);
void xml_bitmap_of_one(struct textbuf *out, uint32_t bit);

#endif
