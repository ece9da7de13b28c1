/* A bounded list with counts that stay true when it is full. */
#include "kernel/topology/notes.h"

#include <stddef.h>

bool notes_init(struct topology_notes *notes, uint32_t capacity, struct arena *arena)
{
    *notes = (struct topology_notes){.capacity = capacity};
    notes->list = ARENA_NEW(arena, struct topology_note, capacity);
    return notes->list != NULL;
}

void notes_add(struct topology_notes *notes, struct topology_note note)
{
    uint32_t seen = notes->kind_count[note.kind]++;

    if (seen < NOTES_PER_KIND && notes->count < notes->capacity)
        notes->list[notes->count++] = note;
}

const struct topology_note *notes_first(const struct topology_notes *notes, enum note_kind kind)
{
    for (uint32_t i = 0; i < notes->count; i++)
        if (notes->list[i].kind == kind)
            return &notes->list[i];
    return NULL;
}
