/** Traces definitions through the commits that touched some paths: an event for each change, moves between files, and lineages. */
import { groupBy } from '../base/lists.js';
import { log } from '../base/log.js';
import { type CommitChanges, type HistoryChange, type WalkOptions, type WalkWindow, walkHistory } from '../git/log.js';
import type { Git } from '../git/process.js';
import {
  type BlobSource,
  baseOf,
  countWords,
  type Definition,
  type FileVersion,
  MOVED_SIMILARITY,
  similarity,
  type Traced,
  textOf,
  type WordCounts,
} from './file-versions.js';

/** Definition in a file, independent of the version. */
export interface DefinitionPlace {
  path: string;
  key: string;
}

type EventType = 'appeared' | 'changed' | 'moved' | 'disappeared';
/** Part of a changed definition: the part before its body, anything else, or white space only. */
type ChangedPart = 'signature' | 'body' | 'layout';

export interface TraceEvent extends DefinitionPlace {
  type: EventType;
  commit: string;
  /** Former place of moved code, and former parameters of changed code. */
  from?: DefinitionPlace;
  parts?: ChangedPart[];
  before: Version | null;
  after: Version | null;
}

/** Definition in one version of its file. */
export interface Version extends FileVersion {
  definition: Definition;
}

/** Events of all definitions that `traced` finds in the given commits, in the order of the commits. */
async function traceCommits(
  commits: readonly CommitChanges[],
  traced: Traced,
  source: BlobSource,
): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  /** Oldest version seen of each path, which is the neighbour of the next one. */
  const nearest = new Map<string, FileVersion>();
  for (const { commit, changes } of commits) {
    const found: TraceEvent[] = [];
    for (const change of changes) found.push(...(await changeEvents(commit, change, { traced, source, nearest })));
    events.push(...(await joinMoves(found, source)));
  }
  return events;
}

async function changeEvents(
  commit: string,
  { path, oldOids, newOid }: HistoryChange,
  { traced, source, nearest }: { traced: Traced; source: BlobSource; nearest: Map<string, FileVersion> },
): Promise<TraceEvent[]> {
  const versionAt = async (oid: string | null) => {
    if (oid === null) return new Map<string, Version>();
    const version = { oid, path };
    const definitions = await traced.at(version, nearest.get(path));
    nearest.set(path, version);
    return new Map(definitions.map((definition) => [definition.key, { ...version, definition }]));
  };
  const after = await versionAt(newOid);
  const before: Map<string, Version>[] = [];
  for (const oid of oldOids) before.push(await versionAt(oid));
  // A version that is missing here shows neither that code came with this commit, nor that it went.
  if ([newOid, ...oldOids].some((oid) => oid !== null && source.unreadable.has(oid))) return [];
  const keys = new Set([after, ...before].flatMap((versions) => [...versions.keys()]));
  return [...keys].flatMap((key) => {
    const olds = before.flatMap((versions) => versions.get(key) ?? []);
    const event = eventOf(after.get(key) ?? null, olds, before.length);
    return event === null ? [] : [{ ...event, commit, path, key }];
  });
}

/** Compares one definition. A merge has an event only if its version equals none of its parents' versions. */
function eventOf(
  after: Version | null,
  olds: readonly Version[],
  parents: number,
): Omit<TraceEvent, 'commit' | 'path' | 'key'> | null {
  const before = olds[0] ?? null;
  if (after === null) return olds.length === parents ? { type: 'disappeared', before, after } : null;
  if (before === null) return { type: 'appeared', before, after };
  if (olds.some(({ definition }) => definition.raw === after.definition.raw)) return null;
  return { type: 'changed', parts: changedParts(before.definition, after.definition), before, after };
}

function changedParts(
  before: Pick<Definition, 'text' | 'signature'>,
  after: Pick<Definition, 'text' | 'signature'>,
): ChangedPart[] {
  if (before.text === after.text) return ['layout'];
  return [before.signature === after.signature ? 'body' : 'signature'];
}

