/** What can be named directly in a scope. */
import type { Context } from './context.js';
import { isOwned } from './enclosing.js';
import { FUNCTIONS } from './kinds.js';

/** Scopes deeper than this are nobody's code. */
export const MOST_SCOPES = 200;

/** Symbols that stand directly in a function, or at top level, and can be named without more. */
export function visibleIn(ctx: Context, file: number, at: number, name: string): number[] {
  return ctx.world.symbolsNamed(file, name).filter((symbol) => {
    const own = ctx.world.symbol(file, symbol);
    if (own.container !== at || own.kind === 'method' || own.kind === 'constructor' || own.kind === 'impl')
      return false;
    if (at >= 0 && isOwned(ctx.world.symbol(file, at), own)) return false;
    return !FUNCTIONS.has(own.kind) || ctx.world.instance(file, symbol) === undefined;
  });
}
