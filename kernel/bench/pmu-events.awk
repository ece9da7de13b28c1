# pmu-events.csv to the table that pmu_events.h declares: only events that the bench
# counts (the list below), in counters of the core and in AMD's shared ones. Run by the
# Makefile; plain awk.
BEGIN {
    n = split("cpu-cycles instructions ref-cycles cache-references cache-misses " \
              "branch-instructions branch-misses L1-dcache-loads L1-dcache-load-misses " \
              "L1-dcache-prefetches dTLB-loads dTLB-load-misses ct:stores-retired " \
              "ct:l2-rfo-all ct:l2-rfo-miss ct:dtlb-store-walk-done ct:store-buffer-full " \
              "ct:fill-buffer-full ct:bound-on-stores ct:superqueue-full " \
              "ct:ocr-demand-rfo-any ct:ocr-streaming-wr-any ct:l2-out-silent " \
              "ct:l2-out-dirty ct:l1d-replacement ct:rep-iterations ct:microcode-uops " \
              "ct:l2-store-reads ct:l2-change-to-x ct:stores-dispatched ct:wcb-write " \
              "ct:wcb-close ct:clzero-requests ct:store-queue-full ct:dmnd-fills-all " \
              "ct:l3-miss ct:l3-access ct:df-dram-ch0 ct:umc-cas-rd ct:umc-cas-wr",
              names, " ")
    for (i = 1; i <= n; i++)
        is_wanted[names[i]] = 1
    models = events = extras = 0
    extra_index("0")
    print "/* Made from kernel/bench/pmu-events.csv by pmu-events.awk. */"
    print "#include \"kernel/bench/pmu_events.h\"\n"
}

# Fields of a CSV line into field[1..]; a quoted field may hold commas.
function split_line(line,    count, in_quotes, i, c) {
    split("", field)
    count = 1
    in_quotes = 0
    for (i = 1; i <= length(line); i++) {
        c = substr(line, i, 1)
        if (c == "\"")
            in_quotes = !in_quotes
        else if (c == "," && !in_quotes)
            count++
        else
            field[count] = field[count] c
    }
}

# "0x00-0x0f,0x20" as initialisers of struct pmu_range; a single value is its own end.
function ranges(list,    parts, ends, n, i, out) {
    n = split(list, parts, ",")
    out = ""
    for (i = 1; i <= n; i++) {
        if (split(parts[i], ends, "-") == 1)
            ends[2] = ends[1]
        out = out "{" ends[1] ", " ends[2] "}, "
    }
    return out
}

# "use 0x60:0xff instead": the list gives a code and says that another one is right.
function use_instead(text,    code) {
    sub(/^ *use /, "", text)
    split(text, code, /[: ]/)
    field[5] = "L2, as on Zen"
    field[6] = code[1]
    field[7] = code[2]
}

# The record of a model, opened where its vendor, family and models first appear.
function open_model(vendor, family, list,    key, words, kind, step_low, step_high, version) {
    key = vendor "|" family "|" list
    if (key in model_of)
        return model_of[key]
    kind = list ~ /\(P core\)/ ? "0x40" : list ~ /E core\)/ ? "0x20" : "0"
    step_low = 0
    step_high = 15
    version = 0
    if (list ~ / stepping /) {
        split(list, words, " stepping ")
        list = words[1]
        split(words[2], words, "-")
        step_low = words[1]
        step_high = words[2]
    }
    if (match(list, /version>=[0-9]/))
        version = substr(list, RSTART + 9, 1)
    sub(/ *\(.*/, "", list)
    if (list == "all" || list ~ /^any with/)
        list = "0x00-0xff"
    model_text[models] = "    {\"" vendor "\", {" ranges(family) "}, {" ranges(list) "}, " \
        step_low ", " step_high ", " kind ", " version "},"
    return model_of[key] = models++
}

# Where a value is in pmu_extras; each is there once.
function extra_index(value) {
    if (!(value in extra_of)) {
        extra_text[extras] = value
        extra_of[value] = extras++
    }
    return extra_of[value]
}

# "0/1/2/3" as a mask.
function counter_mask(list,    parts, n, i, out) {
    n = split(list, parts, "/")
    out = "0"
    for (i = 1; i <= n; i++)
        out = out " | 1 << " parts[i]
    return out
}

NR > 1 {
    split_line($0)
    if (!(field[4] in is_wanted) || field[6] !~ /^0x/ || field[3] ~ /erratum/)
        next
    cmask = edge = inv = msr = value = 0
    mask = "0"
    bit = -1
    n = split(field[8], parts, ";")
    for (i = 1; i <= n; i++) {
        split(parts[i], pair, "=")
        if (pair[1] == "cmask") cmask = pair[2]
        else if (parts[i] ~ /^ *use 0x/) use_instead(parts[i])
        else if (pair[1] == "edge") edge = pair[2]
        else if (pair[1] == "inv") inv = pair[2]
        else if (pair[1] == "counters") mask = counter_mask(pair[2])
        else if (pair[1] == "fam15h") mask = "PMU_FAMILY_15H_LOW"
        else if (pair[1] == "cpuid0a_ebx_bit") bit = pair[2]
        else if (pair[1] == "msr") {
            split(pair[2], halves, ":")
            msr = halves[1] ~ /\// ? "PMU_MSR_OFFCORE" : halves[1]
            value = halves[2]
        }
        # What the select registers of AMD's shared counters have beside the event: all slices
        # and threads of a last-level cache, of memory commands reads or writes.
        else if (pair[1] == "slicemask_bits") value = "0xff0f000000000000"
        else if (pair[1] == "enallslices_bit") value = "0x0300c00000000000"
        else if (pair[1] == "rdwrmask") value = pair[2] == "0x1" ? "0x100" : "0x200"
        else if (pair[1] == "pmu" && pair[2] !~ /^(cpu_.*|L3PMC|UMCPMC|DFPMC)$/) next
    }
    event_text[events++] = "    {\"" field[4] "\", \"" field[5] "\", " field[6] ", " field[7] \
        ", " cmask ", " edge ", " inv ", " bit ", " open_model(field[1], field[2], field[3]) \
        ", " extra_index(value) ", " mask ", " msr "},"
}

END {
    print "const struct pmu_model pmu_models[] = {"
    for (i = 0; i < models; i++)
        print model_text[i]
    print "};\nconst uint32_t pmu_model_count = " models ";\n"
    print "const struct pmu_event pmu_events[] = {"
    for (i = 0; i < events; i++)
        print event_text[i]
    print "};\nconst uint32_t pmu_event_count = " events ";\n"
    print "const uint64_t pmu_extras[] = {"
    for (i = 0; i < extras; i++)
        print "    " extra_text[i] "ull,"
    print "};"
}
