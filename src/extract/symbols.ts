/** From drafts to the ordered symbol list of a record: merging clauses, owners, visibility, byte offsets. */

import type { DefinitionRules } from '../languages/roles/definitions.js';
import { collectDrafts } from './collect.js';
import { type Draft, FUNCTION_KINDS, type Source } from './draft.js';
import type { CodeSymbol } from './facts.js';
import type { TreeNode } from './syntax-tree.js';
import { isLowSurrogate, type SourceText } from './text.js';

/** Text that may be between two clauses of one function: nothing, or comments and attributes. */
const MAX_CLAUSE_GAP_LENGTH = 4;

/** A record refuses longer names, and with them its file. A heading with badges can be one. */
const MAX_NAME_LENGTH = 512;

/** Definitions of a parsed text, ordered and linked, still in UTF-16 offsets. */
export function findDefinitions(root: TreeNode, found: readonly TreeNode[], source: Source): Draft[] {
  const { text, rules } = source;
  const drafts = mergeClauses(collectDrafts(root, found, source), text, rules);
  drafts.sort(inDocumentOrder);
  resolveOwners(drafts);
  const hidden = rules.visibility === undefined ? null : hiddenParts(drafts, text, rules.visibility);
  const late = lateExports(text, rules);
  const listed = rules.exportList?.exec(text)?.[1];
  for (const draft of drafts) {
    if (listed !== undefined && draft.container === null && draft.kind !== 'impl')
      draft.exported = lists(listed, draft.name);
    if (draft.container === null && late.has(draft.name)) draft.exported = true;
    draft.exported = isVisible(draft) && !hidden?.has(draft);
  }
  followLaterOwners(drafts);
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
    return {
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
  });
}

function shortened(name: string): string {
  const end = isLowSurrogate(name.charCodeAt(MAX_NAME_LENGTH)) ? MAX_NAME_LENGTH - 1 : MAX_NAME_LENGTH;
  return name.slice(0, end);
}

/** The symbol's name with its containers' names before it, joined with dots: `Cart.roll`. */
export function qualifiedName(symbols: readonly CodeSymbol[], index: number): string {
  const names: string[] = [];
  for (let at = index; at >= 0 && at < symbols.length; at = symbols[at].container) names.push(symbols[at].name);
  return names.reverse().join('.');
}

/** Text before the name of a method that is written outside of its type: `func (c *Cart) `, `int Cart::`. */
const RECEIVER = /\(\s*(?:\w+\s+)?\*?\s*(\w+)(?:\[[^\]]*\])?\s*\)\s*$/;
const QUALIFIER = /(?<!\w)((?:\w+\s*(?:<[^<>]*>\s*)?::\s*)+)~?$/;

const TYPES: ReadonlySet<string> = new Set(['class', 'interface', 'trait', 'struct', 'enum', 'object', 'impl', 'type']);

/** As `qualifiedName`, with the type that a method names where no type of the file contains it. */
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
  return gap.length <= MAX_CLAUSE_GAP_LENGTH * 50 && gap.replace(/;/g, '').trim() === '';
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
    if (isOuter(draft) && !byName.has(draft.name)) byName.set(draft.name, draft);
  }
}

/** An owner defined further down can't be the container, but its members are methods as visible as it is. */
function followLaterOwners(drafts: readonly Draft[]): void {
  const orphans = drafts.filter((draft) => draft.owner !== null && draft.container === null);
  if (orphans.length === 0) return;
  const owners = new Map(drafts.filter((draft) => draft.container === null).map((draft) => [draft.name, draft]));
  for (const draft of orphans) {
    const owner = owners.get(draft.owner ?? '');
    if (owner === undefined || owner === draft) continue;
    if (draft.kind === 'function') draft.kind = 'method';
    draft.exported ||= owner.exported;
  }
}

function isInside(inner: Draft, outer: Draft): boolean {
  return inner.start >= outer.start && inner.end <= outer.end;
}

function isOuter(draft: Draft): boolean {
  for (let at = draft.container; at !== null; at = at.container) if (FUNCTION_KINDS.has(at.kind)) return false;
  return true;
}

/** Own modifiers, and every container must be visible too; containers come first in the list. */
function isVisible(draft: Draft): boolean {
  const { container } = draft;
  if (container === null) return draft.exported;
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
    if (hide) hidden.add(draft);
  }
  return hidden;
}
