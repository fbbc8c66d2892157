/**
 * Pushes records and entries to a remote. Each push sends a new commit on top of the remote's own notes, with notes only about objects
 * that the remote has. A local notes commit is never pushed: it also has records of private branches, and its history keeps them after
 * those branches are gone.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { SocraticodeError } from '../base/errors.js';
import { withoutPassword } from '../base/printable.js';
import { diffTrees } from '../git/diff.js';
import { readAbout } from '../git/notes-history.js';
import { commitNotes, type Notes, notesBeyond } from '../git/notes-union.js';
import { CatFileReader } from '../git/objects.js';
import type { Git } from '../git/process.js';
import {
  isDenied,
  isLostPushRace,
  type PushOutcome,
  type PushUpdate,
  Remote,
  type RemoteOptions,
} from '../git/remote.js';
import { inspectEntry } from '../knowledge/codecs.js';
import { MAX_ENTRY_BYTES, type Revealed } from '../knowledge/entry.js';
import { kindOfRef } from '../knowledge/kinds.js';
import { reachableBlobs, sizesOf } from './compact.js';
import {
  conflictPolicyOf,
  fetchNotes,
  type NotesSelector,
  type RefCount,
  RemoteMemory,
  type SharedRepository,
  selectNotesRefs,
  trackingRef,
  uniteTracked,
} from './pull.js';

export interface Pushed {
  /** Refs that received records. */
  refs: RefCount[];
  sent: number;
  /** Size of the sent records before git compresses them. */
  bytes: number;
  /** Records and entries that were not sent, because they are about objects that no branch or tag of the remote reaches. */
  withheld: number;
  /** Branches and tags of the remote whose commits are not here. Some withheld records may be about them. */
  unseen: number;
  /** Records that the fetches before the attempts brought from the remote. */
  received: number;
  attempts: number;
}

/** With the pauses of `pauseAfter`, 20 clones that push all the time need 25 attempts at most; if pauses did not grow, more than 40. */
export const ATTEMPTS = 40;
/** Lost attempts in a row between which nobody else won: a killed process has left a lock there. */
const UNCHANGED = 6;

interface Offer extends PushUpdate {
  notes: Notes;
}

interface PushNotesOptions extends RemoteOptions {
  /**
   * Returns the description of a profile that may be sent to the remote; null if this repository cannot prove it. The text may have come
   * from another remote, so without this function no description is sent.
   */
  describe?: (profile: string, text: string) => string | null;
  /** Counts without sending anything. The remote's own notes are fetched all the same. */
  dryRun?: boolean;
}

/** Sends the records that the remote lacks and may have. Throws REMOTE_DENIED, REMOTE_BUSY, and what `Remote` throws. */
export async function pushNotes(
  shared: SharedRepository,
  name: string,
  selectors: readonly NotesSelector[],
  options: PushNotesOptions = {},
): Promise<Pushed> {
  const { repository, config } = shared;
  const remote = new Remote(repository, config, name, options);
  const pushed: Pushed = { refs: [], sent: 0, bytes: 0, withheld: 0, unseen: 0, received: 0, attempts: 0 };
  if ((await selectNotesRefs(repository, selectors)).size === 0) return pushed;
  await remote.requireOneAddress();
  const heads = await remote.listHeads();
  const seen: string[] = [];
  for (;;) {
    pushed.attempts++;
    const began = performance.now();
    const tracked = await fetchNotes(shared, name, selectors, options);
    pushed.received += (await uniteTracked(shared, name, tracked)).received;
    const { offers, withheld } = await makeOffers(shared, selectors, { tracked, heads, describe: options.describe });
    pushed.withheld = withheld;
    pushed.unseen = withheld === 0 ? 0 : await countUnseen(repository.git, heads.tips);
    if (offers.length === 0) return pushed;
    if (options.dryRun) {
      for (const offer of offers) await tally(repository, pushed, offer);
      return pushed;
    }
    await requireReached(repository.git, offers, { tracked, heads });
    const outcomes = await remote.push(offers.map(({ commit, ref }) => ({ commit, ref })));
    const lost = await settle(shared, name, { offers, outcomes, pushed });
    if (lost === null) return pushed;
    seen.push([...tracked].join());
    requireHope(name, seen, lost);
    const pause = pauseAfter(pushed.attempts, performance.now() - began, Math.random());
    await sleep(pause, undefined, { signal: options.signal });
  }
}

