/**
 * Our hooks in a repository, as lines of hook files and as entries of git's configuration: how they are changed, and whether they are
 * there.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isOpenToGroup, writeFileAtomic } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { quotedWord } from '../base/printable.js';
import type { Git } from '../git/process.js';
import type { ConfigEntry, Repository } from '../git/repository.js';
import { findHooks, type HookPlace, kindOf, MAX_HOOK_BYTES, readPlain } from './hooks-path.js';

/** Text that every hook and every manager's configuration contains if it calls this program. */
const MARKER = 'git-socraticode';

interface HookState {
  installed: boolean;
  /** The post-commit hook that git would run. */
  path: string;
}

interface EventState {
  event: HookEvent;
  /** `foreign`: a hook without our lines; `outdated`: our lines of another version. */
  state: 'installed' | 'outdated' | 'foreign' | 'absent';
  path: string;
}

export async function readHookState(repository: Repository, config: readonly ConfigEntry[]): Promise<HookState> {
  // Git's version matters only if the configuration has hooks of ours.
  const configured = configuredEvents(config).size > 0;
  const place = findHooks(repository, config, configured ? await repository.git.text(['version']) : '');
  const { state, path } = readEvent(repository, place, config, 'post-commit');
  return { installed: state === 'installed' || state === 'outdated', path };
}

export function readEvents(repository: Repository, place: HookPlace, config: readonly ConfigEntry[]): EventState[] {
  return ALL_EVENTS.map((event) => readEvent(repository, place, config, event));
}

/** The manager's file, if it has the event run us. */
function managedFile({ workTree }: Repository, { managerFile }: HookPlace, event: HookEvent): string | null {
  if (managerFile === null || workTree === null) return null;
  const file = join(workTree, managerFile);
  const text = readPlain(file, MAX_HOOK_BYTES)?.toString('utf8') ?? '';
  return text.includes(MARKER) && text.includes(event) ? file : null;
}

function readEvent(
  repository: Repository,
  place: HookPlace,
  config: readonly ConfigEntry[],
  event: HookEvent,
): EventState {
  const configured = place.manager === 'config' ? configuredEvents(config).get(event) : undefined;
  if (configured !== undefined) return { event, state: 'installed', path: configured };
  const path = join(place.target ?? '', event);
  const managed = managedFile(repository, place, event);
  if (managed !== null) return { event, state: 'installed', path: managed };
  if (place.target === null || kindOf(path) === 'none') return { event, state: 'absent', path };
  const text = readHook(path);
  if (text?.includes(MARKER) !== true) return { event, state: 'foreign', path };
  if (place.manager !== 'husky' && !isExecutable(path)) return { event, state: 'foreign', path };
  return { event, state: isOutdated(text, event) ? 'outdated' : 'installed', path };
}

/** Returns whether the lines differ from those of this version. The fallback paths may differ. */
function isOutdated(text: string, event: HookEvent): boolean {
  if (!hasBlock(text)) return false;
  const bare = (lines: string) => lines.replace(/^ {2}socraticode_(?:node|program)='(?:[^']|'\\'')*'$/gm, '');
  return bare(withBlock(text, event, null)) !== bare(text);
}

/** Returns whether this repository runs our hook for an event. */
export function isEventInstalled(
  repository: Repository,
  place: HookPlace,
  config: readonly ConfigEntry[],
  event: HookEvent,
): boolean {
  const { state } = readEvent(repository, place, config, event);
  return state === 'installed' || state === 'outdated';
}

type ChangeKind = 'create' | 'add' | 'update' | 'remove' | 'delete' | 'none' | 'refuse';

interface HookChange {
  event: HookEvent;
  /** Hook file, or section of git's configuration (`hook.<name>`). */
  path: string;
  kind: ChangeKind;
  /** Reason for a refusal, else null. */
  reason: string | null;
  /** New content of the file or configuration key; null if nothing is written. */
  text: string | null;
}

const EXECUTABLE = 0o755;
const GROUP = 0o070;

