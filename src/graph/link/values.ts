/**
 * Abstract values: what linking knows of an expression's value. Also the scopes in which names are looked up, and the
 * kinds of symbols that each kind of use can mean.
 */
import type { SymbolKind } from '../../extract/facts.js';
import type { ReferenceKind } from '../../languages/roles/relation-facts.js';
import { type TypeExpression, UNKNOWN_EXPRESSION } from '../../languages/roles/type-expressions.js';
import type { EvidenceTier } from '../tables.js';

/** Symbol of a file; symbol -1 stands for the whole file. */
export interface SymbolRef {
  file: number;
  symbol: number;
}

/** Type arguments, with the scope that their names belong to. */
export interface TypeArguments {
  file: number;
  scope: number;
  list: readonly BoundType[];
  /** Names of the type parameters, if they are known. */
  names?: readonly string[];
  /** Written where a function is called. */
  ofCall?: true;
}

/** A type with arguments. */
export interface TypeRef extends SymbolRef {
  args?: TypeArguments;
}

/** The type of a value, in the scope that its names belong to. */
export interface HeldType {
  file: number;
  scope: number;
  type: BoundType;
}

/** Type as written. Two kinds replace a type parameter: `elsewhere` by an argument of another scope, `known` by a value. */
export type BoundType =
  | TypeExpression
  | { is: 'elsewhere'; file: number; scope: number; type: BoundType }
  | { is: 'known'; value: AbstractValue };

export type AbstractValue =
  /**
   * The symbol itself: a class, a function, or a constant of unknown value. `via` is the type in which it was looked up as
   * a member. `held` is the type of its value if another place than its declaration states it.
   */
  | { is: 'symbol'; file: number; symbol: number; args?: TypeArguments; via?: TypeRef; held?: HeldType }
  /**
   * Instance of the type `symbol`. `own`: without inherited members, as named arguments of its constructor see it. `wrapped`: in a value of a
   * library, which has none of its members: `CompletableFuture<Cart>`.
   */
  | { is: 'instance'; file: number; symbol: number; args?: TypeArguments; own?: true; wrapped?: true }
  /** Instance accessed through its parent types, as `super` is. */
  | { is: 'parents'; file: number; symbol: number }
  /** Module with the exports of these files. */
  | { is: 'files'; files: readonly number[] }
  /** Collection with elements of a type written in that scope. */
  | { is: 'list'; file: number; scope: number; element: BoundType }
  /** A tuple, an object type without a name (`shape`) and a mapped type, with types written in that scope. */
  | { is: 'tuple'; file: number; scope: number; items: readonly BoundType[] }
  | {
      is: 'shape';
      file: number;
      scope: number;
      members: readonly (readonly [name: string, type: BoundType])[];
      index?: BoundType;
      /** Arguments of the alias in which it stands. */
      args?: TypeArguments;
    }
  | {
      is: 'mapped';
      file: number;
      scope: number;
      of: AbstractValue;
      key: string;
      value: BoundType;
      hasOwnMembers?: true;
    }
  /** A value without some of its members: those that `names` lists, or with `only` all others. */
  | { is: 'part'; of: AbstractValue; names: ReadonlySet<string>; only: boolean }
  /** All arguments of a function: `Parameters<typeof open>`. */
  | { is: 'parameters'; of: AbstractValue }
  /** Function with a result and parameters of types written in that scope. */
  | { is: 'function'; file: number; scope: number; result: BoundType; parameters: readonly BoundType[] }
  /** One of several values, as a union type has it; with `together` a value that is all of them: an intersection. */
  | { is: 'several'; values: readonly AbstractValue[]; together?: true }
  /** Value from outside of the repository; `guessed` if only a name or a call that nothing here defines says so; `type`: a plain type that it is of. */
  | { is: 'external'; guessed?: true; type?: string };

/** Resolution of a name. `value` is null for a name that is bound to something unknown; it still hides outer definitions. */
export interface NameResolution {
  value: AbstractValue | null;
  tier: EvidenceTier;
  /** True for a field with a written type, which hides fields of its name in parent types. */
  declared?: boolean;
}

