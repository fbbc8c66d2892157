/** Finds the symbols that a scope can name without qualification. */
import type { LinkSymbol } from '../link-input.js';
import type { Context } from './context.js';
import { isOwned } from './enclosing.js';
import { FUNCTIONS } from './kinds.js';

/** Maximum depth of nested scopes, above that of real code. */
export const MAX_SCOPES = 200;

/** Symbols that are declared directly in a function or at top level, and are usable there by their simple name. */
export function visibleIn(ctx: Context, file: number, at: number, name: string): number[] {
  return ctx.symbols.symbolsNamed(file, name).filter((symbol) => {
    const own = ctx.symbols.symbol(file, symbol);
    const { container } = own.kind === 'enum-member' ? aroundEnum(ctx, file, own) : own;
    if (container !== at || own.kind === 'method' || own.kind === 'constructor' || own.kind === 'impl') return false;
    if (at >= 0 && isOwned(ctx.symbols.symbol(file, at), own)) return false;
    return !FUNCTIONS.has(own.kind) || ctx.symbols.instance(file, symbol) === undefined;
  });
}

/** The enum around a member, where members are known by their bare names; else the member itself. */
function aroundEnum(ctx: Context, file: number, member: LinkSymbol): LinkSymbol {
  const isOpen = ctx.symbols.semantics(file).openEnums && member.container >= 0;
  return isOpen ? ctx.symbols.symbol(file, member.container) : member;
}