/** Plans the installation of one hook, without writing anything. */
function planFile(place: HookPlace, event: HookEvent, fallback: Fallback | null): HookChange {
  const path = join(place.target ?? '', event);
  const refuse = (reason: string): HookChange => ({ event, path, kind: 'refuse', reason, text: null });
  if (place.refusal !== null) return refuse(place.refusal);
  const kind = kindOf(path);
  if (kind === 'none') return { event, path, kind: 'create', reason: null, text: newHookFile(event, fallback) };
  const text = readHook(path);
  if (text === null) return refuse(kind === 'link' ? 'it is a symbolic link' : 'it cannot be read');
  const husky = place.manager === 'husky';
  const why = obstacle(text, husky);
  if (why !== null) return refuse(why);
  // Making the file executable would enable a hook that the user has disabled.
  if (!husky && !isExecutable(path)) return refuse('it is not executable, so git does not run it');
  const next = withBlock(text, event, fallback);
  if (next === text) return { event, path, kind: 'none', reason: null, text: null };
  return { event, path, kind: hasBlock(text) ? 'update' : 'add', reason: null, text: next };
}

/** Plans the removal of one hook, without writing anything. */
function planRemoval(place: HookPlace, event: HookEvent): HookChange {
  const path = join(place.target ?? '', event);
  const text = place.refusal === null ? readHook(path) : null;
  if (text === null || !hasBlock(text)) return { event, path, kind: 'none', reason: null, text: null };
  if (isAllOurs(text)) return { event, path, kind: 'delete', reason: null, text: null };
  return { event, path, kind: 'remove', reason: null, text: withoutBlock(text) };
}

/** Applies one change. Throws DISK. The file is replaced atomically. */
export function applyFile({ path, kind, text }: HookChange): void {
  if (kind === 'delete') {
    try {
      rmSync(path);
    } catch (cause) {
      throw new SocraticodeError('DISK', `cannot delete ${path}: ${(cause as Error).message}`, { cause });
    }
    return;
  }
  if (text === null) return;
  if (kind === 'create') makeHooksDirectory(join(path, '..'));
  const mode = kind === 'create' ? modeOfNewHook(dirname(path)) : statSync(path).mode & 0o7777;
  writeFileAtomic(path, Buffer.from(text, 'latin1'), mode);
}

/** Mode by the umask; open to the group if the folder is (`git init --shared`), since git runs no hook that its user cannot read. */
function modeOfNewHook(directory: string): number {
  return isOpenToGroup(directory) ? EXECUTABLE | GROUP : EXECUTABLE & ~process.umask();
}

/** Reads a hook as a Latin-1 string; null if it is not a plain file or larger than 1 MiB. */
export function readHook(path: string): string | null {
  return readPlain(path, MAX_HOOK_BYTES)?.toString('latin1') ?? null;
}

function isExecutable(path: string): boolean {
  // Windows has no executable mode; git looks at the first line instead.
  return process.platform === 'win32' || (statSync(path).mode & 0o100) !== 0;
}

