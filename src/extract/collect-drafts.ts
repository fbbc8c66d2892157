/**
 * Definitions of one tree: walks its matched nodes in document order and drafts what they define, links the drafts and says which can be
 * seen (`findDefinitions`), makes symbols of them (`toSymbols`), and gives symbols their full names (`qualifiedName`, `nameWithOwner`).
 */
import {
  type DefinedParts,
  type Definition,
  type DefinitionRules,
  type NodeRule,
  resolveKind,
  type Wrapper,
} from '../languages/roles/definitions.js';
import { isLowSurrogate, type SourceText } from './content.js';
import {
  type Draft,
  docBefore,
  docstringAt,
  draftsOf,
  type FoundName,
  FUNCTION_KINDS,
  followAll,
  type Place,
  type Source,
  TYPE_KINDS,
  trimEnd,
} from './draft.js';
import { type CodeSymbol, namePart, type SymbolKind } from './facts.js';
import type { SyntaxTree, TreeNode } from './syntax-tree.js';
import type { Tag } from './tags.js';

/** Most symbols of one file; more are of no use to anyone (generated tables). */
const MAX_SYMBOLS = 20_000;
/** Most attributes of a definition; the nearest ones count. */
const MAX_ATTACHED = 50;
/** Most siblings that are looked at in one file. */
const MAX_LOOKS = 3_000;
const MAX_LEAD_LENGTH = 20;
/** Beginning of a comment behind code: `#[case(1)] // the first`. */
const COMMENT_BEHIND = /[ \t](?:\/\/|\/\*|#(?!\[)|%)/;
/** Longest line in which such a comment is looked for. UTF-16 units. */
const MAX_LINE_LENGTH = 400;
/** Deepest nesting that is walked into: namespaces in namespaces, classes in classes. */
const MAX_WALK_DEPTH = 40;

/** A node that the walk has entered and not left: a definition, whose `wrapper` is null, or a wrapper, whose `draft` is null. */
interface Open {
  node: TreeNode;
  end: number;
  start: number;
  draft: Draft | null;
  wrapper: Wrapper | null;
  /** A definition has been found in it: a wrapper can widen the first one alone. */
  used: boolean;
}

/** Drafts in document order, a container before its members. `found`: the nodes of the query over the whole tree. */
function collectDrafts(root: TreeNode, found: readonly TreeNode[], source: Source): Draft[] {
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

/** Drafts in document order, of definitions that a file of queries found. */
function collectTagged({ tree }: TreeNode, tags: readonly Tag[], source: Source): Draft[] {
  const collector = new Collector(source);
  const { start, end } = tree;
  let keys = 0;
  for (let i = 0; i < tags.length && collector.drafts.length < MAX_SYMBOLS; i++) {
    const { node, kind } = tags[i];
    if (kind === 'key' && ++keys > MAX_KEYS) continue;
    const names = [nameOf(tags[i], tree)];
    for (; tags[i + 1]?.node === node && tags[i + 1].kind === kind; i++) names.push(nameOf(tags[i + 1], tree));
    collector.leave(start[node]);
    const rule = { node: '', kind: resolveKind(kind) as SymbolKind, names, outer: VALUES.has(kind) };
    collector.define(tree.node(node), start[node], end[node], rule);
  }
  return collector.drafts;
}

/** Most keys of a file that are symbols: a table of generated ones is of no use to anyone. */
const MAX_KEYS = 2_000;
/** Kinds of which those in functions are locals. */
const VALUES: ReadonlySet<string> = new Set(['variable', 'constant', 'field']);

function nameOf({ start, end, scope }: Tag, { text }: SyntaxTree): FoundName {
  return { name: scope + text.slice(start, Math.min(end, start + MAX_NAME_LENGTH)), start, end };
}

/** Nodes that the query and the walk find, in document order, outer before inner. */
function captures(root: TreeNode, queried: readonly TreeNode[], matcher: Matcher, source: Source): TreeNode[] {
  const found = withValues(queried, matcher, source);
  if (matcher.walked.size === 0) return found;
  const walked: TreeNode[] = [];
  walk(root, matcher, walked, 0);
  return merge(found, walked);
}

/** Turns nodes into definitions: a value stands for its parent. */
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
    const last = found.at(-1);
    // A field is found by itself, and by its value.
    if (last !== undefined && isSame(last, node)) continue;
    if (last !== undefined && before(node, last)) ordered = false;
    found.push(node);
  }
  return ordered ? found : found.sort((a, b) => (before(a, b) ? -1 : before(b, a) ? 1 : 0));
}

