/**
 * Finds the sibling repositories of a repository: submodules, and links of its settings or the user's. A link counts if its directory is
 * allowed (`Consent`) and is the top of a repository that belongs there. Links of siblings do not count.
 */
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { isSocraticodeError } from '../../base/errors.js';
import { shellWord, visibleLine } from '../../base/printable.js';
import { namedLinks } from '../../config/resolve.js';
import { openRepository, type Repository, readGitConfig, readSubmodulePaths, realParts } from '../../git/repository.js';
import type { LinkState } from '../../questions/shared-output.js';
import type { Session } from '../session.js';
import type { SnapshotOrigin } from '../snapshot/snapshot.js';

/** Limit on repositories searched with one question. */
export const MAX_LINKS = 20;

export interface Link {
  /** Path as written in the settings, or the submodule's path. */
  path: string;
  source: 'submodule' | 'settings';
  /** True if the user named this directory or one above it. Its git directory may then be elsewhere. */
  trusted: boolean;
  /** Real path of the directory that may be opened; null if refused. */
  directory: string | null;
  /** Reason for the refusal; null if the directory may be opened. */
  refusal: { state: LinkState; reason: string } | null;
}

export interface Links {
  list: Link[];
  consent: Consent;
}

/** Lists submodules first, then the settings' links in their order. Opens no repository. Throws BAD_CONFIG. */
export async function findLinks(session: Session, origin: SnapshotOrigin): Promise<Links> {
  const { repository } = session;
  const { config } = await session.configOfOrigin(origin);
  const consent = new Consent(repository.workTree ?? repository.gitDir, config.linked.allow);
  const submodules = await readSubmodulePaths(repository);
  const named = namedLinks(config.linkedProjects, session.sourcesOf(origin));
  const list = [
    ...submodules.flatMap((path) => submoduleLink(path, repository.workTree as string, consent)),
    ...named.map(({ path, trusted }) => namedLink(path, trusted, consent)),
  ];
  return { list: capped(withoutRepeats(list)), consent };
}

/** Returns a link only for a checked-out submodule inside this repository. */
function submoduleLink(path: string, workTree: string, consent: Consent): Link[] {
  const directory = realPath(join(workTree, path));
  if (directory === null || !consent.isInside(directory)) return [];
  if (lstatSync(join(directory, '.git'), { throwIfNoEntry: false }) === undefined) return [];
  return [{ path, source: 'submodule', trusted: false, directory, refusal: null }];
}

function namedLink(path: string, trusted: boolean, consent: Consent): Link {
  const place = consent.locate(path);
  const directory = realPath(place);
  const link = { path, source: 'settings', trusted: false, directory: null, refusal: null } as const;
  const leadsOut = !consent.isInside(directory ?? place);
  // The user's consent covers the path as written, not the target of a symlink inside the tree.
  const isTrusted = (trusted && !consent.isInside(place)) || consent.isAllowed(directory ?? place);
  if (leadsOut && !isTrusted) {
    const reason = `it leads out of this repository; to allow that: ${allowCommand(directory ?? place)}`;
    return { ...link, refusal: { state: 'not-allowed', reason } };
  }
  if (directory === null) return { ...link, refusal: { state: 'missing', reason: 'no such directory' } };
  return { ...link, trusted: isTrusted, directory };
}

function withoutRepeats(links: readonly Link[]): Link[] {
  const seen = new Set<string>();
  return links.filter(({ directory }) => {
    if (directory === null) return true;
    const isNew = !seen.has(directory);
    seen.add(directory);
    return isNew;
  });
}

function capped(links: readonly Link[]): Link[] {
  const refusal = { state: 'left-out', reason: `more than ${MAX_LINKS} repositories are linked` } as const;
  const opened = new Set(links.filter((link) => link.refusal === null).slice(0, MAX_LINKS));
  // As many refusals again are reported: a list of a thousand links is a mistake.
  const others = links.filter((link) => !opened.has(link)).slice(0, MAX_LINKS);
  const shown = new Set([...opened, ...others]);
  return links
    .filter((link) => shown.has(link))
    .map((link) => (opened.has(link) || link.refusal !== null ? link : { ...link, directory: null, refusal }));
}

type LinkedRepository = { commonDir: string } | { state: LinkState; reason: string };

const MAX_GITDIR_BYTES = 4_096;

