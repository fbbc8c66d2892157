/**
 * Resolves names at a file's top level that may be declared in callbacks and blocks. The facts do not tell how far a
 * callback reaches and list its declarations at top level, so line numbers decide which declaration is meant.
 */
import type { Binding } from '../../languages/roles/relation-facts.js';
import { bindingAt, bindingValue } from './bindings.js';
import type { Context } from './context.js';
import { type ExpectedKinds, rankOf } from './kinds.js';
import { type NameResolution, symbolValue } from './values.js';
import { MAX_SCOPES } from './visible.js';

/** Maximum distance in lines between a declaration in a callback and its use. Longer callbacks are rare. */
const MAX_USE_DISTANCE = 60;

/** Use of a name, with its place and expected kinds. */
interface Use {
  file: number;
  /** Symbol that encloses the use. */
  scope: number;
  name: string;
  expected: ExpectedKinds;
  line: number;
}

/**
 * Resolves a name at top level to the nearest symbol or binding. `symbols` are the symbols of that name, `imported`
 * tells that an import has the name too, and `bound` that bindings can be meant.
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

/**
 * Chooses among unexported definitions of equal rank the last one before the use, as each may be in a callback of its
 * own.
 */
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

/** Does the binding hide the symbol, because both binding and use are in one callback, as far as lines tell? */
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
    // A binding inside the lines of a symbol of that name is the symbol's own.
    if (startLine <= binding.line && binding.line <= endLine) return false;
  }
  const start = symbol < 0 ? 0 : ctx.symbols.symbol(file, symbol).startLine;
  if (start > line) return true;
  return start < binding.line && line - binding.line <= MAX_USE_DISTANCE;
}

/** Is the use inside of an exported symbol? Exported symbols are not in callbacks. */
function isExportedScope(ctx: Context, file: number, scope: number): boolean {
  let at = scope;
  for (let depth = 0; at >= 0 && depth < MAX_SCOPES; depth++) {
    const { container, exported } = ctx.symbols.symbol(file, at);
    if (container < 0) return exported;
    at = container;
  }
  return false;
}
