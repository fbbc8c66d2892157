/** Turns collected facts into relations: offsets become lines and symbols, facts that no question can need are dropped, the rest is bounded. */
import { addTo, lineAt, lineStarts } from '../../base/lists.js';
import {
  type Binding,
  type Export,
  MADE,
  type Reference,
  type ReferenceKind,
  type Relations,
} from '../../languages/roles/relation-facts.js';
import type { RelationRules, TypeReaders } from '../../languages/roles/relations.js';
import { withRequests } from '../../languages/roles/requests.js';
import { holdsRoutes } from '../../languages/roles/routes.js';
import { type Draft, FUNCTION_KINDS } from '../draft.js';
import {
  MAX_BINDINGS,
  MAX_REFERENCES,
  MAX_STRING_LENGTH,
  type RawBinding,
  type RawReference,
  type RawRelations,
  strengthOf,
} from './fact-sink.js';
import { heldAgain, narrowedBindings, type Placed } from './narrowings.js';
import { Enclosing } from './scopes.js';

/** Most lines that are shown as evidence of a use: the arguments of a call can go on for pages. */
const MAX_EVIDENCE_LINES = 10;

/** `drafts` are in document order, so that their indexes are those of the symbols. */
export function toRelations(
  raw: RawRelations,
  drafts: readonly Draft[],
  text: string,
  rules?: RelationRules,
): Relations {
  const lineOf = lineFinder(text);
  // Looked up by ascending offsets only: each list is sorted, and `rewind` comes before the next one.
  const around = new Enclosing(drafts);
  const imports = raw.imports.sort(byOffset).map(({ at, end, kind, specifier, names }) => {
    const inside = around.innermost(at);
    // A section of a page or a notebook is no scope, nor is a key.
    const holder = drafts[inside]?.kind;
    const symbol = holder === 'section' || holder === 'key' ? -1 : inside;
    return { kind, specifier, names, symbol, startLine: lineOf(at), endLine: lineOf(Math.max(at, end - 1)) };
  });
  const exports = toExports(raw, drafts, lineOf);
  around.rewind();
  const isIgnored = ignorer(raw, drafts, rules);
  // Drops values that are neither functions nor types of this file. The read of the name, which is stated too, stays.
  const known = raw.references.filter((reference) => reference.kind !== 'value' || !isIgnored(reference));
  const references: Reference[] = [];
  const defined = definedAt(drafts);
  const isRepeated = repeatedOnLine();
  const typeOf = rules?.overloads === undefined ? () => '' : typesOfNames(raw, drafts, rules?.parameters?.apart);
  const isOfLibrary = libraryTest(raw, drafts, rules?.libraries, typeOf);
  for (const reference of strongest(known, drafts)) {
    if (references.length >= MAX_REFERENCES) break;
    if (isIgnored(reference) || (reference.kind === 'type' && defined.has(reference.at))) continue;
    const isTyped = reference.types !== undefined && !isOfLibrary(reference);
    const types = isTyped ? withTypesOfNames(reference, typeOf) : undefined;
    const found = toReference(reference, types, around, lineOf);
    if (!isRepeated(found)) references.push(found);
  }
  around.rewind();
  const bindings = toBindings(raw, references, around, lineOf);
  const told = rules?.parameters?.apart === undefined ? references : withTellingTypes(references, drafts);
  return {
    imports,
    exports,
    references: withRequests(text, told, bindings, rules?.bareClients).slice(0, MAX_REFERENCES),
    bindings,
  };
}

/**
 * Leaves types of arguments to names that are overloaded by all that this file tells: it has several functions of the name with as many
 * parameters, or calls it with several types. The types of all calls would add 4% to records.
 */
