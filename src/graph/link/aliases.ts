/** Names that stand for other types: aliases, and types that the language computes (`ReturnType<typeof open>`). */
import type { Binding } from '../../languages/roles/relation-facts.js';
import type { Context } from './context.js';
import { RESULT } from './file-index.js';
import { EXPECTED_KINDS } from './kinds.js';
import { bind, named } from './type-arguments.js';
import { parseType } from './type-text.js';
import {
  type AbstractValue,
  type BoundType,
  type HeldType,
  keyOf,
  mapValues,
  type SymbolRef,
  severalValues,
  type TypeArguments,
  valuesTogether,
} from './values.js';

/** Parts of a union: generated ones have thousands. */
const MAX_PARTS = 20;
/** An alias that stands for itself with other arguments (`DeepPartial<T[K]>`) is followed so far. */
const MAX_REPEATED = 3;

/** Value of the type that an alias stands for. A long union has several bindings, with some of its parts in each. */
export function aliasValue(ctx: Context, { file, symbol }: SymbolRef, args?: TypeArguments): AbstractValue | null {
  const { name, container, kind, startLine, endLine } = ctx.symbols.symbol(file, symbol);
  // Aliases belong to their file, wherever they stand.
  const isHere = ({ scope, line }: Binding): boolean =>
    scope === container || (kind === 'type' && scope === -1 && startLine <= line && line <= endLine);
  const aliases = ctx.symbols
    .bindingsNamed(file, name)
    .filter((binding) => isHere(binding) && binding.name !== RESULT && binding.type !== '');
  // The names in a variable's type are those around it.
  const scope = kind === 'type' ? symbol : container;
  const values = aliases.slice(0, MAX_PARTS).map(({ type }) => ctx.ask.typeValue(ctx, file, scope, type, args));
  const value = args === undefined ? severalValues(values) : withArguments(severalValues(values), symbol, args);
  if (value !== null || !ctx.symbols.hasMembers(file, symbol)) return value;
  return { is: 'instance', file, symbol, ...(args === undefined ? {} : { args }) };
}

/** An object type with the arguments of its alias, whose members that the facts hold elsewhere ask for them. */
function withArguments(value: AbstractValue | null, symbol: number, args: TypeArguments): AbstractValue | null {
  if (value?.is === 'several') return mapValues(value, (one) => withArguments(one, symbol, args));
  return value?.is === 'shape' && value.scope === symbol ? { ...value, args } : value;
}

/** The alias with type parameters that a name means; null if it is something else. */
export function genericAlias(ctx: Context, file: number, scope: number, head: string): SymbolRef | null {
  if (head === '' || ctx.symbols.readType(file) === undefined) return null;
  const key = `${file} ${scope} ${head}`;
  const known = ctx.genericAliases.get(key);
  if (known !== undefined) return known;
  const value = ctx.ask.findPath(ctx, file, scope, head.split('.'), EXPECTED_KINDS.type)?.value;
  const isGeneric =
    value?.is === 'symbol' &&
    ctx.symbols.symbol(value.file, value.symbol).kind === 'type' &&
    ctx.symbols.typeParameters(value.file, value.symbol).length > 0;
  const found = isGeneric ? { file: value.file, symbol: value.symbol } : null;
  if (!ctx.exhausted) ctx.genericAliases.set(key, found);
  return found;
}

/** The type that a generic alias with arguments stands for; null for other types. */
export function expandedAlias(
  ctx: Context,
  file: number,
  scope: number,
  { head, args: list }: BoundType & { is: 'named' },
): HeldType | null {
  const alias = genericAlias(ctx, file, scope, head);
  if (alias === null) return null;
  const { name, startLine, endLine } = ctx.symbols.symbol(alias.file, alias.symbol);
  const written = ctx.symbols
    .bindingsNamed(alias.file, name)
    .filter(({ scope: own, line, type }) => own === -1 && type !== '' && startLine <= line && line <= endLine);
  const type = written.length === 1 ? parseType(written[0].type, ctx.symbols.readType(alias.file)) : null;
  const args = named(ctx, alias, { file, scope, list });
  return type === null || args === undefined ? null : { file: alias.file, scope: alias.symbol, type: bind(type, args) };
}

/** Value of an alias with these arguments; the alias itself where its type is not known. */
export function appliedAlias(ctx: Context, alias: SymbolRef, args: TypeArguments): AbstractValue | null {
  const key = keyOf(alias.file, alias.symbol);
  const repeated = ctx.applying.get(key) ?? 0;
  if (repeated >= MAX_REPEATED) {
    ctx.cut();
    return null;
  }
  ctx.applying.set(key, repeated + 1);
  const value = aliasValue(ctx, alias, named(ctx, alias, args) ?? args);
  ctx.applying.set(key, repeated);
  return value !== null && value.is !== 'external' ? value : { is: 'instance', ...alias, args };
}

type Compute = (ctx: Context, value: AbstractValue) => AbstractValue | null;

const UTILITIES: ReadonlyMap<string, Compute> = new Map<string, Compute>([
  ['ReturnType', (ctx, value) => ctx.ask.called(ctx, value)],
  ['Parameters', (_, value) => ({ is: 'parameters', of: value })],
  ['ConstructorParameters', (_, value) => ({ is: 'parameters', of: value })],
  ['InstanceType', (ctx, value) => ctx.ask.called(ctx, value)],
]);

/** Types of functions whose first parameter has the type of the first argument. */
const TAKING: ReadonlySet<string> = new Set(['FC', 'FunctionComponent', 'VFC', 'ComponentType', 'ComponentClass']);

/** Value of a type that the language or a well-known package computes; null for other names. */
export function byUtility(
  ctx: Context,
  file: number,
  scope: number,
  name: string,
  args: readonly BoundType[],
): AbstractValue | null {
  if (TAKING.has(name))
    return { is: 'function', file, scope, result: { is: 'named', head: '', args: [] }, parameters: [args[0]] };
  if (name === 'Omit' || name === 'Pick' || name === 'Except') return partOf(ctx, file, scope, args, name === 'Pick');
  if (name === 'Merge') return valuesTogether(args.map((part) => ctx.ask.boundValue(ctx, file, scope, part)));
  const compute = UTILITIES.get(name);
  if (compute === undefined) return null;
  const value = ctx.ask.boundValue(ctx, file, scope, args[0]);
  return value === null || value.is === 'external' ? value : compute(ctx, value);
}

/** Value of `Omit<Cart, 'tax' | 'items'>`, and of `Pick`; the whole one where the names are not known. */
function partOf(
  ctx: Context,
  file: number,
  scope: number,
  args: readonly BoundType[],
  only: boolean,
): AbstractValue | null {
  const whole = ctx.ask.boundValue(ctx, file, scope, args[0]);
  const names = args[1] === undefined ? null : namesIn(args[1]);
  if (whole === null || whole.is === 'external' || names === null) return whole;
  const part = (of: AbstractValue): AbstractValue => ({ is: 'part', of, names: new Set(names), only });
  return whole.is === 'several' && !whole.together ? mapValues(whole, part) : part(whole);
}

function namesIn(type: BoundType): string[] | null {
  if (type.is === 'literal') return [type.text];
  if (type.is === 'elsewhere') return namesIn(type.type);
  if (type.is !== 'several') return null;
  const all = type.parts.map(namesIn);
  return all.includes(null) ? null : all.flatMap((names) => names ?? []);
}
