/** Walks the matched nodes of one tree, in document order, and drafts the definitions they hold. */

import type { DefinedParts, Definition, Wrapper } from '../languages/roles/definitions.js';
import { docBefore, docstringAt, trimEnd } from './docs.js';
import { type Draft, draftsOf, followAll, type Place, type Source, TYPE_KINDS } from './draft.js';
import { type Matcher, matcherOf } from './matcher.js';
import type { TreeNode } from './syntax-tree.js';

/** More symbols than this in one file tell nothing to anyone (generated tables). */
const MAX_SYMBOLS = 20_000;
/** A definition with more attributes than this keeps the nearest ones. */
const MAX_ATTACHED = 50;
/** Siblings that are looked at in one file. */
const MAX_LOOKS = 3_000;
const MAX_LEAD_LENGTH = 20;
/** Namespaces in namespaces, classes in classes. */
const MAX_WALK_DEPTH = 40;

interface Open {
  node: TreeNode;
  end: number;
  start: number;
  draft: Draft | null;
  wrapper: Wrapper | null;
  used: boolean;
}

/** Drafts in document order, a container before its members. `found`: the nodes of the query over the whole tree. */
export function collectDrafts(root: TreeNode, found: readonly TreeNode[], source: Source): Draft[] {
  const collector = new Collector(source);
  const matcher = matcherOf(source.rules);
  for (const node of captures(root, found, matcher, source)) {
    const { kind, start, end } = node;
    if (collector.drafts.length >= MAX_SYMBOLS) break;
    collector.leave(start);
    const rule = matcher.definitions.get(kind);
    if (rule !== undefined) collector.define(node, start, end, rule);
    else collector.open.push({ node, start, end, draft: null, wrapper: matcher.wrappers.get(kind) ?? {}, used: false });
  }
  return collector.drafts;
}

/** Nodes that the query and the walk find, in document order, outer before inner. */
function captures(root: TreeNode, queried: readonly TreeNode[], matcher: Matcher, source: Source): TreeNode[] {
  const found = withValues(queried, matcher, source);
  if (matcher.walked.size === 0) return found;
  const walked: TreeNode[] = [];
  walk(root, matcher, walked, 0);
  return merge(found, walked);
}

/** The definitions among nodes: values stand for their parents. */
function withValues(queried: readonly TreeNode[], matcher: Matcher, { text, rules }: Source): TreeNode[] {
  const found: TreeNode[] = [];
  let ordered = true;
  for (const candidate of queried) {
    let node: TreeNode | null = candidate;
    if (rules.values?.kinds.includes(node.kind)) {
      if (!rules.values.before.test(text.slice(Math.max(0, node.start - MAX_LEAD_LENGTH), node.start))) continue;
      node = node.parent;
      if (node === null || !matcher.definitions.has(node.kind)) continue;
    }
    if (found.length > 0 && before(node, found[found.length - 1])) ordered = false;
    found.push(node);
  }
  return ordered ? found : found.sort((a, b) => (before(a, b) ? -1 : before(b, a) ? 1 : 0));
}

/** `node`: one that is walked into. */
function walk(node: TreeNode, matcher: Matcher, into: TreeNode[], depth: number): void {
  if (matcher.walked.has(node.kind)) into.push(node);
  if (depth >= MAX_WALK_DEPTH) return;
  const { walked, entered, enteredUnder } = matcher;
  const isOpen = (kind: string, parent: string) => entered.has(kind) || enteredUnder.get(kind)?.includes(parent);
  for (const child of node.namedChildren) {
    const { kind } = child;
    if (isOpen(kind, node.kind)) walk(child, matcher, into, depth + 1);
    else if (walked.has(kind)) into.push(child);
  }
}

/** Both lists are in document order; what both found counts once. */
function merge(first: readonly TreeNode[], second: readonly TreeNode[]): TreeNode[] {
  const merged: TreeNode[] = [];
  let at = 0;
  for (const node of second) {
    while (at < first.length && before(first[at], node)) merged.push(first[at++]);
    if (at >= first.length || !isSame(first[at], node)) merged.push(node);
  }
  while (at < first.length) merged.push(first[at++]);
  return merged;
}

function before(a: TreeNode, b: TreeNode): boolean {
  return a.start < b.start || (a.start === b.start && a.end > b.end);
}

function isSame(a: TreeNode, b: TreeNode): boolean {
  return a.start === b.start && a.end === b.end && a.kind === b.kind;
}

class Collector {
  readonly drafts: Draft[] = [];
  readonly open: Open[] = [];
  private looks = 0;
  private readonly counts = new Map<Definition, number>();

  constructor(private readonly source: Source) {}

  /** Closes everything that ends before `start`. */
  leave(start: number): void {
    while (this.open.length > 0 && this.open[this.open.length - 1].end <= start) this.open.pop();
  }

