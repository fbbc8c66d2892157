/**
 * Tells overloads apart by the number of arguments and by their types, as far as the text of the call and of the definitions states both.
 * Types of arguments are written as `Reference.types` says: `"` for a string, `0` for an integer, `->` for a function. Also definitions of what
 * headers declare, and constructors of types.
 */
import type { Reference } from '../../languages/roles/relation-facts.js';
import { accessPathValue } from './access-path.js';
import { lookup } from './lookup.js';
import { extensionMembers } from './members.js';
import { enclosingType } from './scopes.js';
import type { Context } from './symbol-table.js';
import { MAX_PARENTS, parentsOf } from './type-parts.js';
import { typeParameterOf, typeValue } from './types.js';
import {
  EXPECTED_KINDS,
  FUNCTIONS,
  keyOf,
  type NameResolution,
  PATH_ROOTS,
  type SymbolRef,
  UNKNOWN_NAME,
  VALUES,
} from './values.js';

/** Maximum number of overloads among which a call is told, and that share a use which is not told. More are generated code. */
const MAX_OVERLOADS = 60;
/** Maximum number of types above one that are visited. */
const MAX_ANCESTORS = 60;

/** How far a parameter's type is from that of its argument: 0 for the same type, NaN if the text does not tell. */
type Distance = number;
const UNTOLD: Distance = Number.NaN;
/** Distance of an object that is made for a number. */
const BOXED = 10;
/** Distance of a type that takes everything. */
const ANY = 20;
/** Distance of an object that becomes a number, as in Java when nothing takes the object. */
const UNBOXED = 25;
/** Added for one argument of a parameter that takes many. */
const AMONG_MANY = 40;

interface Candidate {
  target: SymbolRef;
  /** Types of the parameters that the arguments are given to. */
  types: string[];
  /** By argument; last the number of parameters that are left out. */
  distances: Distance[];
}

/**
 * The overloads that a use of one of them may mean: one where the text tells, else all among which it does not. `target` is the definition
 * that the name leads to, `declared` the declaration in a header, if it has one.
 */
export function overloadsMeant(
  ctx: Context,
  reference: Reference,
  target: SymbolRef,
  declared: SymbolRef | null,
): readonly SymbolRef[] {
  const { file, symbol } = target;
  if (symbol < 0 || !FUNCTIONS.has(ctx.symbols.symbol(file, symbol).kind) || !ctx.symbols.areOverloadsTold(file))
    return [target];
  const { headers } = ctx.symbols.semantics(file);
  const start = headers && declared !== null && declared.symbol >= 0 ? declared : target;
  const signature = ctx.symbols.signature(start.file, start.symbol);
  // Nothing tells a definition without a signature from its overloads, so it stands for all of them.
  const own = signature !== undefined ? siblingsOf(ctx, start) : [target];
  if (reference.args < 0) return own;
  const fitting = candidatesAmong(ctx, reference, own);
  if (fitting.length > 0) return nearest(fitting);
  const above = candidatesAmong(ctx, reference, inheritedOverloads(ctx, target));
  return above.length > 0 ? nearest(above) : own;
}

/** Numbers of the constructors that `new Cart(1)` may mean, among those of its class, with commas between; '' if that is any of them. */
export function constructorsMeant(ctx: Context, reference: Reference, { file, symbol }: SymbolRef): string {
  if (symbol < 0 || reference.args < 0 || !ctx.symbols.areOverloadsTold(file)) return '';
  const makers = ctx.symbols
    .membersOf(file, symbol)
    .filter((member) => ctx.symbols.symbol(file, member).kind === 'constructor')
    .slice(0, MAX_OVERLOADS);
  if (makers.length < 2) return '';
  ctx.recorder.note(file, ctx.symbols.symbol(file, makers[0]).name);
  // Types cost more than numbers, which mostly do.
  const fitting = makers
    .map((maker) => ({ file, symbol: maker }))
    .filter((maker) => {
      const signature = signatureOf(ctx, maker);
      return signature === null || parametersFor(signature, reference.args) !== null;
    });
  const meant = fitting.length < 2 ? fitting : nearest(candidatesAmong(ctx, reference, fitting));
  const isAny = meant.length === 0 || meant.length === makers.length;
  return isAny ? '' : meant.map((maker) => makers.indexOf(maker.symbol)).join(',');
}

