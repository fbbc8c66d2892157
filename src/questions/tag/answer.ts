/** Answers of `tags` and `tag list|why|add|remove`. */
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits } from '../../base/printable.js';
import type { Graph } from '../../graph/graph.js';
import { byPlace, cut } from '../../graph/query/node-place.js';
import { resolveTarget } from '../../graph/query/target.js';
import { claimNow } from '../../knowledge/codecs.js';
import { type Entry, EntryStore, handTagsOf, TAGS, type TagBody } from '../../knowledge/entry.js';
import { ONE_SET } from '../../knowledge/kinds.js';
import { resolveAnchor } from '../../knowledge/resolve-anchors.js';
import { classByName } from '../../search/path-classes.js';
import { evidenceOf, testsOf } from '../../session/knowledge/tag-rules.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import { workTreeUse } from '../../session/snapshot/target.js';
import { AnchoredFiles } from '../../session/tree-files.js';
import type { Asker } from '../asker.js';
import { dateText, formatCount } from '../format.js';
import { LISTED } from '../graph/graph-question.js';
import type { GraphCandidates } from '../graph/output.js';
import { ambiguous, type GraphAndHeader, prepareGraph } from '../graph/snapshot-graph.js';
import { isoTime } from '../note/answer.js';
import { anchorOf, authorText } from '../note/claims.js';
import type { Pen } from '../pen.js';
import { more } from '../view.js';
import type {
  TagChangeDocument,
  TagChangeValues,
  TagListDocument,
  TagListValues,
  TagPlaceItem,
  TagReason,
  TagsDocument,
  TagsValues,
  TagWhyDocument,
  TagWhyValues,
} from './question.js';
import {
  type GivenTag,
  keyOf,
  lineOf,
  placesOf,
  readTags,
  type SnapshotTags,
  type TagPlace,
  type Target,
} from './read-tags.js';

/** Throws BAD_CONFIG for a rule that cannot be applied. */
export async function answerTags(at: Asker, values: TagsValues): Promise<TagsDocument> {
  const read = await readTags(at, values);
  const tags = [...read.byTag].map(([tag, places]) => ({
    ...{ tag, ...countsOf(places) },
    byHand: places.filter(({ given }) => given !== undefined).length,
  }));
  tags.sort((a, b) => b.files + b.symbols - a.files - a.symbols || (a.tag < b.tag ? -1 : 1));
  return { ...read.header, tags, ...gapCountsOf(read) };
}

function gapCountsOf({ unread, gone, unreadable }: Pick<SnapshotTags, 'unread' | 'gone' | 'unreadable'>) {
  return { ...(unread > 0 && { unread }), ...(gone > 0 && { gone }), ...(unreadable > 0 && { unreadable }) };
}

function countsOf(places: readonly TagPlace[]): { files: number; symbols: number } {
  const outer = outermost(places);
  const files = outer.filter(({ lines }) => lines === null).length;
  return { files, symbols: outer.length - files };
}

/** Leaves out symbols of files that have the tag as a whole. */
function outermost(places: readonly TagPlace[]): TagPlace[] {
  const whole = new Set(places.flatMap(({ path, lines }) => (lines === null ? [path] : [])));
  return places.filter(({ path, lines }) => lines === null || !whole.has(path));
}

/** Throws BAD_ARGUMENT for a tag that no rule and nobody gives. */
export async function answerTagList(at: Asker, values: TagListValues): Promise<TagListDocument> {
  const read = await readTags(at, values);
  const places = outermost(placesOf(read, values.tag));
  const rank = new Map<string, number>();
  for (const { path } of places) rank.set(path, classByName(path) === null ? 0 : 1);
  const inOrder = [...places].sort(
    (a, b) => (rank.get(a.path) ?? 0) - (rank.get(b.path) ?? 0) || byPlace(lineOf(a), lineOf(b)),
  );
  const items = inOrder.map(
    (place): TagPlaceItem => ({
      ...placeItem(place),
      ...(place.given && { given: givenItem(place.given) }),
    }),
  );
  return {
    ...read.header,
    tag: values.tag,
    ...countsOf(places),
    places: cut(items, values.limit),
    ...gapCountsOf(read),
  };
}

function placeItem({ path, symbol, lines }: Pick<TagPlace, 'path' | 'symbol' | 'lines'>): Omit<TagPlaceItem, 'given'> {
  return { path, symbol, startLine: lines?.start ?? null, endLine: lines?.end ?? null };
}

