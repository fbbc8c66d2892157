/** Resolves written types to values, through aliases and through types that the language computes (`ReturnType<typeof open>`). */
import type { Binding } from '../../languages/roles/relation-facts.js';
import { splitBound } from '../../languages/roles/type-expressions.js';
import { RESULT } from './symbol-index.js';
import type { Context } from './symbol-table.js';
import { argumentsByName, bind, inferred, PARAMETER, parseType } from './type-text.js';
import {
  type AbstractValue,
  type BoundType,
  EXPECTED_KINDS,
  EXTERNAL,
  type HeldType,
  instanceAround,
  keyOf,
  mapValues,
  type SymbolRef,
  severalValues,
  TYPES,
  type TypeArguments,
  UNKNOWN_TYPE,
  VALUES,
  valuesTogether,
  wholeScope,
} from './values.js';

/** Names of types that mean the enclosing type. */
const SELF: ReadonlySet<string> = new Set(['this', 'Self', 'self', 'static', '__CLASS__']);

/** Value of a type written in a file, inside of the symbol `scope`. */
export function typeValue(
  ctx: Context,
  file: number,
  scope: number,
  text: string,
  args?: TypeArguments,
): AbstractValue | null {
  const parsed = parseType(text, ctx.symbols.readType(file));
  return parsed === null ? null : boundValue(ctx, file, scope, args === undefined ? parsed : bind(parsed, args));
}

export function boundValue(ctx: Context, file: number, scope: number, type: BoundType): AbstractValue | null {
  if (!ctx.enter()) return null;
  try {
    switch (type.is) {
      case 'elsewhere':
        return boundValue(ctx, type.file, type.scope, type.type);
      case 'known':
        return type.value;
      case 'list':
        return { is: 'list', file, scope, element: type.element };
      case 'function':
        return { is: 'function', file, scope, result: type.result, parameters: type.parameters };
      case 'value':
        return ctx.ask.accessPathValue(ctx, wholeScope(file, scope), type.chain);
      case 'several':
        return (type.together ? valuesTogether : severalValues)(
          type.parts.map((part) => boundValue(ctx, file, scope, part)),
        );
      case 'tuple':
        return { is: 'tuple', file, scope, items: type.items };
      case 'object':
        return { is: 'shape', file, scope, members: type.members, index: type.index };
      case 'mapped':
        return mappedValue(ctx, file, scope, type);
      case 'member':
        return memberValue(ctx, file, scope, type);
      case 'conditional':
        return conditionalValue(ctx, file, scope, type);
      case 'literal':
        return null;
      default:
        return namedValue(ctx, file, scope, type.head, type.args);
    }
  } finally {
    ctx.leave();
  }
}

/** The alias that names an object type (`type Cart = { … }`); null for other values. The facts have its call signatures. */
export function instanceOfAlias(ctx: Context, value: AbstractValue): (AbstractValue & { is: 'instance' }) | null {
  if (value.is !== 'shape' || value.scope < 0) return null;
  if (ctx.symbols.symbol(value.file, value.scope).kind !== 'type') return null;
  const args = value.args === undefined ? {} : { args: value.args };
  return { is: 'instance', file: value.file, symbol: value.scope, ...args };
}

/** Value of a member whose type another place states, such as a mapped type; null without one. */
export function statedValue(ctx: Context, value: AbstractValue): AbstractValue | null {
  if (value.is !== 'symbol' || value.held === undefined) return null;
  const { file, scope, type } = value.held;
  return boundValue(ctx, file, scope, type);
}

function namedValue(
  ctx: Context,
  file: number,
  scope: number,
  head: string,
  args: readonly BoundType[],
): AbstractValue | null {
  const own = ownType(ctx, file, scope, head);
  if (own !== null) return own;
  const parameter = args.length > 0 ? null : typeParameterOf(ctx, file, scope, head);
  if (parameter !== null) {
    const { bound, defaultType } = splitBound(parameter.type);
    return bound === '' && defaultType === '' ? null : typeValue(ctx, file, scope, bound || defaultType);
  }
  const alias = genericAlias(ctx, file, scope, head);
  if (alias !== null) return appliedAlias(ctx, alias, { file, scope, list: args });
  const found = headValue(ctx, file, scope, head);
  const { wrappers, collections } = ctx.symbols.semantics(file);
  const name = head.slice(head.lastIndexOf('.') + 1);
  const isAlias = wrappers.has(name) && isOpaqueAlias(ctx, found);
  if (found !== null && found.is !== 'external' && !isAlias) return withArguments(found, { file, scope, list: args });
  if (args.length > 0) return ofLibrary(ctx, { file, scope, list: args }, name, found);
  // A list that does not say of what: its own members are from outside, what it holds is of any type.
  if (found?.is === 'external' && collections.has(name)) return { is: 'list', file, scope, element: UNKNOWN_TYPE };
  return found;
}

