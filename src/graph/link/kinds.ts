/** Kinds of symbols that each kind of use can mean. */
import type { SymbolKind } from '../../extract/facts.js';
import type { ReferenceKind } from '../../languages/roles/relation-facts.js';

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

/** A name that is mentioned. If a type and a value share it, the value is meant. */
const READ = [
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
  set('function', 'method', 'macro'),
  set('interface', 'trait', 'type'),
];

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
};
export type ExpectedKinds = (typeof EXPECTED_KINDS)[ReferenceKind];

/** Expected kinds of the first name of an access path. If a type and a value share the name, the value is meant. */
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

/** Expected kinds of the first name of a path of types. If a type and a value share the name, the type is meant. */
export const PATH_ROOTS: ExpectedKinds = [
  set('class', 'interface', 'trait', 'struct', 'enum', 'object', 'type', 'module', 'namespace'),
  set('constant', 'variable', 'field', 'property', 'enum-member'),
  set('function', 'method', 'macro'),
];

/** Expected kinds of a name in an access path that is called. For other names, `ROOTS` applies. */
export const CALLED: ExpectedKinds = [...CALL, set('module', 'namespace')];

/** Index of the group that has the kind: 0 is best, -1 means that the kind is not expected. */
export function rankOf(kind: SymbolKind, expected: ExpectedKinds): number {
  for (let i = 0; i < expected.length; i++) if (expected[i].has(kind)) return i;
  return -1;
}