function givenItem({ id, author, time, isShared, status }: GivenTag) {
  return { id, author, date: isoTime(time), shared: isShared, status };
}

/** Throws BAD_ARGUMENT for a missing or ambiguous target, BAD_CONFIG without a name. */
export async function answerTagAdd(at: Asker, values: TagChangeValues): Promise<TagChangeDocument> {
  return change(at, values, { isOff: false });
}

/** Throws as `answerTagAdd` does, and BAD_ARGUMENT for code without the tag. */
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
  // A new time is always later than that of the replaced entry, since equal times have no order.
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

// `tag why`: tags of a symbol or file, each with its rule or person.

/** Throws BAD_ARGUMENT for a target that does not exist. */
export async function answerTagWhy(at: Asker, values: TagWhyValues): Promise<TagWhyDocument | GraphCandidates> {
  const prepared = await prepareGraph(at, values);
  const { graph, header, prefix } = prepared;
  const found = resolveTarget(graph, values.target, { prefix });
  if ('candidates' in found)
    return ambiguous(prepared, { target: values.target, candidates: found.candidates, limit: LISTED.candidates });
  const read = await readTags(at, values);
  const around = nodesAround(graph, found.nodes[0]);
  const tags = [...read.byTag].flatMap(([tag, places]) => {
    const own = places.filter((place) => around.has(keyOf(place)));
    const reasons = own.flatMap((place) =>
      reasonsOf(prepared, read, { place, node: around.get(keyOf(place)) as number }),
    );
    const given = own.flatMap((place) => (place.given ? [{ ...givenItem(place.given), of: placeItem(place) }] : []));
    return own.length === 0 ? [] : [{ tag, reasons, given }];
  });
  const place = placeItem(placeAt(graph, found.nodes[0]));
  return { ...header, target: values.target, place, tags, ...gapCountsOf(read) };
}

/** A node, the symbols around it and its file, by their keys. */
function nodesAround(graph: Graph, node: number): Map<string, number> {
  const found = new Map<string, number>();
  for (let at = node; at >= 0; at = graph.container(at)) found.set(keyOf(placeAt(graph, at)), at);
  return found;
}

function placeAt(graph: Graph, node: number): Pick<TagPlace, 'path' | 'symbol' | 'lines'> {
  const path = graph.path(node);
  if (graph.isFile(node)) return { path, symbol: null, lines: null };
  const lines = { start: graph.startLine(node), end: graph.endLine(node) };
  return { path, symbol: graph.qualifiedName(node), lines };
}

function reasonsOf(
  { graph }: GraphAndHeader,
  { rules }: SnapshotTags,
  { place, node }: { place: TagPlace; node: number },
): TagReason[] {
  return place.rules.map((index) => {
    const { number, isBuiltIn, why } = rules[index];
    const source = isBuiltIn ? 'built-in' : '.socraticode.json';
    return {
      rule: { number, source, ...(why !== undefined && { why }) },
      of: placeItem(place),
      found: evidenceOf(graph, node, rules[index], testsOf(rules[index])),
    };
  });
}

// Text: a line for each tag or place, with its rule or person.

interface Writing {
  pen: Pen;
}

export function tagsText({ tags, ...gaps }: TagsDocument, { pen }: Writing): string {
  const width = Math.max(0, ...tags.map(({ tag }) => tag.length));
  const lines = tags.map(({ tag, files, symbols, byHand }) => {
    const hand = byHand > 0 ? `, ${groupDigits(byHand)} by hand` : '';
    return `${pen.match(tag.padEnd(width))}  ${countText({ files, symbols })}${hand}`;
  });
  if (lines.length === 0) lines.push(pen.dim('no tags: all rules are turned off'));
  return `${[...lines, ...gapLines(gaps, pen)].join('\n')}\n`;
}

const countText = ({ files, symbols }: { files: number; symbols: number }): string =>
  files + symbols === 0 ? 'nothing' : `${formatCount(files, 'file')}, ${formatCount(symbols, 'symbol')} in others`;