/** Collects the nodes below `node`, which is one to walk into. */
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

/** Merges two lists in document order; a node that is in both counts once. */
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
    if (rule.notBehind !== undefined && isBehind(node, rule.notBehind, this.source.text)) return;
    const drafts = draftsOf(node, start, rule, place, this.source);
    if (drafts.length === 0) return;
    this.counts.set(rule, (this.counts.get(rule) ?? 0) + drafts.length);
    for (const draft of drafts) {
      draft.doc = this.docOf(draft);
      this.drafts.push(draft);
    }
    if (rule.parts !== undefined) this.defineParts(node, drafts[0], rule.parts);
    if (rule.each === 'alone' || rule.holdsNone) return;
    const last = drafts[drafts.length - 1];
    const to = rule.holdsRest ? Number.POSITIVE_INFINITY : Math.max(end, last.end);
    this.open.push({ node, start, end: to, draft: last, wrapper: null, used: true });
  }

  private defineParts(node: TreeNode, draft: Draft, { path, definition, memberOf }: DefinedParts): void {
    if (memberOf !== undefined && !memberOf.test(draft.name)) return;
    const container = memberOf === undefined ? draft : draft.container;
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

  /** Start of the attributes that stand before the definition as its siblings; comments can stand between them and below. */
  private withAttached(node: TreeNode, start: number): number {
    const { text, rules } = this.source;
    const { attached } = rules;
    if (attached === undefined || !this.followsAttached(attached, start)) return start;
    let first = start;
    let sibling = node.previous;
    for (let count = 0; sibling !== null && count < MAX_ATTACHED; count++, sibling = sibling.previous) {
      this.looks++;
      if (rules.comments.includes(sibling.kind)) continue;
      if (!attached.kinds.includes(sibling.kind)) break;
      const at = sibling.start;
      if (attached.text !== undefined && !attached.text.test(text.slice(at, at + 40))) break;
      first = at;
    }
    return first;
  }

  /** Does the text before a definition, or before its comment, end as an attribute does? Most end otherwise, and cost no look at siblings. */
  private followsAttached({ ends }: NonNullable<DefinitionRules['attached']>, start: number): boolean {
    const { text, rules } = this.source;
    if (this.looks > MAX_LOOKS) return false;
    const above = trimEnd(text, docBefore(text, start, rules.docs)?.start ?? start);
    if (ends.test(text[above - 1] ?? '')) return true;
    const line = text.slice(Math.max(text.lastIndexOf('\n', above - 1) + 1, above - MAX_LINE_LENGTH), above);
    const comment = line.search(COMMENT_BEHIND);
    return comment > 0 && ends.test(line.slice(0, comment).trimEnd().at(-1) ?? '');
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
    return docBefore(text, draft.start, rules.docs) ?? docBefore(text, draft.headStart, rules.docs);
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

/** Is the container a function or a value, and no type, module or namespace? */
function insideCode(container: Draft | null, outer: true | 'members'): boolean {
  if (outer === 'members' && container !== null) return !isScope(container);
  for (let at = container; at !== null; at = at.container) if (!isScope(at)) return true;
  return false;
}

function isBehind({ parent }: TreeNode, { kinds, text }: { kinds: readonly string[]; text: RegExp }, source: string) {
  if (parent === null || !kinds.includes(parent.kind)) return false;
  return text.test(source.slice(Math.max(0, parent.start - MAX_LEAD_LENGTH), parent.start));
}

function isScope({ kind }: Draft): boolean {
  return TYPE_KINDS.has(kind) || kind === 'module' || kind === 'namespace' || kind === 'type';
}

/** End of the run of siblings of these kinds that follows a node; null if none does. */
function followedBy(node: TreeNode, kinds: readonly string[]): number | null {
  let end: number | null = null;
  let { next } = node;
  for (let count = 0; next !== null && count < kinds.length && kinds.includes(next.kind); count++, next = next.next)
    end = next.end;
  return end;
}

// Rule tables as conditions on nodes, compiled once per language

interface Matcher {
  /** Alternatives of the query over the whole tree; each has a kind. */
  found: readonly NodeRule[];
  definitions: ReadonlyMap<string, Definition>;
  wrappers: ReadonlyMap<string, Wrapper>;
  /** Kinds to report when walking, and kinds to walk into. */
  walked: ReadonlySet<string>;
  entered: ReadonlySet<string>;
  /** Further kinds to walk into, with the kinds that their parents must have. */
  enteredUnder: ReadonlyMap<string, readonly string[]>;
}

const compiled = new WeakMap<DefinitionRules, Matcher>();

export function matcherOf(rules: DefinitionRules): Matcher {
  let matcher = compiled.get(rules);
  if (matcher === undefined) {
    matcher = compile(rules);
    compiled.set(rules, matcher);
  }
  return matcher;
}

function compile(rules: DefinitionRules): Matcher {
  const any: NodeRule[] = [];
  const definitions = new Map<string, Definition>();
  const walked = new Set<string>();
  for (const definition of rules.definitions) {
    const found = definition.found ?? 'query';
    for (const kind of [definition.node].flat()) {
      if (definitions.has(kind)) throw new Error(`two definitions for the node kind ${kind}`);
      definitions.set(kind, definition);
      if (found === 'walk') walked.add(kind);
      else any.push(constrained(kind, definition));
    }
  }
  const wrappers = new Map(Object.entries(rules.wrappers ?? {}));
  for (const [kind, wrapper] of wrappers) {
    if (wrapper.walk) walked.add(kind);
    else any.push({ kind });
  }
  for (const kind of rules.values?.kinds ?? []) any.push({ kind });
  return {
    found: any,
    definitions,
    wrappers,
    walked,
    entered: new Set(rules.walk),
    enteredUnder: new Map(Object.entries(rules.walkUnder ?? {})),
  };
}

function constrained(kind: string, definition: Definition): NodeRule {
  const { parents, where } = definition;
  if (parents === undefined) return { kind, ...where };
  const inside = { any: parents.map((parent) => ({ kind: parent })) };
  return where === undefined ? { kind, inside } : { kind, all: [{ inside }, where] };
}

/** Longest text between two clauses of one function: blanks and semicolons. UTF-16 units. */
const MAX_CLAUSE_GAP_LENGTH = 200;

/** Longest name. A record refuses longer ones, and with them the file; a heading with badges can be one. */
const MAX_NAME_LENGTH = 512;

/**
 * Definitions of a parsed text, ordered and linked, still in UTF-16 offsets; `tags` if queries found them. Owners become containers before
 * visibility is decided, which asks the container of a draft and therefore needs it to come first.
 */
export function findDefinitions(
  root: TreeNode,
  found: readonly TreeNode[],
  source: Source,
  tags?: readonly Tag[],
): Draft[] {
  const { text, rules } = source;
  const collected = tags === undefined ? collectDrafts(root, found, source) : collectTagged(root, tags, source);
  const drafts = mergeClauses(collected, text, rules);
  drafts.sort(inDocumentOrder);
  resolveOwners(drafts);
  const hidden = rules.visibility === undefined ? null : hiddenParts(drafts, text, rules.visibility);
  const late = lateExports(text, rules);
  const listed = rules.exportList?.exec(text)?.[1];
  for (const draft of drafts) {
    if (listed !== undefined && draft.container === null && draft.kind !== 'impl')
      draft.exported = lists(listed, draft.name);
    if (draft.container === null && late.has(draft.name)) draft.exported = true;
    draft.exported = isVisible(draft, rules) && !hidden?.has(draft);
  }
  followLaterOwners(drafts, rules);
  return drafts;
}

/** Start ascending, end descending, so that a container stands before what it contains. */
export function inDocumentOrder(a: Draft, b: Draft): number {
  return a.start - b.start || b.end - a.end || a.nameStart - b.nameStart;
}

/** Symbols with byte offsets; containers become indexes. */
export function toSymbols(drafts: readonly Draft[], source: SourceText): CodeSymbol[] {
  const indexes = new Map(drafts.map((draft, index) => [draft, index]));
  return drafts.map((draft, index) => {
    const start = source.toByte(draft.start);
    const end = source.toByte(draft.end);
    const container = draft.container === null ? -1 : (indexes.get(draft.container) ?? -1);
    const symbol: CodeSymbol = {
      name: shortened(draft.name),
      kind: draft.kind,
      container: container < index ? container : -1,
      exported: draft.exported,
      start,
      end,
      startLine: source.lineOf(start),
      endLine: source.lineOf(Math.max(start, end - 1)),
      nameStart: source.toByte(draft.nameStart),
      signature: { start, end: source.toByte(draft.signatureEnd) },
      doc: draft.doc === null ? null : { start: source.toByte(draft.doc.start), end: source.toByte(draft.doc.end) },
    };
    if (draft.fixed) symbol.fixed = true;
    if (draft.arity !== undefined) symbol.arity = draft.arity;
    if (draft.parameters !== undefined) symbol.parameters = draft.parameters;
    return symbol;
  });
}

function shortened(name: string): string {
  const end = isLowSurrogate(name.charCodeAt(MAX_NAME_LENGTH)) ? MAX_NAME_LENGTH - 1 : MAX_NAME_LENGTH;
  return name.slice(0, end);
}

/** The symbol's name with its containers' names before it, joined with dots: `Cart.roll`. */
export function qualifiedName(symbols: readonly CodeSymbol[], index: number): string {
  const names: string[] = [];
  for (let at = index; at >= 0 && at < symbols.length; at = symbols[at].container) names.push(namePart(symbols[at]));
  return names.reverse().join('.');
}

/** Text before the name of a method that is written outside of its type: `func (c *Cart) `, `int Cart::`. */
const RECEIVER = /\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)\s*$/;
const QUALIFIER = /(?<!\w)((?:\w+\s*(?:<[^<>]*>\s*)?::\s*)+)~?$/;

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'trait', 'struct', 'enum', 'object', 'impl', 'type']);

