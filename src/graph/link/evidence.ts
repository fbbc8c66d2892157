/**
 * Judges which member a use means whose receiver is of no known type, in languages whose values state none. Three kinds of
 * evidence count most: the receiver is named like the type; no other type and no library has a member of that name; only one
 * type has everything that this file asks of the receiver. Others are a function that code puts on a value or into a table, a file that
 * this one loads, the class after which a module is called, and all types below one or of one kind (`likelyOfSeveral`). In an application
 * of a framework its rules come first. Traces of test runs gave each its share (docs/graph.md).
 */
import type { SymbolKind } from '../../extract/facts.js';
import { withoutNarrowing } from '../../languages/roles/access-path.js';
import type { Reference } from '../../languages/roles/relation-facts.js';
import { accessPathValue } from './access-path.js';
import { areRelated, heldInTable } from './calls.js';
import { ofNamedType, typeNameOf } from './lookup.js';
import { type Family, familiesOf, MAX_ANCESTORS, MAX_CANDIDATES, memberOf, OUTER } from './members.js';
import { exportedBy } from './modules.js';
import { bindingAround, enclosingType } from './scopes.js';
import { OWN } from './symbol-index.js';
import type { Context } from './symbol-table.js';
import { parentsOf } from './type-parts.js';
import {
  type AbstractValue,
  FUNCTIONS,
  GIVEN_BY_CALLER,
  keyOf,
  type NameResolution,
  ROOTS,
  type SymbolRef,
  TYPES,
  VALUES,
  wholeScope,
} from './values.js';

/** Maximum number of names that a type must have. */
const MAX_ASKED = 12;

/** The function that a use of an unknown receiver likely means; null without evidence. */
export function likelyMember(ctx: Context, reference: Reference): NameResolution | null {
  const { kind, name, receiver } = reference;
  // A key of a literal belongs to the literal.
  if (kind === 'write' || OUTER.test(receiver) || PROTOCOL.test(name) || ctx.exhausted) return null;
  const put = kind === 'call' ? likelyOfCall(ctx, reference) : null;
  if (put !== null) return put;
  if (!mayBeOfAnyType(ctx, receiver)) return null;
  const settled = ctx.symbols.framework() === null ? undefined : likelyInFramework(ctx, reference);
  if (settled !== undefined) return settled;
  if (ctx.symbols.isLibraryName(name)) return likelyOfLibraryName(ctx, reference);
  const families = familiesOf(ctx, name);
  const host = receiver === '' ? likelyOfHost(ctx, reference, families) : null;
  if (host !== null || (receiver === '' && (kind === 'read' || families.length !== 1))) return host;
  const chosen = chosenFamily(ctx, reference, families);
  return chosen === null ? likelyOnOwn(ctx, reference) : likely(ctx, chosen);
}

/** Does the language say neither what a receiver is, nor that a name without one is a function's own? */
function mayBeOfAnyType(ctx: Context, receiver: string): boolean {
  const { unstatedTypes, implicitThis } = ctx.symbols.semantics(ctx.file);
  return unstatedTypes && (receiver !== '' || implicitThis);
}

/** The function that a table holds, or that somebody put where the call finds it. */
function likelyOfCall(ctx: Context, reference: Reference): NameResolution | null {
  return (reference.receiver === '' ? null : heldInTable(ctx, reference)) ?? likelyPut(ctx, reference);
}

/** A member whose name types of libraries have as well, so that the name alone tells nothing. */
function likelyOfLibraryName(ctx: Context, reference: Reference): NameResolution | null {
  return (
    likelyByName(ctx, reference) ??
    likelyOfModule(ctx, reference) ??
    likelyOnOwn(ctx, reference) ??
    (ctx.symbols.framework() === null ? likelyByAll(ctx, reference) : null) ??
    likelyLoaded(ctx, reference)
  );
}