function makeHooksDirectory(path: string): void {
  if (existsSync(path)) return;
  try {
    mkdirSync(path, { recursive: true });
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot create ${path}: ${(cause as Error).message}`, { cause });
  }
}

// Adds our lines to a hook file, and removes them again. They go to the top, because a hook that ends with `exit 0` or `exec` would never
// reach appended lines, and ours only start a background process. Texts are Latin-1 strings, so that every byte survives whatever the
// encoding.

const BEGIN = '# >>> git-socraticode >>>';
const END = '# <<< git-socraticode <<<';
/** Marks a hook file that we created, so that uninstalling deletes it. */
const CREATED = '# (There was no hook here before: uninstalling deletes the file.)';
const SHEBANG = '#!/bin/sh\n';

/** First lines of scripts for a POSIX-like shell, the only hooks that our lines can be added to. */
const SHELL = /^#!\s*(?:\/\S*\/)?(?:env\s+(?:-S\s+)?)?(?:\/\S*\/)?(?:sh|bash|dash|ash|ksh|zsh|busybox\s+sh)(?:\s|$)/;
/** Scripts that pass their own file to another interpreter, or read data from it by line. */
const READS_ITSELF = /\bexec\b[^\n]*\$\{?0\b|\b(?:tail|head|sed|awk|perl|python3?|node|ruby)\b[^\n]*"?\$\{?0\b/;
/** First line and shellcheck directives of a script. A directive applies to the whole file only before the first command. */
const HEADER = /^(?:#![^\n]*\n)?(?:# ?shellcheck [^\n]*\n)*/;

function hookBlock(event: HookEvent, fallback: Fallback | null, created = false): string {
  const about = '# Keeps the code index up to date in the background. Remove with: git socraticode hooks uninstall';
  const first = created ? `${BEGIN}\n${CREATED}\n` : `${BEGIN}\n`;
  return Buffer.from(`${first}${about}\n${shimLines(event, fallback)}${END}\n`, 'utf8').toString('latin1');
}

export function newHookFile(event: HookEvent, fallback: Fallback | null): string {
  return `${SHEBANG}${hookBlock(event, fallback, true)}`;
}

/** Returns the reason why no lines can be added to a hook, or null. `shebangless` hooks run in a shell without a `#!` line. */
export function obstacle(text: string, shebangless = false): string | null {
  if (text.includes('\0')) return 'it is a program, not a script';
  const first = text.split('\n', 1)[0];
  if (!(shebangless && !first.startsWith('#!')) && !SHELL.test(first.replace(/\r$/, '')))
    return 'it is not a shell script';
  if (READS_ITSELF.test(withoutBlock(text))) return 'it reads itself, and more lines could confuse it';
  return count(text, BEGIN) > 1 || count(text, BEGIN) !== count(text, END)
    ? 'its git-socraticode lines were edited'
    : null;
}

export function hasBlock(text: string): boolean {
  return locate(text) !== null;
}

/** Returns the text with our block, which replaces an older block or goes after the first line. */
export function withBlock(text: string, event: HookEvent, fallback: Fallback | null): string {
  const range = locate(text);
  if (range !== null) {
    const created = text.slice(range.start, range.end).includes(CREATED);
    const block = hookBlock(event, fallback, created);
    const tail = text.slice(range.end);
    // The block has no final newline if the file had none.
    return text.slice(0, range.start) + (range.addedNewline ? block.slice(0, -1) : block) + tail;
  }
  const header = HEADER.exec(text)?.[0] ?? '';
  const block = hookBlock(event, fallback);
  if (header === '' && text.startsWith('#')) {
    // One line without a newline.
    if (!text.includes('\n')) return `${text}\n${block.slice(0, -1)}`;
  }
  return header + block + text.slice(header.length);
}

/** Returns the text without our block, as it was before installation. */
export function withoutBlock(text: string): string {
  const range = locate(text);
  if (range === null) return text;
  return text.slice(0, range.start - (range.addedNewline ? 1 : 0)) + text.slice(range.end);
}

/** Returns whether we created this file, and it has nothing but our block. */
export function isAllOurs(text: string): boolean {
  const range = locate(text);
  return range !== null && text.includes(CREATED) && withoutBlock(text) === SHEBANG;
}

interface BlockRange {
  start: number;
  end: number;
  addedNewline: boolean;
}

function locate(text: string): BlockRange | null {
  const start = text.indexOf(`${BEGIN}\n`);
  if (start < 0 || (start > 0 && text[start - 1] !== '\n')) return null;
  const at = text.indexOf(`\n${END}`, start);
  if (at < 0) return null;
  const end = at + 1 + END.length;
  if (end === text.length) return { start, end, addedNewline: true };
  return text[end] === '\n' ? { start, end: end + 1, addedNewline: false } : null;
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Absolute paths on this machine that run the worker if PATH lacks git-socraticode. */
export interface Fallback {
  node: string;
  program: string;
}

/**
 * Finds the process that the worker waits for before it shares: the nearest git process above this shell. It is the parent, or further up
 * if a hook manager runs in between.
 */
const FIND_PUSHER = `socraticode_pusher=$PPID
while [ -r "/proc/$socraticode_pusher/stat" ]; do
  read -r socraticode_stat <"/proc/$socraticode_pusher/stat" || break
  case $socraticode_stat in *'(git)'*) break ;; esac
  socraticode_stat=\${socraticode_stat##*') '}
  socraticode_stat=\${socraticode_stat#* }
  socraticode_pusher=\${socraticode_stat%% *}
  [ "$socraticode_pusher" -gt 1 ] || { socraticode_pusher=$PPID && break; }
done 2>/dev/null
`;

/**
 * Makes shell lines for one event from `hooks/shim.sh` of this package. For `null` they recognise the indexing event by the number of the
 * hook's arguments. They change nothing in the script around them but `$!`, and for a push three variables with the prefix
 * `socraticode_`.
 */
function shimLines(event: HookEvent | null, fallback: Fallback | null): string {
  const settings = [
    `  socraticode_event=${event ?? '"post-event-$#"'}`,
    `  socraticode_node=${quotedWord(fallback?.node ?? '')}`,
    `  socraticode_program=${quotedWord(fallback?.program ?? '')}`,
  ];
  const text = readShim();
  const body = text.replace(/^\(\n/m, () => `(\n${settings.join('\n')}\n`);
  return event === 'pre-push' ? FIND_PUSHER + body : body;
}

function readShim(): string {
  for (const up of ['../../hooks/shim.sh', '../../../hooks/shim.sh']) {
    try {
      return readFileSync(new URL(up, import.meta.url), 'utf8');
    } catch {
      // The file is one level further up, since the compiled tests are deeper than dist.
    }
  }
  throw new SocraticodeError('BROKEN_INSTALLATION', 'hooks/shim.sh is missing from this installation');
}

// Installs hooks as entries of the repository's git configuration, which git 2.54 and later run in addition to hook files. No file of the
// user is touched. One command serves all indexing events, another one the push.

const INDEX_NAME = 'git-socraticode';
const SHARE_NAME = 'git-socraticode-share';

interface ConfigHook {
  name: string;
  events: readonly HookEvent[];
  command: string;
}

/** Configuration entries to install. Git appends the hook's arguments to the command, so it ends with `:`, which ignores them. */
function wanted(share: boolean, fallback: Fallback | null): ConfigHook[] {
  const hook = (name: string, events: readonly HookEvent[], event: HookEvent | null): ConfigHook => {
    return { name, events, command: `${shimLines(event, fallback)}:` };
  };
  const hooks = [hook(INDEX_NAME, INDEX_EVENTS, null)];
  return share ? [...hooks, hook(SHARE_NAME, [SHARE_EVENT], SHARE_EVENT)] : hooks;
}

function planConfig(config: readonly ConfigEntry[], share: boolean, fallback: Fallback | null): HookChange[] {
  const changes: HookChange[] = [];
  for (const { name, events, command } of wanted(share, fallback)) {
    const now = readNamed(config, name);
    const same = now.command === command && events.every((event) => now.events.includes(event));
    const kind = same ? 'none' : now.command === null ? 'create' : 'update';
    for (const event of events)
      changes.push({ event, path: `hook.${name}`, kind, reason: null, text: same ? null : command });
  }
  return changes;
}

function planConfigRemoval(config: readonly ConfigEntry[]): HookChange[] {
  const changes: HookChange[] = [];
  for (const name of [INDEX_NAME, SHARE_NAME]) {
    const events = name === SHARE_NAME ? ([SHARE_EVENT] as const) : INDEX_EVENTS;
    const kind = readNamed(config, name).present ? 'delete' : 'none';
    for (const event of events) changes.push({ event, path: `hook.${name}`, kind, reason: null, text: null });
  }
  return changes;
}

/** Events for which the local configuration runs our command, each with its configuration section. */
function configuredEvents(config: readonly ConfigEntry[]): Map<HookEvent, string> {
  const found = new Map<HookEvent, string>();
  for (const name of [INDEX_NAME, SHARE_NAME]) {
    const { command, events, enabled } = readNamed(config, name);
    if (command === null || !enabled) continue;
    for (const event of events) found.set(event as HookEvent, `hook.${name}`);
  }
  return found;
}

/** Writes or removes the sections that the changes name. Throws GIT_FAILED. */
async function applyConfig(git: Git, changes: readonly HookChange[]): Promise<void> {
  for (const section of new Set(changes.filter(({ kind }) => kind !== 'none').map(({ path }) => path))) {
    const mine = changes.filter(({ path }) => path === section);
    // Git exits with 128 if there is no such section.
    await git.run(['config', '--local', '--remove-section', section], { allow: [128] });
    const { text } = mine[0];
    if (text === null) continue;
    // The command comes first: an event without one would be an error to git.
    await git.run(['config', '--local', '--add', `${section}.command`, text]);
    for (const { event } of mine) await git.run(['config', '--local', '--add', `${section}.event`, event]);
  }
}

function readNamed(config: readonly ConfigEntry[], name: string) {
  const entries = config.filter(({ key, scope }) => scope === 'local' && key.startsWith(`hook.${name}.`));
  const values = (variable: string) =>
    entries.filter(({ key }) => key === `hook.${name}.${variable}`).map(({ value }) => value);
  return {
    present: entries.length > 0,
    command: values('command').pop() ?? null,
    events: values('event'),
    enabled: !/^(?:false|no|off|0)$/i.test(values('enabled').pop() ?? 'true'),
  };
}

/** Hooks after which there may be new commits to index. */
export const INDEX_EVENTS = ['post-commit', 'post-merge', 'post-checkout', 'post-rewrite', 'post-applypatch'] as const;

/** Hook that pushes records along with the user's push. Installed only on request. */
export const SHARE_EVENT = 'pre-push';

export type HookEvent = (typeof INDEX_EVENTS)[number] | typeof SHARE_EVENT;

export const ALL_EVENTS: readonly HookEvent[] = [...INDEX_EVENTS, SHARE_EVENT];

export function isHookEvent(name: string): name is HookEvent {
  return (ALL_EVENTS as readonly string[]).includes(name);
}

interface InstallOptions {
  share: boolean;
  /** Program that runs the worker if PATH lacks git-socraticode. */
  fallback: Fallback | null;
}

export interface HookPlan {
  place: HookPlace;
  changes: HookChange[];
}

/** Finds where hooks go. Runs `git version`, and writes nothing. */
export async function readPlace(repository: Repository, config: readonly ConfigEntry[]): Promise<HookPlace> {
  return findHooks(repository, config, await repository.git.text(['version']));
}

export function planInstall(
  place: HookPlace,
  config: readonly ConfigEntry[],
  { share, fallback }: InstallOptions,
): HookPlan {
  if (place.manager === 'lefthook' || place.manager === 'pre-commit') return { place, changes: [] };
  const events = share ? ALL_EVENTS : INDEX_EVENTS;
  if (place.manager === 'config') {
    // Lines that an installation under an older git put into files are removed, so that each event runs once.
    const inFiles = ALL_EVENTS.map((event) => planRemoval(place, event)).filter(({ kind }) => kind !== 'none');
    const obsolete = share ? [] : unshare(planConfigRemoval(config));
    return { place, changes: [...inFiles, ...obsolete, ...planConfig(config, share, fallback)] };
  }
  // Files in the work tree get committed, so they must not contain paths of this machine.
  const local = place.committed ? null : fallback;
  const changes = events.map((event) => planFile(place, event, local));
  if (!share) changes.push(...unshare([planRemoval(place, SHARE_EVENT)]));
  return { place, changes };
}

/** Changes that remove the pre-push hook of an earlier installation with sharing. */
function unshare(changes: readonly HookChange[]): HookChange[] {
  return changes.filter(({ event, kind }) => event === SHARE_EVENT && kind !== 'none');
}

/** Plans the removal of our lines from hook files and from the configuration, whichever manager is in use now. */
export function planUninstall(place: HookPlace, config: readonly ConfigEntry[]): HookPlan {
  const files = ALL_EVENTS.map((event) => planRemoval(place, event));
  const configured = planConfigRemoval(config).filter(({ kind }) => kind !== 'none');
  return { place, changes: [...files, ...configured] };
}

/** Applies all changes. Throws DISK or GIT_FAILED; changes made before the failure stay, and a repeated run is safe. */
export async function applyPlan(repository: Repository, { changes }: HookPlan): Promise<void> {
  for (const change of changes) if (!change.path.startsWith('hook.')) applyFile(change);
  await applyConfig(
    repository.git,
    changes.filter(({ path }) => path.startsWith('hook.')),
  );
}
