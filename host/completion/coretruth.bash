# bash completion for coretruth. It asks the program: what --help lists is what Tab offers.
# In use: source this file, or copy it to /usr/share/bash-completion/completions/coretruth.

_coretruth_commands() { "$1" --help 2>/dev/null | sed -nE 's/^  ([a-z]+) +[^ ].*/\1/p'; }
_coretruth_options() { "$1" "$2" --help 2>/dev/null | grep -oE -- '--[a-z-]+|-o\b' | sort -u; }
_coretruth_profiles() { "$1" options --markdown 2>/dev/null | grep -oE 'linux-[0-9a-z.-]+' | sort -u; }
_coretruth_formats() { "$1" export - --to '?' 2>&1 | sed -n 's/.*there are //p'; }
_coretruth_image_options() { "$1" options --markdown 2>/dev/null | sed -nE 's/^\| `([a-z]+)` .*/\1=/p'; }

# Words after the last comma of a list, with what stands before it.
_coretruth_list() {
    local done=
    [[ $2 == *,* ]] && done=${2%,*},
    COMPREPLY=($(compgen -P "$done" -W "$1" -- "${2##*,}"))
    compopt -o nospace 2>/dev/null
}

_coretruth() {
    local tool=$1 word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W "$(_coretruth_commands "$tool") --help" -- "$word"))
        return
    fi
    case $command:$before in
    *:--rules) _coretruth_list "$(_coretruth_profiles "$tool")" "$word"; return ;;
    export:--to) _coretruth_list "$(_coretruth_formats "$tool")" "$word"; return ;;
    bench:--map) _coretruth_list "4k 2m 1g" "$word"; return ;;
    bench:--state) COMPREPLY=($(compgen -W "dirty cold zero" -- "$word")); return ;;
    *:-o) COMPREPLY=($(compgen -d -- "$word")); return ;;
    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$(_coretruth_options "$tool" "$command") --help" -- "$word"))
    elif [[ $command == options ]]; then
        COMPREPLY=($(compgen -W "$(_coretruth_image_options "$tool")" -- "$word"))
        compopt -o nospace 2>/dev/null
    else
        COMPREPLY=($(compgen -f -- "$word"))
        compopt -o filenames 2>/dev/null
    fi
}

complete -F _coretruth coretruth