/** The type around a scope, which `Self` names, and a type that it associates: `Self.Item`. */
function ownType(ctx: Context, file: number, scope: number, head: string): AbstractValue | null {
  if (head.startsWith('Self.')) return associatedType(ctx, file, scope, head.slice(5));
  const own = SELF.has(head) ? ctx.ask.enclosingType(ctx, file, scope) : null;
  return own === null ? null : { is: 'instance', ...own };
}

/** Value of a type of the language or a library with type arguments, which holds what they name; else what was found. */
function ofLibrary(
  ctx: Context,
  { file, scope, list }: TypeArguments,
  name: string,
  found: AbstractValue | null,
): AbstractValue | null {
  const { wrappers, wrappersAreClosed, unions, typesOfTypes, collections, tuples } = ctx.symbols.semantics(file);
  if (wrappers.has(name)) {
    const held = boundValue(ctx, file, scope, list[0]);
    return held?.is === 'instance' && wrappersAreClosed ? { ...held, wrapped: true } : held;
  }
  if (unions.has(name)) return severalValues(list.map((part) => boundValue(ctx, file, scope, part)));
  if (typesOfTypes.has(name)) return typeItself(boundValue(ctx, file, scope, list[0]));
  if (!collections.has(name)) return byUtility(ctx, file, scope, name, list) ?? found;
  const element = list[list.length - 1];
  if (tuples.has(name) && list.length > 1) {
    const isOpen = list.length === 2 && element.is === 'named' && element.head === '';
    return isOpen ? { is: 'list', file, scope, element: list[0] } : { is: 'tuple', file, scope, items: list };
  }
  // Elements of a record are its members: `carts.first`.
  return name === 'Record'
    ? { is: 'shape', file, scope, members: [], index: element }
    : { is: 'list', file, scope, element };
}

/** `Self::Item` in an `impl` block or a trait that states `type Item = Cart`. */
function associatedType(ctx: Context, file: number, scope: number, name: string): AbstractValue | null {
  for (let at = scope, depth = 0; at >= 0 && depth < MAX_CONTAINERS; depth++) {
    const { kind, container } = ctx.symbols.symbol(file, at);
    if (kind === 'impl' || kind === 'trait') {
      const symbol = ctx.symbols.childNamed(file, at, name);
      return symbol < 0 ? null : instanceOf(ctx, { is: 'symbol', file, symbol });
    }
    at = container;
  }
  return null;
}

/** The type of an instance, as a value. */
function typeItself(value: AbstractValue | null): AbstractValue | null {
  if (value?.is === 'several') return mapValues(value, typeItself);
  return value?.is === 'instance' ? { ...value, is: 'symbol' } : value;
}

/** An alias of a type outside of the repository: `type Result<T> = std::Result<T, Error>`. */
function isOpaqueAlias(ctx: Context, value: AbstractValue | null): boolean {
  return value?.is === 'instance' && ctx.symbols.symbol(value.file, value.symbol).kind === 'type';
}

/** Maximum depth of nested symbols, above that of real code. */
const MAX_CONTAINERS = 200;

/** The type parameter of that name, of `scope` or of a symbol around it. Its argument is unknown. */
export function typeParameterOf(ctx: Context, file: number, scope: number, head: string): Binding | null {
  const name = `<${head}>`;
  for (let at = scope, depth = 0; at >= 0 && depth < MAX_CONTAINERS; depth++) {
    const found = ctx.symbols.typeParameters(file, at).filter((binding) => binding.name === name);
    // `<T: Sized> … where T: Priced` bounds it twice.
    if (found.length > 1) return { ...found[0], type: found.map(({ type }) => type).join(' & ') };
    if (found.length === 1) return found[0];
    at = ctx.symbols.symbol(file, at).container;
  }
  return null;
}