/** The member that is meant by the rules of a framework, null if they say that none here is; undefined if they say nothing. */
function likelyInFramework(ctx: Context, reference: Reference): NameResolution | null | undefined {
  const { kind, name, receiver, symbol, startLine } = reference;
  // A variable of an instance is its own.
  if (kind === 'read' && receiver === 'this') return null;
  if (ctx.symbols.framework()?.locals.test(`${ctx.symbols.path(ctx.file)} ${receiver}.${name}`)) return null;
  if (!/^[A-Z]/.test(receiver)) return undefined;
  const type = accessPathValue(ctx, { ...wholeScope(ctx.file, symbol, ROOTS), line: startLine }, receiver);
  // A record that its class gives, as `Cart.find(1)` does, is asked for what no class here defines.
  if (type?.is === 'instance' && inheritsFromOutside(ctx, type)) return likelyOfType(ctx, name, type);
  if (!CONSTANTS.test(receiver)) return undefined;
  // A module can be extended by something that is seen nowhere.
  if (type?.is !== 'symbol') return null;
  const isModule = ctx.symbols.symbol(type.file, type.symbol).kind === 'module';
  return isModule ? undefined : likelyOfType(ctx, name, type);
}

/** The family that the receiver is called after, or the only one that can be meant; null for none. */
function chosenFamily(ctx: Context, reference: Reference, families: readonly Family[]): Family | null {
  const called = namesOf(ctx, reference);
  const named = families.filter(({ owners }) =>
    owners.some((owner) => called.some((one) => isCalledAfter(ctx, one, owner))),
  );
  if (named.length === 1) return named[0];
  // A delegate says that another type has the name as well.
  const own = families.filter(({ isDelegate }) => isDelegate !== true);
  const only = own.length === 1 ? own[0] : onlyAble(ctx, askedOf(ctx, reference), own);
  const isDoubted =
    only !== null &&
    (own.length === 1 || ctx.symbols.framework() !== null) &&
    (isOfOther(ctx, reference, only) || isWeak(ctx, called, only));
  return isDoubted ? null : only;
}

/** A member of the one class after which the module around the use is called: `Cart` in `module StateMachines::Cart`, whose code it runs. */
function likelyOfHost(ctx: Context, { symbol }: Reference, families: readonly Family[]): NameResolution | null {
  const names = new Set<string>();
  for (let at = symbol; at >= 0; at = ctx.symbols.symbol(ctx.file, at).container) {
    const { kind, name } = ctx.symbols.symbol(ctx.file, at);
    if (kind === 'class' && names.size === 0) return null;
    if (kind === 'module') names.add(plain(lastName(name)));
  }
  const isHost = (owner: SymbolRef) => [...names].some((one) => isCalledAfter(ctx, one, owner));
  const named = families.filter(({ owners }) => owners.some(isHost));
  return named.length === 1 ? likely(ctx, named[0]) : null;
}

/** A path of constants. */
const CONSTANTS = /^[A-Z]\w*(?:\.[A-Z]\w*)*$/;

/** A member of a type that is named: only one of it, or of a type above or below it. */
function likelyOfType(ctx: Context, name: string, type: SymbolRef): NameResolution | null {
  const related = familiesOf(ctx, name).filter(({ owners }) =>
    owners.some((owner) => owner.symbol >= 0 && areRelated(ctx, type, owner)),
  );
  return related.length === 1 ? likely(ctx, related[0]) : null;
}

/**
 * Is the receiver a type, or called like one, that gets its members from outside and has nothing to do with the type that has this one? Then
 * the member is one from outside, or an association of a record.
 */
function isOfOther(ctx: Context, reference: Reference, { root, owners }: Family): boolean {
  if (!ctx.symbols.semantics(ctx.file).namesTell) return false;
  const { receiver } = reference;
  if (receiver === '' || receiver === 'this')
    return ctx.symbols.framework() !== null && isOutOfReach(ctx, reference, owners);
  if (ctx.symbols.framework() !== null && isHandedOn(ctx, reference, root)) return true;
  const whole = /(?:^|\.)([A-Z]\w*)(?:\(\))?$/.exec(receiver)?.[1] ?? typeNameOf(receiver);
  // A `current_user` is a `User`.
  const isKnown = whole === '' || ctx.symbols.framework() === null || ctx.symbols.definitions(whole).length > 0;
  const type = isKnown ? whole : (/[A-Z][a-z\d]+$/.exec(whole)?.[0] ?? whole);
  const { nodes } = ctx.symbols.snapshot;
  const named = type === '' ? [] : [...ctx.symbols.definitions(type).subarray(0, MAX_CANDIDATES)];
  const types = named.flatMap((node): SymbolRef[] => {
    if (!TYPES.has(nodes.kind(node)) || !ctx.symbols.sameFamily(nodes.fileOf(node), ctx.file)) return [];
    ctx.recorder.note(nodes.fileOf(node), type);
    return [nodes.refOf(node)];
  });
  return (
    types.some((one) => inheritsFromOutside(ctx, one)) &&
    !types.some((one) => owners.some((owner) => owner.symbol >= 0 && areRelated(ctx, one, owner)))
  );
}

