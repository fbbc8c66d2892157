/** Tags of a snapshot: those from rules, then those by hand, of which the last one on a place counts. */
import { SocraticodeError } from '../../base/errors.js';
import { addTo } from '../../base/lists.js';
import { nearest } from '../../base/spelling.js';
import { byPlace } from '../../graph/query/node-place.js';
import type { HandTag } from '../../knowledge/entry.js';
import { ONE_SET, refOfSet, TAGS_KIND } from '../../knowledge/kinds.js';
import type { KnownRule } from '../../session/knowledge/tag-rules.js';
import { cachedTags, derivedTags } from '../../session/knowledge/tags.js';
import { ChangeSource } from '../../session/snapshot/change-source.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { type TargetOptions, targetRef, workTreeUse } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import type { GraphAndHeader } from '../graph/snapshot-graph.js';

export interface SnapshotTags {
  header: GraphAndHeader['header'];
  rules: KnownRule[];
  /** Places by tag, sorted by file and line. Holds every tag that a rule could give. */
  byTag: Map<string, TagPlace[]>;
  /** Number of files where an expression of a rule took too long. */
  unread: number;
  /** Numbers of entries by hand whose code is gone, and of entries that this version cannot read. */
  gone: number;
  unreadable: number;
}

/** Throws BAD_CONFIG for a rule that cannot be applied, and what preparing a graph throws. */
export async function readTags(at: Asker, target: Target): Promise<SnapshotTags> {
  const { origin, dirty } = await originOf(at, target);
  const { config } = await at.session.configOfOrigin(origin);
  const { rulesOf } = await import('../../session/knowledge/tag-rules.js');
  const rules = rulesOf(config);
  const cached = dirty === 0 ? cachedTags(at.session, origin, rules) : null;
  const found =
    cached === null ? await derive(at, target, rules) : { cached, header: headerOf(origin, cached.coverage) };
  const tags: SnapshotTags = {
    ...{ header: found.header, rules, byTag: new Map(rules.map(({ tag }) => [tag, []])) },
    ...{ unread: found.cached.unread, gone: 0, unreadable: 0 },
  };
  for (const { path, symbol, startLine, endLine, rules: by } of found.cached.places) {
    const lines = symbol === null ? null : { start: startLine, end: endLine };
    for (const tag of new Set(by.map((rule) => rules[rule].tag)))
      tags.byTag.get(tag)?.push({ path, symbol, lines, rules: by.filter((rule) => rules[rule].tag === tag) });
  }
  return withGiven(at, target, tags);
}

/**
 * The snapshot, and how many files of the work tree differ from HEAD: 0 for another ref, and without a work tree. If HEAD moves
 * meanwhile, the snapshot is that of the commit that git compared the work tree with.
 */
async function originOf({ session }: Asker, target: Target): Promise<{ origin: SnapshotOrigin; dirty: number }> {
  const use = workTreeUse(target);
  const source = use === 'ignored' || session.readChanges === null ? null : ChangeSource.of(session);
  const [requested, read] = await Promise.all([
    session.origin(target.ref, { unborn: use === 'included' }),
    source?.read() ?? null,
  ]);
  if (source === null || read === null || use !== 'included')
    return { origin: requested, dirty: read?.list.length ?? 0 };
  const { origin, changes } = await source.settle(requested, read);
  return { origin, dirty: changes.list.length };
}

function headerOf({ resolved }: SnapshotOrigin, coverage: GraphAndHeader['header']['coverage']) {
  const { ref, commit } = resolved;
  return { schemaVersion: 1, ref, commit, coverage, dirty: 0, overlay: 0 } as const;
}

async function derive(at: Asker, { ref, committed }: Target, rules: readonly KnownRule[]) {
  const { prepareGraph } = await import('../graph/snapshot-graph.js');
  const prepared = await prepareGraph(at, { ref, committed });
  const isCommitted = prepared.uncommitted.size === 0;
  const cached =
    (isCommitted ? cachedTags(at.session, prepared.origin, rules) : null) ??
    (await derivedTags(at.session, prepared, rules, { target: { ref, committed }, signal: at.signal }));
  return { cached, header: prepared.header };
}