/** Functions of the same name, place and receiver. */
function siblingsOf(ctx: Context, { file, symbol }: SymbolRef): SymbolRef[] {
  const { name, container } = ctx.symbols.symbol(file, symbol);
  const { headers } = ctx.symbols.semantics(file);
  const typeAround = (other: number) => ctx.symbols.instance(file, other)?.type;
  const receiver = typeAround(symbol);
  return ctx.symbols
    .symbolsNamed(file, name)
    .filter((other) => {
      const { kind, container: outer } = ctx.symbols.symbol(file, other);
      if (outer !== container || !FUNCTIONS.has(kind)) return false;
      // A declaration in a header stands for its definition further down.
      return headers ? ctx.symbols.signature(file, other) !== undefined : typeAround(other) === receiver;
    })
    .slice(0, MAX_OVERLOADS)
    .map((other) => ({ file, symbol: other }));
}

/** Overloads that the parents of its type have. */
function inheritedOverloads(ctx: Context, { file, symbol }: SymbolRef): SymbolRef[] {
  const { name, container } = ctx.symbols.symbol(file, symbol);
  if (container < 0) return [];
  const members = [...ancestorsOf(ctx, { file, symbol: container }).keys()].flatMap((key) => {
    const parent = refOf(key);
    return ctx.symbols
      .symbolsNamed(parent.file, name)
      .filter((other) => ctx.symbols.symbol(parent.file, other).container === parent.symbol)
      .map((other) => ({ file: parent.file, symbol: other }));
  });
  return members;
}

function candidatesAmong(ctx: Context, reference: Reference, targets: readonly SymbolRef[]): Candidate[] {
  const given = (reference.types?.split(',') ?? []).map((type) => givenType(ctx, reference, type));
  const found: Candidate[] = [];
  for (const target of targets) {
    const signature = signatureOf(ctx, target);
    if (signature === null) {
      found.push({ target, types: [], distances: [] });
      continue;
    }
    const types = parametersFor(signature, reference.args);
    if (types === null) continue;
    const distances = types.given.map((type, i) => {
      const argument = given[i] ?? UNKNOWN;
      const distance = distanceOf(ctx, argument, type, target);
      const isAmongMany = i >= types.many && argument.type !== `${type}[]`;
      return isAmongMany && distance !== null ? distance + AMONG_MANY : distance;
    });
    if (distances.includes(null)) continue;
    found.push({ target, types: types.given, distances: [...(distances as Distance[]), types.left] });
  }
  return found;
}

/** The type of an argument. That of an access path is the type of the declaration that the path leads to. */
function givenType(ctx: Context, { symbol, startLine }: Reference, type: string): Given {
  const own = { type, file: ctx.file, scope: symbol };
  if (!type.startsWith('.')) return own;
  const [, root, name, call] = /^\.([^.]+)\.(\w+)(\(\))?$/.exec(type) ?? [];
  const scope = { file: ctx.file, symbol, line: startLine, expected: PATH_ROOTS };
  const owner = root === undefined ? null : accessPathValue(ctx, scope, root);
  if (owner === null || owner.is === 'external') return UNKNOWN;
  const member = lookup(ctx, ctx.file, owner, name, EXPECTED_KINDS[call ? 'call' : 'read'])?.value;
  if (member?.is !== 'symbol') return UNKNOWN;
  const { file, symbol: found } = member;
  const { kind, container } = ctx.symbols.symbol(file, found);
  if (kind === 'enum-member' && container >= 0)
    return { type: ctx.symbols.symbol(file, container).name, file, scope: container };
  const bindings = call ? [ctx.symbols.result(file, found)] : ctx.symbols.bindingsNamed(file, name);
  const stated = bindings.find((binding) => call || binding?.scope === container);
  return { type: withoutArguments(stated?.type ?? ''), file, scope: found };
}

