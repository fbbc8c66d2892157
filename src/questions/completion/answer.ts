/** Prints the completion script of a shell, or the candidates for a word that the script sends. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../../base/atomic.js';
import type { Asker } from '../asker.js';
import type { CompletionValues, SHELLS } from './question.js';

/** `words`: a command line whose last word is to be completed. */
export async function answerCompletion(
  at: Asker,
  { shell, words, install }: CompletionValues,
): Promise<{ text: string }> {
  if (words !== undefined) {
    const { candidatesFor } = await import('./candidates.js');
    const candidates = await candidatesFor(words, at);
    return { text: candidates.map(({ word, summary }) => `${word}\t${summary}\n`).join('') };
  }
  if (!install) return { text: SCRIPTS[shell] };
  const path = scriptPath(shell, at.command?.io.env ?? process.env);
  mkdirSync(dirname(path), { recursive: true });
  writeFileAtomic(path, SCRIPTS[shell]);
  const next =
    shell === 'zsh' ? `add ${dirname(path)} to fpath before compinit, and start a new shell` : 'start a new shell';
  return { text: `written: ${path}\n${next}\n` };
}

/** Path in a directory that the shell searches without configuration; zsh has none for a user. */
function scriptPath(shell: Shell, env: NodeJS.ProcessEnv): string {
  const data = env.XDG_DATA_HOME || join(env.HOME || homedir(), '.local', 'share');
  const config = env.XDG_CONFIG_HOME || join(env.HOME || homedir(), '.config');
  if (shell === 'bash') return join(data, 'bash-completion', 'completions', 'git-socraticode');
  if (shell === 'zsh') return join(data, 'zsh', 'site-functions', '_git-socraticode');
  // fish reads `completions/NAME.fish` when `NAME` is typed, and never for `git socraticode`; it reads all of `conf.d`.
  return join(config, 'fish', 'conf.d', 'git-socraticode.fish');
}

// Completion scripts (data). Each asks the program for candidates, so that a script never differs from the program's version. They serve
// `git-socraticode` and, through git's own completion, `git socraticode`.

type Shell = (typeof SHELLS)[number];

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