function withTellingTypes(references: readonly Reference[], drafts: readonly Draft[]): Reference[] {
  const functions = new Map<string, number>();
  for (const { name, kind, arity } of drafts)
    if (FUNCTION_KINDS.has(kind)) functions.set(`${arity} ${name}`, (functions.get(`${arity} ${name}`) ?? 0) + 1);
  const given = new Map<string, Set<string>>();
  for (const { name, args, types } of references)
    for (const [i, type] of (types?.split(',') ?? []).entries()) {
      const key = `${i} ${args} ${name}`;
      if (type !== '') given.set(key, (given.get(key) ?? new Set()).add(type));
    }
  const isTelling = ({ name, args, types = '' }: Reference) =>
    (functions.get(`${args} ${name}`) ?? 0) > 1 ||
    types.split(',').some((_, i) => (given.get(`${i} ${args} ${name}`)?.size ?? 0) > 1);
  return references.map((reference) => {
    const { types, ...rest } = reference;
    return types === undefined || (!MACRO_NAME.test(reference.name) && isTelling(reference)) ? reference : rest;
  });
}

/** Macros have no overloads. */
const MACRO_NAME = /^[A-Z][A-Z0-9_]+$/;

/** Types of arguments, with the type that each name has instead of the name. */
function withTypesOfNames(
  { types, at }: RawReference,
  typeOf: (name: string, at: number) => string,
): string | undefined {
  return types?.includes('=') ? types.replace(/=([^,]+)/g, (_, name) => typeOf(name, at)) : types;
}

/** Is it a read or write that this line has already? The evidence of a use is a line, so one is enough. */
function repeatedOnLine(): (reference: Reference) => boolean {
  let line = -1;
  const seen = new Set<string>();
  return ({ kind, name, receiver, symbol, startLine }) => {
    if (kind !== 'read' && kind !== 'write') return false;
    if (startLine !== line) {
      line = startLine;
      seen.clear();
    }
    const key = `${kind} ${symbol} ${receiver} ${name}`;
    if (seen.has(key)) return true;
    seen.add(key);
    return false;
  };
}

/** Exports that do not follow from the symbols. */
function toExports(raw: RawRelations, drafts: readonly Draft[], lineOf: (at: number) => number): Export[] {
  const stated = new Set<string>();
  for (const { container, exported, name } of drafts) if (container === null && exported) stated.add(name);
  // `exports.Route = Route` re-exports an import, whatever the kind of the assigned symbol.
  for (const { names } of raw.imports) for (const { alias } of names) stated.delete(alias);
  const exports: Export[] = [];
  for (const { at, name, local } of raw.exports.sort(byOffset)) {
    if (name !== local || !stated.has(name)) exports.push({ name, local, line: lineOf(at) });
  }
  return exports;
}

function byOffset(a: { at: number }, b: { at: number }): number {
  return a.at - b.at;
}

/** Offsets of names where they are defined. `Cart` of `impl Cart` and `extension Cart` is a use: it is defined elsewhere. */
function definedAt(drafts: readonly Draft[]): Set<number> {
  return new Set(drafts.filter(({ kind }) => kind !== 'impl').map(({ nameStart }) => nameStart));
}

/** The strongest use at each offset, in order. The name in a definition is no use of it. */
function strongest(references: RawReference[], drafts: readonly Draft[]): RawReference[] {
  const rank = (reference: RawReference) => strengthOf.get(reference.kind) ?? strengthOf.size;
  const defined = definedAt(drafts);
  const sorted = references.sort((a, b) => a.at - b.at || rank(a) - rank(b));
  return sorted.filter((reference, index) => {
    const { at } = reference;
    // One word states many routes (`resources`).
    if (reference.kind === 'route') return true;
    if (defined.has(at) && !isKeyOf(reference)) return false;
    // `{ total }` reads the local and writes the property.
    const before = sorted[index - 1];
    return before?.at !== at || before.kind === 'route' || isKeyOf(before);
  });
}

/** `total` of `{ total: … }`, `{ total }` and `{ total() { … } }`. */
function isKeyOf({ kind, receiver }: RawReference): boolean {
  return kind === 'write' && receiver !== '';
}