/**
 * A framework gives classes attributes that no text states, so the name of one alone tells nothing. Its own callers run what parts of an
 * application such as controllers have.
 */
function isWeak(ctx: Context, called: readonly string[], { root, owners }: Family): boolean {
  const framework = ctx.symbols.framework();
  if (framework === null) return false;
  const names = owners.map(({ file, symbol }) => (symbol < 0 ? '' : ctx.symbols.symbol(file, symbol).name));
  const isAttribute = ctx.symbols.symbol(root.file, root.symbol).kind === 'property';
  const isPart = called[0] !== '' && names.every((name) => framework.parts.test(name));
  if (!isAttribute && !isPart) return false;
  return !called.some(
    (one) =>
      (isPart && framework.callers.test(one)) ||
      (one.length >= MIN_WORD && names.some((name) => plain(name).endsWith(one) || one.endsWith(plain(name)))),
  );
}

/** Minimum length of a last word that tells a type. */
const MIN_WORD = 4;

/** A method without a receiver is no member of a class that has nothing to do with the type around the call. */
function isOutOfReach(ctx: Context, { symbol }: Reference, owners: readonly SymbolRef[]): boolean {
  const type = enclosingType(ctx, ctx.file, symbol);
  if (type === null) return false;
  // Classes say what they mix in; a module can be mixed in by something that is seen nowhere.
  const isClass = ctx.symbols.symbol(type.file, type.symbol).kind === 'class';
  return owners.every(
    (owner) =>
      owner.symbol >= 0 &&
      (isClass || ctx.symbols.symbol(owner.file, owner.symbol).kind === 'class') &&
      !areRelated(ctx, type, owner),
  );
}

/** A method that asks another object for what it is called itself hands the call on, unless a local is asked: that may be of its own type. */
function isHandedOn(ctx: Context, { name, receiver, symbol, startLine }: Reference, root: SymbolRef): boolean {
  if (root.file !== ctx.file || root.symbol !== symbol || ctx.symbols.symbol(ctx.file, symbol).name !== name)
    return false;
  // A name that is no local is a call of its own.
  return (
    !/^\w+$/.test(receiver) ||
    ctx.symbols.snapshot
      .index(ctx.file)
      .references.some((one) => one.name === receiver && one.startLine === startLine && one.receiver === '')
  );
}

/** Does a type, or one above it, extend a class that is not here? */
function inheritsFromOutside(ctx: Context, type: SymbolRef): boolean {
  const seen = new Set<number>();
  const queue = [type];
  for (let i = 0; i < queue.length && i < MAX_ANCESTORS; i++) {
    const { file, symbol } = queue[i];
    const parents = parentsOf(ctx, queue[i]);
    const names = new Set(parents.map((parent) => ctx.symbols.symbol(parent.file, parent.symbol).name));
    const stated = ctx.symbols.heritage(file, symbol).filter(({ kind }) => kind === 'extends');
    // An application can open classes of a framework again.
    if (stated.some(({ receiver }) => ctx.symbols.framework()?.spaces.test(receiver) === true)) return true;
    if (
      stated.some(({ receiver, name }) => !names.has(name) && !names.has(`${receiver.replaceAll('.', '::')}::${name}`))
    )
      return true;
    for (const parent of parents)
      if (!seen.has(keyOf(parent.file, parent.symbol))) {
        seen.add(keyOf(parent.file, parent.symbol));
        queue.push(parent);
      }
  }
  return false;
}