/** As `qualifiedName`. A method that no type of the file contains gets the type that it names: `func (c *Cart) Roll`. */
export function nameWithOwner(bytes: Buffer, symbols: readonly CodeSymbol[], index: number): string {
  const whole = qualifiedName(symbols, index);
  const { container, kind, name, start, nameStart } = symbols[index];
  if (kind !== 'method' && kind !== 'function') return whole;
  if (container >= 0 && TYPES.has(symbols[container].kind)) return whole;
  const head = bytes.toString('utf8', Math.max(start, nameStart - MAX_NAME_LENGTH), nameStart);
  const owner = (kind === 'method' ? RECEIVER.exec(head) : null)?.[1] ?? QUALIFIER.exec(head)?.[1];
  if (owner === undefined) return whole;
  const path = owner
    .replace(/<[^<>]*>|\s/g, '')
    .replace(/::$/, '')
    .replaceAll('::', '.');
  return `${whole.slice(0, whole.length - name.length)}${path}.${name}`;
}

function mergeClauses(drafts: Draft[], text: string, rules: DefinitionRules): Draft[] {
  if (rules.merge === undefined) return drafts;
  const merged: Draft[] = [];
  const replaced = new Map<Draft, Draft>();
  const lastIn = new Map<Draft | null, Draft>();
  for (const draft of drafts) {
    if (draft.container !== null) draft.container = replaced.get(draft.container) ?? draft.container;
    const previous = lastIn.get(draft.container);
    if (previous !== undefined && belongTogether(previous, draft, text, rules)) {
      previous.end = Math.max(previous.end, draft.end);
      previous.bodied ||= draft.bodied;
      previous.exported ||= draft.exported;
      replaced.set(draft, previous);
      continue;
    }
    lastIn.set(draft.container, draft);
    merged.push(draft);
  }
  return merged;
}