function withArguments(value: AbstractValue, args: TypeArguments): AbstractValue {
  return value.is === 'instance' && args.list.length > 0 && value.args === undefined ? { ...value, args } : value;
}

/** Marks a type that is being looked up. */
const OPEN: AbstractValue = { is: 'files', files: [] };

/** Instance of the type with that name; null if the name is unknown. */
function headValue(ctx: Context, file: number, scope: number, head: string): AbstractValue | null {
  if (head === '') return null;
  const key = `${file} ${scope} ${head}`;
  const known = ctx.types.get(key);
  if (known === OPEN) ctx.cut();
  if (known !== undefined) return known === OPEN ? null : known;
  const { anyTypes } = ctx.symbols.semantics(file);
  // The entry ends the recursion for a type that is an alias of itself.
  ctx.types.set(key, OPEN);
  const found = ctx.ask.findPath(ctx, wholeScope(file, scope, EXPECTED_KINDS.type), head.split('.'));
  const type = found === null ? undefinedType(ctx, file, head) : instanceOf(ctx, found.value);
  const saysNothing = type?.is === 'external' && anyTypes.has(head.slice(head.lastIndexOf('.') + 1));
  const value = saysNothing ? null : type;
  if (ctx.exhausted) ctx.types.delete(key);
  else ctx.types.set(key, value);
  return value;
}

/** Instance of the bound of a type parameter; null if it has none. */
export function boundOf(ctx: Context, file: number, scope: number, head: string): AbstractValue | null {
  const { bound } = splitBound(typeParameterOf(ctx, file, scope, head)?.type ?? '');
  return bound === '' ? null : typeValue(ctx, file, scope, bound);
}

/** Value of a type without definition: external, unless it may be a type parameter. */
function undefinedType(ctx: Context, file: number, head: string): AbstractValue | null {
  if (PARAMETER.test(head)) return null;
  const { runtimeType, plainTypes } = ctx.symbols.semantics(file);
  if (plainTypes?.has(head)) return { is: 'external', type: head };
  return runtimeType?.(head) === false ? null : EXTERNAL;
}

/** Instance of the type that a value names. */
export function instanceOf(ctx: Context, value: AbstractValue | null): AbstractValue | null {
  if (value?.is === 'files') {
    // `require('shop.cart')` means the value that the file returns.
    const whole = ctx.ask.lookup(ctx, ctx.file, value, '=', null)?.value ?? null;
    return whole?.is === 'symbol' ? instanceOf(ctx, whole) : null;
  }
  if (value?.is === 'several') return mapValues(value, (one) => instanceOf(ctx, one));
  if (value?.is === 'symbol') return instanceOfSymbol(ctx, value);
  return value?.is === 'external' ? value : null;
}

function instanceOfSymbol(ctx: Context, value: AbstractValue & { is: 'symbol' }): AbstractValue | null {
  const { file, symbol } = value;
  const { kind, container } = ctx.symbols.symbol(file, symbol);
  if (kind === 'type' || VALUES.has(kind)) {
    const aliased = aliasValue(ctx, value);
    if (aliased !== null && aliased.is !== 'external') return aliased;
    return kind === 'type' || ctx.symbols.semantics(file).tables ? { is: 'instance', file, symbol } : null;
  }
  if (kind === 'enum-member') return instanceAround(file, container);
  return TYPES.has(kind) || kind === 'function' || kind === 'module' || kind === 'namespace'
    ? { is: 'instance', file, symbol }
    : null;
}

// Aliases.

/** Maximum number of parts of a union that are evaluated: generated unions have thousands. */
const MAX_PARTS = 20;
/** Maximum depth to which an alias is followed that stands for itself with other arguments (`DeepPartial<T[K]>`). */
const MAX_REPEATED = 3;