/** Joins a disappearance and an appearance of similar code in one commit into one move. */
async function joinMoves(events: TraceEvent[], source: BlobSource): Promise<TraceEvent[]> {
  const gone = events.filter(({ type }) => type === 'disappeared');
  const come = events.filter(({ type }) => type === 'appeared');
  if (gone.length === 0 || come.length === 0) return events;
  const { pairs, isCut } = await pairMoves(gone, come, source);
  pairRewritten(gone, come, pairs);
  if (isCut) log.printOnce('warn', `not all code that ${events[0].commit} removed was compared with all that it added`);
  const replaced = new Set([...pairs].flat());
  const moved = [...pairs].map(([to, from]): TraceEvent => {
    const { before } = from;
    const parts = before && to.after ? changedParts(before.definition, to.after.definition) : [];
    const isEqual = before?.definition.raw === to.after?.definition.raw;
    const type = isOverload(from, to) ? 'changed' : 'moved';
    return { ...to, type, from: { path: from.path, key: from.key }, before, ...(isEqual ? {} : { parts }) };
  });
  return [...events.filter((event) => !replaced.has(event)), ...moved];
}

/** Are two definitions one place, but for their parameters? */
const isOverload = (a: DefinitionPlace, b: DefinitionPlace): boolean =>
  a.path === b.path && baseOf(a.key) === baseOf(b.key);

/** Adds pairs of one name in one file, in order, where no text is similar: both parameters and body are new. */
function pairRewritten(
  gone: readonly TraceEvent[],
  come: readonly TraceEvent[],
  pairs: Map<TraceEvent, TraceEvent>,
): void {
  const taken = new Set(pairs.values());
  const placeOf = ({ path, key }: DefinitionPlace) => `${path}\0${baseOf(key)}`;
  const left = groupBy(
    [...gone].reverse().filter((event) => !taken.has(event)),
    placeOf,
  );
  for (const to of come) {
    const from = pairs.has(to) ? undefined : left.get(placeOf(to))?.pop();
    if (from !== undefined) pairs.set(to, from);
  }
}

/**
 * Maximum number of word-by-word comparisons in one commit. Each takes up to a few milliseconds, and a hostile commit
 * can remove and add thousands of definitions of one name. Equal texts need no such comparison.
 */
export const MAX_COMPARED = 2_000;
/** Maximum number of words kept for further comparisons in one commit, about 50 MB. */
const MAX_CACHED_WORDS = 500_000;
/** Preference for a definition of the same key among equally similar ones. */
const SAME_KEY = 0.5;

interface MovePairs {
  /** Appearance -> disappearance. */
  pairs: Map<TraceEvent, TraceEvent>;
  /** True if some pairs were not compared, because there were too many. */
  isCut: boolean;
}

/** Pairs the definitions that a commit removed with those that it added elsewhere: the same code, moved. */
export async function pairMoves(
  gone: readonly TraceEvent[],
  come: readonly TraceEvent[],
  source: BlobSource,
): Promise<MovePairs> {
  const pairs = new Map<TraceEvent, TraceEvent>();
  const taken = new Set<TraceEvent>();
  const pair = (to: TraceEvent, from: TraceEvent) => {
    if (pairs.has(to) || taken.has(from)) return;
    pairs.set(to, from);
    taken.add(from);
  };
  pairEqual(gone, come, pair, taken);
  const left = gone.filter((event) => !taken.has(event));
  const { scored, isCut } = await compare(
    left,
    come.filter((event) => !pairs.has(event)),
    source,
  );
  scored.sort((a, b) => b.score - a.score);
  for (const { from, to } of scored) pair(to, from);
  return { pairs, isCut };
}

/** Pairs equal texts in linear time, those of equal keys first. */
function pairEqual(
  gone: readonly TraceEvent[],
  come: readonly TraceEvent[],
  pair: (to: TraceEvent, from: TraceEvent) => void,
  taken: ReadonlySet<TraceEvent>,
): void {
  const paired = new Set<TraceEvent>();
  for (const withKey of [true, false]) {
    const idOf = ({ key }: TraceEvent, version: Version | null) =>
      version === null ? null : JSON.stringify([version.definition.kind, version.definition.text, withKey ? key : '']);
    // Last first, so that `pop` gives the first.
    const left = gone.filter((from) => !taken.has(from)).reverse();
    const waiting = groupBy(left, (from) => idOf(from, from.before));
    for (const to of come) {
      const id = idOf(to, to.after);
      const from = id === null || paired.has(to) ? undefined : waiting.get(id)?.pop();
      if (from === undefined) continue;
      pair(to, from);
      paired.add(to);
    }
  }
}

