/** Kinds of symbols, as sorts of what a use can mean. */
import type { SymbolKind } from '../../extract/facts.js';
import type { ReferenceKind } from '../../extract/relations.js';

const set = (...kinds: SymbolKind[]): ReadonlySet<SymbolKind> => new Set(kinds);

export const TYPES = set('class', 'interface', 'trait', 'struct', 'enum', 'object', 'impl', 'type');
export const FUNCTIONS = set('function', 'method', 'constructor', 'macro');
/** What holds others without being a type of its own. */
export const SPACES = set('namespace', 'module');
export const VALUES = set('constant', 'variable', 'field', 'property');

/** What an unwritten use can mean, best first; kinds that are in no group can't be meant. */
const CALL = [
  set('function', 'method', 'macro'),
  set('class', 'struct', 'object'),
  set('constant', 'variable', 'field', 'property', 'enum-member', 'enum'),
  set('type', 'interface', 'trait'),
];
const TYPE = [
  set('class', 'interface', 'trait', 'struct', 'enum', 'type'),
  // The companion of a type has its name.
  set('module', 'namespace', 'object'),
  set('function', 'constant', 'variable', 'enum-member'),
];
const NEW = [
  set('class', 'struct'),
  // A value of that name can be a constructor, an interface can't.
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

/** What a reference of that kind can mean. */
export const EXPECTED_KINDS: Readonly<Record<ReferenceKind, readonly ReadonlySet<SymbolKind>[]>> = {
  call: CALL,
  new: NEW,
  type: TYPE,
  extends: TYPE,
  implements: TYPE,
  decorator: DECORATOR,
  value: VALUE,
};
export type ExpectedKinds = (typeof EXPECTED_KINDS)[ReferenceKind];

/** What the first name of a chain can stand for. A type and a value can share a name: then the value is at hand. */
export const ROOTS: ExpectedKinds = [
  set(
    'class',
    'struct',
    'enum',
    'object',
    'module',
    'namespace',
    'constant',
    'variable',
    'field',
    'property',
    'enum-member',
  ),
  set('interface', 'trait', 'type'),
  set('function', 'method', 'macro'),
];

/** The same at the beginning of a path of types, where no value is meant if there is a type. */
export const PATH_ROOTS: ExpectedKinds = [
  set('class', 'interface', 'trait', 'struct', 'enum', 'object', 'type', 'module', 'namespace'),
  set('constant', 'variable', 'field', 'property', 'enum-member'),
  set('function', 'method', 'macro'),
];

/** What a link of a chain can be that is called; one that isn't is as a first name is. */
export const CALLED: ExpectedKinds = [...CALL, set('module', 'namespace')];

/** 0 for what is meant first, -1 for what can't be meant. */
export function rankOf(kind: SymbolKind, expected: ExpectedKinds): number {
  for (let i = 0; i < expected.length; i++) if (expected[i].has(kind)) return i;
  return -1;
}
