/** Values of which a place in the text tells more than their types: by a property, by a function that was asked, by what a call is for. */
import { splitBound } from '../../languages/roles/type-expressions.js';
import type { Told } from './access-path-text.js';
import type { Context } from './context.js';
import { CALLED, EXPECTED_KINDS, FUNCTIONS, ROOTS, VALUES } from './kinds.js';
import { lookup } from './lookup.js';
import { bind, inferred, PARAMETER } from './type-arguments.js';
import { parseType } from './type-text.js';
import { instanceOf, typeValue } from './types.js';
import { type AbstractValue, type BoundType, mapValues, severalValues, type TypeArguments } from './values.js';

export function toldBetter(ctx: Context, file: number, value: AbstractValue | null, told: Told): AbstractValue | null {
  if ('wanted' in told) return value === null ? null : forResult(ctx, file, value, told.wanted);
  const settled = ctx.ask.settled(ctx, value);
  if ('guard' in told) return guarded(ctx, file, settled, told.guard) ?? settled;
  return settled === null ? null : among(ctx, file, settled, told);
}

/** The parts of a union whose property can have one of the values, or one that is not left out. */
function among(
  ctx: Context,
  file: number,
  value: AbstractValue,
  { key, among: texts, isLeftOut }: Extract<Told, { key: string }>,
): AbstractValue | null {
  if (value.is !== 'several' || value.together) return value;
  let isTelling = false;
  const kept = value.values.filter((part) => {
    const own = valuesOf(ctx, file, part, key);
    if (own === null && texts[0] !== '*') return true;
    if (own === null) {
      isTelling = true;
      return !isLeftOut;
    }
    const has = texts[0] === '*' ? own.length > 0 : own.some((text) => isAmong(text, texts, isLeftOut));
    const isKept = texts[0] === '*' ? has !== isLeftOut : has || (own.length === 0 && isLeftOut);
    if (isKept !== isLeftOut) isTelling = true;
    return isKept;
  });
  return isTelling && kept.length > 0 && !ctx.exhausted ? severalValues(kept) : value;
}

/** Values that count as false. */
const FALSY: ReadonlySet<string> = new Set(['false', 'null', 'undefined']);

/** Is the value one of the texts, or if they are left out one that is not? */
function isAmong(text: string, texts: readonly string[], isLeftOut: boolean): boolean {
  return (texts[0] === '!' ? !FALSY.has(text) : texts.includes(text)) !== isLeftOut;
}

/** Values that a property of a part can have; none where it has no such property, null where they are not known. */
function valuesOf(ctx: Context, file: number, part: AbstractValue, key: string): readonly string[] | null {
  const name = part.is === 'instance' && part.args === undefined ? `${part.file} ${part.symbol} ${key}` : '';
  const known = name === '' ? undefined : ctx.memberValues.get(name);
  if (known !== undefined) return known;
  const type = typeOfMember(ctx, file, part, key);
  const values = type === null ? [] : textsOf(type);
  if (name !== '' && !ctx.exhausted) ctx.memberValues.set(name, values);
  return values;
}

/** Written type of a member; null if there is none. */
function typeOfMember(ctx: Context, file: number, value: AbstractValue, key: string): BoundType | null {
  if (value.is === 'shape') {
    const own = value.members.find(([name]) => name === key)?.[1];
    if (own !== undefined) return own;
  }
  const member = lookup(ctx, file, value, key, null)?.value;
  if (member?.is !== 'symbol') return null;
  if (member.held !== undefined && textsOf(member.held.type) !== null) return member.held.type;
  const { container } = ctx.symbols.symbol(member.file, member.symbol);
  const declared = ctx.symbols.bindingsNamed(member.file, key).find(({ scope }) => scope === container);
  return parseType(declared?.type ?? '', ctx.symbols.readType(member.file)) ?? { is: 'named', head: '', args: [] };
}

/** Values that a type of literals has, an enumeration's by their names; null where it is another type. */
function textsOf(type: BoundType): string[] | null {
  switch (type.is) {
    case 'elsewhere':
      return textsOf(type.type);
    case 'literal':
      return [type.text];
    case 'value':
      return [type.chain.slice(type.chain.lastIndexOf('.') + 1)];
    case 'named':
      if (WORDS.has(type.head)) return [type.head];
      // `error?: never` has no value.
      if (type.head === 'never') return ['undefined'];
      if (type.head === 'boolean') return ['true', 'false'];
      return type.head.includes('.') ? [type.head.slice(type.head.lastIndexOf('.') + 1)] : null;
    case 'several': {
      const all = type.parts.map(textsOf);
      return all.includes(null) ? null : all.flatMap((texts) => texts ?? []);
    }
    default:
      return null;
  }
}

/** Types with one value. */
const WORDS: ReadonlySet<string> = new Set(['true', 'false', 'null', 'undefined']);

/** `cart is Basket` */
const GUARD = /^(?:asserts\s+)?[\w$]+\s+is\s+(.+)$/s;

