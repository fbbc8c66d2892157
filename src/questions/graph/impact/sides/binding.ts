/** Whether something binds a name in a file, or a file gives it to others: what would make a use of it no dangling one. */
import type { Graph } from '../../../../graph/graph.js';
import { isType, lastNodeOf } from '../../../../graph/query/uses.js';
import { conventionsOf, semanticsOf } from '../../../../languages/registry.js';
import type { Import } from '../../../../languages/roles/relation-facts.js';
import type { FileText, FileTexts } from './file-texts.js';

/** Files that an import leads to; null if it leads out of the repository, or nowhere. */
export function targetsOf(graph: Graph, file: number, { specifier, startLine }: Import): number[] | null {
  const first = graph.fileNode(file);
  const targets: number[] = [];
  for (let node = first; node < lastNodeOf(graph, first); node++) {
    const [start, end] = graph.edgeRange(node);
    for (let edge = start; edge < end; edge++) {
      if (!graph.isFileEdge(edge) || graph.tables.edgeLine[edge] !== startLine || graph.edge(edge).name !== specifier)
        continue;
      if (graph.target(edge) < 0) return null;
      targets.push(graph.fileOf(graph.target(edge)));
    }
  }
  return targets.length === 0 ? null : targets;
}

const isWildcard = ({ names, kind }: Import): boolean =>
  names.length === 0
    ? kind === 'reexport' || kind === 'include'
    : names.some(({ name, alias }) => name === '*' && alias === '');

export function wildcardsIn({ facts }: FileText): Import[] {
  return facts.relations.imports.filter(isWildcard);
}

/** Imports by which a file has a name, with the name as the other file calls it. */
export function importsOf({ facts }: FileText, alias: string): { item: Import; name: string }[] {
  return facts.relations.imports.flatMap((item) =>
    item.names.filter((each) => each.alias === alias).map(({ name }) => ({ item, name })),
  );
}

/** Does something bind the name around a symbol (-1: the top level) of the file? */
export function isBoundAround({ facts }: FileText, name: string, symbol: number): boolean {
  const scopes = new Set([-1]);
  for (let at = symbol; at >= 0; at = facts.symbols[at]?.container ?? -1) scopes.add(at);
  const { bindings } = facts.relations;
  return (
    bindings.some((binding) => binding.name === name && scopes.has(binding.scope)) ||
    facts.symbols.some((one) => one.name === name && scopes.has(one.container))
  );
}

/**
 * Does nothing in the file bind the name, so that each use of it without a receiver means what an import brings? `mentioned`: uses
 * that facts do not tell count as uses.
 */
export function isFree(text: FileText, name: string, uses: 'known' | 'mentioned' = 'known'): boolean {
  const { symbols, relations } = text.facts;
  const isBound = symbols.some((symbol) => symbol.name === name && !isMember(text, symbol.container));
  if (isBound || relations.bindings.some((binding) => binding.name === name)) return false;
  // Some uses are no facts: then no mention may look like a binding.
  return uses === 'known' ? isOnlyUsed(text, name) : text.mentions(name).every(({ isBound: given }) => !given);
}

const TYPE_KINDS: ReadonlySet<string> = new Set([
  'class',
  'interface',
  'struct',
  'trait',
  'enum',
  'impl',
  'object',
  'type',
]);

const isMember = ({ facts }: FileText, container: number): boolean =>
  container >= 0 && TYPE_KINDS.has(facts.symbols[container].kind);

/** Are all mentions of the name uses of it, as far as text tells? */
export function isOnlyUsed(text: FileText, name: string): boolean {
  const { references, imports } = text.facts.relations;
  const used = new Set<number>();
  for (const { name: last, receiver, startLine, endLine } of references) {
    if (last !== name && receiver.split(/[.([]/, 1)[0] !== name) continue;
    for (let line = startLine; line <= endLine; line++) used.add(line);
  }
  const imported = new Set<number>();
  for (const { names, startLine, endLine } of imports) {
    if (!names.some((each) => each.alias === name)) continue;
    for (let line = startLine; line <= endLine; line++) imported.add(line);
  }
  return text.mentions(name).every(({ line, isMember: afterDot, isBound }) => {
    if (imported.has(line)) return true;
    return afterDot ? !isBound : used.has(line) && !isBound;
  });
}

/** Is it certain that a file gives others nothing of that name? A symbol that is not exported counts as nothing. */
export function isAbsent(
  graph: Graph,
  texts: FileTexts,
  file: number,
  name: string,
  seen = new Set<number>(),
): boolean {
  if (seen.has(file)) return true;
  seen.add(file);
  const text = texts.get(file);
  if (text === undefined || seen.size > MAX_BARRELS) return false;
  const { language } = graph.tables.files[file];
  const { symbols, relations } = text.facts;
  const { dynamicNames } = conventionsOf(language);
  if (symbols.some((symbol) => dynamicNames?.has(symbol.name))) return false;
  // A value that is exported as a whole has members that nothing tells, unless the file defines it.
  const isWhole = (local: string) => !symbols.some((symbol) => symbol.name === local);
  if (relations.exports.some(({ name: out, local }) => out === name || (out === '=' && isWhole(local)))) return false;
  const own = symbols.filter((symbol) => symbol.name === name && !isMember(text, symbol.container));
  const isHidden =
    own.length > 0 && semanticsOf(language).exports === 'marked' && !own.some(({ exported }) => exported);
  if (!isHidden && (own.length > 0 || importsOf(text, name).length > 0 || !isOnlyUsed(text, name))) return false;
  return wildcardsIn(text).every((item) => {
    const targets = targetsOf(graph, file, item);
    return targets?.every((target) => isAbsent(graph, texts, target, name, seen)) ?? false;
  });
}

/** Does text of the file bind the name at its top level, though no symbol says so? */
export function mayGive(text: FileText | undefined, name: string): boolean {
  if (text === undefined) return false;
  const { bindings } = text.facts.relations;
  const isBound = bindings.some((binding) => binding.name === name && binding.scope < 0);
  const mentions = text.mentions(name);
  return isBound || importsOf(text, name).length > 0 || mentions.some((one) => !one.isMember && one.isBound);
}

/** Files that pass on what other files define. */
const MAX_BARRELS = 60;

/** Files that `files` pass on, as far as wildcards lead. */
export function* barrelsOf(graph: Graph, files: Iterable<number>): Generator<number> {
  const seen = new Set(files);
  for (const file of seen) {
    yield file;
    if (seen.size > MAX_BARRELS) continue;
    const [start, end] = graph.edgeRange(graph.fileNode(file));
    for (let edge = start; edge < end; edge++)
      if (PASSES_ON.has(graph.edgeKind(edge)) && graph.target(edge) >= 0) seen.add(graph.fileOf(graph.target(edge)));
  }
}

const PASSES_ON: ReadonlySet<string> = new Set(['reexport', 'type-reexport', 'include', 'import']);

/** Types around a node, the innermost first. */
export function typesAround(graph: Graph, node: number): number[] {
  const found: number[] = [];
  for (let at = node; at >= 0 && !graph.isFile(at); at = graph.container(at)) if (isType(graph, at)) found.push(at);
  return found;
}