/** A method without a receiver, of the only type that has one of that name and stands in a file that this one loads. */
function likelyLoaded(ctx: Context, { name, receiver }: Reference): NameResolution | null {
  if (receiver !== '') return null;
  const loaded = loadedBy(ctx);
  const { nodes } = ctx.symbols.snapshot;
  // Families cost more than a look at the files that have the name.
  const named = loaded.size === 0 ? [] : [...ctx.symbols.counted(ctx.symbols.definitions(name))];
  if (!named.some((node) => loaded.has(nodes.fileOf(node)))) return null;
  const families = familiesOf(ctx, name);
  const isLoaded = families.length === 1 && families[0].owners.some(({ file }) => loaded.has(file));
  return isLoaded ? likely(ctx, families[0]) : null;
}

/** Files that imports of the linked file lead to. */
function loadedBy(ctx: Context): ReadonlySet<number> {
  const { imports } = ctx.symbols.snapshot.index(ctx.file);
  ctx.loaded ??= new Set(
    imports.flatMap((_, at) => {
      const resolved = ctx.symbols.resolution(ctx.file, at);
      return resolved.kind === 'files' ? resolved.files : [];
    }),
  );
  return ctx.loaded;
}

/**
 * A function that other code puts on instances of the class: `this.fail()` in a class `Strategy` that lacks it, and
 * `strategy.fail = function`. Without an object that is called like the class, only one may be put on any object.
 */
function likelyOnOwn(ctx: Context, { kind, name, receiver, symbol }: Reference): NameResolution | null {
  if (kind !== 'call' || withoutNarrowing(receiver) !== 'this') return null;
  const type = enclosingType(ctx, ctx.file, symbol);
  if (type === null || ctx.symbols.definitions(name).length > MAX_CANDIDATES) return null;
  const { nodes } = ctx.symbols.snapshot;
  const found: { target: SymbolRef; owner: string }[] = [];
  for (const node of ctx.symbols.definitions(name)) {
    const target = { file: nodes.fileOf(node), symbol: nodes.symbolOf(node) };
    if (nodes.kind(node) !== 'function' || !ctx.symbols.sameFamily(target.file, ctx.file)) continue;
    ctx.recorder.note(target.file, name);
    const owner = ctx.symbols.given(target.file, target.symbol, OWN)?.value;
    if (owner !== undefined && !ctx.symbols.snapshot.isTest(target.file)) found.push({ target, owner });
  }
  const named = found.filter(({ owner }) => isCalledAfter(ctx, plain(lastName(owner)), type));
  const [only] = named.length > 0 ? named : found;
  if (only === undefined || (named.length || found.length) !== 1) return null;
  return { value: { is: 'symbol', ...only.target }, tier: 'likely' };
}

/**
 * A function that code puts on a value of the same name, as middleware does: `res.end()` and `res.end = function`. Only one may be put
 * on a value that is called so.
 */
function likelyPut(ctx: Context, { name, receiver }: Reference): NameResolution | null {
  if (receiver === '' || !ctx.symbols.semantics(ctx.file).blocks) return null;
  const called = lastName(withoutNarrowing(receiver));
  if (called === '' || called === 'this') return null;
  const { nodes } = ctx.symbols.snapshot;
  let found: SymbolRef | null = null;
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_CANDIDATES)) {
    const target = { file: nodes.fileOf(node), symbol: nodes.symbolOf(node) };
    if (!FUNCTIONS.has(nodes.kind(node)) || !ctx.symbols.sameFamily(target.file, ctx.file)) continue;
    ctx.recorder.note(target.file, name);
    if (ctx.symbols.snapshot.isTest(target.file)) continue;
    if (ctx.symbols.given(target.file, target.symbol, OWN)?.value !== called) continue;
    if (found !== null) return null;
    found = target;
  }
  return found === null ? null : { value: { is: 'symbol', ...found }, tier: 'likely' };
}

/** Methods that the language calls, which any type may have. */
const PROTOCOL = /^__\w+__$/;

/** A member whose name libraries have, too, of the one type after which the receiver is named: `book.get()` of `Book`. */
function likelyByName(ctx: Context, reference: Reference): NameResolution | null {
  const found = ofNamedType(ctx, reference);
  if (found?.value?.is !== 'symbol') return null;
  // Names that are nearly the type's were measured only where names tell types.
  if (found.tier === 'likely' && !ctx.symbols.semantics(ctx.file).namesTell) return null;
  const { file, symbol } = found.value;
  return isCallable(ctx, ctx.symbols.symbol(file, symbol).kind) ? { value: found.value, tier: 'likely' } : null;
}