/** Value of which a test is true: `isBasket(cart)`, `cart.isBasket()`, `cart instanceof Basket`; null where that tells nothing. */
function guarded(ctx: Context, file: number, value: AbstractValue | null, test: string): AbstractValue | null {
  const name = test.replace(/^[#:]/, '');
  if (test[0] === ':') {
    const type = ctx.ask.findPath(ctx, file, -1, [name], EXPECTED_KINDS.type)?.value ?? null;
    const made = type?.is === 'symbol' ? instanceOf(ctx, type) : null;
    return made?.is === 'external' ? null : made;
  }
  if (test[0] !== '#') return saidYes(ctx, ctx.ask.findPath(ctx, file, -1, [name], EXPECTED_KINDS.call)?.value);
  if (value?.is !== 'several')
    return value === null ? null : saidYes(ctx, lookup(ctx, file, value, name, CALLED)?.value);
  // Each part of a union has a method of its own.
  return mapValues(value, (one) => saidYes(ctx, lookup(ctx, file, one, name, CALLED)?.value));
}

/** Value that a function such as `isBasket(cart): cart is Basket` says yes to; null if it is another function. */
function saidYes(ctx: Context, found: AbstractValue | null | undefined): AbstractValue | null {
  if (found?.is !== 'symbol' || !FUNCTIONS.has(ctx.symbols.symbol(found.file, found.symbol).kind)) return null;
  const type = GUARD.exec(ctx.symbols.result(found.file, found.symbol)?.type ?? '')?.[1];
  const told = type === undefined ? null : typeValue(ctx, found.file, found.symbol, type);
  return told?.is === 'external' ? null : told;
}

/** A generic function whose result is given to what the name stands for: `const open: Maker<Cart> = make(…)` makes carts. */
function forResult(ctx: Context, file: number, value: AbstractValue, name: string): AbstractValue | null {
  if (value.is !== 'symbol' || value.args !== undefined) return value;
  if (VALUES.has(ctx.symbols.symbol(value.file, value.symbol).kind)) return heldForResult(ctx, file, value, name);
  const parameters = ctx.symbols.typeParameters(value.file, value.symbol);
  if (parameters.length === 0) return value;
  const target = ctx.ask.accessPathValue(ctx, file, -1, name, Number.POSITIVE_INFINITY, ROOTS);
  const type = parseType(ctx.symbols.result(value.file, value.symbol)?.type ?? '', ctx.symbols.readType(value.file));
  if (target === null || type === null) return value;
  const scope = value.symbol;
  const names = parameters.map((parameter) => parameter.name.slice(1, -1));
  const args = inferred(ctx, { file: value.file, scope, names }, [[type, target]]);
  return args === undefined ? value : { ...value, args: withUsual(ctx, value.file, scope, args) };
}

/** As `forResult`, of a value with a type that is a function: what that function is called with and gives. */
function heldForResult(ctx: Context, file: number, value: AbstractValue, name: string): AbstractValue {
  const held = ctx.ask.settled(ctx, value);
  if (held?.is !== 'function') return value;
  const names = [...new Set(parametersIn(held.result, 0))];
  const target =
    names.length === 0 ? null : ctx.ask.accessPathValue(ctx, file, -1, name, Number.POSITIVE_INFINITY, ROOTS);
  if (target === null) return value;
  const args = inferred(ctx, { file: held.file, scope: held.scope, names }, [[held.result, target]]);
  if (args === undefined) return value;
  const parameters = held.parameters.map((part) => bind(part, args));
  return { ...held, result: bind(held.result, args), parameters };
}

/** Types in a type that are looked through. */
const MAX_DEPTH = 4;

/** Names in a type that are those of type parameters by their form. */
function parametersIn(type: BoundType, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  const all = (parts: readonly BoundType[]): string[] => parts.flatMap((part) => parametersIn(part, depth + 1));
  switch (type.is) {
    case 'named':
      return type.args.length > 0 ? all(type.args) : PARAMETER.test(type.head) ? [type.head] : [];
    case 'list':
      return parametersIn(type.element, depth + 1);
    case 'tuple':
      return all(type.items);
    case 'several':
      return all(type.parts);
    case 'function':
      return all([type.result, ...type.parameters]);
    default:
      return [];
  }
}

/** The arguments, with defaults for the other parameters. */
function withUsual(ctx: Context, file: number, symbol: number, args: TypeArguments): TypeArguments {
  const list = [...args.list];
  const names = [...(args.names ?? [])];
  for (const { name, type } of ctx.symbols.typeParameters(file, symbol)) {
    const own = name.slice(1, -1);
    const usual = names.includes(own) ? null : parseType(splitBound(type).usual, ctx.symbols.readType(file));
    if (usual === null) continue;
    list.push({
      is: 'elsewhere',
      file,
      scope: symbol,
      type: bind(usual, { ...args, list: [...list], names: [...names] }),
    });
    names.push(own);
  }
  return { ...args, list, names };
}