/** Adds tags by hand. A repository without any pays for two look-ups of a ref. */
async function withGiven(at: Asker, target: Target, tags: SnapshotTags): Promise<SnapshotTags> {
  const { objects } = at.session;
  const refs = [true, false].map((isShared) => objects.info(refOfSet(TAGS_KIND, ONE_SET, isShared)));
  if ((await Promise.all(refs)).every((tip) => tip === null)) return tags;
  const { readGiven } = await import('./answer.js');
  const { given, gone, unreadable } = await readGiven(at, target);
  for (const { place, tag } of given) {
    const places = tags.byTag.get(tag.tag) ?? [];
    const same = places.findIndex((other) => keyOf(other) === keyOf(place));
    if (tag.isOff) {
      if (same >= 0) places.splice(same, 1);
    } else if (same < 0) places.push({ ...place, rules: [], given: tag });
    else places[same] = { ...places[same], given: tag };
    tags.byTag.set(tag.tag, places);
  }
  for (const places of tags.byTag.values()) places.sort((a, b) => byPlace(lineOf(a), lineOf(b)));
  return { ...tags, gone, unreadable };
}

/** Place to sort by: a whole file comes before its lines. */
export const lineOf = ({ path, lines }: TagPlace) => ({ path, line: lines?.start ?? 0 });

/** Places of a tag. Throws BAD_ARGUMENT for a tag that no rule and nobody gives. */
export function placesOf({ byTag }: SnapshotTags, tag: string): TagPlace[] {
  const places = byTag.get(tag);
  if (places !== undefined) return places;
  const known = [...byTag].filter(([, list]) => list.length > 0).map(([name]) => name);
  const near = nearest(tag, known);
  throw new SocraticodeError('BAD_ARGUMENT', `no rule and nobody gives the tag ${tag}`, {
    hint:
      known.length === 0
        ? 'There are no tags.'
        : `${near === null ? '' : `Did you mean ${near}? `}Tags here: ${known.sort().slice(0, 20).join(', ')}`,
  });
}

export interface Target {
  ref?: string;
  committed?: boolean;
}

/** A tag by hand, and the state of its code. */
export type GivenTag = HandTag & { isShared: boolean; status: 'current' | 'moved' | 'stale' };

export interface TagPlace {
  path: string;
  /** Qualified name; null for a whole file and for lines. */
  symbol: string | null;
  /** Null for a whole file. */
  lines: { start: number; end: number } | null;
  /** Indexes of rules that gave the tag. */
  rules: number[];
  given?: GivenTag;
}

/** Identity of a place. A symbol's lines do not belong to it. */
export function keyOf({ path, symbol, lines }: Pick<TagPlace, 'path' | 'symbol' | 'lines'>): string {
  return JSON.stringify([path, symbol, symbol === null ? lines : null]);
}

type Lines = readonly [start: number, end: number];

/** Test for lines that have one of the tags. Throws BAD_ARGUMENT for a tag that no rule and nobody gives. */
export async function tagTest(
  at: Asker,
  tags: readonly string[],
  options: TargetOptions,
): Promise<(path: string, startLine: number, endLine: number) => boolean> {
  const committed = options.committed === true || workTreeUse(options) !== 'included';
  const read = await readTags(at, { ref: targetRef(options), committed });
  const linesOf = (names: readonly string[]) => {
    const lines = new Map<string, Lines[]>();
    for (const place of names.flatMap((name) => placesOf(read, name))) {
      const range: Lines = place.lines === null ? [1, Number.POSITIVE_INFINITY] : [place.lines.start, place.lines.end];
      addTo(lines, place.path, range);
    }
    return lines;
  };
  const wanted = tags.filter((tag) => !tag.startsWith('!'));
  const [has, lacks] = [linesOf(wanted), linesOf(tags.filter((tag) => tag.startsWith('!')).map((tag) => tag.slice(1)))];
  const meets = (lines: ReadonlyMap<string, readonly Lines[]>, path: string, first: number, last: number) =>
    lines.get(path)?.some(([start, end]) => first <= end && last >= start) === true;
  return (path, first, last) =>
    (wanted.length === 0 || meets(has, path, first, last)) && !meets(lacks, path, first, last);
}
