# Completion of the command vellum for bash: commands and options are what `vellum help` says.
_vellum() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if [ "$COMP_CWORD" = 1 ]; then
        COMPREPLY=($(compgen -W "$(vellum help 2>/dev/null | sed -n 's/.*vellum \([a-z]*\) .*/\1/p' | sort -u)" -- "$word"))
        return
    fi
    case $before in
    --backend) COMPREPLY=($(compgen -W "model rtl lockstep ref" -- "$word")); return ;;
    --set) COMPREPLY=($(compgen -S = -W "$(vellum info 2>/dev/null | sed -n '/^policies/,/^$/s/^  \([a-z_0-9]*\) .*/\1/p')" -- "$word")); return ;;
    esac
    case $word in
    -*) COMPREPLY=($(compgen -W "$(vellum help "$command" 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac
}
complete -o filenames -F _vellum vellum