/** Throws REMOTE_BUSY if more attempts are in vain. `seen`: the notes of the remote before each attempt. */
function requireHope(name: string, seen: readonly string[], lost: string): void {
  const last = seen.slice(-UNCHANGED);
  const isStuck = last.length === UNCHANGED && last.every((tips) => tips === last[0]);
  if (isStuck) throw new SocraticodeError('REMOTE_BUSY', `${name} takes nothing and stays as it is: ${lost}`);
  if (seen.length >= ATTEMPTS) throw new SocraticodeError('REMOTE_BUSY', `${name} kept changing: ${lost}`);
}

const MAX_PAUSE_MS = 60_000;

/**
 * Milliseconds to wait after a lost attempt that took `took`: binary exponential backoff, as in Ethernet. An attempt loses to any other
 * that ends while it lasts, so pauses grow with its length: among slow clones, pauses of a fixed length never thin out. `chance` (0 to 1)
 * keeps those that lost the same round from meeting in the next one.
 */
export function pauseAfter(attempt: number, took: number, chance: number): number {
  return chance * Math.min(MAX_PAUSE_MS, took * 2 ** Math.min(attempt, 6));
}

interface Offering extends Pick<PushNotesOptions, 'describe'> {
  tracked: ReadonlyMap<string, string>;
  heads: { tips: readonly string[]; branches: ReadonlySet<string> };
}

/**
 * Makes a commit for each ref, on top of the remote's, with the notes that the remote lacks and may have: it has all that they reveal.
 * Counts the other notes as withheld. Only the first commit of a ref describes its profile.
 */
async function makeOffers(
  { repository }: SharedRepository,
  selectors: readonly NotesSelector[],
  { tracked, heads, describe }: Offering,
): Promise<{ offers: Offer[]; withheld: number }> {
  const { git } = repository;
  const candidates = new Map<string, Notes>();
  const revealed = new Map<string, Map<string, Revealed>>();
  const locals = await selectNotesRefs(repository, selectors);
  for (const [ref, commit] of locals) {
    const { notes } = await notesBeyond(git, tracked.get(ref) ?? null, commit, await conflictPolicyOf(ref));
    candidates.set(ref, notes);
    revealed.set(ref, await revealedByNotes(git, ref, notes));
  }
  const wanted = new Set(
    [...revealed.values()].flatMap((notes) => [...notes.values()].flatMap(({ objects }) => objects)),
  );
  const reached = await reachableBlobs(git, heads.tips, wanted);
  const isAllowed = ({ objects, branches }: Revealed) =>
    objects.every((oid) => reached.has(oid)) && branches.every((name) => heads.branches.has(name));
  const withheld = new Set<string>();
  const offers: Offer[] = [];
  for (const [ref, all] of candidates) {
    const notes: Notes = new Map();
    for (const [target, note] of all) {
      const reveals = revealed.get(ref)?.get(target);
      if (reveals !== undefined && isAllowed(reveals)) notes.set(target, note);
      else withheld.add(target);
    }
    if (notes.size === 0) continue;
    const parent = tracked.get(ref) ?? null;
    const local = parent === null ? locals.get(ref) : undefined;
    const text = local === undefined ? null : await readAbout(git, local);
    const about = text === null ? null : describe?.(ref.split('/').at(-1) as string, text);
    const commit = await commitNotes(repository, parent, notes, about ?? undefined);
    offers.push({ ref, commit, notes });
  }
  return { offers, withheld: withheld.size };
}

/** Counts tips that this repository lacks, such as those of a branch that somebody else moved. */
async function countUnseen(git: Git, tips: readonly string[]): Promise<number> {
  const objects = new CatFileReader(git);
  try {
    return (await Promise.all(tips.map((tip) => objects.info(tip)))).filter((info) => info === null).length;
  } finally {
    objects.close();
  }
}

interface Settling {
  offers: readonly Offer[];
  outcomes: readonly PushOutcome[];
  pushed: Pushed;
}