/** Returns a test for names that, by the lists of the language, no repository defines. Names that the file itself defines or imports pass. */
function ignorer(
  raw: RawRelations,
  drafts: readonly Draft[],
  rules?: RelationRules,
): (reference: RawReference) => boolean {
  const own = new Set<string>();
  for (const fact of raw.imports) for (const { alias } of fact.names) own.add(alias);
  const methods = new Set<string>();
  for (const { name, kind, assigned } of drafts) {
    if (assigned !== true || kind === 'function') own.add(name);
    if (FUNCTION_KINDS.has(kind)) methods.add(name);
  }
  const bound = new Set(raw.bindings.map((binding) => binding.name));
  const handed = handedNames(raw, rules);
  const isBuiltIn = (name: string) => rules?.ignoredTypes?.has(name) || rules?.ignoredCalls?.has(name);
  const ofLanguage: Partial<Record<ReferenceKind, (name: string) => boolean | undefined>> = {
    read: isBuiltIn,
    write: isBuiltIn,
    type: (name) => raw.typeParameters.has(name) || rules?.ignoredTypes?.has(name),
    call: (name) => rules?.ignoredCalls?.has(name),
  };
  const isHanded = (name: string, receiver: string, root: string): boolean => {
    if (root === 'this') return methods.has(name);
    // `use(mx.route)`: a method of this file, passed through a variable of its type.
    return own.has(root) || (receiver === '' ? handed.has(name) : bound.has(root) && methods.has(name));
  };
  return ({ kind, name, receiver }) => {
    if (kind === 'route') return false;
    const root = receiver === '' ? name : rootOf(receiver);
    if (kind === 'value') return !isHanded(name, receiver, root);
    if (own.has(root)) return false;
    if (rules?.ignoredRoots?.has(root) && !bound.has(root)) return true;
    return receiver === '' && ofLanguage[kind]?.(name) === true;
  };
}

function handedNames({ bindings }: RawRelations, { handedValues }: RelationRules = {} as RelationRules): Set<string> {
  if (handedValues === undefined) return new Set();
  // `const cartRoutes = create(db)` is one by its name.
  const isHanded = ({ name, value }: { name: string; value: string }) =>
    handedValues.test(value) || (value.endsWith('()') && handedValues.test(`${name}()`));
  return new Set(bindings.filter(isHanded).map(({ name }) => name));
}

/** The type that a name of the file has at an offset, or a call of one (`total()`), or an element of one (`items[]`); '' if it is not told. */
function typesOfNames(
  { bindings }: RawRelations,
  drafts: readonly Draft[],
  reader?: TypeReaders,
): (name: string, at: number) => string {
  const around = new Enclosing(drafts);
  const [locals, fields, results] = [new Map<string, Held[]>(), new Map<string, string>(), new Map<string, string>()];
  // Two types of one name tell nothing.
  const add = (types: Map<string, string>, name: string, type: string): void => {
    types.set(name, (types.get(name) ?? type) === type ? type : '');
  };
  const sorted = [...bindings].sort(byOffset);
  const plain = new Map<string, string>();
  const plainOf = (type: string): string => {
    const known = plain.get(type) ?? (reader === undefined ? plainType(type) : reader.type(type));
    plain.set(type, known);
    return known;
  };
  for (const { place, name, value, at, ...own } of sorted) {
    const type = own.written ?? own.type;
    const scope = place === 'local' || place === 'variable' || place === 'result' ? around.function(at) : -1;
    const written = type !== '' ? plainOf(type) : (/^new ([\w.]+)\(\)$/.exec(value)?.[1] ?? '');
    if (place === 'field' || (place === 'variable' && scope === -1)) add(fields, name, written);
    else if (place === 'result') add(results, `${drafts[scope]?.name}()`, written);
    else if (place === 'local' || place === 'variable') addTo(locals, `${scope} ${name}`, { at, type: written });
  }
  around.rewind();
  return (text, at) => {
    if (text === 'this' && reader === undefined) return ownType(around, at);
    const name = text.replace(/\[\]$/, '');
    const held = locals.get(`${around.function(at)} ${name}`) ?? [];
    let last = held.length - 1;
    while (last >= 0 && held[last].at > at) last--;
    const type = held[last]?.type ?? fields.get(name) ?? results.get(name) ?? '';
    if (name === text) return type;
    return type.endsWith('[]') ? type.slice(0, -2) : '';
  };
}