/** Value of the type that an alias stands for. The facts split a long union into several bindings. */
function aliasValue(ctx: Context, { file, symbol }: SymbolRef, args?: TypeArguments): AbstractValue | null {
  const { name, container, kind, startLine, endLine } = ctx.symbols.symbol(file, symbol);
  // The facts list aliases at the top of their file, even those in a function.
  const isHere = ({ scope, line }: Binding): boolean =>
    scope === container ||
    (kind === 'type' && (scope === symbol || (scope === -1 && startLine <= line && line <= endLine)));
  const aliases = ctx.symbols
    .bindingsNamed(file, name)
    .filter((binding) => isHere(binding) && binding.name !== RESULT && binding.type !== '');
  // The names in a variable's type are those around it.
  const scope = kind === 'type' ? symbol : container;
  const values = aliases.slice(0, MAX_PARTS).map(({ type }) => typeValue(ctx, file, scope, type, args));
  const value = args === undefined ? severalValues(values) : withAliasArguments(severalValues(values), symbol, args);
  if (value !== null || !ctx.symbols.hasMembers(file, symbol)) return value;
  return { is: 'instance', file, symbol, ...(args === undefined ? {} : { args }) };
}

/** Adds the arguments of an alias to its object type: members that the facts have elsewhere need them. */
function withAliasArguments(value: AbstractValue | null, symbol: number, args: TypeArguments): AbstractValue | null {
  if (value?.is === 'several') return mapValues(value, (one) => withAliasArguments(one, symbol, args));
  return value?.is === 'shape' && value.scope === symbol ? { ...value, args } : value;
}

/** The alias with type parameters that a name means; null if it is something else. */
function genericAlias(ctx: Context, file: number, scope: number, head: string): SymbolRef | null {
  if (head === '' || ctx.symbols.readType(file) === undefined) return null;
  const key = `${file} ${scope} ${head}`;
  const known = ctx.genericAliases.get(key);
  if (known !== undefined) return known;
  const value = ctx.ask.findPath(ctx, wholeScope(file, scope, EXPECTED_KINDS.type), head.split('.'))?.value;
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
  const args = argumentsByName(ctx, alias, { file, scope, list });
  return type === null || args === undefined ? null : { file: alias.file, scope: alias.symbol, type: bind(type, args) };
}

