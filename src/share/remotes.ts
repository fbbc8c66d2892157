/** Chooses the remote to share with, and names the tracking refs that hold its notes here. */

import { SocraticodeError } from '../base/errors.js';
import { noNotes } from '../git/notes.js';
import { headBranch, NOTES_PREFIX, type Repository } from '../git/repository.js';
import type { ConfigEntry } from '../git/worktree.js';

/** A repository whose index is shared, with its git configuration. */
export interface SharedRepository {
  repository: Repository;
  config: readonly ConfigEntry[];
}

/** Selects notes refs by kind (`syntax` or `vectors`) and profile; a null profile selects all profiles of the kind. */
export interface NotesSelector {
  kind: string;
  profile: string | null;
}

const TRACKING_PREFIX = 'refs/notes/remotes';

/** Names of the configured remotes that have an address, in git's order. */
export function remoteNames(config: readonly ConfigEntry[]): string[] {
  const names = config.flatMap(({ key }) => /^remote\.(.+)\.url$/s.exec(key)?.[1] ?? []);
  return [...new Set(names)].filter(isSafeName);
}

/** Rejects names that git would read as options, and names that cannot be part of a ref. */
function isSafeName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what this refuses
  return !/^[-./]|[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[/.]$/.test(name);
}

/**
 * Chooses the remote to share with: the named one, else the current branch's, else `origin`, else the only one. For a
 * push, the remote that git itself would push to comes first. Throws NO_REMOTE.
 */
export async function chooseRemote(
  { repository, config }: SharedRepository,
  named: string | undefined,
  direction: 'push' | 'fetch',
): Promise<string> {
  const names = remoteNames(config);
  if (named !== undefined) {
    if (names.includes(named)) return named;
    throw new SocraticodeError('NO_REMOTE', `no remote is called ${named}${known(names)}`);
  }
  const branch = await headBranch(repository);
  const last = (key: string) => config.filter((entry) => entry.key === key).at(-1)?.value;
  const wanted = [
    ...(direction === 'push' ? [last(`branch.${branch}.pushremote`), last('remote.pushdefault')] : []),
    ...[last(`branch.${branch}.remote`), 'origin', names.length === 1 ? names[0] : undefined],
  ];
  const found = wanted.find((name) => name !== undefined && names.includes(name));
  if (found !== undefined) return found;
  const why = names.length === 0 ? 'there is no remote' : 'none of the remotes is the default one';
  throw new SocraticodeError('NO_REMOTE', `${why}${known(names)}`);
}

function known(names: readonly string[]): string {
  return names.length === 0 ? '' : `: there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`;
}

/** Tracking ref of a remote's notes. It differs from the local ref, which may hold records that the remote lacks. */
export function trackingRef(remote: string, ref: string): string {
  return trackingPrefix(remote) + ref.slice(NOTES_PREFIX.length);
}

/** Refspec that makes a plain `git fetch` bring the notes. It is a glob, so a remote without notes is no error. */
export function trackingRefspec(remote: string): string {
  return `+${NOTES_PREFIX}/*:${trackingPrefix(remote)}/*`;
}

/** Refspec of one selector. Always a glob, because a refspec of a single ref fails if the remote lacks that ref. */
export function selectorRefspec(remote: string, { kind, profile }: NotesSelector): string {
  const selector = profile === null ? `${kind}/*` : `${kind}/${profile}*`;
  return `+${NOTES_PREFIX}/${selector}:${trackingPrefix(remote)}/${selector}`;
}

/** Is a local ref matched by one of the selectors? */
function isSelected(ref: string, selectors: readonly NotesSelector[]): boolean {
  return selectors.some(({ kind, profile }) =>
    profile === null ? ref.startsWith(`${NOTES_PREFIX}/${kind}/`) : ref === `${NOTES_PREFIX}/${kind}/${profile}`,
  );
}

/** Commits of notes refs by name. Tracking refs are keyed by the name of the local ref as well. */
export type NotesRefs = Map<string, string>;

/** Notes refs that the selectors match: the local ones, or with `remote` its tracking refs. */
export async function selectNotesRefs(
  repository: Repository,
  selectors: readonly NotesSelector[],
  remote?: string,
): Promise<NotesRefs> {
  const prefix = remote === undefined ? NOTES_PREFIX : trackingPrefix(remote);
  return pickSelected(await listRefs(repository, prefix), prefix, selectors);
}

/** Matching tracking refs by remote, for every remote that has any. */
export async function selectTrackedRefs(
  { repository, config }: SharedRepository,
  selectors: readonly NotesSelector[],
): Promise<Map<string, NotesRefs>> {
  const refs = await listRefs(repository, TRACKING_PREFIX);
  if (refs.length === 0) return new Map();
  const picked = remoteNames(config).map(
    (name) => [name, pickSelected(refs, trackingPrefix(name), selectors)] as const,
  );
  return new Map(picked.filter(([, found]) => found.size > 0));
}

export function trackingPrefix(remote: string): string {
  return `${TRACKING_PREFIX}/${remote}/socraticode`;
}

/** Throws UNREADABLE_OBJECT where a selected notes ref of a remote is no commit, which would look as if there were none. */
export async function requireNotes(
  { git }: Repository,
  remote: string,
  selectors: readonly NotesSelector[],
): Promise<void> {
  const prefix = trackingPrefix(remote);
  const text = await git.text(['for-each-ref', '--format=%(objecttype) %(refname)', '--end-of-options', `${prefix}/`]);
  for (const line of text.split('\n').filter(Boolean)) {
    const [type, tracking] = line.split(' ');
    const ref = NOTES_PREFIX + tracking.slice(prefix.length);
    if (type !== 'commit' && isSelected(ref, selectors)) throw noNotes(ref, type, remote);
  }
}

type NamedCommit = [ref: string, commit: string];

async function listRefs({ git }: Repository, prefix: string): Promise<NamedCommit[]> {
  // A symbolic ref is left out: its commit belongs to another ref.
  const format = '--format=%(objectname) %(objecttype) %(refname) %(symref)';
  const text = await git.text(['for-each-ref', format, '--end-of-options', `${prefix}/`]);
  return text.split('\n').flatMap((line): NamedCommit[] => {
    const match = /^(\S+) commit (\S+) ?$/.exec(line);
    return match === null ? [] : [[match[2], match[1]]];
  });
}

function pickSelected(refs: readonly NamedCommit[], prefix: string, selectors: readonly NotesSelector[]): NotesRefs {
  const own = refs.filter(([ref]) => ref.startsWith(`${prefix}/`));
  const named = own.map(([ref, commit]): NamedCommit => [NOTES_PREFIX + ref.slice(prefix.length), commit]);
  return new Map(named.filter(([ref]) => isSelected(ref, selectors)));
}

/** The tracking ref of a notes ref at every configured remote; such a ref may be missing. */
export function trackingRefs(config: readonly ConfigEntry[], ref: string): { remote: string; ref: string }[] {
  return remoteNames(config).map((remote) => ({ remote, ref: trackingRef(remote, ref) }));
}