/** Name of the type around an offset, '' outside of types. */
function ownType(around: Enclosing, at: number): string {
  const name = around.ownName(at);
  return name === 'this' ? '' : name;
}

/**
 * Returns a test for calls whose types of arguments need not be kept: of functions of libraries, by imports and by types of receivers, and
 * of the only function of its name here.
 */
function libraryTest(
  { imports }: RawRelations,
  drafts: readonly Draft[],
  libraries: RegExp | undefined,
  typeOf: (name: string, at: number) => string,
): (reference: RawReference) => boolean {
  const specifiers = new Map(
    imports.flatMap(({ specifier, names }) => names.map(({ alias }) => [alias, specifier] as const)),
  );
  const own = new Map<string, number>();
  for (const { name } of drafts) own.set(name, (own.get(name) ?? 0) + 1);
  const isLibrary = (name: string) => !own.has(name) && libraries?.test(specifiers.get(name) ?? name) === true;
  return ({ receiver, name, at }) => {
    if (receiver === '') return own.has(name) ? own.get(name) === 1 : isLibrary(name);
    const [root, made] = [rootOf(receiver), receiver.startsWith('new ')];
    if (libraries?.test(`${root}.`) && !own.has(root)) return true;
    if (root === 'this' || root === 'super' || root === '?') return receiver === '?';
    const isPlain = receiver === root || (made && receiver === `new ${root}()`);
    return isPlain && isLibrary(made || /^[A-Z]/.test(root) ? root : typeOf(root, at).replace(/\[\]$/, ''));
  };
}

/** The type that a local has from an offset on. */
interface Held {
  at: number;
  type: string;
}

/** A type without its arguments; '' for one that is more than a name. */
function plainType(type: string): string {
  let text = type.replace(/\s+/g, '').replace(/[?!]$/, '');
  for (let depth = 0; depth < MAX_NESTED && text.includes('<'); depth++) text = text.replace(/<[^<>]*>/g, '');
  return PLAIN.get(text) ?? (/^[\w$.]+(?:\[\])*$/.test(text) ? text : '');
}

/** Types of literals, by which types of names are told, too: most arguments are of these. */
const PLAIN: ReadonlyMap<string, string> = new Map([
  ['String', '"'],
  ['string', '"'],
  ['int', '0'],
  ['long', '0L'],
  ['float', '0f'],
  ['double', '0.'],
  ['boolean', 'true'],
  ['bool', 'true'],
  ['char', "'"],
]);

/** Most levels of type arguments that are removed. */
const MAX_NESTED = 6;

function toReference(
  raw: RawReference,
  types: string | undefined,
  around: Enclosing,
  lineOf: (at: number) => number,
): Reference {
  const { kind, args, literal } = raw;
  // `Self { … }`, `new static()`, `cls()`: the enclosing type by its name, an instance of it as an access path's root.
  const name = raw.name === 'this' && raw.receiver === '' ? around.ownName(raw.at) : raw.name;
  const receiver = madeHere(raw.receiver, raw.at, around);
  const inherits = kind === 'extends' || kind === 'implements';
  const symbol =
    raw.of !== '' ? around.named(raw.of, raw.at) : inherits ? around.type(raw.at) : around.innermost(raw.at);
  const startLine = lineOf(raw.at);
  const lastLine = lineOf(Math.max(raw.at, raw.end - 1));
  const endLine = holdsRoutes(raw) ? lastLine : Math.min(lastLine, startLine + MAX_EVIDENCE_LINES - 1);
  const isTold = types !== undefined && /[^,]/.test(types) && types.length <= MAX_STRING_LENGTH;
  // Two literals, not a spread: a file has thousands of references, and most tell no types.
  return isTold
    ? { kind, name, receiver, args, literal, types, symbol, startLine, endLine }
    : { kind, name, receiver, args, literal, symbol, startLine, endLine };
}

/** `this()` makes an instance of the enclosing type. */
function madeHere(accessPath: string, at: number, around: Enclosing): string {
  return accessPath.startsWith('this()') ? `new ${around.ownName(at)}${accessPath.slice('this'.length)}` : accessPath;
}

