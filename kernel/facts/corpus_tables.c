/* ACPI tables in facts.txt: an "acpi" line, then "hex" lines in order until as
 * many bytes are there as it states. */
#include "kernel/facts/corpus_reader.h"

#include <stdio.h>
#include <string.h>

bool corpus_table_is_whole(struct corpus_reader *reader)
{
    const struct open_table *table = &reader->table;

    if (table->filled_bytes == table->length_bytes)
        return true;
    input_error_set(reader->builder->error, PLACE_LINE, table->line,
                    "table %s states %u bytes, but its hex lines hold %u", table->name,
                    table->length_bytes, table->filled_bytes);
    return false;
}

/* "RSDP" stands for the eight characters "RSD PTR "; a signature that is not
 * made of letters, digits and _ is given as x and eight hexadecimal digits. */
static bool parse_signature(const char *word, char signature[9])
{
    uint32_t number;

    if (strcmp(word, "RSDP") == 0) {
        memcpy(signature, "RSD PTR ", 9);
        return true;
    }
    if (word[0] == 'x' && strlen(word) == 9 && text_hex32(word + 1, &number)) {
        for (unsigned i = 0; i < 4; i++)
            signature[i] = (char)(number >> (24 - 8 * i));
        signature[4] = '\0';
        return true;
    }
    if (strlen(word) != 4)
        return false;
    memcpy(signature, word, 5);
    return true;
}

bool corpus_acpi(struct corpus_reader *reader, char *rest)
{
    struct facts_builder *builder = reader->builder;
    struct acpi_table *table;
    const char *name = text_word(&rest), *address = text_word(&rest), *length = text_word(&rest);
    uint64_t bytes;
    uint8_t *storage;

    if (!corpus_table_is_whole(reader))
        return false;
    table = facts_builder_table(builder);
    if (!table)
        return false;
    if (!parse_signature(name, table->signature) || !text_hex(address, 16, &table->address) ||
        !text_decimal(length, UINT32_MAX, &bytes))
        return corpus_fail(reader, "acpi SIGNATURE ADDRESS LENGTH");
    if (bytes > (uint64_t)(builder->lines.end - builder->lines.next) / 2)
        return facts_builder_fail(builder, "table %.9s states %llu bytes, but what follows holds "
                                           "less: right are two digits a byte in hex lines", name,
                                  (unsigned long long)bytes);
    storage = ARENA_NEW(builder->arena, uint8_t, bytes);
    if (!storage)
        return text_out_of_memory(builder->error);
    table->bytes = storage;
    table->length_bytes = (uint32_t)bytes;
    reader->table = (struct open_table){storage, table->length_bytes, 0, builder->lines.number, ""};
    snprintf(reader->table.name, sizeof(reader->table.name), "%s", name);
    return true;
}

bool corpus_hex(struct corpus_reader *reader, char *rest)
{
    struct open_table *table = &reader->table;
    uint64_t offset;

    if (!table->bytes)
        return facts_builder_fail(reader->builder, "a hex line before the first acpi line");
    if (!text_hex(text_word(&rest), 8, &offset))
        return corpus_fail(reader, "hex OFFSET BYTES");
    if (offset != table->filled_bytes)
        return facts_builder_fail(reader->builder, "hex bytes at offset %x, but the next byte of "
                                                   "the table is at %x",
                                  (unsigned)offset, table->filled_bytes);
    for (char *digits = text_word(&rest); *digits; digits = text_word(&rest)) {
        uint32_t left = table->length_bytes - table->filled_bytes, count;

        if (!text_bytes(digits, table->bytes + table->filled_bytes, left, &count))
            return facts_builder_fail(reader->builder, "broken hex bytes: right are two digits a "
                                                       "byte, %u bytes in all",
                                      table->length_bytes);
        table->filled_bytes += count;
    }
    return true;
}
