/** Finds what declares an attribute that a type only assigns: a property, or an attribute with a type, of a parent type. */
import type { Context } from './context.js';
import { TYPES, VALUES } from './kinds.js';
import { parentsOf } from './parents.js';
import { keyOf, type SymbolRef } from './values.js';

/** Maximum number of parent types that one search visits, above that of real types. */
const MAX_PARENTS = 64;

/**
 * `limit = 3` gives a value to `limit: int` of a parent type: type checkers take a use of it for one of that declaration, too.
 * Null if no parent type declares it, or the attribute has a type of its own.
 */
export function declaredAbove(ctx: Context, { file, symbol }: SymbolRef): SymbolRef | null {
  if (symbol < 0 || !ctx.symbols.semantics(file).assignedOverDeclared) return null;
  const { name, kind, container } = ctx.symbols.symbol(file, symbol);
  if (!VALUES.has(kind) || container < 0 || !TYPES.has(ctx.symbols.symbol(file, container).kind)) return null;
  if (hasType(ctx, { file, symbol: container }, name)) return null;
  const queue: SymbolRef[] = [...parentsOf(ctx, { file, symbol: container })];
  const seen = new Set<number>();
  for (let i = 0; i < queue.length && i < MAX_PARENTS; i++) {
    const parent = queue[i];
    const key = keyOf(parent.file, parent.symbol);
    if (seen.has(key)) continue;
    seen.add(key);
    const member = ctx.symbols.childNamed(parent.file, parent.symbol, name);
    const isValue = member >= 0 && VALUES.has(ctx.symbols.symbol(parent.file, member).kind);
    if (member >= 0 && (!isValue || hasType(ctx, parent, name))) return { file: parent.file, symbol: member };
    queue.push(...parentsOf(ctx, parent));
  }
  return null;
}

function hasType(ctx: Context, { file, symbol }: SymbolRef, name: string): boolean {
  return ctx.symbols.bindingsNamed(file, name).some(({ scope, type }) => scope === symbol && type !== '');
}