function toBindings(
  raw: RawRelations,
  references: readonly Reference[],
  around: Enclosing,
  lineOf: (at: number) => number,
): Binding[] {
  const requested = requestedNames(references, raw);
  // Other files can need values at top level: `export const cart = new Cart()`.
  const top = new Set(around.drafts.filter(({ container }) => container === null).map(({ nameStart }) => nameStart));
  const results = new Set<string>();
  const found: Placed[] = [];
  for (const binding of richest(raw.bindings, around.drafts)) {
    if (found.length >= MAX_BINDINGS) break;
    const { place, name, type, at } = binding;
    const isRequested = requested.has(name) || (top.has(at) && (type !== '' || binding.value !== ''));
    if (place === 'local' && !isRequested) continue;
    const scope = scopeOf(binding, around);
    if (scope === null || !isWanted(binding, scope, isRequested, around)) continue;
    const key = `${scope}${name}`;
    if (place === 'result' && results.has(key)) continue;
    if (place === 'result') results.add(key);
    found.push(placedIn(scope, binding, around, lineOf));
  }
  found.push(...narrowedBindings(raw.narrowings, found, around, lineOf));
  if (raw.narrowings.length > 0) found.sort((a, b) => a.binding.line - b.binding.line || a.at - b.at);
  around.rewind();
  const closures = raw.closures.sort((a, b) => a.start - b.start);
  const again = heldAgain(
    found,
    closures.map((range) => ({ ...range, scope: around.code(range.start) })),
    lineOf,
  );
  const all =
    again.length === 0 ? found : [...found, ...again].sort((a, b) => a.binding.line - b.binding.line || a.at - b.at);
  // A closure that ends with the text has no line behind it.
  const lastLine = lineOf(Number.POSITIVE_INFINITY);
  const inside = all.filter(({ binding }) => binding.line <= lastLine);
  return inside.slice(0, MAX_BINDINGS).map(({ binding }) => binding);
}

/** Do other files or this one ask for a binding of a scope? */
function isWanted({ place }: RawBinding, scope: number, isRequested: boolean, around: Enclosing): boolean {
  if (place === 'variable') return isRequested || around.isType(scope);
  return place !== 'parameter' || around.isFunction(scope) || isVariant(scope, around);
}

function placedIn(scope: number, binding: RawBinding, around: Enclosing, lineOf: (at: number) => number): Placed {
  const { place, name, type, at, of } = binding;
  const value = madeHere(binding.value, at, around);
  // A local that is declared outside a closure has, behind it, the value that the closure assigned.
  const isLocal = (place === 'local' && of !== 'assigned') || (place === 'variable' && !around.isType(scope));
  // Locals of a constructor have the same scope as its fields.
  const ofMade = place === 'field' && of === '' && around.isFunction(scope) ? `${MADE}.${name}` : name;
  return { at, isLocal, binding: { scope, name: ofMade, type, value, line: lineOf(at) } };
}

/** Bindings in order: at each offset the one that says most, and none of names that are functions or types. */
function richest(bindings: RawBinding[], drafts: readonly Draft[]): RawBinding[] {
  const symbols = new Map(drafts.map((draft) => [draft.nameStart, draft]));
  const best: RawBinding[] = [];
  for (const binding of bindings.sort(byOffset)) {
    const symbol = symbols.get(binding.at);
    const says = binding.type !== '' || binding.value !== '';
    if (binding.place === 'local' && symbol !== undefined && (!says || FUNCTION_KINDS.has(symbol.kind))) continue;
    const last = best[best.length - 1];
    // A long union is stated as several bindings.
    const same =
      last !== undefined &&
      last.at === binding.at &&
      last.name === binding.name &&
      last.place === binding.place &&
      binding.place !== 'alias';
    if (!same) best.push(binding);
    else if (says && last.type === '' && last.value === '') best[best.length - 1] = binding;
  }
  return best;
}

