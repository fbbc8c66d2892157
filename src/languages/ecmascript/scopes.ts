/** Types that are known everywhere without an import, and types that are known in one block alone. */
import type { DefinitionView, FactSink, NodeRule } from '../roles/relations.js';
import type { SyntaxNode } from '../roles/syntax-node.js';
import { EVERYWHERE } from './runtime-types.js';

/** `declare global { … }` */
const GLOBAL = /^declare\s+global\b/;
/** Definitions of one block: more are made to be slow. */
const MAX_DEFINITIONS = 5_000;

/** Names in `declare global` are exported to all files. */
export const ambient: NodeRule = (node, sink) => {
  if (!GLOBAL.test(sink.source.slice(node.start, node.start + 60))) return;
  const block = node.namedChildren.find(({ kind }) => kind === 'statement_block');
  for (const child of block?.namedChildren.slice(0, MAX_DEFINITIONS) ?? []) {
    for (const name of namesIn(child)) exportGlobal(name.start, name.text, sink);
  }
};

/** Names that a statement declares; `export` and the expression around a namespace are looked into. */
function namesIn(statement: SyntaxNode): SyntaxNode[] {
  const name = statement.field('name');
  if (name !== null) return [name];
  return statement.namedChildren.flatMap((child) => child.field('name') ?? []);
}

function exportGlobal(at: number, name: string, sink: FactSink): void {
  if (NAME.test(name)) sink.export(at, `${EVERYWHERE}${name}`, name);
}

const NAME = /^[\p{L}_$][\p{L}\p{N}_$]*$/u;

/** Lines that make a file a module, or that run: such files declare nothing for others. */
const NOT_AMBIENT =
  /^(?:import|export|const|let|var|function|async|class|if|for|while|switch|try|throw|return|module\.|exports\.|require\()|^[\w$.]+\s*[.(=]|^[([`]|^["']use strict/m;
/** Prose in comments begins lines, too. */
const COMMENTS = /\/\*(?:[^*]|\*(?!\/))*\*\//g;
const ambientFiles = new WeakMap<FactSink, boolean>();

/** In a file of declarations that is no module, every definition at top level is known in all files. */
export function ambientDefinition({ kind, container, nameStart, name }: DefinitionView, sink: FactSink): void {
  if (container !== null || kind === 'enum-member') return;
  let isAmbient = ambientFiles.get(sink);
  if (isAmbient === undefined) {
    isAmbient = !NOT_AMBIENT.test(sink.source.replace(COMMENTS, ''));
    ambientFiles.set(sink, isAmbient);
  }
  if (isAmbient) exportGlobal(nameStart, name, sink);
}

/** Nodes between a type and the block that it is declared in. */
const MAX_STEPS = 3;

/** `type Cart = …` in the body of a function: in that block the name means no other type. */
export const innerType: NodeRule = (node, sink) => {
  let block = node.parent;
  for (let step = 0; step < MAX_STEPS && block !== null && block.kind !== 'statement_block'; step++)
    block = block.parent;
  if (block?.kind !== 'statement_block' || OPEN.test(block.parent?.kind ?? 'program')) return;
  const name = node.field('name')?.text ?? '';
  if (NAME.test(name)) sink.hidden(block.start, block.end, name);
};

/** Kinds of nodes whose blocks hold definitions that others can name. */
const OPEN = /^(?:program|internal_module|module|ambient_declaration)$/;
