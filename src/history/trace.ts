/** Compares the versions before and after each commit, and makes one event per changed definition. */
import { log } from '../base/log.js';
import type { CommitChanges, HistoryChange } from '../git/log.js';
import type { Definition, Traced } from './definitions.js';
import { pairMoves } from './move-pairs.js';
import type { BlobSource, FileVersion } from './source.js';

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
  /** Former place of moved code. */
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
export async function traceCommits(
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
  // A side that is missing here tells neither that code came with this commit, nor that it went.
  if ([newOid, ...oldOids].some((oid) => oid !== null && source.unreadable.has(oid))) return [];
  const keys = new Set([after, ...before].flatMap((side) => [...side.keys()]));
  return [...keys].flatMap((key) => {
    const olds = before.flatMap((side) => side.get(key) ?? []);
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
  if (isCut) log.tellOnce('warn', `not all code that ${events[0].commit} removed was compared with all that it added`);
  const replaced = new Set([...pairs].flat());
  const moved = [...pairs].map(([to, from]): TraceEvent => {
    const { before } = from;
    const parts = before && to.after ? changedParts(before.definition, to.after.definition) : [];
    const isEqual = before?.definition.raw === to.after?.definition.raw;
    return { ...to, type: 'moved', from: { path: from.path, key: from.key }, before, ...(isEqual ? {} : { parts }) };
  });
  return [...events.filter((event) => !replaced.has(event)), ...moved];
}
