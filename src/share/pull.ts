/**
 * Fetches a remote's records into tracking refs, unites those with the local notes, and remembers facts about remotes, so that requests
 * and warnings are not repeated (`RemoteMemory`). Below is what fetches and pushes share: which remote, which notes refs, the refspec that
 * lets a plain `git fetch` bring notes, and how far local and remote notes differ.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { makeDirectory, readPlainFile, writeStateFile } from '../base/atomic.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { RefLocks } from '../git/crash-recovery.js';
import { noNotes, requireDirectBelow } from '../git/notes.js';
import { type ConflictPolicy, notesBeyond, uniteNotes } from '../git/notes-union.js';
import { listMissing } from '../git/objects.js';
import { Remote, type RemoteOptions } from '../git/remote.js';
import {
  type ConfigEntry,
  headBranch,
  isPartialClone,
  localStateDirectory,
  NOTES_PREFIX,
  type Repository,
} from '../git/repository.js';
import { kindOfRef } from '../knowledge/kinds.js';
import { MAX_RECORD_BYTES } from '../record/format.js';
import { isRecord } from '../record/store.js';

/** Number of records for one notes ref. */
export interface RefCount {
  ref: string;
  records: number;
}

interface Pulled {
  /** Refs of the remote, with the number of records that were new in this repository. */
  refs: RefCount[];
  /** Sum of the new records. */
  received: number;
}

/** Maximum number of objects that one request names. */
const MAX_REQUESTED = 200_000;

/** Fetches the selected notes refs and unites them with the local ones. Throws what `Remote` and `uniteNotes` throw. */
export async function pullNotes(
  shared: SharedRepository,
  name: string,
  selectors: readonly NotesSelector[],
  options: RemoteOptions = {},
): Promise<Pulled> {
  const tracked = await fetchNotes(shared, name, selectors, options);
  return uniteTracked(shared, name, tracked);
}

/** Updates the tracking refs. Returns the remote's commits by local ref name. */
export async function fetchNotes(
  { repository, config }: SharedRepository,
  name: string,
  selectors: readonly NotesSelector[],
  options: RemoteOptions = {},
): Promise<NotesRefs> {
  const remote = new Remote(repository, config, name, options);
  const [before, local] = [
    await selectNotesRefs(repository, selectors, name),
    await selectNotesRefs(repository, selectors),
  ];
  const known = new Set([...before.values(), ...local.values()]);
  await requireDirectBelow(repository, trackingPrefix(name));
  const refspecs = selectors.map((selector) => selectorRefspec(name, selector));
  const locks = new RefLocks(repository, `${trackingPrefix(name)}/`);
  await whileBusy(() => remote.fetch(refspecs, [...known]), locks, options.signal);
  await requireNotes(repository, name, selectors);
  const tracked = await selectNotesRefs(repository, selectors, name);
  // In a partial clone, a plain `git fetch` may have brought trees without their notes, which the remote does not send again.
  if (isPartialClone(config)) for (const commit of tracked.values()) await completeNotes(repository, remote, commit);
  return tracked;
}

/** Retries while another `git fetch` in this repository writes the same refs. Nothing else gets better with another attempt. */
export async function whileBusy(work: () => Promise<void>, locks: RefLocks, signal?: AbortSignal): Promise<void> {
  let busy: unknown;
  const done = await locks.retry(async () => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isSocraticodeError(error, 'REMOTE_BUSY')) throw error;
      busy = error;
      return undefined;
    }
  }, signal);
  if (done === undefined) throw busy;
}

/** Fetches the notes of a commit that are missing here, as in a partial clone. */
export async function completeNotes(repository: Repository, remote: Remote, commit: string): Promise<void> {
  const missing = await listMissing(repository.git, commit);
  if (missing.length > 0) await remote.fetchObjects(missing.slice(0, MAX_REQUESTED));
}

/** Unites tracking refs with the local notes, without network access. */
export async function uniteTracked(
  { repository }: SharedRepository,
  name: string,
  tracked: NotesRefs,
): Promise<Pulled> {
  const memory = new RemoteMemory(repository);
  const refs: RefCount[] = [];
  for (const [ref, commit] of tracked) {
    refs.push({ ref, records: await uniteNotes(repository, ref, commit, await conflictPolicyOf(ref)) });
    memory.setUnited(trackingRef(name, ref), commit);
  }
  return { refs, received: refs.reduce((sum, { records }) => sum + records, 0) };
}

// Remembers facts about remotes: which tracking refs are united already, which remotes had no notes, which refuse pushes. Losing the file
// costs one request. A forged file does no harm: it can only suppress requests and messages.

interface Memory {
  /** Commit of each tracking ref that was last united with the local notes. */
  united: Record<string, string>;
  /**
   * Time of a request that brought nothing (milliseconds since 1970), and how long not to repeat it, by address. Addresses are hashed,
   * because they can hold a password.
   */
  asked: Record<string, { at: number; forMs: number }>;
  /** Addresses (hashed) that refused a push. */
  denied: string[];
}

const FILE = 'remotes.json';
const MAX_BYTES = 1 << 20;
const MAX_RETAINED = 200;