/** Type without a known name. */
export const UNKNOWN_TYPE: BoundType = UNKNOWN_EXPRESSION;
export const EXTERNAL: AbstractValue = { is: 'external' };
/** Value of any member of a value from outside. */
export const partOutside = (value: AbstractValue & { is: 'external' }): AbstractValue =>
  value.type === undefined ? value : EXTERNAL;
export const GUESSED_OUTSIDE: AbstractValue = { is: 'external', guessed: true };
export const RESOLVED_OUTSIDE: NameResolution = { value: EXTERNAL, tier: 'external' };
export const UNKNOWN_NAME: NameResolution = { value: null, tier: 'unresolved' };

/** Instance of the type around a member, such as a constructor or a case of an enumeration. */
export function instanceAround(file: number, container: number): AbstractValue | null {
  return container < 0 ? null : { is: 'instance', file, symbol: container };
}

export function symbolValue({ file, symbol }: SymbolRef): AbstractValue {
  return symbol < 0 ? { is: 'files', files: [file] } : { is: 'symbol', file, symbol };
}

/** Beginning of the path of a fixture, and of the parameter that an attribute is given. */
export const FIXTURE = 'fixture#';
export const GIVEN_BY_CALLER = 'given#';
/**
 * End of the path of a value that is asked for members by a part of their name: `this.begins#` of `visit_`. `named`: the name is whole;
 * `any`: for all functions of a table.
 */
export const BY_PART = /^(?:(.*)\.)?(begins|ends|named|any)#$/;

/** Maximum number of alternatives of one value. */
const MAX_ALTERNATIVES = 40;

export type Several = AbstractValue & { is: 'several' };

/** One of the values; unknown values are left out. */
export function severalValues(values: readonly (AbstractValue | null)[]): AbstractValue | null {
  return joined(values, false);
}

/** The value that is all of the values together. Unions are multiplied out: `(A | B) & C` becomes `A & C | B & C`. */
export function valuesTogether(values: readonly (AbstractValue | null)[]): AbstractValue | null {
  const at = values.findIndex((value) => value?.is === 'several' && !value.together);
  if (at === -1) return joined(values, true);
  const union = values[at] as Several;
  return severalValues(
    union.values.map((one) => valuesTogether([...values.slice(0, at), one, ...values.slice(at + 1)])),
  );
}

/** Changes each value, and joins the results as before. */
export function mapValues(
  { values, together }: Several,
  change: (value: AbstractValue) => AbstractValue | null,
): AbstractValue | null {
  return (together ? valuesTogether : severalValues)(values.map(change));
}

function joined(values: readonly (AbstractValue | null)[], together: boolean): AbstractValue | null {
  const known: AbstractValue[] = [];
  const seen = new Set<number>();
  const add = (value: AbstractValue | null): void => {
    if (value === null || known.length >= MAX_ALTERNATIVES) return;
    if (value.is === 'several' && (value.together === true) === together) {
      for (const one of value.values) add(one);
      return;
    }
    if (value.is === 'instance' && value.args === undefined) {
      const key = keyOf(value.file, value.symbol);
      if (seen.has(key)) return;
      seen.add(key);
    }
    if (value.is !== 'external' || known.every(({ is }) => is !== 'external')) known.push(value);
  };
  for (const value of values) add(value);
  if (known.length === 0) return null;
  if (known.length === 1) return known[0];
  return together ? { is: 'several', values: known, together: true } : { is: 'several', values: known };
}

/** Maximum number of symbols of a file, so that `keyOf` gives each symbol its own number. */
const MAX_SYMBOLS = 2 ** 24;

export function keyOf(file: number, symbol: number): number {
  return file * MAX_SYMBOLS + symbol + 1;
}

// Kinds of symbols that each kind of use can mean.

const set = (...kinds: SymbolKind[]): ReadonlySet<SymbolKind> => new Set(kinds);