/** A member whose name libraries have, too, of the only object exported by a file after which the value is called: `response.get()`. */
function likelyOfModule(ctx: Context, reference: Reference): NameResolution | null {
  if (reference.receiver === '' || !ctx.symbols.semantics(ctx.file).blocks) return null;
  const called = namesOf(ctx, reference);
  const named = familiesOf(ctx, reference.name).filter(({ owners }) =>
    owners.some((owner) => isModule(ctx, owner) && called.some((one) => isCalledAfter(ctx, one, owner))),
  );
  return named.length === 1 ? likely(ctx, named[0]) : null;
}

/** The function that a delegate of an object runs, if its name alone tells that: `proto.get` that is `get` of `proto.response`. */
export function likelyDelegate(ctx: Context, reference: Reference, value: AbstractValue): NameResolution | null {
  const { name } = reference;
  const held = value.is === 'files' ? (exportedBy(ctx, value.files[0], '=', ROOTS)?.value ?? null) : value;
  if (held?.is !== 'symbol' || !VALUES.has(ctx.symbols.symbol(held.file, held.symbol).kind)) return null;
  const delegate = ctx.symbols.bindingsNamed(held.file, name).find(({ scope }) => scope === held.symbol)?.value ?? '';
  const receiver = delegate.endsWith(`.${name}`) ? delegate.slice(0, -name.length - 1) : '';
  return likelyOfModule(ctx, { ...reference, receiver });
}

/** Is it an object that a file exports, or a variable that holds one? */
const isModule = (ctx: Context, { file, symbol }: SymbolRef): boolean =>
  symbol < 0 || VALUES.has(ctx.symbols.symbol(file, symbol).kind);

/** A member whose name libraries have, too, of the only type that has all that is asked of the value, if no library can have that all. */
function likelyByAll(ctx: Context, reference: Reference): NameResolution | null {
  if (reference.receiver === '' || ctx.symbols.isContainerName(reference.name)) return null;
  for (const asked of [askedOf(ctx, reference), askedInFile(ctx, reference)]) {
    const telling = asked.filter((name) => !ctx.symbols.isContainerName(name));
    if (telling.length < MIN_TELLING || asked.some((name) => ctx.symbols.definitions(name).length === 0)) continue;
    const chosen = onlyAble(ctx, asked, familiesOf(ctx, reference.name));
    if (chosen !== null) return likely(ctx, chosen);
  }
  return null;
}

/** Minimum number of names, apart from those of collections, by which a type is known although libraries have each. */
const MIN_TELLING = 3;

/** Maximum number of functions of one kind of types, of which a value likely has one. */
const MAX_KIN = 30;

/** Functions of several types, of which a call likely runs one: those below the type of the receiver, or those of its kind. */
export function likelyOfSeveral(ctx: Context, reference: Reference): NameResolution[] {
  const { kind, name, receiver } = reference;
  if (kind !== 'call' || PROTOCOL.test(name) || OUTER.test(receiver) || ctx.exhausted) return [];
  if (!ctx.symbols.semantics(ctx.file).unstatedTypes) return [];
  const below = likelyBelow(ctx, reference);
  return below.length > 0 || receiver === '' ? below : likelyKin(ctx, reference);
}

/** A method that the type of the receiver lacks, of each type below it that has one: `price()` in `Item`, which `Book < Item` defines. */
function likelyBelow(ctx: Context, { name, receiver, symbol, startLine }: Reference): NameResolution[] {
  const families = ctx.symbols.isLibraryName(name) ? [] : familiesOf(ctx, name);
  if (families.length === 0 || families.length > MAX_KIN) return [];
  const type =
    receiver === '' || receiver === 'this'
      ? enclosingType(ctx, ctx.file, symbol)
      : accessPathValue(ctx, { ...wholeScope(ctx.file, symbol, ROOTS), line: startLine }, receiver);
  if (type === null || !('symbol' in type) || type.symbol < 0) return [];
  const below = families.filter(({ owners }) =>
    owners.some((owner) => owner.symbol >= 0 && areRelated(ctx, { file: type.file, symbol: type.symbol }, owner)),
  );
  return below.flatMap((family) => likely(ctx, family) ?? []);
}

