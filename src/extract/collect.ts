/** Walks the matched nodes of one tree, in document order, and drafts the definitions they hold. */
import { docBefore, docstringAt, trimEnd } from './docs.js';
import { type Draft, draftsOf, FUNCTION_KINDS, type Place, type Source } from './draft.js';
import type { SyntaxNode } from './grammar.js';
import { type Matcher, matcherOf } from './rules/matcher.js';
import type { Definition, Wrapper } from './rules/types.js';

/** More symbols than this in one file tell nothing to anyone (generated tables). */
const MOST_SYMBOLS = 20_000;
/** A definition with more attributes than this keeps the nearest ones. */
const MOST_ATTACHED = 50;
const LONGEST_LEAD = 20;
/** Namespaces in namespaces, classes in classes. */
const DEEPEST_WALK = 40;

interface Open {
  end: number;
  start: number;
  draft: Draft | null;
  wrapper: Wrapper | null;
  used: boolean;
}

/** A node with what was asked of it already; every question costs a call into native code. */
export interface Sighting {
  node: SyntaxNode;
  kind: string;
  start: number;
  end: number;
}

export function sight(node: SyntaxNode): Sighting {
  const range = node.range();
  return { node, kind: String(node.kind()), start: range.start.index, end: range.end.index };
}

/** Drafts in document order, a container before its members. `top` holds the root's children. */
export function collectDrafts(root: SyntaxNode, top: readonly Sighting[], source: Source): Draft[] {
  const collector = new Collector(source);
  const matcher = matcherOf(source.rules);
  for (const { node, kind, start, end } of sightings(root, top, matcher)) {
    if (collector.drafts.length >= MOST_SYMBOLS) break;
    collector.leave(start);
    const rule = matcher.definitions.get(kind);
    if (rule !== undefined) collector.define(node, start, end, rule);
    else collector.open.push({ start, end, draft: null, wrapper: matcher.wrappers.get(kind) ?? {}, used: false });
  }
  return collector.drafts;
}

/** What the native query and the walk find, in document order, outer before inner. */
function sightings(root: SyntaxNode, top: readonly Sighting[], matcher: Matcher): Sighting[] {
  const found = root.findAll(matcher.config).map(sight);
  if (matcher.walked.size === 0) return found;
  const walked: Sighting[] = [];
  for (const sighting of top) walk(sighting, matcher, walked, 0);
  return mergeSightings(found, walked);
}

function walk(sighting: Sighting, matcher: Matcher, into: Sighting[], depth: number): void {
  if (matcher.walked.has(sighting.kind)) into.push(sighting);
  if (depth >= DEEPEST_WALK || !matcher.entered.has(sighting.kind)) return;
  for (const child of sighting.node.namedChildren()) {
    const kind = String(child.kind());
    // Asking for a range is the dearest question, so it is asked only where it is needed.
    if (matcher.walked.has(kind)) walk(sight(child), matcher, into, depth + 1);
    else if (matcher.entered.has(kind)) walk({ node: child, kind, start: -1, end: -1 }, matcher, into, depth + 1);
  }
}

/** Both lists are in document order; what both found counts once. */
function mergeSightings(first: readonly Sighting[], second: readonly Sighting[]): Sighting[] {
  const merged: Sighting[] = [];
  let at = 0;
  for (const sighting of second) {
    while (at < first.length && before(first[at], sighting)) merged.push(first[at++]);
    if (at >= first.length || !isSame(first[at], sighting)) merged.push(sighting);
  }
  while (at < first.length) merged.push(first[at++]);
  return merged;
}

function before(a: Sighting, b: Sighting): boolean {
  return a.start < b.start || (a.start === b.start && a.end > b.end);
}

function isSame(a: Sighting, b: Sighting): boolean {
  return a.start === b.start && a.end === b.end && a.kind === b.kind;
}

class Collector {
  readonly drafts: Draft[] = [];
  readonly open: Open[] = [];
  private readonly counts = new Map<Definition, number>();

