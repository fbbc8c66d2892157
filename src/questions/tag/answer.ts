/** Answers of `tags` and `tag list|add|remove`. */
import { SocraticodeError } from '../../base/errors.js';
import { byPlace, cut } from '../../graph/query/place.js';
import type { Entry } from '../../knowledge/entry.js';
import type { TagBody } from '../../knowledge/tag.js';
import { classByName } from '../../search/path-classes.js';
import { claimNow } from '../../session/knowledge/author.js';
import { retried } from '../../session/retry.js';
import type { Asker } from '../asker.js';
import { anchorOf } from '../note/anchor-of.js';
import { isoTime } from '../note/notes.js';
import type { TagsValues } from './all/question.js';
import type { TagChangeDocument, TagListDocument, TagPlaceItem, TagsDocument } from './output.js';
import type { TagChangeValues, TagListValues } from './question.js';
import { readGiven, tagStore } from './read/given.js';
import { type GivenTag, keyOf, type TagPlace } from './read/places.js';
import { placesOf, readTags, type SnapshotTags } from './read/read-tags.js';

/** Throws BAD_CONFIG for a rule that cannot be applied. */
export async function answerTags(at: Asker, values: TagsValues): Promise<TagsDocument> {
  const read = await readTags(at, values);
  const tags = [...read.byTag].map(([tag, places]) => ({
    ...{ tag, ...countsOf(places) },
    byHand: places.filter(({ given }) => given !== undefined).length,
  }));
  tags.sort((a, b) => b.files + b.symbols - a.files - a.symbols || (a.tag < b.tag ? -1 : 1));
  return { ...read.header, tags, ...toldBy(read) };
}

export function toldBy({ unread, gone, unreadable }: Pick<SnapshotTags, 'unread' | 'gone' | 'unreadable'>) {
  return { ...(unread > 0 && { unread }), ...(gone > 0 && { gone }), ...(unreadable > 0 && { unreadable }) };
}

function countsOf(places: readonly TagPlace[]): { files: number; symbols: number } {
  const outer = outermost(places);
  const files = outer.filter(({ lines }) => lines === null).length;
  return { files, symbols: outer.length - files };
}

/** Without symbols of files that have the tag as a whole. */
function outermost(places: readonly TagPlace[]): TagPlace[] {
  const whole = new Set(places.flatMap(({ path, lines }) => (lines === null ? [path] : [])));
  return places.filter(({ path, lines }) => lines === null || !whole.has(path));
}

/** Throws BAD_ARGUMENT for a tag that neither a rule nor anybody gives. */
export async function answerTagList(at: Asker, values: TagListValues): Promise<TagListDocument> {
  const read = await readTags(at, values);
  const places = outermost(placesOf(read, values.tag));
  const rank = new Map<string, number>();
  for (const { path } of places) rank.set(path, classByName(path) === null ? 0 : 1);
  const inOrder = [...places].sort(
    (a, b) => (rank.get(a.path) ?? 0) - (rank.get(b.path) ?? 0) || byPlace(placeItem(a), placeItem(b)),
  );
  const items = inOrder.map(
    (place): TagPlaceItem => ({
      ...placeItem(place),
      ...(place.given && { given: givenItem(place.given) }),
    }),
  );
  return { ...read.header, tag: values.tag, ...countsOf(places), places: cut(items, values.limit), ...toldBy(read) };
}

interface PlaceItem {
  path: string;
  symbol: string | null;
  startLine: number | null;
  endLine: number | null;
}

export function placeItem({
  path,
  symbol,
  lines,
}: Pick<TagPlace, 'path' | 'symbol' | 'lines'>): PlaceItem & { startLine: number } {
  return { path, symbol, startLine: (lines?.start ?? null) as number, endLine: lines?.end ?? null };
}

export function givenItem({ id, author, time, isShared, status }: GivenTag) {
  return { id, author, date: isoTime(time), shared: isShared, status };
}

/** Throws BAD_ARGUMENT for a target that is not there or ambiguous; BAD_CONFIG without a name. */
export async function answerTagAdd(at: Asker, values: TagChangeValues): Promise<TagChangeDocument> {
  return change(at, values, { isOff: false });
}

/** Throws as `answerTagAdd` does, and BAD_ARGUMENT for code that has no such tag. */
export async function answerTagRemove(at: Asker, values: TagChangeValues): Promise<TagChangeDocument> {
  return change(at, values, { isOff: true });
}

async function change(at: Asker, values: TagChangeValues, { isOff }: { isOff: boolean }): Promise<TagChangeDocument> {
  const { session } = at;
  const { tag, target } = values;
  const claim = claimNow(session, { isAgent: at.server !== undefined || values.agent !== undefined, ...values });
  const anchor = await retried(session, undefined, () => anchorOf(at, { target }));
  const { path, symbol, lines } = anchor;
  const place = { path, symbol, lines };
  const { given, entries } = await readGiven(at, {});
  const last = given.find((each) => each.tag.tag === tag && keyOf(each.place) === keyOf(place))?.tag;
  if (isOff) await checkHas(at, { tag, target, place, last });
  const isShared = values.share === true || (isOff && last?.isShared === true);
  const isNew = last === undefined || last.isOff !== isOff || last.status === 'stale' || (isShared && !last.isShared);
  // Later than what it replaces, also within one second: equal times have no order.
  const time = Math.max(claim.time, (last?.time ?? -1) + 1);
  const body: Entry<TagBody>['body'] = { tag, anchor, isOff };
  if (isNew) await tagStore(session).add({ ...claim, time, body }, isShared, entries);
  return {
    schemaVersion: 1,
    tag,
    place: placeItem(place),
    has: !isOff,
    isNew,
    shared: isNew ? isShared : last.isShared,
  };
}

interface Taken {
  tag: string;
  target: string;
  place: Pick<TagPlace, 'path' | 'symbol' | 'lines'>;
  last: GivenTag | undefined;
}

async function checkHas(at: Asker, { tag, target, place, last }: Taken): Promise<void> {
  if (last !== undefined) return;
  const { byTag } = await readTags(at, {});
  if (byTag.get(tag)?.some((other) => keyOf(other) === keyOf(place))) return;
  throw new SocraticodeError('BAD_ARGUMENT', `${target} does not itself have the tag ${tag}`, {
    hint: 'A tag of its file or of the symbol around it is taken from that one: `tag why` says which.',
  });
}