async function compare(gone: readonly TraceEvent[], come: readonly TraceEvent[], source: BlobSource) {
  const scored: { from: TraceEvent; to: TraceEvent; score: number }[] = [];
  const words = new WordCache(source);
  const byKind = groupBy(gone, ({ before }) => before?.definition.kind ?? null);
  let compared = 0;
  for (const to of come) {
    if (to.after === null) continue;
    for (const from of byKind.get(to.after.definition.kind) ?? []) {
      if (++compared > MAX_COMPARED) return { scored, isCut: true };
      const [a, b] = [await words.of(from.before as Version), await words.of(to.after)];
      const score = a === null || b === null ? 0 : similarity(a, b);
      if (score >= MOVED_SIMILARITY)
        scored.push({ from, to, score: score + (baseOf(from.key) === baseOf(to.key) ? SAME_KEY : 0) });
    }
  }
  return { scored, isCut: false };
}

/** Words of definitions, kept up to a bound. */
class WordCache {
  private readonly known = new Map<Version, WordCounts | null>();
  private cached = 0;

  constructor(private readonly source: BlobSource) {}

  async of(version: Version): Promise<WordCounts | null> {
    const known = this.known.get(version);
    if (known !== undefined) return known;
    const text = await textOf(version, this.source);
    const words = text === null ? null : countWords(text);
    this.cached += words?.size ?? 0;
    if (this.cached <= MAX_CACHED_WORDS) this.known.set(version, words);
    return words;
  }
}

/** The history of one piece of code through all places it moved to. */
export interface Lineage {
  /** All places of the code, in no particular order. */
  places: DefinitionPlace[];
  /** Newest first. */
  events: TraceEvent[];
  /** Versions at the requested ref; empty if the code is gone. */
  present: Version[];
  /** Other branches and tags that have code which the ref lacks, and the version at the first of them. */
  elsewhere?: { refs: string[]; commit: string; version: Version };
}

const idOf = ({ path, key }: DefinitionPlace): string => `${path}\0${key}`;

/** Joins events by place and by moves. `events` are newest first; `present` are the definitions at the ref. */
export function groupLineages(events: readonly TraceEvent[], present: readonly Version[]): Lineage[] {
  const parents = new Map<string, string>();
  const places = new Map<string, DefinitionPlace>();
  const add = (place: DefinitionPlace): string => {
    const id = idOf(place);
    if (!parents.has(id)) {
      parents.set(id, id);
      places.set(id, { path: place.path, key: place.key });
    }
    return id;
  };
  const find = (id: string): string => {
    let root = id;
    while (parents.get(root) !== root) root = parents.get(root) as string;
    for (let at = id; at !== root; ) {
      const next = parents.get(at) as string;
      parents.set(at, root);
      at = next;
    }
    return root;
  };
  for (const event of events) {
    const id = add(event);
    if (event.from !== undefined) parents.set(find(add(event.from)), find(id));
  }
  for (const version of present) add({ path: version.path, key: version.definition.key });
  const lineages = new Map<string, Lineage>();
  const lineageOf = (id: string): Lineage => {
    const root = find(id);
    const known = lineages.get(root) ?? { places: [], events: [], present: [] };
    lineages.set(root, known);
    return known;
  };
  for (const [id, place] of places) lineageOf(id).places.push(place);
  for (const event of events) lineageOf(idOf(event)).events.push(event);
  for (const version of present)
    lineageOf(idOf({ path: version.path, key: version.definition.key })).present.push(version);
  return [...lineages.values()];
}

/** Finds which tips have the code of a lineage. `oidAt` finds the blob at `COMMIT:PATH`. */
export async function findElsewhere(
  { places }: Lineage,
  tips: readonly { name: string; commit: string }[],
  { traced, oidAt }: { traced: Traced; oidAt: (name: string) => Promise<string | null> },
): Promise<Lineage['elsewhere']> {
  let found: Lineage['elsewhere'];
  for (const { name, commit } of tips) {
    for (const { path, key } of places) {
      const oid = await oidAt(`${commit}:${path}`);
      const definition = oid === null ? undefined : (await traced.at({ oid, path })).find((each) => each.key === key);
      if (oid === null || definition === undefined) continue;
      found ??= { refs: [], commit, version: { oid, path, definition } };
      found.refs.push(name);
      break;
    }
  }
  return found;
}

/** Does the lineage pass through this place? */
export function passes(lineage: Lineage, place: DefinitionPlace): boolean {
  return lineage.places.some(({ path, key }) => path === place.path && key === place.key);
}

