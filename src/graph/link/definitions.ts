/** Looks a name up among all definitions of the repository. */
import type { Context } from './context.js';
import { type ExpectedKinds, FUNCTIONS, TYPES } from './kinds.js';
import { isReopened } from './parts.js';
import { type NameResolution, type SymbolRef, symbolValue } from './values.js';

/**
 * Is the file named after the symbol, as `Cart.cs` is? Of several parts of a type, the one in that file is preferred.
 */
export function isNamed(ctx: Context, file: number, name: string): boolean {
  const path = ctx.symbols.path(file);
  return path.slice(path.lastIndexOf('/') + 1).startsWith(`${name}.`) && path.split('.').length === 2;
}

/** Maximum number of definitions of a name. With more, each use would scan them all and still be ambiguous. */
const MAX_DEFINITIONS = 2_000;

/** Best definition that the filter allows; `ambiguous` if there are several. */
export function amongDefinitions(
  ctx: Context,
  file: number,
  name: string,
  expected: ExpectedKinds,
  allowed: (file: number, node: number) => boolean,
  definitions: Uint32Array = ctx.symbols.definitions(name),
): NameResolution | null {
  const { nodes } = ctx.symbols.snapshot;
  let best: SymbolRef | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  let count = 0;
  if (definitions.length > MAX_DEFINITIONS) return null;
  for (const node of definitions) {
    const other = nodes.fileOf(node);
    if (other === file || !allowed(other, node) || !ctx.symbols.sameFamily(file, other)) continue;
    const kind = nodes.kind(node);
    if (kind === 'method' || kind === 'constructor' || kind === 'impl') continue;
    const rank = expected.findIndex((kinds) => kinds.has(kind));
    const symbol = nodes.symbolOf(node);
    const { openNamespaces, openEnums } = ctx.symbols.semantics(other);
    if (rank < 0 || rank > bestRank || !nodes.isOuter(node, openNamespaces, openEnums)) continue;
    ctx.recorder.note(other, name);
    if (FUNCTIONS.has(kind) && ctx.symbols.instance(other, symbol) !== undefined) continue;
    if (rank === bestRank && best !== null && areCompanions(ctx, best, { file: other, symbol })) {
      if (kind !== 'object') best = { file: other, symbol };
      continue;
    }
    const variant: number | null =
      rank === bestRank && best !== null ? ctx.symbols.snapshot.resolver.variant(file, best.file, other) : null;
    if (variant !== null) {
      if (variant === other) best = { file: other, symbol };
      continue;
    }
    if (rank < bestRank) count = 0;
    if (rank < bestRank || isNamed(ctx, other, name)) best = { file: other, symbol };
    bestRank = rank;
    if (count === 0 || !isReopened(ctx.symbols.semantics(other), kind)) count++;
  }
  if (best === null) return null;
  return { value: symbolValue(best), tier: count === 1 ? 'unique' : 'ambiguous' };
}

/** A type that a file may name without its header, by `class Cart;`: the only one of that name. */
export function declaredType(ctx: Context, file: number, name: string, expected: ExpectedKinds): NameResolution | null {
  const { nodes } = ctx.symbols.snapshot;
  const isType = (_: number, node: number): boolean => nodes.isExported(node) && TYPES.has(nodes.kind(node));
  const found = amongDefinitions(ctx, file, name, expected, isType);
  return found?.tier === 'unique' ? found : null;
}

/** A macro of another file. */
export function macroNamed(ctx: Context, name: string): NameResolution | null {
  const { nodes } = ctx.symbols.snapshot;
  return amongDefinitions(ctx, ctx.file, name, MACRO, (_, node) => nodes.kind(node) === 'macro');
}

const MACRO = [new Set(['macro'] as const)];

/** Are the symbols a class and its companion object, which are one type with one name? */
function areCompanions(ctx: Context, a: SymbolRef, b: SymbolRef): boolean {
  if (a.file !== b.file) return false;
  const one = ctx.symbols.symbol(a.file, a.symbol);
  const other = ctx.symbols.symbol(b.file, b.symbol);
  return one.container === other.container && (one.kind === 'object') !== (other.kind === 'object');
}