function belongTogether(first: Draft, second: Draft, text: string, rules: DefinitionRules): boolean {
  if (first.name !== second.name || first.kind !== second.kind || !FUNCTION_KINDS.has(first.kind)) return false;
  if (rules.merge === 'overloads' && first.bodied) return false;
  const gap = text.slice(first.end, second.start);
  return gap.length <= MAX_CLAUSE_GAP_LENGTH && gap.replace(/;/g, '').trim() === '';
}

/** `func (c *Cart) Roll` belongs to `Cart` if the file defines it, earlier, and the text isn't inside something else. */
function resolveOwners(drafts: readonly Draft[]): void {
  const byName = new Map<string, Draft>();
  for (const draft of drafts) {
    if (draft.owner !== null) {
      const owner = byName.get(draft.owner);
      if (owner !== undefined && owner !== draft && !isInside(owner, draft)) draft.container = owner;
      if (owner !== undefined && draft.kind === 'function') draft.kind = 'method';
    }
    // `Cart::Cart()` is no type, though it has the name of one.
    if (isOuter(draft) && draft.owner !== draft.name && !byName.has(draft.name)) byName.set(draft.name, draft);
  }
}

/** An owner defined further down can't be the container, but its members are methods as visible as it is. */
function followLaterOwners(drafts: readonly Draft[], rules: DefinitionRules): void {
  const orphans = drafts.filter((draft) => draft.owner !== null && draft.container === null);
  if (orphans.length === 0) return;
  const owners = new Map(drafts.filter((draft) => draft.container === null).map((draft) => [draft.name, draft]));
  for (const draft of orphans) {
    const owner = owners.get(draft.owner ?? '');
    if (owner === undefined || owner === draft) continue;
    if (draft.kind === 'function') draft.kind = 'method';
    if (rules.exported.name === undefined) draft.exported ||= owner.exported;
  }
}

