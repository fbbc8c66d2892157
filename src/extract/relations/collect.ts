/** Runs a language's relation rules over what the query found in one tree: text around positions. */

import type { NameRules, RelationRules } from '../../languages/roles/relations.js';
import { isSpace, skipString, type TextRange } from '../../languages/roles/scan.js';
import { type Draft, FUNCTION_KINDS, TYPE_KINDS } from '../draft.js';
import type { SyntaxTree, TreeNode } from '../syntax-tree.js';
import { RelationSink } from './fact-sink.js';
import { hideTypes } from './hidden-types.js';
import { addImpliedReceivers } from './implied.js';
import { separateInnerNames } from './inner-names.js';
import { addNameUses, declaredBy } from './name-uses.js';
import { type OpaqueRange, withoutNames } from './opaque.js';
import { inImport, type RawRelations } from './raw.js';
import { tellUses } from './told.js';

/** Nodes looked at in one file: beyond it are generated and minified files, whose names tell nothing. */
const MAX_NODES = 200_000;
/** A line looked at for a comment's start, backwards. */
const MAX_LINE_LENGTH = 300;

/** Facts of a parsed text. `found` are the nodes of the kinds that the rules name, `drafts` its definitions. */
export function collectRelations(
  found: readonly TreeNode[],
  source: string,
  rules: RelationRules,
  drafts: readonly Draft[],
  tree: SyntaxTree,
): RawRelations {
  const nodes = innerFirst(found);
  const brackets = new Map<number, number>();
  const bracketKinds = new Set(rules.brackets);
  for (const node of nodes) if (bracketKinds.has(node.kind)) brackets.set(node.start, node.end);
  const sink = new RelationSink(source, rules, brackets);
  const readers = new Map(Object.entries(rules.nodes));
  for (const node of nodes) readers.get(node.kind)?.(node, sink);
  if (rules.definition !== undefined) for (const draft of drafts) rules.definition(viewOfDraft(draft), sink);
  rules.text?.(sink);
  const silent = rules.names === undefined ? null : withoutNames(opaqueOf(nodes, rules.names));
  if (rules.values !== undefined) addValues(rules.values, sink, drafts, silent);
  if (rules.names !== undefined) addNameUses(rules.names, silent ?? [], sink, drafts);
  const facts = sink.facts();
  hideTypes(facts);
  tellUses(facts);
  addImpliedReceivers(facts, drafts);
  if (rules.callbacks !== undefined) separateInnerNames(facts, drafts, tree, rules.callbacks);
  return facts;
}

function opaqueOf(nodes: readonly TreeNode[], { opaque, code = [] }: NameRules): OpaqueRange[] {
  const kinds = new Map([
    ...opaque.map((kind) => [kind, false] as const),
    ...code.map((kind) => [kind, true] as const),
  ]);
  const ranges: OpaqueRange[] = [];
  for (const { kind, start, end } of nodes) {
    const isCode = kinds.get(kind);
    if (isCode !== undefined) ranges.push({ start, end, isCode });
  }
  return ranges;
}

/** Inner before outer, so that access paths and values find what was read in them. */
function innerFirst(found: readonly TreeNode[]): TreeNode[] {
  const nodes = found.slice(0, MAX_NODES).filter(({ start, end }) => end > start);
  return nodes.sort((a, b) => a.end - b.end || b.start - a.start);
}

function viewOfDraft(draft: Draft) {
  const { kind, name, start, nameStart, signatureEnd, end, doc } = draft;
  const nameEnd = Math.min(nameStart + name.length, end);
  return { kind, name, container: draft.container?.kind ?? null, start, nameStart, nameEnd, signatureEnd, end, doc };
}

/** Names that are passed to other code. Only names of this file count, which most matches of the expression aren't. */
function addValues(
  pattern: RegExp,
  sink: RelationSink,
  drafts: readonly Draft[],
  silent: readonly TextRange[] | null,
): void {
  const { source, raw } = sink;
  const { names, methods } = namesOf(raw, drafts);
  const taken = declaredBy(raw, drafts);
  for (const facts of [raw.bindings, raw.references, raw.exports]) for (const { at } of facts) taken.add(at);
  raw.imports.sort((a, b) => a.at - b.at);
  let next = 0;
  for (const match of source.matchAll(pattern)) {
    const written = match[1];
    const dot = written.indexOf('.');
    const first = dot === -1 ? written : written.slice(0, dot);
    if (first === 'this' ? dot === -1 || !methods.has(written.slice(dot + 1)) : !names.has(first)) continue;
    const end = match.index + match[0].trimEnd().length;
    const at = end - (written.length - written.lastIndexOf('.') - 1);
    if (taken.has(at) || inImport(raw, at)) continue;
    while (silent !== null && next < silent.length && silent[next].end <= at) next++;
    if (silent === null ? isProse(source, at, sink) : next < silent.length && silent[next].start <= at) continue;
    sink.reference(at, end, 'value', written);
  }
}

/** Meanings of bare names (imports, and symbols that are no members), and of members of the instance. */
function namesOf(raw: RawRelations, drafts: readonly Draft[]): { names: Set<string>; methods: Set<string> } {
  const names = new Set<string>();
  const methods = new Set<string>();
  for (const fact of raw.imports) for (const { alias } of fact.names) names.add(alias);
  for (const { name, kind, container } of drafts) {
    if (FUNCTION_KINDS.has(kind)) methods.add(name);
    if (container === null || !TYPE_KINDS.has(container.kind)) names.add(name);
  }
  return { names, methods };
}

/** In a comment or a string, by the line's text alone. An apostrophe in prose counts as one: better nothing than prose. */
function isProse(source: string, at: number, { rules }: RelationSink): boolean {
  const from = Math.max(0, at - MAX_LINE_LENGTH);
  const line = source.slice(from, at);
  const before = line.slice(line.lastIndexOf('\n') + 1);
  const { lineComments, blockComment, quotes } = rules.lexical;
  if (blockComment !== undefined && before.trimStart().startsWith('*')) return true;
  if (blockComment !== undefined && before.lastIndexOf(blockComment[0]) > before.lastIndexOf(blockComment[1]))
    return true;
  if (lineComments.some((open) => startsComment(before, open))) return true;
  for (let to = at - before.length; to < at; ) {
    const after = skipString(source, to, at + 1, quotes);
    if (after > at) return source[to] !== '`';
    to = Math.max(after, to + 1);
  }
  return false;
}

/** A comment's start at the line's beginning or behind white space: elsewhere it is part of a word or an address. */
function startsComment(line: string, open: string): boolean {
  for (let at = line.indexOf(open); at !== -1; at = line.indexOf(open, at + 1)) {
    if (at === 0 || isSpace(line.charCodeAt(at - 1))) return true;
  }
  return false;
}
