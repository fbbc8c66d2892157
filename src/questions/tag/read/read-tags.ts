/** Tags of a snapshot: those that rules give, then what people and agents said by hand, the last word on a place first. */
import { SocraticodeError } from '../../../base/errors.js';
import { byPlace } from '../../../graph/query/place.js';
import { ONE_SET, refOfSet, TAGS_KIND } from '../../../knowledge/kinds.js';
import type { KnownRule } from '../../../session/knowledge/tags/rules.js';
import { derivedTags, keptTags } from '../../../session/knowledge/tags/snapshot-tags.js';
import { ChangeSource } from '../../../session/overlay/change-source.js';
import type { SnapshotOrigin } from '../../../session/snapshot/snapshot.js';
import { workTreeUse } from '../../../session/snapshot/target.js';
import type { Asker } from '../../asker.js';
import type { GraphAndHeader } from '../../graph/snapshot-graph.js';
import { keyOf, type TagPlace, type Target } from './places.js';

export interface SnapshotTags {
  header: GraphAndHeader['header'];
  rules: KnownRule[];
  /** Places by tag; by file and line. Every tag that a rule could give is there. */
  byTag: Map<string, TagPlace[]>;
  /** Files in which an expression of a rule took too long. */
  unread: number;
  /** Entries by hand whose code is gone, and entries that this version cannot read. */
  gone: number;
  unreadable: number;
}

/** Throws BAD_CONFIG for a rule that cannot be applied, and what preparing a graph throws. */
export async function readTags(at: Asker, target: Target): Promise<SnapshotTags> {
  const { origin, dirty } = await originOf(at, target);
  const { config } = await at.session.configOfOrigin(origin);
  const { rulesOf } = await import('../../../session/knowledge/tags/rules.js');
  const rules = rulesOf(config);
  const kept = dirty === 0 ? keptTags(at.session, origin, rules) : null;
  const found = kept === null ? await derive(at, target, rules) : { kept, header: headerOf(origin, kept.coverage) };
  const tags: SnapshotTags = {
    ...{ header: found.header, rules, byTag: new Map(rules.map(({ tag }) => [tag, []])) },
    ...{ unread: found.kept.unread, gone: 0, unreadable: 0 },
  };
  for (const { path, symbol, startLine, endLine, rules: by } of found.kept.places) {
    const lines = symbol === null ? null : { start: startLine, end: endLine };
    for (const tag of new Set(by.map((rule) => rules[rule].tag)))
      tags.byTag.get(tag)?.push({ path, symbol, lines, rules: by.filter((rule) => rules[rule].tag === tag) });
  }
  return withGiven(at, target, tags);
}

/** The snapshot, and how many files differ from it in the work tree: null where that takes a graph to say. */
async function originOf({ session }: Asker, target: Target): Promise<{ origin: SnapshotOrigin; dirty: number }> {
  const use = workTreeUse(target);
  const [asked, changes] = await Promise.all([
    session.origin(target.ref, { unborn: use === 'included' }),
    use === 'ignored' || session.readChanges === null ? null : ChangeSource.of(session).read(),
  ]);
  if (changes === null || use !== 'included' || changes.commit === asked.resolved.commit)
    return { origin: asked, dirty: changes?.list.length ?? 0 };
  return { origin: await session.origin(undefined, { head: changes.commit }), dirty: changes.list.length };
}

function headerOf({ resolved }: SnapshotOrigin, coverage: GraphAndHeader['header']['coverage']) {
  const { ref, commit } = resolved;
  return { schemaVersion: 1, ref, commit, coverage, dirty: 0, overlay: 0 } as const;
}

async function derive(at: Asker, { ref, committed }: Target, rules: readonly KnownRule[]) {
  const { prepareGraph } = await import('../../graph/snapshot-graph.js');
  const prepared = await prepareGraph(at, { ref, committed });
  const isCommitted = prepared.uncommitted.size === 0;
  const kept =
    (isCommitted ? keptTags(at.session, prepared.origin, rules) : null) ??
    (await derivedTags(at.session, prepared, rules, { target: { ref, committed }, signal: at.signal }));
  return { kept, header: prepared.header };
}

/** A repository where nobody gave a tag by hand pays two look-ups of a ref. */
async function withGiven(at: Asker, target: Target, tags: SnapshotTags): Promise<SnapshotTags> {
  const { objects } = at.session;
  const refs = [true, false].map((isShared) => objects.info(refOfSet(TAGS_KIND, ONE_SET, isShared)));
  if ((await Promise.all(refs)).every((tip) => tip === null)) return tags;
  const { readGiven } = await import('./given.js');
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

const lineOf = ({ path, lines }: TagPlace) => ({ path, line: lines?.start ?? 0 });

/** The places of a tag. Throws BAD_ARGUMENT for one that neither a rule nor anybody gives. */
export function placesOf({ byTag }: SnapshotTags, tag: string): TagPlace[] {
  const places = byTag.get(tag);
  if (places !== undefined) return places;
  const known = [...byTag].filter(([, list]) => list.length > 0).map(([name]) => name);
  throw new SocraticodeError('BAD_ARGUMENT', `no rule and nobody gives the tag ${tag}`, {
    hint: known.length === 0 ? 'There are no tags.' : `Tags here: ${known.sort().slice(0, 20).join(', ')}`,
  });
}
