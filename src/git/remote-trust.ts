/**
 * May this program talk to a remote without being asked? A `.git/config` can arrive inside an archive, and git runs what
 * it names (ssh commands, proxies, credential helpers, remote helpers) or goes where it says. So a fetch that nobody typed
 * happens only if the repository's own configuration holds nothing but keys known to be harmless to one.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../base/errors.js';
import { withoutPassword } from '../base/hygiene.js';
import type { Repository } from './repository.js';
import type { ConfigEntry } from './worktree.js';

/** Sections that a fetch with our settings does not look at. */
const SECTIONS = [
  ...['advice', 'alias', 'apply', 'author', 'blame', 'branch', 'color', 'column', 'commit', 'committer', 'diff'],
  ...['difftool', 'filter', 'format', 'gc', 'grep', 'gui', 'i18n', 'index', 'init', 'lfs', 'log', 'maintenance'],
  ...['merge', 'mergetool', 'notes', 'pack', 'pull', 'push', 'rebase', 'receive', 'rerere', 'sequence', 'socraticode'],
  ...['stash', 'status', 'submodule', 'tag', 'user', 'versionsort', 'worktree'],
];

/** `core.hooksPath`, `core.fsmonitor` and `core.pager` would run commands, but our own settings stand above them. */
const CORE = [
  ...['abbrev', 'attributesfile', 'autocrlf', 'bare', 'bigfilethreshold', 'checkstat', 'commentchar', 'commitgraph'],
  ...['compression', 'deltabasecachelimit', 'editor', 'eol', 'excludesfile', 'filemode', 'fscache', 'fsmonitor'],
  ...['hookspath', 'ignorecase', 'logallrefupdates', 'longpaths', 'multipackindex', 'packedgitlimit'],
  ...['packedgitwindowsize', 'pager', 'precomposeunicode', 'preloadindex', 'protecthfs', 'protectntfs', 'quotepath'],
  ...['repositoryformatversion', 'safecrlf', 'sharedrepository', 'sparsecheckout', 'sparsecheckoutcone', 'symlinks'],
  ...['trustctime', 'untrackedcache', 'whitespace', 'worktree'],
];

const REMOTE = [
  'url',
  'pushurl',
  'fetch',
  'push',
  'mirror',
  'prune',
  'prunetags',
  'tagopt',
  'promisor',
  'partialclonefilter',
];

const HARMLESS = [
  new RegExp(`^(${SECTIONS.join('|')})\\.`),
  new RegExp(`^core\\.(${CORE.join('|')})$`),
  new RegExp(`^remote\\..*\\.(${REMOTE.join('|')}|skip.*|gh-resolved)$`, 's'),
  /^remote\.pushdefault$/,
  /^extensions\.(objectformat|partialclone|worktreeconfig|compatobjectformat|refstorage|preciousobjects|noop.*)$/,
  /^fetch\.(prune|prunetags|parallel|fsckobjects|writecommitgraph|showforcedupdates|recursesubmodules|output)$/,
  /^transfer\.(fsckobjects|unpacklimit|hiderefs)$/,
  // Hooks of the configuration (ours may be among them) are switched off for our own commands.
  /^hook\./,
  // A header is sent where the URL says, and continuous integration logs in that way.
  /^http\.(.*\.)?extraheader$/s,
];

/** Why the remote is not talked to without being asked, as a configuration key or an address; null if it may be. */
export function automaticFault(
  repository: Repository,
  config: readonly ConfigEntry[],
  remote: string,
  direction: 'fetch' | 'push' = 'fetch',
): string | null {
  for (const { key, scope } of config) {
    if (scope !== 'local' && scope !== 'worktree') continue;
    if (!HARMLESS.some((pattern) => pattern.test(key))) return withoutPassword(key);
  }
  const urls = config.filter(({ key }) => key === `remote.${remote}.url`);
  // Git would take the name itself for an address.
  if (urls.length === 0) return `no remote.${remote}.url`;
  // A push goes there instead; for a fetch it does not matter, and may be a word that is no address at all.
  if (direction === 'push') urls.push(...config.filter(({ key }) => key === `remote.${remote}.pushurl`));
  const strange = urls.find(({ value }) => !isPlainAddress(repository, value));
  return strange === undefined ? null : withoutPassword(strange.value);
}