export const TYPES = set('class', 'interface', 'trait', 'struct', 'enum', 'object', 'impl', 'type');
export const FUNCTIONS = set('function', 'method', 'constructor', 'macro');
/** Kinds that contain symbols but are not types. */
export const SPACES = set('namespace', 'module');
export const VALUES = set('constant', 'variable', 'field', 'property');

/** Expected kinds of a call, best group first. Kinds in no group are never meant. */
const CALL = [
  set('function', 'method', 'macro'),
  set('class', 'struct', 'object'),
  set('constant', 'variable', 'field', 'property', 'enum-member', 'enum'),
  set('type', 'interface', 'trait'),
];
const TYPE = [
  set('class', 'interface', 'trait', 'struct', 'enum', 'type'),
  // A companion has the name of its type.
  set('module', 'namespace', 'object'),
  set('function', 'constant', 'variable', 'enum-member'),
];
const NEW = [
  set('class', 'struct'),
  // A value can be a constructor, but an interface cannot.
  set('enum-member', 'enum', 'function', 'constant', 'variable'),
  set('type', 'interface', 'trait', 'module'),
  set('object'),
];
const DECORATOR = [
  set('function', 'class', 'interface', 'macro', 'struct', 'method'),
  set('constant', 'variable', 'object'),
];
const VALUE = [
  set('function', 'class', 'macro', 'method'),
  set('struct', 'enum', 'object', 'constant', 'variable', 'enum-member'),
  set('interface', 'trait'),
  set('type', 'module', 'namespace', 'field', 'property'),
];

const MENTIONED = set('class', 'struct', 'enum', 'object', 'module', 'namespace', 'enum-member', ...VALUES);
/** A name that is mentioned. If a type and a value share it, the value is meant. */
const READ = [MENTIONED, set('function', 'method', 'macro'), set('interface', 'trait', 'type'), set('key')];

/** Expected kinds by kind of reference. */
export const EXPECTED_KINDS: Readonly<Record<ReferenceKind, readonly ReadonlySet<SymbolKind>[]>> = {
  call: CALL,
  new: NEW,
  type: TYPE,
  extends: TYPE,
  implements: TYPE,
  decorator: DECORATOR,
  value: VALUE,
  read: READ,
  write: READ,
  route: VALUE,
  request: VALUE,
};
export type ExpectedKinds = (typeof EXPECTED_KINDS)[ReferenceKind];

/** Expected kinds of the first name of an access path. If a type and a value share the name, the value is meant. */
export const ROOTS: ExpectedKinds = [MENTIONED, set('interface', 'trait', 'type'), set('function', 'method', 'macro')];

/** Expected kinds of the first name of a path of types. If a type and a value share the name, the type is meant. */
export const PATH_ROOTS: ExpectedKinds = [
  set('class', 'interface', 'trait', 'struct', 'enum', 'object', 'type', 'module', 'namespace'),
  set('constant', 'variable', 'field', 'property', 'enum-member'),
  set('function', 'method', 'macro'),
];

/** Expected kinds of a name in an access path that is called. For other names, `ROOTS` applies. */
export const CALLED: ExpectedKinds = [...CALL, set('module', 'namespace')];

/** Place from which a name is looked up, and the kinds of symbols that the name can mean there. */
export interface Scope {
  file: number;
  /** Symbol around the place, -1 at top level. */
  symbol: number;
  /** Line of the use, since the last binding before it counts; infinite where the place is no line of its file. */
  line: number;
  expected: ExpectedKinds;
}

/** Scope of a whole symbol, as names in declarations have it: no line decides which binding counts. */
export function wholeScope(file: number, symbol: number, expected: ExpectedKinds = ROOTS): Scope {
  return { file, symbol, line: Number.POSITIVE_INFINITY, expected };
}

/** Index of the group that has the kind: 0 is best, -1 means that the kind is not expected. */
export function rankOf(kind: SymbolKind, expected: ExpectedKinds): number {
  for (let i = 0; i < expected.length; i++) if (expected[i].has(kind)) return i;
  return -1;
}