  constructor(private readonly source: Source) {}

  /** Closes everything that ends before `start`. */
  leave(start: number): void {
    while (this.open.length > 0 && this.open[this.open.length - 1].end <= start) this.open.pop();
  }

  define(node: SyntaxNode, start: number, end: number, rule: Definition): void {
    if (rule.limit !== undefined && (this.counts.get(rule) ?? 0) >= rule.limit) return;
    const place = this.placeOf(node, start, end, rule);
    if (rule.outer && insideFunction(place.container)) return;
    const drafts = draftsOf(node, start, rule, place, this.source);
    if (drafts.length === 0) return;
    this.counts.set(rule, (this.counts.get(rule) ?? 0) + drafts.length);
    for (const draft of drafts) {
      draft.doc = this.docOf(draft);
      this.drafts.push(draft);
    }
    if (rule.each === 'alone') return;
    const last = drafts[drafts.length - 1];
    this.open.push({ start, end: Math.max(end, last.end), draft: last, wrapper: null, used: true });
  }

  private placeOf(node: SyntaxNode, nodeStart: number, nodeEnd: number, rule: Definition): Place {
    const { text } = this.source;
    const place: Place = { start: nodeStart, end: nodeEnd, headStart: nodeStart, container: null, wrapped: false };
    if (rule.follow !== undefined) place.end = followedBy(node, rule.follow) ?? nodeEnd;
    for (let i = this.open.length - 1; i >= 0; i--) {
      const entry = this.open[i];
      if (entry.wrapper === null) {
        place.container = entry.draft;
        break;
      }
      if (entry.wrapper.exports) place.wrapped = true;
      place.headStart = entry.start;
      if (entry.used) continue;
      entry.used = true;
      // A wrapper of several definitions (`const ( … )`) belongs to none of them.
      if (trimEnd(text, entry.end) - place.end > 1) continue;
      place.start = entry.start;
      place.end = Math.max(place.end, entry.end);
    }
    if (rule.lead !== undefined && place.start === nodeStart) {
      const before = text.slice(Math.max(0, nodeStart - LONGEST_LEAD), nodeStart);
      place.start -= rule.lead.exec(before)?.[0].length ?? 0;
    }
    place.start = this.withAttached(node, place.start);
    place.headStart = Math.min(place.headStart, place.start);
    place.end = Math.max(trimEnd(text, place.end, nodeStart), nodeStart);
    return place;
  }

  /** Start of the attributes that stand right before the definition as its siblings. */
  private withAttached(node: SyntaxNode, start: number): number {
    const { text, rules } = this.source;
    const { attached } = rules;
    if (attached === undefined || !attached.ends.test(text[trimEnd(text, start) - 1] ?? '')) return start;
    let first = start;
    let sibling = node.prev();
    for (let count = 0; sibling !== null && count < MOST_ATTACHED; count++, sibling = sibling.prev()) {
      if (!attached.kinds.includes(String(sibling.kind()))) break;
      const at = sibling.range().start.index;
      if (attached.text !== undefined && !attached.text.test(text.slice(at, at + 40))) break;
      first = at;
    }
    return first;
  }

  private docOf(draft: Draft): Draft['doc'] {
    const { text, rules } = this.source;
    if (rules.docs.docstring && draft.bodied) {
      const inside = /\S/g;
      inside.lastIndex = draft.signatureEnd;
      const first = inside.exec(text);
      const docstring = first === null ? null : docstringAt(text, first.index, draft.end);
      if (docstring !== null) return docstring;
    }
    return docBefore(text, draft.start, rules.docs);
  }
}

function insideFunction(container: Draft | null): boolean {
  for (let at = container; at !== null; at = at.container) if (FUNCTION_KINDS.has(at.kind)) return true;
  return false;
}

function followedBy(node: SyntaxNode, kinds: readonly string[]): number | null {
  const next = node.next();
  return next !== null && kinds.includes(String(next.kind())) ? next.range().end.index : null;
}
