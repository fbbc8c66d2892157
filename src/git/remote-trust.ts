/**
 * Decides whether a remote may be contacted without a typed command. A `.git/config` can come in an archive, and git runs the programs
 * that it names (ssh commands, proxies, credential helpers, remote helpers). An automatic fetch therefore happens only if the
 * repository's own configuration has only keys known to be harmless.
 */
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SocraticodeError } from '../base/errors.js';
import { shellWord, withoutPassword } from '../base/printable.js';
import type { Repository } from './repository.js';
import { type ConfigEntry, isOfRepository } from './repository.js';

/** Sections that a fetch with our settings does not read. */
const SECTIONS = [
  ...['advice', 'alias', 'apply', 'author', 'blame', 'branch', 'color', 'column', 'commit', 'committer', 'diff'],
  ...['difftool', 'filter', 'format', 'gc', 'grep', 'gui', 'i18n', 'index', 'init', 'lfs', 'log', 'maintenance'],
  ...['merge', 'mergetool', 'notes', 'pack', 'pull', 'push', 'rebase', 'receive', 'rerere', 'sequence', 'socraticode'],
  ...['stash', 'status', 'submodule', 'tag', 'user', 'versionsort', 'worktree'],
];

/** Keys of `core`. `hooksPath`, `fsmonitor` and `pager` would run commands, but our settings override them. */
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
  // Configured hooks, ours included, are switched off for our commands.
  /^hook\./,
  // A header is sent only to the URL. Continuous integration logs in this way.
  /^http\.(.*\.)?extraheader$/s,
];

/** Configuration key or address that forbids automatic contact with the remote; null if it is allowed. */
export function automaticFault(
  repository: Repository,
  config: readonly ConfigEntry[],
  remote: string,
  direction: 'fetch' | 'push' = 'fetch',
): string | null {
  for (const { key } of config.filter(isOfRepository)) {
    if (!HARMLESS.some((pattern) => pattern.test(key))) return withoutPassword(key);
  }
  const urls = config.filter(({ key }) => key === `remote.${remote}.url`);
  // Git would use the name as an address.
  if (urls.length === 0) return `no remote.${remote}.url`;
  // A push goes to pushurl. A fetch ignores it, and it may be a word that is no address.
  if (direction === 'push') urls.push(...config.filter(({ key }) => key === `remote.${remote}.pushurl`));
  const strange = urls.find(({ value }) => !isPlainAddress(repository, value));
  return strange === undefined ? null : withoutPassword(strange.value);
}

/** Keys that name a program which a fetch or push starts, with the variable by which a user confirms it. */
const COMMANDS: readonly [RegExp, string | null][] = [
  [/^core\.sshcommand$/, 'GIT_SSH_COMMAND'],
  [/^core\.askpass$/, 'GIT_ASKPASS'],
  [/^core\.gitproxy$/, 'GIT_PROXY_COMMAND'],
  [/^core\.alternaterefscommand$/, null],
  [/^remote\..*\.(uploadpack|receivepack|vcs)$/s, null],
  [/^credential\.(.*\.)?helper$/s, null],
];
/** Installed helpers, unlike command lines: `store`, `osxkeychain`, `manager`. */
const PLAIN_HELPER = /^[a-z][a-z0-9-]*$|^$/;

/**
 * Throws UNSAFE_REPOSITORY, even for a typed fetch or push, if the repository's own configuration names a program that it would start, or
 * if the remote is a directory inside the repository, whose hooks would run. `resolved` are the addresses that git makes of all settings:
 * with `url.../.insteadOf`, two harmless halves can lead into the repository.
 */