  define(node: TreeNode, start: number, end: number, rule: Definition): void {
    if (rule.limit !== undefined && (this.counts.get(rule) ?? 0) >= rule.limit) return;
    const place = this.placeOf(node, start, end, rule);
    if (rule.outer && insideCode(place.container, rule.outer)) return;
    const drafts = draftsOf(node, start, rule, place, this.source);
    if (drafts.length === 0) return;
    this.counts.set(rule, (this.counts.get(rule) ?? 0) + drafts.length);
    for (const draft of drafts) {
      draft.doc = this.docOf(draft);
      this.drafts.push(draft);
    }
    if (rule.parts !== undefined) this.defineParts(node, drafts[0], rule.parts);
    if (rule.each === 'alone') return;
    const last = drafts[drafts.length - 1];
    this.open.push({ node, start, end: Math.max(end, last.end), draft: last, wrapper: null, used: true });
  }

  private defineParts(node: TreeNode, draft: Draft, { path, definition, beside }: DefinedParts): void {
    if (beside !== undefined && !beside.test(draft.name)) return;
    const container = beside === undefined ? draft : draft.container;
    for (const part of followAll(node, path)) {
      const { start, end } = part;
      const place = { start, end, wrapperStart: start, headStart: start, container, wrapped: false };
      this.drafts.push(...draftsOf(part, start, definition, place, this.source));
    }
  }

  private placeOf(node: TreeNode, nodeStart: number, nodeEnd: number, rule: Definition): Place {
    const { text } = this.source;
    const place: Place = {
      start: nodeStart,
      end: nodeEnd,
      wrapperStart: nodeStart,
      headStart: nodeStart,
      container: null,
      wrapped: false,
    };
    if (rule.follow !== undefined) place.end = followedBy(node, rule.follow) ?? place.end;
    // Siblings are next to the outermost wrapper that the definition fills.
    let outermost = node;
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
      outermost = entry.node;
      place.start = entry.start;
      place.end = Math.max(place.end, entry.end);
    }
    if (rule.lead !== undefined && place.start === nodeStart) {
      const before = text.slice(Math.max(0, nodeStart - MAX_LEAD_LENGTH), nodeStart);
      place.start -= rule.lead.exec(before)?.[0].length ?? 0;
    }
    if (rule.follow !== undefined) place.end = followedBy(outermost, rule.follow) ?? place.end;
    place.wrapperStart = place.start;
    place.start = this.withAttached(outermost, place.start);
    place.headStart = Math.min(place.headStart, place.start);
    place.end = Math.max(trimEnd(text, place.end, nodeStart), nodeStart);
    return place;
  }

  /** Start of the attributes that stand right before the definition as its siblings. */
  private withAttached(node: TreeNode, start: number): number {
    const { text, rules } = this.source;
    const { attached } = rules;
    if (attached === undefined || this.looks > MAX_LOOKS || !attached.ends.test(text[trimEnd(text, start) - 1] ?? ''))
      return start;
    let first = start;
    let sibling = node.previous;
    for (let count = 0; sibling !== null && count < MAX_ATTACHED; count++, sibling = sibling.previous) {
      this.looks++;
      if (!attached.kinds.includes(sibling.kind)) break;
      const at = sibling.start;
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
    if (rules.docs.attached !== undefined) {
      const own = attachedDoc(text.slice(draft.start, draft.nameStart), draft.start, rules.docs.attached);
      if (own !== null) return own;
    }
    return docBefore(text, draft.start, rules.docs);
  }
}

/** The documentation attribute among those before a definition: from its line up to the end of its string. */
function attachedDoc(text: string, offset: number, pattern: RegExp): Draft['doc'] {
  for (let at = 0; at !== -1; at = text.indexOf('@', at + 1)) {
    const match = pattern.exec(text.slice(at));
    if (match === null) continue;
    const quote = match[0].endsWith('"""') ? '"""' : '"';
    const close = text.indexOf(quote, at + match[0].length);
    return close === -1 ? null : { start: offset + at, end: offset + close + quote.length };
  }
  return null;
}

/** Inside a function, or inside a value: anything that isn't a type, a module or a namespace. */
function insideCode(container: Draft | null, outer: true | 'members'): boolean {
  if (outer === 'members' && container !== null) return !isScope(container);
  for (let at = container; at !== null; at = at.container) if (!isScope(at)) return true;
  return false;
}

function isScope({ kind }: Draft): boolean {
  return TYPE_KINDS.has(kind) || kind === 'module' || kind === 'namespace' || kind === 'type';
}

/** End of the siblings of these kinds that follow a node one after the other. */
function followedBy(node: TreeNode, kinds: readonly string[]): number | null {
  let end: number | null = null;
  let { next } = node;
  for (let count = 0; next !== null && count < kinds.length && kinds.includes(next.kind); count++, next = next.next)
    end = next.end;
  return end;
}