/** Never throws, and reads only the paths of the repository's parts. `directory`: that of a link without refusal. */
export async function inspectLink(
  link: Link,
  directory: string,
  main: Repository,
  consent: Consent,
): Promise<LinkedRepository> {
  let repository: Repository;
  try {
    repository = await openRepository(directory);
  } catch (error) {
    if (!isSocraticodeError(error)) throw error;
    const state = error.code === 'NOT_A_REPOSITORY' ? 'not-a-repository' : 'failed';
    return { state, reason: state === 'failed' ? `${error.message}; ${error.hint}` : 'no git repository is there' };
  }
  const top = realPath(repository.workTree ?? repository.gitDir);
  if (repository.commonDir === main.commonDir) {
    const reason = top === directory ? 'a work tree of this repository' : 'part of this repository';
    return { state: 'same', reason };
  }
  if (top === null || top !== directory || (repository.workTree === null && !repository.bare))
    return { state: 'not-a-repository', reason: 'it is not the top of a work tree, and no bare repository' };
  if (await belongsHere(link, directory, repository, main, consent)) return { commonDir: repository.commonDir };
  const place = elsewhere(directory, repository, main);
  const reason = `its git directory is ${visibleLine(place)}; to allow that: ${allowCommand(place)}`;
  return { state: 'not-allowed', reason };
}

/**
 * A `.git` file can name any repository of this machine. Accepted are a repository inside this one (a submodule's), one inside the
 * directory itself and, if the user allowed the directory, one that lists it as its work tree.
 */
async function belongsHere(
  link: Link,
  directory: string,
  repository: Repository,
  main: Repository,
  consent: Consent,
): Promise<boolean> {
  const gitDir = realPath(repository.gitDir) ?? repository.gitDir;
  const { commonDir } = repository;
  const isNear = (path: string) =>
    isWithin(path, directory) || isWithin(path, main.commonDir) || consent.isAllowed(path);
  if (realParts(repository)?.every(isNear)) return true;
  if (!link.trusted) return false;
  const isOfTree = commonDir === gitDir || dirname(dirname(gitDir)) === commonDir;
  return isOfTree && (await knowsOf(repository, gitDir, directory));
}

/** Returns the first part of the repository that lies elsewhere. */
function elsewhere(directory: string, repository: Repository, main: Repository): string {
  const isOwn = (path: string) => isWithin(path, directory) || isWithin(path, main.commonDir);
  return realParts(repository)?.find((path) => !isOwn(path)) ?? repository.commonDir;
}

/** Returns whether the git directory names the work tree, as a linked one or as a submodule's. */
async function knowsOf(repository: Repository, gitDir: string, directory: string): Promise<boolean> {
  const isTop = (path: string) => realPath(resolve(gitDir, path)) === directory;
  try {
    const text = readFileSync(join(gitDir, 'gitdir'), 'utf8').slice(0, MAX_GITDIR_BYTES);
    if (isTop(dirname(resolve(gitDir, text.trimEnd())))) return true;
  } catch {
    // Not a linked work tree.
  }
  const config = await readGitConfig(repository.git);
  return config.some(({ key, value, scope }) => key === 'core.worktree' && scope !== 'global' && isTop(value));
}

// Decides which directories outside of a repository may be read. A committed file can name any path and a symlink can lead anywhere, so
// only directories that the user allowed count. Every decision is about real paths, with links resolved.

/** Returns the real path; null if nothing exists there. */
export function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** Returns whether `path` is the directory or below it. Both are absolute. */
export function isWithin(path: string, directory: string): boolean {
  const between = relative(directory, path);
  return between === '' || !(between === '..' || between.startsWith(`..${sep}`) || isAbsolute(between));
}

/** Expands `~`. */
function fromHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path;
}

export class Consent {
  private readonly root: string;
  private readonly allowed: readonly string[];

  /** `root`: absolute top of the work tree; `allow`: the setting `linked.allow` or `context.allow`. */
  constructor(root: string, allow: readonly string[]) {
    this.root = realPath(root) ?? resolve(root);
    this.allowed = allow.flatMap((directory) => realPath(fromHome(directory)) ?? []);
  }

  /** Makes a path absolute without resolving links. Relative paths start at the top of the repository. */
  locate(path: string): string {
    return resolve(this.root, fromHome(path));
  }

  /** Returns whether a real path may be read. */
  covers(path: string): boolean {
    return isWithin(path, this.root) || this.isAllowed(path);
  }

  isAllowed(path: string): boolean {
    return this.allowed.some((directory) => isWithin(path, directory));
  }

  get allowsAny(): boolean {
    return this.allowed.length > 0;
  }

  isInside(path: string): boolean {
    return isWithin(path, this.root);
  }
}

/** Returns the git command that allows a directory. It is quoted, since a repository could choose a name to be pasted into a shell. */
export function allowCommand(directory: string, key: 'linked.allow' | 'context.allow' = 'linked.allow'): string {
  const isPlain = visibleLine(directory) === directory;
  const named = isPlain ? shellWord(directory) : 'DIRECTORY';
  return `git config --global --add ${shellWord(`socraticode.${key}`)} ${named}`;
}