export function requireNoCommands(
  repository: Repository,
  config: readonly ConfigEntry[],
  remote: string,
  resolved: readonly string[] = [],
): void {
  for (const { key, value } of config.filter(isOfRepository)) {
    const [pattern, variable] = COMMANDS.find(([named]) => named.test(key)) ?? [];
    const isHarmless = key.endsWith('.helper') && PLAIN_HELPER.test(value);
    if (pattern === undefined || isHarmless || (variable != null && process.env[variable])) continue;
    // A key with a name chosen by the repository is left out of a line that may be pasted into a shell.
    const way =
      variable == null
        ? 'move it to your own (git config --global)'
        : `export ${variable}="$(git config ${shellWord(key)})"`;
    throw new SocraticodeError(
      'UNSAFE_REPOSITORY',
      `${withoutPassword(key)} in this repository's configuration would run a program`,
      {
        hint: `If it is yours, ${way}; else take it out of .git/config.`,
      },
    );
  }
  const within = [...resolved, ...addressesOf(config, remote)].find((address) => isWithin(repository, address));
  if (within === undefined) return;
  throw new SocraticodeError('UNSAFE_REPOSITORY', `${remote} is ${within}, a part of this repository`, {
    hint: 'Move that repository elsewhere if it is yours: its hooks would run.',
  });
}

/** Addresses of a fetch or push: those configured, and the bases of `url.*.insteadOf`. */
function addressesOf(config: readonly ConfigEntry[], remote: string): string[] {
  const direct = config.filter(({ key }) => key === `remote.${remote}.url` || key === `remote.${remote}.pushurl`);
  const bases = config.flatMap(({ key }) => /^url\.(.*)\.(?:push)?insteadof$/s.exec(key)?.[1] ?? []);
  return [...direct.map(({ value }) => value), ...bases];
}

/** Path that git makes of `file://HOST/PATH`, in which it ignores the host. Null for another address. */
function pathOfFileUrl(url: string): string | null {
  if (!url.startsWith('file://')) return null;
  const path = url.slice('file://'.length).replace(/^[^/]*/, '');
  try {
    return process.platform === 'win32' ? fileURLToPath(url) : decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns whether a path is inside the repository. Git resolves relative addresses from the work tree. */
function isWithin(repository: Repository, url: string): boolean {
  const path = pathOfFileUrl(url) ?? url;
  const { workTree, gitDir } = repository;
  if (/^[A-Za-z][A-Za-z0-9+.-]*:|^[^/:]+:/.test(path)) return false;
  return !isOutside(repository, resolve(workTree ?? gitDir, path));
}

/** Returns whether an address is a server, or a directory outside the repository, which cannot have come with it. */
function isPlainAddress(repository: Repository, url: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what this refuses
  if (/^-|[\x00-\x20\x7f]|^[A-Za-z0-9+.-]+::/.test(url)) return false;
  if (/^(https?|ssh|git):\/\/[^/-]/.test(url)) return true;
  if (/^file:\/\/\//.test(url)) return isOutside(repository, pathOfFileUrl(url) ?? url);
  if (isAbsolute(url)) return isOutside(repository, url);
  // Short form of ssh; a single letter is a drive.
  return /^(?:[^@/:\\-][^@/:\\]*@)?[A-Za-z0-9_][A-Za-z0-9._-]+:(?!:|\/\/)/.test(url);
}

/** Returns whether a path is outside the repository. On Windows two slashes name a server, which would learn the user's name. */
function isOutside({ workTree, commonDir }: Repository, path: string): boolean {
  if (/^[/\\]{2}/.test(path)) return false;
  const places = [resolve(path), realPath(path)];
  if (places.some((place) => KERNEL_DIRECTORIES.some((directory) => isInside(directory, place)))) return false;
  const own = [workTree, commonDir].filter((directory) => directory !== null);
  const directories = [...own, ...own.map(realPath)];
  return !places.some((place) => directories.some((directory) => isInside(directory, place)));
}

/** Directories whose entries can lead to any file that a process has open, even in the repository. */
const KERNEL_DIRECTORIES = ['/proc', '/dev', '/sys'];

/** Resolves the links of a path, as far as it exists. */
function realPath(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync.native(whole);
  } catch {
    const parent = dirname(whole);
    return parent === whole ? whole : join(realPath(parent), basename(whole));
  }
}

function isInside(directory: string, path: string): boolean {
  const way = relative(directory, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
