/** Definitions of a name anywhere in the repository. */
import type { Context } from './context.js';
import { type ExpectedKinds, FUNCTIONS } from './kinds.js';
import { isReopened } from './members.js';
import { type NameResolution, type SymbolRef, symbolValue } from './values.js';

/** `Cart.cs` is where one looks for Cart first, of all parts that it has. */
export function isNamed(ctx: Context, file: number, name: string): boolean {
  const path = ctx.symbols.path(file);
  return path.slice(path.lastIndexOf('/') + 1).startsWith(`${name}.`) && path.split('.').length === 2;
}

/** A name that is defined so often tells nothing, and each use of it would look at all of them. */
const MAX_DEFINITIONS = 2_000;

/** The only definition that a filter lets through; `ambiguous` where there are several. */
export function amongDefinitions(
  ctx: Context,
  file: number,
  name: string,
  expected: ExpectedKinds,
  allowed: (file: number, node: number) => boolean,
): NameResolution | null {
  const { nodes } = ctx.symbols.snapshot;
  let best: SymbolRef | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  let count = 0;
  const definitions = ctx.symbols.definitions(name);
  if (definitions.length > MAX_DEFINITIONS) return null;
  for (const node of definitions) {
    const other = nodes.fileOf(node);
    if (other === file || !allowed(other, node) || !ctx.symbols.sameFamily(file, other)) continue;
    const kind = nodes.kind(node);
    if (kind === 'method' || kind === 'constructor' || kind === 'impl') continue;
    const rank = expected.findIndex((kinds) => kinds.has(kind));
    const symbol = nodes.symbolOf(node);
    if (rank < 0 || rank > bestRank || !nodes.isOuter(node, ctx.symbols.semantics(other).openNamespaces)) continue;
    ctx.recorder.note(other, name);
    if (FUNCTIONS.has(kind) && ctx.symbols.instance(other, symbol) !== undefined) continue;
    if (rank === bestRank && best !== null && areCompanions(ctx, best, { file: other, symbol })) {
      if (kind !== 'object') best = { file: other, symbol };
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

/** `class Cart` and `object Cart` beside it: one type, by one name. */
function areCompanions(ctx: Context, a: SymbolRef, b: SymbolRef): boolean {
  if (a.file !== b.file) return false;
  const one = ctx.symbols.symbol(a.file, a.symbol);
  const other = ctx.symbols.symbol(b.file, b.symbol);
  return one.container === other.container && (one.kind === 'object') !== (other.kind === 'object');
}
