/** The shells for which completion scripts exist. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
/** A shell for which a completion script exists; see {@link SHELLS}. */
export type Shell = (typeof SHELLS)[number];

/**
 * Returns the script with which a shell completes the command lines of a program. The script calls the program: `NAME complete -- WORDS…` writes one
 * candidate per line with its description after a tab, and `:files`, `:folders` or `:programs` if the shell itself must add such names. The words are
 * passed as arguments and never evaluated, because an unfinished command line can contain `$(…)`.
 */
export function shellScript(shell: Shell, name: string): string {
  return { bash, zsh, fish }[shell](name, `_${name.replaceAll(/\W/g, '_')}_completion`);
}

// Bash 3.2, which macOS has, does not support `mapfile`, `compopt` or negative indexes.
function bash(name: string, fn: string): string {
  return `# Completion of ${name} for bash. In ~/.bashrc: source <(${name} completion bash)
${fn}() {
  local words=() rest=\${COMP_LINE:0:COMP_POINT} trimmed word i current line also=
  # Bash cuts words at = and :, so pieces between which the line has no blank are joined again.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    trimmed=\${rest#"\${rest%%[![:space:]]*}"}
    ((i < COMP_CWORD)) || word=$trimmed
    if ((i > 0)) && [[ -n $rest && $rest == "$trimmed" ]]; then
      words[\${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    rest=\${trimmed#"$word"}
  done
  current=\${words[\${#words[@]}-1]}
  # Bash replaces only what follows the last = or :.
  local cut=\${current%"\${current##*[=:]}"}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) also=\${line#:} ;;
      *) line=\${line%%$'\\t'*}; COMPREPLY+=("\${line#"$cut"}") ;;
    esac
  done < <(command ${name} complete -- "\${words[@]:1}" 2>/dev/null)
  case $also in
    files) ;;
    folders) compopt -o filenames 2>/dev/null; while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "\${current#"$cut"}") ;;
    programs) while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -c -- "$current" | sort -u) ;;
    *) compopt +o default 2>/dev/null ;;
  esac
}
complete -o default -F ${fn} ${name}
`;
}

function zsh(name: string, fn: string): string {
  return `#compdef ${name}
# Completion of ${name} for zsh. In ~/.zshrc, after compinit: source <(${name} completion zsh)
${fn}() {
  local line also word
  local -a candidates
  while IFS= read -r line; do
    case $line in
      :*) also=\${line#:} ;;
      *) word=\${line%%$'\\t'*}; candidates+=("\${word//:/\\\\:}:\${line#*$'\\t'}") ;;
    esac
  done < <(command ${name} complete -- "\${(@)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)
  # What stands before = stays, and a file follows it.
  [[ $PREFIX == --*=* && -n $also ]] && compset -P '*='
  case $also in
    files) _files ;;
    folders) _files -/ ;;
    programs) _command_names -e ;;
    *) _describe ${name} candidates ;;
  esac
}
if [[ \${funcstack[1]} == _${name} ]]; then ${fn} "$@"; else compdef ${fn} ${name}; fi
`;
}

function fish(name: string, fn: string): string {
  return `# Completion of ${name} for fish: ${name} completion fish > ~/.config/fish/completions/${name}.fish
function ${fn}
    set -l current (commandline -ct)
    set -l before (commandline -opc)
    # A file after = is completed together with its option.
    set -l option (string match -r '^--[^=]*=' -- "$current")
    set -l value (string replace -r '^--[^=]*=' '' -- "$current")
    for line in (command ${name} complete -- $before[2..-1] "$current" 2>/dev/null)
        switch $line
            case ':files'
                __fish_complete_path "$value" | string replace -r '^' -- "$option"
            case ':folders'
                __fish_complete_directories "$value" | string replace -r '^' -- "$option"
            case ':programs'
                __fish_complete_command
            case '*'
                printf '%s\\n' $line
        end
    end
end
complete -c ${name} -f -a '(${fn})'
`;
}