function withoutArguments(type: string): string {
  let text = type.replace(/\s+/g, '');
  for (let depth = 0; depth < MAX_NESTED && text.includes('<'); depth++) text = text.replace(/<[^<>]*>/g, '');
  return /^[\w.]+(?:\[\])*$/.test(text) ? text : '';
}

/** Most levels of type arguments that are removed. */
const MAX_NESTED = 6;

/** Types of the parameters, '' for those that are not told; null if their number is not known. */
function signatureOf(ctx: Context, { file, symbol }: SymbolRef): readonly string[] | null {
  const { arity } = ctx.symbols.symbol(file, symbol);
  return ctx.symbols.signature(file, symbol) ?? (arity === undefined ? null : new Array<string>(arity).fill(''));
}

/** Types of the parameters that a number of arguments is given to; null if they do not fit. `many`: the first of a parameter that takes many. */
function parametersFor(signature: readonly string[], count: number) {
  const rest = signature.findIndex((type) => /\.\.\.=?$/.test(type));
  const least = signature.filter((type) => !/(?:\.\.\.|=)$/.test(type)).length;
  if (count < least || (rest < 0 && count > signature.length)) return null;
  const plain = signature.map((type) => type.replace(/(?:\.\.\.)?=?$/, ''));
  const given = Array.from({ length: count }, (_, i) => (rest >= 0 && i > rest ? plain[rest] : plain[i]));
  return { given, many: rest < 0 ? count : rest, left: Math.max(0, signature.length - count) };
}

/** The candidates that no other one is nearer than. */
function nearest(candidates: readonly Candidate[]): SymbolRef[] {
  const best = candidates.filter((one) => !candidates.some((other) => other !== one && isNearer(other, one)));
  return (best.length > 0 ? best : candidates).map(({ target }) => target);
}

/** Is one nearer at an argument, and nowhere farther? Parameters that are left out count where no argument tells. */
function isNearer(one: Candidate, other: Candidate): boolean {
  if (one.distances.length !== other.distances.length) return false;
  let isBetter = false;
  const given = one.types.length;
  for (let i = 0; i < given; i++) {
    const [own, its] = [one.distances[i], other.distances[i]];
    if (own === its || (one.types[i] === other.types[i] && Number.isNaN(own) && Number.isNaN(its))) continue;
    // Nothing is nearer than the same type.
    if (own !== 0 && !(own < its)) return false;
    isBetter = true;
  }
  return isBetter || one.distances[given] < other.distances[given];
}

// Declarations in headers lead to their definitions in other files.

const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp)$/i;

/**
 * Definition in another file of a symbol that a header declares; the declaration itself if there is none or several files have one.
 */
export function definitionOf(ctx: Context, { file, symbol }: SymbolRef): SymbolRef {
  const own = { file, symbol };
  const defined = definitionsOf(ctx, own);
  // The first of overloads in one file: `definedAs` tells them apart.
  return defined.length > 0 && defined.every((target) => target.file === defined[0].file) ? defined[0] : own;
}

/** Definition of an overload that a header declares: the only one with its parameters, else the declaration itself. */
export function definedAs(ctx: Context, declared: SymbolRef): SymbolRef {
  const { arity, parameters = 0 } = ctx.symbols.symbol(declared.file, declared.symbol);
  if (arity === undefined) return declared;
  const same = definitionsOf(ctx, declared).filter((target) => {
    const own = ctx.symbols.symbol(target.file, target.symbol);
    return own.arity === arity && (own.parameters === undefined || own.parameters === parameters);
  });
  return same.length === 1 ? same[0] : declared;
}

/** Definitions in source files of the name that a header declares. */
function definitionsOf(ctx: Context, own: SymbolRef): SymbolRef[] {
  const { file, symbol } = own;
  if (symbol < 0 || !ctx.symbols.semantics(file).headers || !HEADER.test(ctx.symbols.path(file))) return [];
  const { kind, name, container } = ctx.symbols.symbol(file, symbol);
  if (!FUNCTIONS.has(kind) && !VALUES.has(kind)) return [];
  const isMember = container >= 0 && ctx.symbols.symbol(file, container).kind !== 'namespace';
  const found = isMember
    ? extensionMembers(ctx, { file, symbol: container }, name)
    : freeDefinitions(ctx, own, name, FUNCTIONS.has(kind));
  return found.filter((target) => !HEADER.test(ctx.symbols.path(target.file)));
}