function isInside(inner: Draft, outer: Draft): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function isOuter(draft: Draft): boolean {
  for (let at = draft.container; at !== null; at = at.container) if (FUNCTION_KINDS.has(at.kind)) return false;
  return true;
}

/** Is it visible by its own modifiers, and in containers that all are? Containers come first in the list. */
function isVisible(draft: Draft, rules: DefinitionRules): boolean {
  const { container } = draft;
  // The method of a type has a name of its own, which tells who sees it in such languages: `func (c *Cart) total()`.
  if (container === null || (draft.owner !== null && rules.exported.name !== undefined)) return draft.exported;
  if (draft.owner !== null) return draft.exported || (container.exported && container.name === draft.owner);
  if (FUNCTION_KINDS.has(container.kind)) return false;
  return container.exported && (draft.exported || container.opens);
}

/** Names exported by a statement apart from their definition. */
function lateExports(text: string, rules: DefinitionRules): Set<string> {
  const names = new Set<string>();
  for (const { needs, pattern } of rules.lateExports ?? []) {
    if (!text.includes(needs)) continue;
    for (const match of text.matchAll(pattern)) {
      for (const part of match[1].split(',')) {
        const name = /^\s*(?:type\s+)?([\w$]+)/.exec(part)?.[1];
        if (name !== undefined) names.add(name);
      }
    }
  }
  return names;
}

function lists(list: string, name: string): boolean {
  return list.split(/[^\w'.]+/).includes(name);
}

/** Definitions after a line that says `private`, up to the end of their container or a line that says otherwise. */
function hiddenParts(drafts: readonly Draft[], text: string, visibility: { hide: RegExp; show: RegExp }): Set<Draft> {
  const hidden = new Set<Draft>();
  const state = new Map<Draft | null, { at: number; hide: boolean }>();
  for (const draft of drafts) {
    if (draft.container === null || !isInside(draft, draft.container)) continue;
    const before = state.get(draft.container) ?? { at: draft.container.signatureEnd, hide: false };
    let hide = before.hide;
    for (const line of text.slice(before.at, draft.start).split('\n')) {
      if (visibility.hide.test(line)) hide = true;
      else if (visibility.show.test(line)) hide = false;
    }
    state.set(draft.container, { at: draft.end, hide });
    if (hide && !draft.made) hidden.add(draft);
  }
  return hidden;
}