/** What names a program that a fetch or a push starts, and the variable by which a user says that it is theirs. */
const COMMANDS: readonly [RegExp, string | null][] = [
  [/^core\.sshcommand$/, 'GIT_SSH_COMMAND'],
  [/^core\.askpass$/, 'GIT_ASKPASS'],
  [/^core\.gitproxy$/, 'GIT_PROXY_COMMAND'],
  [/^core\.alternaterefscommand$/, null],
  [/^remote\..*\.(uploadpack|receivepack|vcs)$/s, null],
  [/^credential\.(.*\.)?helper$/s, null],
];
/** Helpers that come with git or were installed beside it, not a command line: `store`, `osxkeychain`, `manager`. */
const PLAIN_HELPER = /^[a-z][a-z0-9-]*$|^$/;

/**
 * Throws UNSAFE_REPOSITORY if the repository's own configuration names a program that even a fetch or push which somebody
 * typed would start, or the remote is part of the repository (whose hooks would run).
 */
export function requireNoCommands(repository: Repository, config: readonly ConfigEntry[], remote: string): void {
  for (const { key, value, scope } of config) {
    if (scope !== 'local' && scope !== 'worktree') continue;
    const [pattern, variable] = COMMANDS.find(([named]) => named.test(key)) ?? [];
    const isHarmless = key.endsWith('.helper') && PLAIN_HELPER.test(value);
    if (pattern === undefined || isHarmless || (variable != null && process.env[variable])) continue;
    // The name in a key is the repository's: it is not put into a line that somebody may paste into a shell.
    const way =
      variable == null ? 'move it to your own (git config --global)' : `export ${variable}="$(git config ${key})"`;
    throw new SocraticodeError(
      'UNSAFE_REPOSITORY',
      `${withoutPassword(key)} in this repository's configuration would run a program`,
      {
        hint: `If it is yours, ${way}; else take it out of .git/config.`,
      },
    );
  }
  const within = addressesOf(config, remote).find((address) => isWithin(repository, address));
  if (within === undefined) return;
  throw new SocraticodeError('UNSAFE_REPOSITORY', `${remote} is ${within}, a part of this repository`, {
    hint: 'Move that repository elsewhere if it is yours: its hooks would run.',
  });
}

/** Where a fetch or a push may go: what is configured, and what any of it may be rewritten to. */
function addressesOf(config: readonly ConfigEntry[], remote: string): string[] {
  const direct = config.filter(({ key }) => key === `remote.${remote}.url` || key === `remote.${remote}.pushurl`);
  const bases = config.flatMap(({ key }) => /^url\.(.*)\.(?:push)?insteadof$/s.exec(key)?.[1] ?? []);
  return [...direct.map(({ value }) => value), ...bases];
}

/** Git takes what is no server, and no directory from the top, as a path from here. */
function isWithin(repository: Repository, url: string): boolean {
  const path = /^file:\/\/\//.test(url) && URL.canParse(url) ? fileURLToPath(url) : url;
  const { workTree, gitDir } = repository;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:|^[^/:]+:/.test(path)) return false;
  return !isOutside(repository, resolve(workTree ?? gitDir, path));
}

/** A server, or a directory that cannot have come with this repository. */
function isPlainAddress(repository: Repository, url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what this refuses
  if (/^-|[\x00-\x20\x7f]|^[A-Za-z0-9+.-]+::/.test(url)) return false;
  if (/^(https?|ssh|git):\/\/[^/-]/.test(url)) return true;
  if (/^file:\/\/\//.test(url) && URL.canParse(url)) return isOutside(repository, fileURLToPath(url));
  if (isAbsolute(url)) return isOutside(repository, url);
  // The short form of ssh; one letter is a drive.
  return /^(?:[^@/:\\-][^@/:\\]*@)?[A-Za-z0-9_][A-Za-z0-9._-]+:(?!:|\/\/)/.test(url);
}

/** Two slashes name another machine on Windows, which is told who asks. */
function isOutside({ workTree, commonDir }: Repository, path: string): boolean {
  if (/^[/\\]{2}/.test(path)) return false;
  const places = [resolve(path), realPath(path)];
  if (places.some((place) => MADE_UP.some((directory) => isInside(directory, place)))) return false;
  const own = [workTree, commonDir].filter((directory) => directory !== null);
  const directories = [...own, ...own.map(realPath)];
  return !places.some((place) => directories.some((directory) => isInside(directory, place)));
}

/** What is here leads wherever a process has something open: its own directory, or the repository. */
const MADE_UP = ['/proc', '/dev', '/sys'];

/** Where a path leads, as far as it exists. */
function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(realPath(parent), basename(whole));
  }
}

function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
