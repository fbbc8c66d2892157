/** Evaluates bindings: parameters, locals and fields. */
import type { Binding } from '../../languages/roles/relation-facts.js';
import type { Context } from './context.js';
import { typeValue } from './types.js';
import { type AbstractValue, severalValues, type TypeArguments } from './values.js';

/** Separates the access paths of alternatives: `ok ? cart : basket`. */
const OR = ' | ';

/** Value of a binding, from its declared type, or else from its first value. */
export function bindingValue(
  ctx: Context,
  file: number,
  binding: Binding,
  line: number,
  args?: TypeArguments,
): AbstractValue | null {
  if (ctx.isActive(binding) || !ctx.enter()) return null;
  ctx.active.set(binding, ctx.active.size);
  try {
    const declared = binding.type === '' ? null : typeValue(ctx, file, binding.scope, binding.type, args);
    if (binding.value === '' || (declared !== null && declared.is !== 'external')) return declared;
    const at = Number.isFinite(line) ? binding.line : line;
    const paths = binding.value.includes(OR) ? binding.value.split(OR) : [binding.value];
    const value = severalValues(paths.map((path) => ctx.ask.accessPathValue(ctx, file, binding.scope, path, at)));
    // A parent type from outside says nothing of the parameter.
    if (value?.is === 'external' && INHERITED.test(binding.value)) return declared;
    return value === null || (declared !== null && value.is === 'external') ? declared : value;
  } finally {
    ctx.active.delete(binding);
    ctx.leave();
  }
}

/** The type that the method of a parent type states for a parameter: `super.total(1)`. */
const INHERITED = /^super\.[\w$]+\(\d+\)$/;

/**
 * Binding of a name in one scope that applies at a line: the last one before it. Without a line (in other files) it is
 * the first one with a type, else the first with a value.
 */
export function bindingAt(ctx: Context, file: number, scope: number, name: string, line: number): Binding | undefined {
  let chosen: Binding | undefined;
  const follows = ctx.symbols.semantics(file).localsFollow && Number.isFinite(line);
  const first = scope < 0 ? -1 : ctx.symbols.symbol(file, scope).startLine;
  for (const binding of ctx.symbols.bindingsNamed(file, name)) {
    if (binding.scope !== scope || ctx.isActive(binding)) continue;
    // A condition tells something of the lines behind it.
    if (binding.line === line && TOLD.test(binding.value)) continue;
    if (follows && binding.line !== first && (binding.line > line || (binding.line === line && namesItself(binding))))
      continue;
    if (chosen === undefined) chosen = binding;
    else if (Number.isFinite(line)) chosen = binding.line <= line ? binding : chosen;
    else if (says(binding) > says(chosen)) chosen = binding;
  }
  return chosen;
}

/** `cart(kind=open)`, `cart(?isOpen)` */
const TOLD = /^[\w$]+\((?:\?|[\w$]+!?=)/;

/**
 * Does the value begin with the bound name, as in `let cart = cart::open()`? There the name still has its earlier
 * meaning.
 */
function namesItself({ name, value }: Binding): boolean {
  return value.startsWith(name) && /^(?:$|[.([])/.test(value.slice(name.length));
}

function says({ type, value }: Binding): number {
  return type !== '' ? 2 : value !== '' ? 1 : 0;
}