/**
 * Functions of all types that are of the kind after which a value is called, although they override nothing in common:
 * `token_type.read()` where each of `Heading(BlockToken)` and `Quote(BlockToken)` has its own.
 */
function likelyKin(ctx: Context, reference: Reference): NameResolution[] {
  const { name, receiver } = reference;
  // In traces of Ruby a fifth of such uses was right: `error.message` where errors here have a `message`.
  if (ctx.symbols.semantics(ctx.file).namesTell && ctx.symbols.isLibraryName(name)) return [];
  const word = lastWord(lastName(withoutNarrowing(receiver)).replace(/_?(?:types?|class|cls)_?$/i, ''));
  const families = word.length < MIN_NAME_LENGTH ? [] : familiesOf(ctx, name);
  if (families.length < 2) return [];
  const asked = askedOf(ctx, reference).filter((each) => !PROTOCOL.test(each));
  // A framework gives records most of what they are asked for, whatever others of their kind define.
  const isFramed = ctx.symbols.framework() !== null;
  const isKin = (family: Family): boolean =>
    isFramed
      ? family.owners.some((owner) => isCalledAfter(ctx, plain(lastName(receiver)), owner))
      : isOfKind(ctx, word, family);
  const kin = families.filter((family) => isKin(family) && (asked.length < 2 || isAble(ctx, asked, family)));
  return kin.length > (isFramed ? 1 : MAX_KIN) ? [] : kin.flatMap((family) => likely(ctx, family) ?? []);
}

/** Does the name of the type that has the member, or of one above it, end in a word? */
function isOfKind(ctx: Context, word: string, { root }: Family): boolean {
  const { container } = ctx.symbols.symbol(root.file, root.symbol);
  if (container < 0 || !TYPES.has(ctx.symbols.symbol(root.file, container).kind)) return false;
  const seen = new Map([[keyOf(root.file, container), { file: root.file, symbol: container }]]);
  for (const type of seen.values()) {
    if (type.symbol < 0 || seen.size > MAX_ANCESTORS) break;
    if (lastWord(ctx.symbols.symbol(type.file, type.symbol).name) === word) return true;
    for (const parent of parentsOf(ctx, type)) seen.set(keyOf(parent.file, parent.symbol), parent);
  }
  return false;
}

/** `token` of `BlockToken`, `block_token` and `HTMLToken_`. */
const lastWord = (name: string): string =>
  /(?:[A-Z]?[^A-Z_]+|[A-Z]+)_*$/.exec(name)?.[0].replace(/_/g, '').toLowerCase() ?? '';

function likely(ctx: Context, { root: { file, symbol } }: Family): NameResolution | null {
  const { kind } = ctx.symbols.symbol(file, symbol);
  return isCallable(ctx, kind) ? { value: { is: 'symbol', file, symbol }, tier: 'likely' } : null;
}

/** Accessors are called like methods where names tell. */
function isCallable(ctx: Context, kind: SymbolKind): boolean {
  return FUNCTIONS.has(kind) || (kind === 'property' && ctx.symbols.semantics(ctx.file).namesTell);
}

/** Several words in one name: where no list of names of libraries is, a name of one word may be theirs. */
const COMPOSITE = /[\p{Ll}\d]\p{Lu}|[\p{L}\d]_[\p{L}\d]/u;

/** Has one type of the repository a member of that name, and no library? A use on a value that nothing shows may mean it. */
export function isOwnMember(ctx: Context, name: string): boolean {
  if (ctx.exhausted || PROTOCOL.test(name) || ctx.symbols.isLibraryName(name)) return false;
  const { unstatedTypes } = ctx.symbols.semantics(ctx.file);
  return (unstatedTypes || COMPOSITE.test(name)) && familiesOf(ctx, name).length === 1;
}

/** Last name of a receiver: `items` of `this.cart.items[]`, `open` of `shop.open()`. */
function lastName(receiver: string): string {
  return /([\p{L}\p{N}_$]+)(?:\([^()]*\)|\[\])*$/u.exec(receiver)?.[1] ?? '';
}

