/** Finds the type of `this`. */
import type { LinkSymbol } from '../link-input.js';
import type { Context } from './context.js';
import { OWN } from './file-index.js';
import { ROOTS, TYPES, VALUES } from './kinds.js';
import { instanceOfAlias, typeValue } from './types.js';
import type { SymbolRef } from './values.js';

/** Type whose instance `this` is inside of a symbol; null if there is none. */
export function enclosingType(ctx: Context, file: number, scope: number): SymbolRef | null {
  for (let at = scope, depth = 0; at >= 0 && depth < MAX_CONTAINERS; depth++) {
    const { kind, container } = ctx.symbols.symbol(file, at);
    const stated = ctx.symbols.instance(file, at);
    if (stated !== undefined) {
      const value = typeValue(ctx, file, container, stated.type);
      return value !== null && value.is === 'instance' ? { file: value.file, symbol: value.symbol } : null;
    }
    const given = ctx.symbols.given(file, at, OWN);
    if (given !== undefined) {
      const value = ctx.ask.accessPathValue(ctx, file, container, given.value, given.line, ROOTS);
      const held = value === null ? null : (instanceOfAlias(ctx, value) ?? value);
      if (held?.is === 'instance') return { file: held.file, symbol: held.symbol };
    }
    if (TYPES.has(kind) && kind !== 'type') return { file, symbol: at };
    if (kind === 'module' && ctx.symbols.semantics(file).implicitThis) return { file, symbol: at };
    at = container;
  }
  return ownerOf(ctx, file, scope);
}

/** Maximum depth of nested symbols, above that of real code. */
const MAX_CONTAINERS = 200;

/**
 * Finds the object that a function was assigned to (prototypes and objects of JavaScript, tables of Lua). Otherwise it
 * is the function itself, which may be a constructor.
 */
function ownerOf(ctx: Context, file: number, scope: number): SymbolRef | null {
  for (let at = scope, depth = 0; at >= 0 && depth < MAX_CONTAINERS; depth++) {
    const { container } = ctx.symbols.symbol(file, at);
    if (container < 0) return { file, symbol: at };
    if (isOwned(ctx.symbols.symbol(file, container), ctx.symbols.symbol(file, at))) return { file, symbol: container };
    if (VALUES.has(ctx.symbols.symbol(file, container).kind)) return { file, symbol: container };
    at = container;
  }
  return null;
}

/** Does a symbol belong to its container by name only, and is written after it (`Cart.prototype.total = …`)? */
export function isOwned(container: LinkSymbol, symbol: LinkSymbol): boolean {
  return symbol.startLine > container.endLine;
}
