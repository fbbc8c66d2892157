/**
 * Names of callbacks and blocks at a file's top level. No facts say how far a callback reaches: what is declared in it
 * stands beside what is declared at top level, so that lines have to tell which is meant.
 */
import type { Binding } from '../../extract/relations.js';
import { bindingAt, bindingValue } from './bindings.js';
import type { Context } from './context.js';
import { type ExpectedKinds, rankOf } from './kinds.js';
import { type NameResolution, symbolValue } from './values.js';
import { MAX_SCOPES } from './visible.js';

/** A callback that uses what it declares further down than this is seldom written. Lines. */
const MAX_USE_DISTANCE = 60;

/** A use of a name: where, and what it can mean. */
export interface Use {
  file: number;
  /** The symbol that it stands in. */
  scope: number;
  name: string;
  expected: ExpectedKinds;
  line: number;
}

/**
 * The nearest of the symbols and bindings of a name at top level. `symbols`: those of that name; `imported`: an import
 * has the name as well; `bound`: bindings can be meant.
 */
export function atTop(
  ctx: Context,
  use: Use,
  symbols: readonly number[],
  imported: boolean,
  bound: boolean,
): NameResolution | null {
  const { file, name, line } = use;
  const symbol = nearest(ctx, use, symbols);
  const binding = bound ? bindingAt(ctx, file, -1, name, line) : undefined;
  const other = symbol >= 0 || imported;
  if (binding !== undefined && (!other || hides(ctx, use, binding, symbols, symbol))) {
    return { value: bindingValue(ctx, file, binding, line), tier: 'receiver' };
  }
  return symbol < 0 ? null : { value: symbolValue({ file, symbol }), tier: 'same-file' };
}

/** Of definitions of the same sort, none of which other files see, the last one before the use: each in a callback of its own. */
function nearest(ctx: Context, { file, expected, line }: Use, symbols: readonly number[]): number {
  const best = ctx.symbols.best(file, symbols, expected);
  if (best < 0 || symbols.length < 2 || !Number.isFinite(line)) return best;
  const rank = rankOf(ctx.symbols.symbol(file, best).kind, expected);
  let chosen = best;
  for (const symbol of symbols) {
    const { kind, exported, startLine } = ctx.symbols.symbol(file, symbol);
    if (rankOf(kind, expected) !== rank) continue;
    if (exported) return best;
    if (startLine <= line) chosen = symbol;
  }
  return chosen;
}

/** Is it a binding of a callback that the use is in, as far as lines tell? */
function hides(
  ctx: Context,
  { file, scope, line }: Use,
  binding: Binding,
  symbols: readonly number[],
  symbol: number,
): boolean {
  if (!Number.isFinite(line) || binding.line > line || isExportedScope(ctx, file, scope)) return false;
  for (const own of symbols) {
    const { startLine, endLine } = ctx.symbols.symbol(file, own);
    // What a constant's own binding says is known by its symbol.
    if (startLine <= binding.line && binding.line <= endLine) return false;
  }
  const start = symbol < 0 ? 0 : ctx.symbols.symbol(file, symbol).startLine;
  if (start > line) return true;
  return start < binding.line && line - binding.line <= MAX_USE_DISTANCE;
}

/** What other files see stands in no callback. */
function isExportedScope(ctx: Context, file: number, scope: number): boolean {
  let at = scope;
  for (let depth = 0; at >= 0 && depth < MAX_SCOPES; depth++) {
    const { container, exported } = ctx.symbols.symbol(file, at);
    if (container < 0) return exported;
    at = container;
  }
  return false;
}