/** Names of a value: of its receiver, and of the parameter that an attribute of `this` was given. */
function namesOf(ctx: Context, reference: Reference): string[] {
  const { receiver, symbol } = reference;
  const found = [plain(lastName(receiver))];
  const given =
    /^[\w$]+$/.test(receiver) && receiver !== 'this'
      ? bindingAround(ctx, ctx.file, symbol, receiver, reference.startLine)
      : undefined;
  if (given !== undefined && given.value !== '') found.push(plain(lastName(given.value)));
  const attribute = /^this\.(\w+)$/.exec(receiver)?.[1];
  const type = attribute === undefined ? null : enclosingType(ctx, ctx.file, symbol);
  if (attribute === undefined || type === null) return found;
  for (const { scope, value } of ctx.symbols.bindingsNamed(type.file, attribute))
    if (scope === type.symbol && value.startsWith(`${GIVEN_BY_CALLER}.`))
      found.push(plain(value.slice(GIVEN_BY_CALLER.length + 1)));
  return found;
}

const plain = (name: string): string => name.replace(/[_$]/g, '').toLowerCase();

/** Is a receiver called like a type, or like a type that it inherits from? */
function isCalledAfter(ctx: Context, called: string, owner: SymbolRef): boolean {
  if (called.length < MIN_NAME_LENGTH) return false;
  if (isModule(ctx, owner) && called === plain(moduleName(ctx.symbols.path(owner.file)))) return true;
  if (owner.symbol < 0) return false;
  if (called === plain(ctx.symbols.symbol(owner.file, owner.symbol).name)) return true;
  const { kind } = ctx.symbols.symbol(owner.file, owner.symbol);
  // A record lacks what only a type below it has.
  if (!TYPES.has(kind) || ctx.symbols.framework() !== null) return false;
  return parentsOf(ctx, owner).some(({ file, symbol }) => called === plain(ctx.symbols.symbol(file, symbol).name));
}

/** `response` of `lib/response.js` and of `response/index.js`. */
const moduleName = (path: string): string => /([^/]+?)(?:\/index)?\.[^./]+$/.exec(path)?.[1] ?? '';

/** Minimum length of a name that tells a type. */
const MIN_NAME_LENGTH = 3;

/** The only family with a type that has all that is asked of the receiver; null if several have, or one name is asked for. */
function onlyAble(ctx: Context, asked: readonly string[], families: readonly Family[]): Family | null {
  if (families.length === 0 || asked.length < 2) return null;
  const able = families.filter((family) => isAble(ctx, asked, family));
  return able.length === 1 ? able[0] : null;
}

/** Has a type of the family all that is asked? */
const isAble = (ctx: Context, asked: readonly string[], { owners }: Family): boolean =>
  owners.some((owner) =>
    asked.every((name) =>
      owner.symbol < 0 ? exportedBy(ctx, owner.file, name, null) !== null : memberOf(ctx, owner, name, null) !== null,
    ),
  );

/** Names of members that are asked of a receiver: in one function, or of an attribute (`this.cart`) in all methods of the type. */
function askedOf(ctx: Context, reference: Reference): readonly string[] {
  ctx.asked ??= askedIn(ctx);
  return [...(ctx.asked.get(askedKey(ctx, reference)) ?? [])].slice(0, MAX_ASKED);
}

/** Names that a file asks of a parameter or a local, wherever it has that name: `el` is the same kind of value in all of a file. */
function askedInFile(ctx: Context, { receiver }: Reference): readonly string[] {
  if (!/^\w+$/.test(receiver) || receiver === 'this') return [];
  ctx.asked ??= askedIn(ctx);
  return [...(ctx.asked.get(`* ${receiver}`) ?? [])].slice(0, MAX_ASKED);
}

function askedIn(ctx: Context): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const reference of ctx.symbols.snapshot.index(ctx.file).references) {
    if (reference.receiver === '' || reference.receiver === 'this') continue;
    for (const key of [askedKey(ctx, reference), `* ${reference.receiver}`]) {
      const names = found.get(key);
      if (names === undefined) found.set(key, new Set([reference.name]));
      else names.add(reference.name);
    }
  }
  return found;
}

function askedKey(ctx: Context, { receiver, symbol }: Reference): string {
  const type = receiver.startsWith('this.') ? enclosingType(ctx, ctx.file, symbol) : null;
  return type !== null && type.file === ctx.file ? `${type.symbol}.${receiver}` : `${symbol} ${receiver}`;
}