/** Version to show: the one at the ref, or the last one before the code disappeared. */
export function newestVersion({ present, events, elsewhere }: Lineage): Version | null {
  if (present.length > 0) return present[0];
  if (elsewhere !== undefined) return elsewhere.version;
  const last = events.find(({ type }) => type === 'disappeared') ?? events[0];
  return last?.after ?? last?.before ?? null;
}

/** Event in which the code first appeared; null if it is older than the commits that were walked. */
export function firstAppearance({ events }: Lineage): TraceEvent | null {
  const oldest = events.at(-1);
  return oldest?.type === 'appeared' ? oldest : null;
}

/**
 * Event after which the code was gone for good; null if it exists, or if no single commit removed it. The lineage may
 * have newer changes, made on a branch that still had the code.
 */
export function lastDisappearance({ events, present }: Lineage): TraceEvent | null {
  if (present.length > 0) return null;
  const last = events.find(({ type }) => type === 'disappeared' || type === 'appeared');
  return last?.type === 'disappeared' ? last : null;
}

/** Most merges that are examined. */
const MAX_MERGES = 5_000;

/**
 * Finds the merge that dropped code which no commit removes: a merge that took the other parent's file. It is the oldest one since the last
 * event that lacks this version although a parent has it.
 */
export async function droppingMerge(
  history: HistoryScope,
  { events }: Lineage,
  version: Version,
): Promise<string | null> {
  const newest = events[0]?.commit;
  let dropped: string | null = null;
  let isSince = true;
  let seen = 0;
  const walk = { ...history.walk, paths: version.path.includes('\\x') ? [] : [version.path], merges: 'each' as const };
  await walkHistory(history.git, { ...walk, maxCommits: undefined }, ({ commit, changes }) => {
    if (commit === newest || ++seen > MAX_MERGES) isSince = false;
    if (!isSince) return;
    for (const { path, oldOids, newOid } of changes)
      if (path === version.path && oldOids.includes(version.oid) && newOid !== version.oid) dropped = commit;
  });
  return dropped;
}

/** Repository, commit range and paths of one history question. */
export interface HistoryScope {
  git: Git;
  source: BlobSource;
  /** Commit of the ref, and limits of the walk. */
  walk: WalkOptions;
  /** Blob id of every indexed path at the ref. */
  tip: ReadonlyMap<string, string>;
  /** True in a partial clone. git's pickaxe fails there at the first missing blob. */
  partial: boolean;
  /** Is this path indexed, and within the requested paths? */
  accepts(path: string): boolean;
}

/** Maximum length of paths on git's command line. For longer lists, git lists all changes and they are filtered here. */
const MAX_PATH_BYTES = 64_000;

interface PathHistory {
  commits: CommitChanges[];
  window: WalkWindow;
}

/** Lists the commits that changed any of these paths, newest first, with the changes of these paths only. */
export async function readPathHistory({ git, walk }: HistoryScope, paths: ReadonlySet<string>): Promise<PathHistory> {
  const bytes = [...paths].reduce((sum, path) => sum + Buffer.byteLength(path) + 1, 0);
  // Paths that are not UTF-8 contain \x escapes here, which git would not recognise.
  const isLiteral = bytes <= MAX_PATH_BYTES && ![...paths].some((path) => path.includes('\\x'));
  const commits: CommitChanges[] = [];
  const options = isLiteral && paths.size > 0 ? { ...walk, paths: [...paths] } : walk;
  const window = await walkHistory(git, options, ({ commit, changes }) => {
    // git also reports paths below the given ones.
    const own = changes.filter((change) => paths.has(change.path) && isFile(change.type));
    if (own.length > 0) commits.push({ commit, changes: own });
  });
  return { commits, window };
}

export function isFile(type: string): boolean {
  return type === 'file' || type === 'executable';
}

/** Lineages of all definitions that `traced` finds at these paths. */
export async function followPaths(
  scope: HistoryScope,
  commits: readonly CommitChanges[],
  traced: Traced,
  paths: ReadonlySet<string>,
): Promise<Lineage[]> {
  const present: Version[] = [];
  for (const path of paths) {
    const oid = scope.tip.get(path);
    if (oid === undefined) continue;
    for (const definition of await traced.at({ oid, path })) present.push({ oid, path, definition });
  }
  return groupLineages(await traceCommits(commits, traced, scope.source), present);
}
