/** Which remote is meant, and under which names its index is kept here. */
import { SocraticodeError } from '../base/errors.js';
import { NOTES_PREFIX } from '../git/notes.js';
import type { Repository } from '../git/repository.js';
import type { ConfigEntry } from '../git/worktree.js';

/** A repository whose index is shared, with its git configuration. */
export interface SharedRepository {
  repository: Repository;
  config: readonly ConfigEntry[];
}

/** `syntax` or `vectors`, and the profile; no profile stands for all. */
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

/** Git would take some names for options, and cannot make refs of others. */
function isSafeName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are exactly what this refuses
  return !/^[-./]|[\x00-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\/\.|\.lock(\/|$)|[/.]$/.test(name);
}

/**
 * The remote to share with: the one named, else the current branch's, else `origin`, else the only one. Pushing prefers
 * where git itself would push. Throws NO_REMOTE.
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
  const head = await repository.git.run(['symbolic-ref', '--quiet', '--short', 'HEAD'], { allow: [1, 128] });
  const branch = head.stdout.toString('utf8').trim();
  const last = (key: string) => config.filter((entry) => entry.key === key).at(-1)?.value;
  const wanted = [
    ...(direction === 'push' ? [last(`branch.${branch}.pushremote`), last('remote.pushdefault')] : []),
    ...[last(`branch.${branch}.remote`), 'origin', names.length === 1 ? names[0] : undefined],
  ];
  const found = wanted.find((name) => name !== undefined && names.includes(name));
  if (found !== undefined) return found;
  const why = names.length === 0 ? 'there is no remote' : 'which remote is meant';
  throw new SocraticodeError('NO_REMOTE', `${why}${known(names)}`);
}

function known(names: readonly string[]): string {
  return names.length === 0 ? '' : `: there ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`;
}

/** Where a remote's notes are tracked: never the local ref, which may hold what the remote lacks. */
export function trackingRef(remote: string, ref: string): string {
  return trackingPrefix(remote) + ref.slice(NOTES_PREFIX.length);
}

/** The refspec that makes a plain `git fetch` bring the index. A remote without one is no failure. */
export function trackingRefspec(remote: string): string {
  return `+${NOTES_PREFIX}/*:${trackingPrefix(remote)}/*`;
}

/** Globs, because a refspec of one ref fails where the remote lacks it. */
export function selectorRefspec(remote: string, { kind, profile }: NotesSelector): string {
  const selector = profile === null ? `${kind}/*` : `${kind}/${profile}*`;
  return `+${NOTES_PREFIX}/${selector}:${trackingPrefix(remote)}/${selector}`;
}

/** Does a local ref belong to one of the selectors? */
function isSelected(ref: string, selectors: readonly NotesSelector[]): boolean {
  return selectors.some(({ kind, profile }) =>
    profile === null ? ref.startsWith(`${NOTES_PREFIX}/${kind}/`) : ref === `${NOTES_PREFIX}/${kind}/${profile}`,
  );
}

/** Notes refs with their commits, by the name of the local ref on both sides. */
export type NotesRefs = Map<string, string>;

/** Notes refs of the selectors: the local ones, or those tracked of a remote. */
export async function selectNotesRefs(
  repository: Repository,
  selectors: readonly NotesSelector[],
  remote?: string,
): Promise<NotesRefs> {
  const prefix = remote === undefined ? NOTES_PREFIX : trackingPrefix(remote);
  return pickSelected(await listRefs(repository, prefix), prefix, selectors);
}

/** The same for every remote that has something tracked. */
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

type NamedCommit = [ref: string, commit: string];

async function listRefs({ git }: Repository, prefix: string): Promise<NamedCommit[]> {
  // One that is symbolic holds what belongs to another ref.
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