export function tagListText(document: TagListDocument, { pen }: Writing): string {
  const { tag, places } = document;
  const lines: string[] = [];
  let path = '';
  for (const place of places.list) {
    if (place.path !== path || place.startLine === null) {
      const whole = place.startLine === null ? `${pen.dim('  whole file')}${givenText(place.given, pen)}` : '';
      lines.push(`${pen.path(place.path)}${whole}`);
    }
    path = place.path;
    if (place.startLine !== null) lines.push(`  ${placeText(place, pen)}${givenText(place.given, pen)}`);
  }
  const head = `${pen.match(tag)}: ${countText(document)}`;
  return `${[head, ...lines, ...more(places.leftOut, pen), ...gapLines(document, pen)].join('\n')}\n`;
}

/** `10-24 Cart.total`; for lines, only their numbers. */
function placeText({ symbol, startLine, endLine }: Omit<TagPlaceItem, 'given'>, pen: Pen): string {
  if (startLine === null) return 'whole file';
  const range = endLine !== null && endLine > startLine ? `${startLine}-${endLine}` : `${startLine}`;
  return symbol === null ? pen.line(range) : `${pen.line(range)} ${pen.symbol(symbol)}`;
}

function givenText(given: TagPlaceItem['given'], pen: Pen): string {
  if (given === undefined) return '';
  const { author, date, shared, status } = given;
  const stale = status === 'current' ? '' : status === 'moved' ? ', moved' : ', its code changed since';
  return pen.dim(`  by ${authorText(author)}, ${dateText(date)}, ${shared ? 'shared' : 'only in this clone'}${stale}`);
}

export function tagWhyText({ place, tags, ...gaps }: TagWhyDocument, { pen }: Writing): string {
  const lines = [`${pen.path(place.path)}  ${placeText(place, pen)}`];
  if (tags.length === 0) lines.push(pen.dim('no tags'));
  for (const { tag, reasons, given } of tags) {
    lines.push(pen.match(tag));
    lines.push(...reasons.map((reason) => `  ${reasonText(reason, place, pen)}`));
    for (const { of, ...claim } of given) lines.push(` ${aboutText(of, place, pen)}${givenText(claim, pen)}`);
  }
  return `${[...lines, ...gapLines(gaps, pen)].join('\n')}\n`;
}

/** `its file: imports jose (line 3)  built-in rule 2`. */
function reasonText({ rule, of, found }: TagReason, place: TagWhyDocument['place'], pen: Pen): string {
  const source = `${rule.source === 'built-in' ? 'built-in rule' : 'rule of .socraticode.json,'} ${rule.number}`;
  const why = rule.why === undefined ? '' : `: ${rule.why}`;
  return `${aboutText(of, place, pen)}${found.join('; ')}  ${pen.dim(`${source}${why}`)}`;
}

function aboutText(of: TagReason['of'], place: TagWhyDocument['place'], pen: Pen): string {
  if (of.symbol === place.symbol && of.startLine === place.startLine) return '';
  return of.startLine === null ? 'its file: ' : `${pen.symbol(of.symbol ?? '')}: `;
}

export function tagChangeText({ tag, place, has, isNew, shared }: TagChangeDocument, { pen }: Writing): string {
  const where = `${pen.path(place.path)}  ${placeText(place, pen)}`;
  const now = has ? 'has the tag' : 'does not have the tag';
  const sharing = `${isNew ? '' : 'as before, '}${shared ? 'shared with the next push' : 'only in this clone'}`;
  return `${where}  ${now} ${pen.match(tag)}${pen.dim(`  ${sharing}`)}\n`;
}

function gapLines(
  { unread = 0, gone = 0, unreadable = 0 }: Partial<Record<'unread' | 'gone' | 'unreadable', number>>,
  pen: Pen,
): string[] {
  const gaps = [
    ...(unread > 0 ? [`${formatCount(unread, 'file')} left out: an expression takes too long there`] : []),
    ...(gone > 0 ? [`${formatCount(gone, 'tag')} given by hand to code that is gone`] : []),
    ...(unreadable > 0 ? [`${formatCount(unreadable, 'entry', 'entries')} cannot be read by this version`] : []),
  ];
  return gaps.map((line) => pen.dim(line));
}

interface Given {
  tag: GivenTag;
  place: Pick<TagPlace, 'path' | 'symbol' | 'lines'>;
}

function tagStore({ repository, objects }: Session): EntryStore<TagBody> {
  return new EntryStore({ repository, objects }, TAGS, ONE_SET);
}

/** Last entry on each place, oldest first. */
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