/** Names that access paths of the file start with, and names that other files can look up. */
function requestedNames(
  references: readonly Reference[],
  { bindings, exports, typeParameters }: RawRelations,
): Set<string> {
  // A function outside of its type needs the type of `this` for every use of it.
  const names = new Set<string>(['this', ...typeParameters]);
  for (const { local } of exports) names.add(local);
  for (const { receiver, name, symbol } of references) {
    names.add(receiver === '' ? name : rootOf(receiver));
    // Blocks outside of all types share the values of an instance, as those of tests do.
    if (symbol < 0 && receiver.startsWith('this.')) names.add(rootOf(receiver.slice('this.'.length)));
    const implied = receiver.indexOf('{=}');
    if (implied === -1) continue;
    const rest = receiver.slice(implied + '{=}.'.length);
    names.add(rest === '' ? name : rootOf(rest));
  }
  if (bindings.some(({ name }) => name.includes('.')))
    for (const { receiver, name } of references) {
      const [first, second = name] = receiver.split('.', 2);
      names.add(`${first}.${second}`);
    }
  for (const { value, type } of bindings) {
    if (value !== '') for (const path of value.split(' | ')) names.add(rootOf(path));
    if (type.includes('`')) for (const [, path] of type.matchAll(/`([^`]*)`/g)) names.add(rootOf(path));
  }
  return names;
}

/** The first name of an access path. Without an expression: it is asked for several times a reference. */
function rootOf(accessPath: string): string {
  const start = accessPath.startsWith('new ') ? 4 : 0;
  let end = start;
  while (end < accessPath.length && !ENDS_ROOT.has(accessPath.charCodeAt(end))) end++;
  return accessPath.slice(start, end);
}

const ENDS_ROOT: ReadonlySet<number> = new Set([...'.()[]{'].map((char) => char.charCodeAt(0)));

/** Index of the symbol that a binding belongs to, -1 for the file, null if there is none. */
function scopeOf(binding: RawBinding, around: Enclosing): number | null {
  const { place, at, of } = binding;
  if (place === 'alias') return -1;
  if (place === 'local') return around.code(at);
  if (place === 'variable' || place === 'bound') return around.holder(at);
  if (place === 'type-parameter') {
    const index = around.innermost(at);
    return index === -1 || at >= around.drafts[index].signatureEnd ? null : index;
  }
  if (place === 'field') return scopeOfField(binding, around);
  if (place === 'parameter' && isVariant(around.innermost(at), around)) return around.innermost(at);
  const index = around.function(at);
  if (index === -1 || (of !== 'body' && at >= around.drafts[index].signatureEnd)) return null;
  return index;
}

function scopeOfField({ at, of, value }: RawBinding, around: Enclosing): number | null {
  const orNull = (index: number): number | null => (index === -1 ? null : index);
  if (of !== '') return orNull(around.named(of, at));
  const type = around.typeOrAlias(at);
  // A module has members for types that mix it in: `belongs_to :till` in a concern. Values that say less would hide what names tell.
  const space = value.startsWith('new ') ? around.space(at) : -1;
  return type !== -1 ? Math.max(type, space) : (constructorAround(at, around) ?? orNull(space));
}

/** The function that makes objects, around an offset or around the method that the offset is in: `function Cart() { this.till = … }`. */
function constructorAround(at: number, around: Enclosing): number | null {
  const index = around.function(at);
  if (index === -1) return null;
  const { kind, name, owner } = around.drafts[index];
  const made = owner === null ? index : around.named(owner, at);
  const isOne = made !== -1 && around.drafts[made].kind === 'function';
  return isOne && (owner !== null || (kind === 'function' && /^\p{Lu}/u.test(name))) ? made : null;
}

/** Is it a case of an enumeration, which can hold values? */
function isVariant(scope: number, { drafts }: Enclosing): boolean {
  return drafts[scope]?.kind === 'enum-member';
}

/** Offset -> 1-based line. */
function lineFinder(text: string): (at: number) => number {
  const starts = lineStarts(text);
  // A line break at the very end starts no line.
  if (starts.length > 1 && starts[starts.length - 1] === text.length) starts.pop();
  return (at) => lineAt(starts, at);
}