function freeDefinitions(ctx: Context, declared: SymbolRef, name: string, isFunction: boolean): SymbolRef[] {
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.definitions(name)) {
    const file = nodes.fileOf(node);
    const kind = nodes.kind(node);
    if (file === declared.file || !(isFunction ? FUNCTIONS : VALUES).has(kind) || kind === 'macro') continue;
    if (!nodes.isExported(node) || !ctx.symbols.sameFamily(file, declared.file)) continue;
    if (!nodes.isOuter(node, true)) continue;
    ctx.recorder.note(file, name);
    const symbol = nodes.symbolOf(node);
    if (ctx.symbols.instance(file, symbol) === undefined) found.push({ file, symbol });
  }
  return found;
}

// Distances of types.

const RANKS: ReadonlyMap<string, number> = new Map(
  [['byte', 'sbyte'], ['short'], ['char', 'character'], ['int', 'integer'], ['long'], ['float'], ['double']].flatMap(
    (names, rank) => names.map((name) => [name, rank + 1] as const),
  ),
);
const CHAR = 3;
const LITERAL_RANKS: ReadonlyMap<string, number> = new Map([
  ["'", CHAR],
  ['0', 4],
  ['0L', 5],
  ['0f', 6],
  ['0.', 7],
]);
/** Types that take a value of any class, and those of a text. */
const TAKES_ALL = /^(?:Object|object|Any|AnyRef|dynamic|Serializable|Comparable)$/;
const TAKES_TEXT = /^(?:CharSequence|Comparable|Serializable|IComparable|StringProtocol)$/;
const TAKES_FUNCTION =
  /^->|(?:Function|Supplier|Consumer|Predicate|Operator|Runnable|Callable|Comparator|Action|Func|Listener|Handler|Callback)\d*$/;

type Kind = 'number' | 'boolean' | 'text' | 'array' | 'all' | 'other';

