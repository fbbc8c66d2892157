/** Prints or installs the completion script of a shell, or prints the candidates for a word that the script sends. */
import { mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { writeFileAtomic } from '../../base/atomic.js';
import { visibleLine } from '../../base/printable.js';
import { type Completes, optionForm, optionOf, type Param, splitParams } from '../../params/param.js';
import type { Session } from '../../session/session.js';
import type { Asker } from '../asker.js';
import { type AnyQuestion, COMMAND_GROUPS, GLOBAL_OPTIONS, globalLength } from '../question.js';
import type { CompletionValues, SHELLS } from './question.js';

/** `words`: a command line whose last word is to be completed. */
export async function answerCompletion(
  at: Asker,
  { shell, words, install }: CompletionValues,
): Promise<{ text: string }> {
  if (words !== undefined) {
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

// Candidates for the last word of a command line, from the declarations of questions and from the repository.

export interface Candidate {
  word: string;
  summary: string;
}

/** Options of the program itself, by their longest names. */
const GLOBAL: readonly Candidate[] = [
  ...GLOBAL_OPTIONS.map(({ names, summary }) => ({ word: names[names.length - 1], summary })),
  { word: '--help', summary: 'print this help' },
];

/** `words` follow the program's name; the last one is being typed. Never throws, since a shell cannot show an error. */
async function candidatesFor(words: readonly string[], at: Asker): Promise<Candidate[]> {
  try {
    const { done, typed } = withoutGlobals(words);
    const candidates = await find(done, typed, at);
    // A name with a tab, a line break or a control character would look like two, or move the cursor.
    return candidates.filter(({ word }) => word.startsWith(typed) && visibleLine(word) === word);
  } catch {
    return [];
  }
}

/** Drops global options in front of the command. */
function withoutGlobals(words: readonly string[]): { done: string[]; typed: string } {
  const done = words.slice(0, -1);
  while (done.length > 0 && globalLength(done, 0) > 0) done.splice(0, globalLength(done, 0));
  return { done, typed: words.at(-1) ?? '' };
}

async function find(done: readonly string[], typed: string, at: Asker): Promise<Candidate[]> {
  const all = await at.questions();
  const questions = all.filter(({ command }) => command !== undefined && !command.hidden);
  const own = questions.find(({ name }) => name === done.slice(0, name.split(' ').length).join(' '));
  if (own === undefined) return typed.startsWith('-') ? [...GLOBAL] : commands(questions, done);
  const rest = done.slice(own.name.split(' ').length);
  const members = rest.length === 0 ? commands(questions, done) : [];
  return [...members, ...(await ofQuestion(own, rest, typed, at))];
}

/** Next words of a command: `graph`, or `impact` after `graph`. */
function commands(questions: readonly AnyQuestion[], done: readonly string[]): Candidate[] {
  const found = new Map<string, string>();
  for (const { name, summary } of questions) {
    const parts = name.split(' ');
    if (parts.length <= done.length || !done.every((word, i) => parts[i] === word)) continue;
    const isLast = parts.length === done.length + 1;
    found.set(parts[done.length], isLast ? summary : (COMMAND_GROUPS[parts[0]]?.summary ?? ''));
  }
  return [...found].map(([word, summary]) => ({ word, summary }));
}

async function ofQuestion(
  { params, command }: AnyQuestion,
  rest: readonly string[],
  typed: string,
  at: Asker,
): Promise<Candidate[]> {
  const { argumentKeys, optionKeys } = splitParams(params);
  const takesValue = (key: string) => optionForm(key, params[key]).endsWith('>');
  const pending = optionKeys.find((key) => optionOf(key, params[key]) === rest.at(-1) && takesValue(key));
  if (pending !== undefined) return values(params[pending], typed, at);
  if (typed.startsWith('-')) {
    const json =
      command?.json === false ? [] : [{ word: '--json', summary: command?.json ?? 'print the answer as JSON' }];
    const own = optionKeys.filter((key) => !(params[key].cli || undefined)?.hidden);
    return [
      ...own.map((key) => ({ word: optionOf(key, params[key]), summary: params[key].summary })),
      ...json,
      ...GLOBAL,
    ];
  }
  const before = rest.filter((word, i) => !word.startsWith('-') && !isValue(rest[i - 1], params, optionKeys)).length;
  const key = argumentKeys[Math.min(before, argumentKeys.length - 1)];
  return key === undefined ? [] : values(params[key], typed, at);
}

const isValue = (option: string | undefined, params: Record<string, Param>, keys: readonly string[]): boolean =>
  keys.some((key) => optionOf(key, params[key]) === option && optionForm(key, params[key]).endsWith('>'));

async function values({ choices, completes }: Param, typed: string, at: Asker): Promise<Candidate[]> {
  if (choices !== undefined) return choices.map((word) => ({ word, summary: '' }));
  if (completes === undefined) return [];
  return (await valuesOf(completes, typed, at.directory)).map((word) => ({ word, summary: completes }));
}

// Values of parameters that the repository has: refs, remotes, paths, languages, symbols.

/** Most values offered: a shell asks its user before it shows more than about a hundred. */
const MAX_VALUES = 200;

/** Values that begin with `typed`. Opens the repository read-only, and neither indexes nor links. */
async function valuesOf(kind: Completes, typed: string, directory: string | undefined): Promise<string[]> {
  if (kind === 'language') return languages();
  if (kind === 'directory') return [];
  const { Session } = await import('../../session/session.js');
  const session = await Session.open({ directory, readOnly: true });
  try {
    return (await ofRepository(session, kind, typed)).slice(0, MAX_VALUES);
  } finally {
    session.close();
  }
}

async function languages(): Promise<string[]> {
  const { LANGUAGE_IDS } = await import('../../languages/registry.js');
  return [...LANGUAGE_IDS];
}

async function ofRepository(session: Session, kind: Completes, typed: string): Promise<string[]> {
  const { git } = session.repository;
  const lines = async (args: readonly string[]) =>
    (await git.text([...args])).split('\n').filter((line) => line !== '');
  switch (kind) {
    case 'remote':
      return lines(['remote']);
    case 'range': {
      const at = typed.lastIndexOf('..') + (typed.endsWith('...') ? 3 : 2);
      const before = typed.includes('..') ? typed.slice(0, at) : '';
      return (await refs(lines)).map((ref) => before + ref);
    }
    case 'ref':
      return refs(lines);
    case 'path':
      return paths(await listPaths(git), typed);
    default:
      return symbols(session, typed);
  }
}

/** Paths in git's index, with `-z`: otherwise git would quote unusual ones. */
async function listPaths(git: Session['repository']['git']): Promise<string[]> {
  return (await git.text(['ls-files', '--full-name', '-z'])).split('\0').filter((path) => path !== '');
}

function refs(lines: (args: readonly string[]) => Promise<string[]>): Promise<string[]> {
  return lines(['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes']);
}

/** Cuts paths at the next slash, as shells complete files: a directory is one candidate. */
function paths(all: readonly string[], typed: string): string[] {
  const begun = all.filter((path) => path.startsWith(typed));
  return [
    ...new Set(
      begun.map((path) => {
        const slash = path.indexOf('/', typed.length);
        return slash < 0 ? path : path.slice(0, slash + 1);
      }),
    ),
  ];
}

/** Symbols of the graph, if it is linked already: linking takes too long for a completion. */
async function symbols(session: Session, typed: string): Promise<string[]> {
  const [{ graphsOf }, { completeName }] = await Promise.all([
    import('../../session/graph/graphs.js'),
    import('../../graph/query/describe-symbol.js'),
  ]);
  const known = graphsOf(session).known(await session.origin(undefined));
  if (known === null) return [];
  return completeName(known.graph, typed, MAX_VALUES).values.filter((name) => name.startsWith(typed));
}
