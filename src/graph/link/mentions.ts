/** Tells mentions of names that are uses of symbols from those of locals, modules and the like. */
import type { Reference } from '../../languages/roles/relation-facts.js';
import type { Context } from './context.js';
import { FUNCTIONS, VALUES } from './kinds.js';
import type { NameResolution, SymbolRef } from './values.js';

/**
 * `run()` after `const { run } = options`: the property is used where it is taken. A function that a local holds is called
 * here all the same.
 */
export function isLocalValue(
  ctx: Context,
  { kind, receiver }: Reference,
  { tier }: NameResolution,
  target: SymbolRef | null,
): boolean {
  if (kind !== 'call' || receiver !== '' || tier !== 'receiver' || target === null || target.symbol < 0) return false;
  return VALUES.has(ctx.symbols.symbol(target.file, target.symbol).kind);
}

export const isMention = ({ kind }: Reference): boolean => kind === 'read' || kind === 'write';

/**
 * Is a read or write a use of a symbol, or may it be one? Locals, whole modules, members that are no symbols and names from
 * outside are none. There are more of those than of all other uses together, and nothing can ask for them.
 */
export function isWorthKeeping(
  ctx: Context,
  { kind, receiver }: Reference,
  { value, tier }: NameResolution,
  target: SymbolRef | null,
): boolean {
  // An argument by name writes a field only where the constructor is made of the fields.
  if (receiver.startsWith('new ') && kind === 'write') return target !== null && isMadeOfFields(ctx, target);
  // A local that holds a symbol is not that symbol.
  if (receiver === '' && tier === 'receiver') return false;
  if (target !== null) return target.symbol >= 0 && !isOtherNamespace(ctx, receiver, target);
  return tier === 'ambiguous' || (value === null && tier === 'unresolved');
}

function isMadeOfFields(ctx: Context, { file, symbol }: SymbolRef): boolean {
  if (symbol < 0) return false;
  const { kind, container } = ctx.symbols.symbol(file, symbol);
  if (!VALUES.has(kind) || container < 0) return false;
  return !ctx.symbols
    .symbolsNamed(file, '__init__')
    .some((made) => ctx.symbols.symbol(file, made).container === container);
}

/** Is a local handed on that holds a constant? That is no use of the constant, whereas a function that it holds is used. */
export function isHeldConstant(
  ctx: Context,
  { receiver }: Reference,
  { tier }: NameResolution,
  target: SymbolRef | null,
): boolean {
  if (receiver !== '' || tier !== 'receiver' || target === null || target.symbol < 0) return false;
  return VALUES.has(ctx.symbols.symbol(target.file, target.symbol).kind);
}

/** `@total` is a variable of the instance, and no use of a method `total`. */
function isOtherNamespace(ctx: Context, receiver: string, target: SymbolRef): boolean {
  return receiver === 'this' && ctx.symbols.semantics(ctx.file).namesTell && isRun(ctx, target);
}

/** A function that is mentioned is handed on to code that may run it; an accessor runs. */
export function isRun(ctx: Context, target: SymbolRef | null): boolean {
  return target !== null && target.symbol >= 0 && FUNCTIONS.has(ctx.symbols.symbol(target.file, target.symbol).kind);
}