export function addressKey(url: string): string {
  return createHash('sha256').update(url).digest('hex').slice(0, 24);
}

export class RemoteMemory {
  private readonly path: string;

  constructor(private readonly repository: Repository) {
    this.path = join(localStateDirectory(repository), FILE);
  }

  isUnited(ref: string, commit: string): boolean {
    return this.read().united[ref] === commit;
  }

  setUnited(ref: string, commit: string): void {
    this.change((memory) => {
      memory.united = keepLast({ ...without(memory.united, ref), [ref]: commit });
    });
  }

  /**
   * Forgets the unions of removed tracking refs. Otherwise the same commit, pushed again, would not be united with local notes that were
   * removed in the meantime.
   */
  forgetUnited(refs: ReadonlySet<string>): void {
    if (Object.keys(this.read().united).every((ref) => !refs.has(ref))) return;
    this.change((memory) => {
      memory.united = Object.fromEntries(Object.entries(memory.united).filter(([ref]) => !refs.has(ref)));
    });
  }

  /**
   * Returns whether a recent request brought nothing. The distance between the times counts, so that setting the clock back does not
   * suppress requests for ever.
   */
  wasRequested(key: string): boolean {
    const request = this.read().asked[key];
    return request !== undefined && Math.abs(Date.now() - request.at) < request.forMs;
  }

  setRequested(key: string, forMs: number): void {
    this.change((memory) => {
      memory.asked = keepLast({ ...without(memory.asked, key), [key]: { at: Date.now(), forMs } });
    });
  }

  isDenied(key: string): boolean {
    return this.read().denied.includes(key);
  }

  setDenied(key: string, isDenied: boolean): void {
    if (this.isDenied(key) === isDenied) return;
    this.change((memory) => {
      const others = memory.denied.filter((item) => item !== key);
      memory.denied = isDenied ? [...others, key].slice(-MAX_RETAINED) : others;
    });
  }

  private read(): Memory {
    const memory: Memory = { united: {}, asked: {}, denied: [] };
    try {
      const bytes = readPlainFile(this.path, MAX_BYTES);
      return bytes === null ? memory : checked(JSON.parse(bytes.toString('utf8')));
    } catch {
      return memory;
    }
  }

  /** Reads, edits and writes the file without a lock. If two processes write at once, one change is lost, which costs one request. */
  private change(edit: (memory: Memory) => void): void {
    const memory = this.read();
    edit(memory);
    try {
      makeDirectory(localStateDirectory(this.repository));
      writeStateFile(this.path, JSON.stringify(memory));
    } catch (error) {
      log.debug(`cannot write ${FILE}: ${(error as Error).message}`);
    }
  }
}

/** Throws for a value that is no object. Of a time only its duration is checked: a start that is no number is never near. */
function checked(value: unknown): Memory {
  const { united, asked, denied } = value as Partial<Record<keyof Memory, unknown>>;
  const isTime = (item: unknown): item is { at: number; forMs: number } =>
    Number.isFinite((item as { forMs: number } | null)?.forMs);
  return {
    united: pick(united, (item): item is string => typeof item === 'string'),
    asked: pick(asked, isTime),
    denied: Array.isArray(denied) ? denied.filter((item) => typeof item === 'string') : [],
  };
}

function pick<T>(value: unknown, accept: (item: unknown) => item is T): Record<string, T> {
  return Object.fromEntries(Object.entries(value ?? {}).filter((entry): entry is [string, T] => accept(entry[1])));
}

function without<T>(record: Record<string, T>, key: string): Record<string, T> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function keepLast<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).slice(-MAX_RETAINED));
}

/**
 * Decides which of two different notes for one blob survives a union: a valid record or entry of the ref's kind before a broken one.
 * Without this rule a broken note that a user pushed would never be replaced.
 */
export async function conflictPolicyOf(ref: string): Promise<ConflictPolicy> {
  const entryKind = kindOfRef(ref);
  if (entryKind !== null) {
    // Imported on demand: most repositories have no entries.
    const { inspectEntry } = await import('../knowledge/codecs.js');
    return { maxBytes: MAX_RECORD_BYTES, isValid: (id, entry) => inspectEntry(entryKind, entry, id).ok };
  }
  const kind = ref.slice(NOTES_PREFIX.length + 1).split('/')[0];
  return { maxBytes: MAX_RECORD_BYTES, isValid: (target, note) => isRecord(kind, note, target) };
}

/** A repository whose index is shared, with its git configuration. */
export interface SharedRepository {
  repository: Repository;
  config: readonly ConfigEntry[];
}

/** Selects notes refs by kind (`syntax` or `vectors`) and profile. A null profile selects all profiles of the kind. */
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
 * Chooses the remote to share with: the named one, else the current branch's, else `origin`, else the only one. For a push, the remote
 * that git itself would push to comes first. Throws NO_REMOTE.
 */
