/** Definitions of a name anywhere in the repository. */
import type { Context } from './context.js';
import { FUNCTIONS, type Wanted } from './kinds.js';
import { isReopened } from './members.js';
import { type Found, symbolValue, type Target } from './values.js';

/** `Cart.cs` is where one looks for Cart first, of all parts that it has. */
export function isNamed(ctx: Context, file: number, name: string): boolean {
  const path = ctx.world.path(file);
  return path.slice(path.lastIndexOf('/') + 1).startsWith(`${name}.`) && path.split('.').length === 2;
}

/** A name that is defined so often tells nothing, and each use of it would look at all of them. */
const MOST_DEFINITIONS = 2_000;

/** The only definition that a filter lets through; `ambiguous` where there are several. */
export function amongDefinitions(
  ctx: Context,
  file: number,
  name: string,
  wanted: Wanted,
  allowed: (file: number, node: number) => boolean,
): Found | null {
  const { nodes } = ctx.world.snapshot;
  let best: Target | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  let count = 0;
  const definitions = ctx.world.definitions(name);
  if (definitions.length > MOST_DEFINITIONS) return null;
  for (const node of definitions) {
    const other = nodes.fileOf(node);
    if (other === file || !allowed(other, node) || !ctx.world.sameFamily(file, other)) continue;
    const kind = nodes.kind(node);
    if (kind === 'method' || kind === 'constructor' || kind === 'impl') continue;
    const rank = wanted.findIndex((kinds) => kinds.has(kind));
    const symbol = nodes.symbolOf(node);
    if (rank < 0 || rank > bestRank || !nodes.isOuter(node, ctx.world.semantics(other).openNamespaces)) continue;
    ctx.recorder.note(other, name);
    if (FUNCTIONS.has(kind) && ctx.world.instance(other, symbol) !== undefined) continue;
    if (rank === bestRank && best !== null && areCompanions(ctx, best, { file: other, symbol })) {
      if (kind !== 'object') best = { file: other, symbol };
      continue;
    }
    if (rank < bestRank) count = 0;
    if (rank < bestRank || isNamed(ctx, other, name)) best = { file: other, symbol };
    bestRank = rank;
    if (count === 0 || !isReopened(ctx.world.semantics(other), kind)) count++;
  }
  if (best === null) return null;
  return { value: symbolValue(best), tier: count === 1 ? 'unique' : 'ambiguous' };
}

/** `class Cart` and `object Cart` beside it: one type, by one name. */
function areCompanions(ctx: Context, a: Target, b: Target): boolean {
  if (a.file !== b.file) return false;
  const one = ctx.world.symbol(a.file, a.symbol);
  const other = ctx.world.symbol(b.file, b.symbol);
  return one.container === other.container && (one.kind === 'object') !== (other.kind === 'object');
}