function kindOf(type: string): Kind {
  if (type.endsWith('[]')) return 'array';
  if (RANKS.has(type.toLowerCase()) || LITERAL_RANKS.has(type)) return 'number';
  if (/^(?:boolean|bool|true)$/i.test(type)) return 'boolean';
  if (/^(?:"|[sS]tring)$/.test(type)) return 'text';
  return TAKES_ALL.test(type) ? 'all' : 'other';
}

/** Type of an argument, with the place where its names mean something. */
interface Given {
  type: string;
  file: number;
  scope: number;
}
const UNKNOWN: Given = { type: '', file: 0, scope: -1 };

/** Distance of a parameter's type from an argument's; null if the argument does not fit. */
function distanceOf(ctx: Context, argument: Given, type: string, target: SymbolRef): Distance | null {
  const distance = statedDistance(ctx, argument, type, target);
  if (!ctx.symbols.semantics(target.file).conversions || argument.type === '') return distance;
  const isTextual = TEXT_OBJECT.test(type) && Number.isNaN(distance);
  if (distance !== null && !isTextual) return distance;
  // Constructors and operators convert values of any class; numbers become each other.
  const [own, its] = [broadKind(argument.type), broadKind(type)];
  if (own === 'other' && its !== 'other') return isConverted(ctx, argument) ? UNTOLD : null;
  if (its === 'other') return UNTOLD;
  return own === 'text' || its === 'text' ? null : ANY;
}

/** May a value become a number or a text? Objects of a class of the repository do by an operator alone. */
function isConverted(ctx: Context, { file, scope, type }: Given): boolean {
  const found = refTo(ctx, file, scope, type);
  if (typeof found === 'string' || !MAKERS.has(ctx.symbols.symbol(found.file, found.symbol).kind)) return true;
  return ctx.symbols
    .membersOf(found.file, found.symbol)
    .some((member) => ctx.symbols.symbol(found.file, member).name.startsWith('operator '));
}

const MAKERS: ReadonlySet<string> = new Set(['class', 'struct']);

/** As `kindOf`, in languages whose constructors convert values: they have further names of numbers and texts, and pointers. */
function broadKind(type: string): Kind {
  if (/^u(?:byte|short|int|long)$/.test(type)) return 'number';
  return TEXT_OBJECT.test(type) ? 'text' : kindOf(type.replace(/\*$/, ''));
}

const TEXT_OBJECT = /^std\.string(?:_view)?$/;

/** Distance by types alone. Labels stand before a colon. */
function statedDistance(ctx: Context, argument: Given, type: string, target: SymbolRef): Distance | null {
  const given = argument.type;
  if (given.includes(':') && type.includes(':')) return labelledDistance(ctx, argument, type, target);
  if (given === '' || type === '') return UNTOLD;
  if (lastName(given) === lastName(type)) return 0;
  const kind = kindOf(type);
  if (isTypeParameter(ctx, kind, type, target)) return given === '->' ? UNTOLD : ANY;
  const special = specialDistance(ctx, given, type, kind, target);
  if (special !== undefined) return special;
  const own = kindOf(given);
  const distance = own === kind ? BY_KIND[own] : undefined;
  if (distance !== undefined) return distance(ctx, argument, type, target);
  if (own === 'text' && (TAKES_TEXT.test(type) || TEXT_OBJECT.test(type))) return BOXED / 2;
  if (kind !== 'other') return null;
  return own === 'other'
    ? classDistance(ctx, argument, type, target)
    : valueDistance(ctx, type, target, objectType(given, own));
}

function labelledDistance(ctx: Context, argument: Given, type: string, target: SymbolRef): Distance | null {
  const [label, name] = [argument.type.indexOf(':'), type.indexOf(':')];
  if (argument.type.slice(0, label) !== type.slice(0, name)) return null;
  return distanceOf(ctx, { ...argument, type: argument.type.slice(label + 1) }, type.slice(name + 1), target);
}

/** Distance of a null, a function or a class, and of any argument of a parameter that takes everything; undefined for all others. */
function specialDistance(
  ctx: Context,
  given: string,
  type: string,
  kind: Kind,
  target: SymbolRef,
): Distance | null | undefined {
  if (given === 'null') return kind === 'all' ? ANY : isPrimitive(type) ? null : 1;
  if (given === '->') return functionDistance(ctx, type, kind, target);
  if (kind === 'all') return ANY;
  if (given !== 'class') return undefined;
  if (/^K?(?:Class|Type)$/.test(type)) return 0;
  return kind === 'other' ? valueDistance(ctx, type, target, 'Class') : null;
}

/** Distances between types of one kind. */
const BY_KIND: Partial<
  Record<Kind, (ctx: Context, argument: Given, type: string, target: SymbolRef) => Distance | null>
> = {
  number: (_, { type: given }, type) => numberDistance(given, type),
  boolean: (_, { type: given }, type) => (!isPrimitive(type) ? BOXED : isPrimitive(given) ? 0 : UNBOXED),
  text: () => 0,
  array: elementDistance,
};

function isTypeParameter(ctx: Context, kind: Kind, type: string, { file, symbol }: SymbolRef): boolean {
  return /^[A-Z]\d?$/.test(type) || (kind === 'other' && typeParameterOf(ctx, file, symbol, type) !== null);
}

const lastName = (type: string): string => type.slice(type.lastIndexOf('.') + 1);

/** A literal, or a type in small letters, which has no objects. */
const isPrimitive = (type: string): boolean =>
  LITERAL_RANKS.has(type) || type === 'true' || (/^[a-z]/.test(type) && /^(?:number|boolean)$/.test(kindOf(type)));

function numberDistance(given: string, type: string): Distance | null {
  const [own, rank] = [
    LITERAL_RANKS.get(given) ?? RANKS.get(given.toLowerCase()) ?? 0,
    RANKS.get(type.toLowerCase()) ?? 0,
  ];
  const conversion = isPrimitive(given) === isPrimitive(type) ? 0 : isPrimitive(type) ? UNBOXED : BOXED;
  if (own === rank) return conversion;
  if (!isPrimitive(type)) return null;
  if (own < rank && rank !== CHAR) return rank - own + conversion;
  // Some languages give a literal the type that it is needed in.
  return given === '0' && rank !== CHAR ? BOXED : null;
}

function elementDistance(ctx: Context, argument: Given, type: string, target: SymbolRef): Distance | null {
  const [own, its] = [argument.type.slice(0, -2), type.slice(0, -2)];
  if (isPrimitive(own) || isPrimitive(its)) return null;
  return distanceOf(ctx, { ...argument, type: own }, its, target);
}

/**
 * Distance of a text, a number or an array, whose objects are of the type `own` of a library: no class of the repository takes them, but
 * types of libraries do.
 */
function valueDistance(ctx: Context, type: string, target: SymbolRef, own: string): Distance | null {
  if (refTo(ctx, target.file, target.symbol, type) !== 'outside') return null;
  const distance = libraryDistance(ctx, target.file, [own], type);
  return distance === null ? null : BOXED + distance;
}

/** The type of a library whose objects such values are; '' if that is not known. */
function objectType(given: string, kind: Kind): string {
  if (kind === 'text') return 'String';
  if (kind === 'all') return given;
  if (kind === 'boolean') return 'Boolean';
  const rank = LITERAL_RANKS.get(given) ?? RANKS.get(given.toLowerCase()) ?? 0;
  return kind === 'number' ? (OBJECTS_OF_NUMBERS[rank] ?? '') : '';
}

const OBJECTS_OF_NUMBERS = ['', 'Byte', 'Short', 'Character', 'Integer', 'Long', 'Float', 'Double'];

/** Distance of a type of a library above others; null if none of them is of it, NaN if that is not known. */
function libraryDistance(ctx: Context, file: number, types: readonly string[], above: string): Distance | null {
  const known = ctx.symbols.libraryParents(file);
  const sought = lastName(above);
  if (!known.has(sought)) return UNTOLD;
  const found = new Map(types.map((type) => [lastName(type), 0]));
  for (const [name, distance] of found) {
    const parents = known.get(name);
    if (parents === undefined) return UNTOLD;
    for (const parent of parents) if (!found.has(parent)) found.set(parent, distance + 1);
  }
  return found.get(sought) ?? null;
}

function functionDistance(ctx: Context, type: string, kind: Kind, { file, symbol }: SymbolRef): Distance | null {
  if (kind !== 'other') return null;
  if (TAKES_FUNCTION.test(type)) return 0;
  const found = refTo(ctx, file, symbol, type);
  if (typeof found === 'string') return UNTOLD;
  return ctx.symbols.symbol(found.file, found.symbol).kind === 'interface' ? 1 : null;
}

function classDistance(
  ctx: Context,
  { type: given, file, scope }: Given,
  type: string,
  target: SymbolRef,
): Distance | null {
  const own = refTo(ctx, file, scope, given);
  const its = refTo(ctx, target.file, target.symbol, type);
  if (own === 'unknown' || its === 'unknown') return UNTOLD;
  if (own === 'outside') return its === 'outside' ? libraryDistance(ctx, target.file, [given], type) : null;
  const above = ancestorsOf(ctx, own);
  if (its !== 'outside') return above.get(keyOf(its.file, its.symbol)) ?? null;
  const outside = parentsOutside(ctx, above);
  if (outside === null) return UNTOLD;
  return outside.length === 0 ? null : libraryDistance(ctx, target.file, outside, type);
}

/** The type of the repository that a name means. */
function refTo(ctx: Context, file: number, scope: number, type: string): SymbolRef | 'outside' | 'unknown' {
  const value = typeValue(ctx, file, scope, type);
  if (value?.is === 'instance') return { file: value.file, symbol: value.symbol };
  if (value?.is === 'external') return 'outside';
  // Types of the language itself need no import.
  const name = lastName(type);
  const isNamed = ctx.symbols.libraryParents(file).has(name) && ctx.symbols.definitions(name).length === 0;
  return isNamed ? 'outside' : 'unknown';
}

/** Types above one, by `keyOf`, with their distance; itself at 0. */
function ancestorsOf(ctx: Context, type: SymbolRef): Map<number, number> {
  const found = new Map([[keyOf(type.file, type.symbol), 0]]);
  for (const [key, distance] of found) {
    if (found.size > MAX_ANCESTORS) break;
    for (const { file, symbol } of parentsOf(ctx, refOf(key)))
      if (!found.has(keyOf(file, symbol))) found.set(keyOf(file, symbol), distance + 1);
  }
  return found;
}

/** Names of the parents from outside that types have; null if they are not all known. */
function parentsOutside(ctx: Context, above: ReadonlyMap<number, number>): string[] | null {
  if (ctx.exhausted || above.size > MAX_ANCESTORS) return null;
  const names: string[] = [];
  for (const key of above.keys()) {
    const { file, symbol } = refOf(key);
    const stated = ctx.symbols.heritage(file, symbol);
    if (stated.length === parentsOf(ctx, { file, symbol }).length) continue;
    for (const { name, receiver } of stated) {
      const parent = refTo(ctx, file, symbol, receiver === '' ? name : `${receiver}.${name}`);
      if (parent === 'unknown') return null;
      if (parent === 'outside') names.push(name);
    }
  }
  return names;
}

/** Inverse of `keyOf`. */
function refOf(key: number): SymbolRef {
  return { file: Math.floor(key / KEY_UNIT), symbol: (key % KEY_UNIT) - 1 };
}
const KEY_UNIT = 2 ** 24;

// Constructors

/** Resolves `super(…)` and `this(…)` to the constructor of the parent type or of the type itself; to the type if it has none. */
export function constructorOf(ctx: Context, scope: number, name: string): NameResolution {
  const type = enclosingType(ctx, ctx.file, scope);
  if (type === null) return UNKNOWN_NAME;
  // A trait has no constructor.
  const isMade = (parent: SymbolRef): boolean => ctx.symbols.symbol(parent.file, parent.symbol).kind !== 'trait';
  const owner = name === 'this' ? type : parentsOf(ctx, type).find(isMade);
  if (owner === undefined) return UNKNOWN_NAME;
  const written = { file: owner.file, symbol: writtenConstructor(ctx, owner) };
  const target = (written.symbol === owner.symbol ? inheritedConstructor(ctx, owner) : null) ?? written;
  return { value: { is: 'symbol', ...target }, tier: name === 'this' ? 'receiver' : 'inherited' };
}

/** Constructor named after its type; the type itself if there is none. */
function writtenConstructor(ctx: Context, { file, symbol }: SymbolRef): number {
  const same = ctx.symbols.symbolsNamed(file, ctx.symbols.symbol(file, symbol).name);
  const found = same.find((other) => {
    const { kind, container } = ctx.symbols.symbol(file, other);
    return kind === 'constructor' && container === symbol;
  });
  return found ?? symbol;
}

/** The constructor of the nearest parent that has one, for a class without a constructor of its own: `new Cart()` runs it. */
export function inheritedConstructor(ctx: Context, target: SymbolRef): SymbolRef | null {
  if (target.symbol < 0 || ctx.symbols.symbol(target.file, target.symbol).kind !== 'class') return null;
  const key = keyOf(target.file, target.symbol);
  const known = ctx.constructors.get(key);
  if (known !== undefined) return known;
  let found: SymbolRef | null = null;
  const seen = new Set<number>();
  for (let at: SymbolRef | undefined = target; at !== undefined && seen.size < MAX_PARENTS; ) {
    if (seen.has(keyOf(at.file, at.symbol))) break;
    seen.add(keyOf(at.file, at.symbol));
    const { file } = at;
    const own = ctx.symbols.membersOf(file, at.symbol);
    const made = own.find((member) => ctx.symbols.symbol(file, member).kind === 'constructor');
    if (made !== undefined) {
      found = at === target ? null : { file, symbol: made };
      break;
    }
    at = parentsOf(ctx, at).find((parent) => ctx.symbols.symbol(parent.file, parent.symbol).kind === 'class');
  }
  if (!ctx.exhausted) ctx.constructors.set(key, found);
  return found;
}