/** Value of an alias with these arguments; the alias itself where its type is not known. */
function appliedAlias(ctx: Context, alias: SymbolRef, args: TypeArguments): AbstractValue | null {
  const key = keyOf(alias.file, alias.symbol);
  const repeated = ctx.applying.get(key) ?? 0;
  if (repeated >= MAX_REPEATED) {
    ctx.cut();
    return null;
  }
  ctx.applying.set(key, repeated + 1);
  const value = aliasValue(ctx, alias, argumentsByName(ctx, alias, args) ?? args);
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

/** Types of functions whose first parameter is of the type argument: `FC<Props>` takes `Props`. */
const TAKING: ReadonlySet<string> = new Set(['FC', 'FunctionComponent', 'VFC', 'ComponentType', 'ComponentClass']);

/** Value of a type that the language or a well-known package computes; null for other names. */
function byUtility(
  ctx: Context,
  file: number,
  scope: number,
  name: string,
  args: readonly BoundType[],
): AbstractValue | null {
  if (TAKING.has(name))
    return { is: 'function', file, scope, result: { is: 'named', head: '', args: [] }, parameters: [args[0]] };
  if (name === 'Omit' || name === 'Pick' || name === 'Except') return partOf(ctx, file, scope, args, name === 'Pick');
  if (name === 'Merge') return valuesTogether(args.map((part) => boundValue(ctx, file, scope, part)));
  const compute = UTILITIES.get(name);
  if (compute === undefined) return null;
  const value = boundValue(ctx, file, scope, args[0]);
  return value === null || value.is === 'external' ? value : compute(ctx, value);
}

/** Value of `Omit<Cart, 'tax' | 'items'>` and of `Pick`; the whole cart if the names are unknown. */
function partOf(
  ctx: Context,
  file: number,
  scope: number,
  args: readonly BoundType[],
  only: boolean,
): AbstractValue | null {
  const whole = boundValue(ctx, file, scope, args[0]);
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

// Mapped and conditional types, and types of members.

type Conditional = BoundType & { is: 'conditional' };

/** Value of `{ [K in keyof Cart]: … }`. */
function mappedValue(
  ctx: Context,
  file: number,
  scope: number,
  type: BoundType & { is: 'mapped' },
): AbstractValue | null {
  const { key, value, hasOwnMembers } = type;
  const mapped = (of: AbstractValue): AbstractValue => ({ is: 'mapped', file, scope, of, key, value, hasOwnMembers });
  const of = boundValue(ctx, file, scope, type.of);
  if (of?.is === 'several') return mapValues(of, mapped);
  if (of === null) return { is: 'shape', file, scope, members: [], index: value };
  if (isRecord(of)) return { is: 'shape', file, scope, members: [], index: mappedElement(file, scope, type, 'string') };
  if (of.is !== 'list' && of.is !== 'tuple') return mapped(of);
  return { is: 'list', file, scope, element: mappedElement(file, scope, type, 'number') };
}

/** Element of a mapped list or record: mapping `Cart[]` gives a list of mapped carts. */
function mappedElement(
  file: number,
  scope: number,
  { key, value }: BoundType & { is: 'mapped' },
  index: 'number' | 'string',
): BoundType {
  return bind(value, { file, scope, list: [{ is: 'named', head: index, args: [] }], names: [key] });
}

function isRecord(value: AbstractValue): boolean {
  return value.is === 'shape' && value.members.length === 0 && value.index !== undefined;
}

/** Value of `Cart['items']` and of `Cart[number]`. */
function memberValue(
  ctx: Context,
  file: number,
  scope: number,
  { of, index }: BoundType & { is: 'member' },
): AbstractValue | null {
  const owner = boundValue(ctx, file, scope, of);
  if (owner === null || owner.is === 'external') return owner;
  const key = index as BoundType;
  if (key.is === 'several') {
    return severalValues(key.parts.map((part) => memberValue(ctx, file, scope, { is: 'member', of, index: part })));
  }
  if (key.is === 'named' && key.head === 'keyof') return anyMember(ctx, file, owner);
  if (key.is === 'named') return /^(?:number|string)$/.test(key.head) ? ctx.ask.elementOf(ctx, owner) : null;
  const literal = key.is === 'elsewhere' ? key.type : key;
  if (literal.is !== 'literal') return null;
  if (/^\d+$/.test(literal.text)) return ctx.ask.elementOf(ctx, owner, Number(literal.text));
  return ctx.ask.settled(ctx, ctx.ask.lookup(ctx, file, owner, literal.text, null)?.value ?? null);
}

/** Value of `Carts[keyof Carts]`: any of its own members. */
function anyMember(ctx: Context, file: number, owner: AbstractValue): AbstractValue | null {
  if (owner.is === 'shape') {
    const { members, index } = owner;
    const types = [...members.map(([, type]) => type), ...(index === undefined ? [] : [index])];
    return severalValues(types.map((type) => boundValue(ctx, owner.file, owner.scope, type)));
  }
  if (owner.is !== 'instance') return null;
  const names = ctx.symbols
    .membersOf(owner.file, owner.symbol)
    .map((member) => ctx.symbols.symbol(owner.file, member).name);
  return severalValues(
    names.map((name) => ctx.ask.settled(ctx, ctx.ask.lookup(ctx, file, owner, name, null)?.value ?? null)),
  );
}

/** The conditional type with one part of the union in place of its parameter. */
function decided(type: Conditional, name: string, one: BoundType): Conditional {
  const { over: _, check, pattern, parts, ...rest } = type;
  const inside = (part: BoundType): never => bind(part, { file: 0, scope: -1, list: [one], names: [name] }) as never;
  return { ...rest, check: inside(check), pattern: inside(pattern), parts: [inside(parts[0]), inside(parts[1])] };
}

/** Value of `A extends B<infer C> ? D : E`: `D` if `A` shows what `C` is, else either, since the condition is not evaluated. */
function conditionalValue(ctx: Context, file: number, scope: number, type: Conditional): AbstractValue | null {
  const { check, pattern, inferred: names, parts, over } = type;
  if (over !== undefined && check.is === 'named') {
    const all = boundValue(ctx, file, scope, over);
    const each = all?.is === 'several' && !all.together ? all.values : [all];
    return severalValues(
      each.map((value) =>
        conditionalValue(ctx, file, scope, decided(type, check.head, value === null ? over : { is: 'known', value })),
      ),
    );
  }
  if (names.length > 0) {
    const value = boundValue(ctx, file, scope, check);
    const args = value === null ? undefined : inferred(ctx, { file, scope, names }, [[pattern, value]]);
    if (args !== undefined) return boundValue(ctx, file, scope, bind(parts[0], args));
  }
  return severalValues(parts.map((part) => boundValue(ctx, file, scope, part)));
}
