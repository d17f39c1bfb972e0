#compdef vellum
# Completion of the command vellum for zsh: commands and options are what `vellum help` says.
if (( CURRENT == 2 )); then
    compadd -- ${(f)"$(vellum help 2>/dev/null | sed -n 's/.*vellum \([a-z]*\) .*/\1/p' | sort -u)"}
elif [[ $words[CURRENT-1] == --backend ]]; then
    compadd -- model rtl lockstep ref
elif [[ $words[CURRENT] == -* ]]; then
    compadd -- ${(f)"$(vellum help $words[2] 2>/dev/null | grep -oE -- '--[a-z][a-z-]*' | sort -u)"}
else
    _files
fi
