/**
 * Completion scripts (data). Each asks the program for the candidates of the word being typed, so that a script never disagrees with
 * the program's version. They serve `git-socraticode` and, through git's own completion, `git socraticode`.
 */
import type { SHELLS } from './question.js';

export type Shell = (typeof SHELLS)[number];

const BASH = `# Completion of git-socraticode for bash; git's completion calls _git_socraticode for "git socraticode".
__git_socraticode_complete() {
  local line word
  COMPREPLY=()
  # Names come from the repository. compgen -W would run a branch named $(command), so each is quoted instead.
  while IFS= read -r line; do
    printf -v word %q "\${line%%$'\\t'*}"
    [[ -n $line ]] && COMPREPLY+=("$word")
  done < <(command git-socraticode completion bash -- "$@" 2>/dev/null)
  [[ \${#COMPREPLY[@]} -eq 0 ]] && compopt -o default 2>/dev/null
  return 0
}
_git_socraticode() {
  local at=1
  while [[ $at -lt $COMP_CWORD && \${COMP_WORDS[at]} != socraticode ]]; do at=$((at + 1)); done
  __git_socraticode_complete "\${COMP_WORDS[@]:at+1:COMP_CWORD-at}"
}
__git_socraticode_alone() {
  __git_socraticode_complete "\${COMP_WORDS[@]:1:COMP_CWORD}"
}
complete -F __git_socraticode_alone git-socraticode
`;

const ZSH = `#compdef git-socraticode
# Completion of git-socraticode for zsh; git's completion calls this for "git socraticode" as well.
_git-socraticode() {
  local -a lines described
  local line summary
  lines=("\${(@f)$(command git-socraticode completion zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  for line in $lines; do
    [[ -n $line ]] || continue
    summary=\${line#*$'\\t'}
    described+=("\${\${line%%$'\\t'*}//:/\\\\:}\${summary:+:$summary}")
  done
  if (( \${#described} )); then _describe 'git-socraticode' described; else _files; fi
}
_git-socraticode "$@"
`;

const FISH = `# Completion of git-socraticode for fish.
function __git_socraticode_candidates
    set -l words (commandline -opc) (commandline -ct)
    while test (count $words) -gt 0; and not contains -- $words[1] socraticode git-socraticode
        set -e words[1]
    end
    set -e words[1]
    command git-socraticode completion fish -- $words 2>/dev/null
end
complete -c git-socraticode -f -a '(__git_socraticode_candidates)'
complete -c git -n '__fish_seen_subcommand_from socraticode' -f -a '(__git_socraticode_candidates)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