/** Counts accepted refs. Returns the reason why a ref must be pushed again; null if none must. Throws REMOTE_DENIED. */
async function settle(
  { repository }: SharedRepository,
  name: string,
  { offers, outcomes, pushed }: Settling,
): Promise<string | null> {
  let lost: string | null = null;
  let denied: string | null = null;
  const memory = new RemoteMemory(repository);
  for (const { ref, commit, notes } of offers) {
    const rejection = outcomes.find((outcome) => outcome.ref === ref)?.rejection;
    if (rejection === null) {
      // A failure is ignored: another process may hold the lock, and the next fetch updates the ref as well.
      await repository.git.run(['update-ref', '--no-deref', trackingRef(name, ref), commit], { allow: [1, 128] });
      memory.setUnited(trackingRef(name, ref), commit);
      await tally(repository, pushed, { ref, notes });
    } else if (rejection === undefined || isLostPushRace(rejection)) lost = rejection ?? 'no answer';
    else denied = rejection;
  }
  if (denied === null) return lost;
  const code = isDenied(denied) ? 'REMOTE_DENIED' : 'GIT_FAILED';
  throw new SocraticodeError(code, `${name} refused the push: ${withoutPassword(denied)}`);
}

async function tally(
  repository: SharedRepository['repository'],
  pushed: Pushed,
  { ref, notes }: Pick<Offer, 'ref' | 'notes'>,
): Promise<void> {
  pushed.refs.push({ ref, records: notes.size });
  pushed.sent += notes.size;
  pushed.bytes += await sizesOf(repository.git, notes.values(), 'objectsize');
}

// The last look before anything leaves: at the commits themselves, and not at what chose them.

/**
 * Throws INTERNAL unless git would send these commits alone, each on top of what the remote has, and all that their notes reveal is
 * reached by the branches and tags of the remote. It looks for that anew, so that no mistake above sends what is private.
 */
export async function requireReached(
  git: Git,
  updates: readonly PushUpdate[],
  { tracked, heads }: Pick<Offering, 'tracked' | 'heads'>,
): Promise<void> {
  const refs = new Map(updates.map(({ commit, ref }) => [commit, ref]));
  const bounds = [...refs.keys(), ...[...tracked.values()].map((commit) => `^${commit}`)];
  const listed = await git.text(['rev-list', '--parents', '--stdin'], { input: `${bounds.join('\n')}\n` });
  for (const line of listed.split('\n').filter(Boolean)) {
    const [commit, ...parents] = line.split(' ');
    const ref = refs.get(commit);
    if (ref === undefined || parents.join() !== (tracked.get(ref) ?? '')) throw unproven('earlier notes of this clone');
  }
  const named = new Set<string>();
  for (const [commit, ref] of refs) {
    const changes = await diffTrees(git, tracked.get(ref) ?? null, commit);
    const notes: Notes = new Map(changes.map(({ path, newOid }) => [path.replaceAll('/', ''), newOid ?? '']));
    const revealed = await revealedByNotes(git, ref, notes);
    if (revealed.size < notes.size) throw unproven('a note that nobody can read');
    for (const { objects, branches } of revealed.values()) {
      if (!branches.every((name) => heads.branches.has(name))) throw unproven('the name of a branch that it lacks');
      for (const oid of objects) named.add(oid);
    }
  }
  const { size } = await reachableBlobs(git, heads.tips, named);
  if (size < named.size) throw unproven(`notes about ${named.size - size} objects that none of its branches reaches`);
}

const unproven = (what: string): SocraticodeError =>
  new SocraticodeError('INTERNAL', `nothing was sent, since the remote would have received ${what}`);

// Objects and branches that notes reveal. A note is sent only to a remote that already has all of them.

const READ_AT_ONCE = 512;

/**
 * Returns the objects and branches that each note of a ref reveals, by target. A record reveals its blob, an entry everything that it
 * names. A note that cannot be read is left out, since nobody knows what it reveals.
 */
export async function revealedByNotes(git: Git, ref: string, notes: Notes): Promise<Map<string, Revealed>> {
  const kind = kindOfRef(ref);
  if (kind === null) return new Map([...notes.keys()].map((target) => [target, { objects: [target], branches: [] }]));
  const objects = new CatFileReader(git);
  const revealed = new Map<string, Revealed>();
  const readOne = async ([target, note]: [string, string]) => {
    const size = (await objects.info(note))?.size ?? Number.POSITIVE_INFINITY;
    const object = size <= MAX_ENTRY_BYTES ? await objects.read(note) : null;
    const verdict = object === null ? null : inspectEntry(kind, object.content, target);
    if (verdict?.ok) revealed.set(target, verdict.revealed);
  };
  try {
    const all = [...notes];
    for (let at = 0; at < all.length; at += READ_AT_ONCE)
      await Promise.all(all.slice(at, at + READ_AT_ONCE).map(readOne));
  } finally {
    objects.close();
  }
  return revealed;
}