export async function chooseRemote(
  { repository, config }: SharedRepository,
  named: string | undefined,
  direction: 'push' | 'fetch',
): Promise<string> {
  const names = remoteNames(config);
  if (named !== undefined) {
    if (names.includes(named)) return named;
    throw new SocraticodeError('NO_REMOTE', `no remote is called ${named}${namesThere(names)}`);
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
  throw new SocraticodeError('NO_REMOTE', `${why}${namesThere(names)}`);
}

/** End of a message that names the remotes that there are; empty for none. */
function namesThere(names: readonly string[]): string {
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

/** Returns whether one of the selectors matches a local ref. */
function isSelected(ref: string, selectors: readonly NotesSelector[]): boolean {
  return selectors.some(({ kind, profile }) =>
    profile === null ? ref.startsWith(`${NOTES_PREFIX}/${kind}/`) : ref === `${NOTES_PREFIX}/${kind}/${profile}`,
  );
}

/** Commits of notes refs by name. A tracking ref has the name of the local ref here. */
type NotesRefs = Map<string, string>;

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

function trackingPrefix(remote: string): string {
  return `${TRACKING_PREFIX}/${remote}/socraticode`;
}

/** Throws UNREADABLE_OBJECT if a selected notes ref of a remote is no commit, since it would look like a missing ref. */
async function requireNotes({ git }: Repository, remote: string, selectors: readonly NotesSelector[]): Promise<void> {
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
  // A symbolic ref is left out, since its commit belongs to another ref.
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

/** Tracking refs of a notes ref, one for every configured remote. A tracking ref may be missing. */
export function trackingRefs(config: readonly ConfigEntry[], ref: string): { remote: string; ref: string }[] {
  return remoteNames(config).map((remote) => ({ remote, ref: trackingRef(remote, ref) }));
}

/** How a plain `git fetch` from a remote treats notes. */
interface NotesFetchConfig {
  /** True if it brings them. `refspec`: the one that `enable` adds for that. */
  enabled: boolean;
  refspec: string;
  /** True if `git fetch` overwrites the local notes refs, as in a mirror: each fetch then loses records not yet pushed. */
  isMirrored: boolean;
}

export function readNotesFetchConfig({ config }: Pick<SharedRepository, 'config'>, remote: string): NotesFetchConfig {
  const specs = config.filter(({ key }) => key === `remote.${remote}.fetch`).map(({ value }) => value);
  const refspec = trackingRefspec(remote);
  const isMirrored = specs.some(mapsOntoNotes);
  return { enabled: isMirrored || specs.includes(refspec), refspec, isMirrored };
}

/** Returns whether a refspec writes local notes refs, as `+refs/*:refs/*` and `refs/notes/*:refs/notes/*` do. */
function mapsOntoNotes(spec: string): boolean {
  const target = spec.split(':')[1] ?? '';
  const start = target.replace(/\*.*$/s, '');
  if (start === target) return target.startsWith(`${NOTES_PREFIX}/`);
  return start !== '' && (`${NOTES_PREFIX}/`.startsWith(start) || start.startsWith(`${NOTES_PREFIX}/`));
}

/** Adds the refspec to those already configured. Returns false if it was there. Throws GIT_FAILED. */
export async function enable(shared: SharedRepository, remote: string): Promise<boolean> {
  const { enabled, refspec } = readNotesFetchConfig(shared, remote);
  if (enabled) return false;
  await shared.repository.git.run(['config', '--local', '--add', `remote.${remote}.fetch`, refspec]);
  return true;
}

/** Removes only the refspec that `enable` added. Returns false if it was not configured. */
export async function disable(shared: SharedRepository, remote: string): Promise<boolean> {
  const refspec = trackingRefspec(remote);
  const key = `remote.${remote}.fetch`;
  if (!shared.config.some((entry) => entry.key === key && entry.value === refspec)) return false;
  await shared.repository.git.run(['config', '--local', '--fixed-value', '--unset-all', key, refspec]);
  return true;
}

/** Difference between a local notes ref and the remote's, as last fetched. */
interface Comparison {
  ref: string;
  /** Records that only the local ref has, or that win over the remote's. */
  ahead: number;
  /** Records that only the remote has, or that win over the local ones. */
  behind: number;
  hasLocal: boolean;
  hasRemote: boolean;
}

/** Compares the local notes with the tracking refs of a remote, without network access. */
export async function compare(
  { repository }: SharedRepository,
  remote: string,
  selectors: readonly NotesSelector[],
): Promise<Comparison[]> {
  const local = await selectNotesRefs(repository, selectors);
  const tracked = await selectNotesRefs(repository, selectors, remote);
  const refs = [...new Set([...local.keys(), ...tracked.keys()])].sort();
  const compared: Comparison[] = [];
  for (const ref of refs) {
    const [ours, theirs] = [local.get(ref) ?? null, tracked.get(ref) ?? null];
    const ahead = (await notesBeyond(repository.git, theirs, ours, await conflictPolicyOf(ref))).notes.size;
    const behind = (await notesBeyond(repository.git, ours, theirs, await conflictPolicyOf(ref))).notes.size;
    compared.push({ ref, ahead, behind, hasLocal: ours !== null, hasRemote: theirs !== null });
  }
  return compared;
}
