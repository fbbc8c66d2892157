/** Tags given by hand: the entries, and the places that they are about in a snapshot. */
import { ONE_SET } from '../../../knowledge/kinds.js';
import { resolveAnchor } from '../../../knowledge/resolve.js';
import { EntryStore } from '../../../knowledge/store.js';
import { handTagsOf, TAGS, type TagBody } from '../../../knowledge/tag.js';
import { AnchoredFiles } from '../../../session/knowledge/anchored-files.js';
import type { Session } from '../../../session/session.js';
import { workTreeUse } from '../../../session/snapshot/target.js';
import type { Asker } from '../../asker.js';
import { type GivenTag, keyOf, type TagPlace, type Target } from './places.js';

export interface Given {
  tag: GivenTag;
  place: Pick<TagPlace, 'path' | 'symbol' | 'lines'>;
}

export function tagStore({ repository, objects }: Session): EntryStore<TagBody> {
  return new EntryStore({ repository, objects }, TAGS, ONE_SET);
}

/** The last word on each place, oldest first. */
export async function readGiven(
  at: Pick<Asker, 'session' | 'signal'>,
  target: Target,
): Promise<{ given: Given[]; gone: number; unreadable: number; entries: number }> {
  const { session, signal } = at;
  const { entries, unreadable } = await tagStore(session).read();
  const shared = new Set(entries.flatMap(({ entry, isShared }) => (isShared ? [entry.id] : [])));
  const includesWork = workTreeUse(target) === 'included';
  const files = new AnchoredFiles(session, await session.origin(target.ref, { unborn: includesWork }), includesWork);
  const last = new Map<string, Given>();
  let gone = 0;
  for (const tag of handTagsOf(entries.map(({ entry }) => entry))) {
    signal.throwIfAborted();
    const { status, path, lines } = await resolveAnchor(files, tag.anchor);
    const isLost = path === null || status === 'gone' || (lines === null && tag.anchor.lines !== null);
    if (isLost) {
      if (!tag.isOff) gone++;
      continue;
    }
    const place = { path, symbol: tag.anchor.symbol, lines };
    const key = JSON.stringify([tag.tag, keyOf(place)]);
    last.delete(key);
    last.set(key, { tag: { ...tag, isShared: shared.has(tag.id), status }, place });
  }
  return { given: [...last.values()], gone, unreadable, entries: entries.length };
}
