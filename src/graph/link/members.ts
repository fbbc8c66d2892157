/** Finds members of types: their own, those of other definitions of the type, and inherited ones. */
import type { SymbolKind } from '../../extract/facts.js';
import { type Binding, MADE, type Reference } from '../../languages/roles/relation-facts.js';
import type { OwnedMember } from './link-snapshot.js';
import { bindingValue, isOfTrait, seesExtension } from './scopes.js';
import type { Context } from './symbol-table.js';
import { joinedMember, partsOf, partsWith, wholeOf } from './type-parts.js';
import { argumentsByName, bind, parseType } from './type-text.js';
import { boundOf, instanceOf, instanceOfAlias, typeValue } from './types.js';
import {
  type AbstractValue,
  EXPECTED_KINDS,
  type ExpectedKinds,
  FUNCTIONS,
  GIVEN_BY_CALLER,
  keyOf,
  type NameResolution,
  RESOLVED_OUTSIDE,
  rankOf,
  type Scope,
  SPACES,
  type SymbolRef,
  TYPES,
  type TypeArguments,
  type TypeRef,
  VALUES,
  wholeScope,
} from './values.js';

/** Maximum number of parent types that one lookup visits, above that of real types. */
export const MAX_PARENTS = 64;
/** Maximum number of definitions of one name that are examined as extension members. */
const MAX_EXTENSION_MEMBERS = 400;

/** Finds a member of a type or of its parents; null if there is none. */
export function memberOf(
  ctx: Context,
  type: SymbolRef,
  name: string,
  expected: ExpectedKinds | null,
  args?: TypeArguments,
): NameResolution | null {
  if (!ctx.enter()) return null;
  try {
    const first = wholeOf(ctx, type);
    const own = ownMember(ctx, first, name, expected, argumentsByName(ctx, first, args));
    // A field that is declared again without a type has the value of the parent's field.
    const inherited =
      isKnown(own) || own?.declared === true
        ? own
        : (fromParents(ctx, { ...type, ...first }, name, expected, args) ?? own);
    const whole = inherited === null ? structOf(ctx, first) : null;
    const found = whole === null ? inherited : ownMember(ctx, whole, name, expected);
    return found?.value?.is === 'symbol'
      ? { ...found, value: { ...found.value, via: args === undefined ? first : { ...first, args } } }
      : found;
  } finally {
    ctx.leave();
  }
}

/** The structure of `typedef struct cart cart;`: the one in the file being linked, or the only one. */
function structOf(ctx: Context, { file, symbol }: SymbolRef): SymbolRef | null {
  const { kind, name } = ctx.symbols.symbol(file, symbol);
  if (kind !== 'type' || !ctx.symbols.semantics(file).headers || ctx.symbols.hasMembers(file, symbol)) return null;
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.counted(ctx.symbols.definitions(name))) {
    const other = nodes.fileOf(node);
    if (nodes.kind(node) !== 'struct' || !ctx.symbols.sameFamily(file, other)) continue;
    ctx.recorder.note(other, name);
    found.push({ file: other, symbol: nodes.symbolOf(node) });
  }
  return found.find((one) => one.file === ctx.file) ?? (found.length === 1 ? found[0] : null);
}

/** Finds a field or property of the type itself. Any other name is a mere parameter of the constructor: external. */
export function ownValue(ctx: Context, type: SymbolRef, name: string): NameResolution {
  const child = bestChild(ctx, partsOf(ctx, wholeOf(ctx, type)), name, [VALUES]);
  const isMember = child !== null && VALUES.has(ctx.symbols.symbol(child.file, child.symbol).kind);
  return isMember ? { value: { is: 'symbol', ...child }, tier: 'receiver' } : RESOLVED_OUTSIDE;
}

function isKnown(found: NameResolution | null): boolean {
  return found !== null && found.value !== null && found.value.is !== 'external';
}

/** Finds a member in the nearest parent that has it, or in the first one. */
export function fromParents(
  ctx: Context,
  type: SymbolRef,
  name: string,
  expected: ExpectedKinds | null,
  args?: TypeArguments,
): NameResolution | null {
  const seen = new Set([keyOf(type.file, type.symbol)]);
  const queue = parentsWith(ctx, type, args);
  const { mixedIn } = ctx.symbols.semantics(type.file);
  // Members that a module gives to the class itself come last for an instance.
  const isLate = ({ file, symbol }: SymbolRef): boolean =>
    mixedIn !== '' && 'is' in type && type.is === 'instance' && ctx.symbols.symbol(file, symbol).name === mixedIn;
  const late = queue.filter(isLate);
  queue.splice(0, queue.length, ...queue.filter((parent) => !isLate(parent)), ...late);
  const isDeep = ctx.symbols.readType(type.file) !== undefined || ctx.symbols.semantics(type.file).mixedIn !== '';
  for (let i = 0; i < queue.length && i < MAX_PARENTS; i++) {
    const parent = queue[i];
    const key = keyOf(parent.file, parent.symbol);
    if (seen.has(key)) continue;
    seen.add(key);
    const found = ownMember(ctx, parent, name, expected, argumentsByName(ctx, parent, parent.args));
    if (found !== null) return { value: found.value, tier: found.tier === 'external' ? 'external' : 'inherited' };
    const further = parentsWith(ctx, parent, parent.args);
    // An interface has all members of its first parent, inherited ones too, before those of the second; so has a class with mixins.
    if (isDeep) queue.splice(i + 1, 0, ...further);
    else addParents(ctx, queue, i + 1, further);
  }
  return null;
}

/** Adds parents behind others, but classes before interfaces that wait from there on: what any class above has is what runs. */
function addParents(ctx: Context, queue: TypeRef[], from: number, further: readonly TypeRef[]): void {
  const isInterface = ({ file, symbol }: SymbolRef) => ctx.symbols.symbol(file, symbol).kind === 'interface';
  let first = from;
  while (first < queue.length && !isInterface(queue[first])) first++;
  queue.splice(first, 0, ...further.filter((type) => !isInterface(type)));
  queue.push(...further.filter(isInterface));
}

function ownMember(
  ctx: Context,
  type: SymbolRef,
  name: string,
  expected: ExpectedKinds | null,
  args?: TypeArguments,
): NameResolution | null {
  const parts = partsWith(ctx, type, name);
  const child = bestChild(ctx, parts, name, expected);
  if (child !== null) return { value: { is: 'symbol', ...child, args }, tier: 'receiver' };
  for (const part of parts) {
    const field = fieldOf(ctx, part, name);
    if (field !== undefined) {
      const value = bindingValue(ctx, part.file, field, Number.POSITIVE_INFINITY, args);
      return { value, tier: 'receiver', declared: field.type !== '' };
    }
  }
  const nested = joinedMember(ctx, type, name);
  if (nested !== null) return { value: { is: 'symbol', ...nested }, tier: 'receiver' };
  const extension = extensionMembers(ctx, type, name)[0];
  return extension === undefined ? null : { value: { is: 'symbol', ...extension, args }, tier: 'receiver' };
}

/** Finds the child of best rank among all parts of a type. */
function bestChild(
  ctx: Context,
  parts: readonly SymbolRef[],
  name: string,
  expected: ExpectedKinds | null,
): SymbolRef | null {
  let chosen: SymbolRef | null = null;
  let chosenRank = Number.POSITIVE_INFINITY;
  for (const { file, symbol } of parts) {
    for (const child of ctx.symbols.symbolsNamed(file, name)) {
      const { container, kind } = ctx.symbols.symbol(file, child);
      if (!isHeld(ctx, file, container, symbol) || kind === 'impl' || belongsElsewhere(ctx, file, symbol, child))
        continue;
      // A member of an unexpected kind can be meant too, but ranks last.
      const rank = expected === null ? 0 : rankOf(kind, expected);
      // A name in a namespace hardly ever means what another source file defines for itself.
      const place = (rank < 0 ? LAST_RANK : rank) + (isOwnOf(ctx, file, symbol, kind) ? HIDDEN_RANK : 0);
      const isPlainer = place === chosenRank && chosen !== null && isPlainerThan(ctx, { file, symbol: child }, chosen);
      if (place >= chosenRank && !isPlainer) continue;
      chosen = { file, symbol: child };
      chosenRank = place;
    }
  }
  return chosen;
}

/** Is the one a member of the type itself and the other one of a trait? The type's own is meant then. */
function isPlainerThan(ctx: Context, one: SymbolRef, other: SymbolRef): boolean {
  return ctx.symbols.semantics(one.file).paths === '::' && isOfTrait(ctx, other) && !isOfTrait(ctx, one);
}

/** Name of a Kotlin companion object, whose members are used as members of the class. */
const COMPANION = 'Companion';

function isHeld(ctx: Context, file: number, container: number, holder: number): boolean {
  if (container === holder || container < 0) return container === holder;
  const { kind, name, container: outer } = ctx.symbols.symbol(file, container);
  if (outer !== holder) return false;
  // `Cart::kOpen` of `class Cart { enum State { kOpen }; };`
  if (kind === 'enum') return ctx.symbols.semantics(file).openEnums === true;
  // `typedef struct cart { … } cart_t;`
  return kind === 'struct' ? ctx.symbols.symbol(file, holder).kind === 'type' : kind === 'object' && name === COMPANION;
}

/** Is the child a member of a type, and only written in the namespace: `Cart::Cart(…)`? */
function belongsElsewhere(ctx: Context, file: number, holder: number, child: number): boolean {
  const { kind } = ctx.symbols.symbol(file, child);
  if (!FUNCTIONS.has(kind) || !SPACES.has(ctx.symbols.symbol(file, holder).kind)) return false;
  return ctx.symbols.instance(file, child) !== undefined;
}

const LAST_RANK = 9;
const HIDDEN_RANK = 20;
const SOURCE = /\.(?:c|cc|cpp|cxx|c\+\+|cu|m|mm)$/i;

/** Does another source file define the symbol of a namespace for itself? Functions do not count: headers may declare them. */
function isOwnOf(ctx: Context, file: number, holder: number, kind: SymbolKind): boolean {
  if (file === ctx.file || FUNCTIONS.has(kind) || !ctx.symbols.semantics(file).headers) return false;
  return SPACES.has(ctx.symbols.symbol(file, holder).kind) && SOURCE.test(ctx.symbols.path(file));
}

/** Finds a field that is a binding, not a symbol. One with a type is preferred, then one with a value. */
function fieldOf(ctx: Context, { file, symbol }: SymbolRef, name: string): Binding | undefined {
  const isMaker = FUNCTIONS.has(ctx.symbols.symbol(file, symbol).kind);
  const fields = ctx.symbols
    .bindingsNamed(file, isMaker ? `${MADE}.${name}` : name)
    .filter(({ scope }) => scope === symbol);
  return (
    fields.find(({ type }) => type !== '') ??
    fields.find(({ value }) => value !== '' && !value.startsWith(GIVEN_BY_CALLER)) ??
    fields[0]
  );
}

/** Extension members: functions written outside of the type that they belong to, as `func (c *Cart) Total()`. */
export function extensionMembers(ctx: Context, type: SymbolRef, name: string): SymbolRef[] {
  // A lookup in all files has this file linked again whenever one of them changes the name.
  if (!ctx.symbols.semantics(ctx.file).membersOutside) return [];
  const { parts, headers } = ctx.symbols.semantics(type.file);
  const { name: typeName, kind } = ctx.symbols.symbol(type.file, type.symbol);
  if (VALUES.has(kind) && !headers && parts !== 'none') return [];
  const found: SymbolRef[] = [];
  for (const { file, symbol } of candidates(ctx, type.file, name)) {
    const stated = statedOwner(ctx, file, symbol);
    if (stated === undefined || !seesExtension(ctx, { file, symbol }, name)) continue;
    const head = parseType(stated.type, ctx.symbols.readType(file));
    if (head?.is !== 'named' || head.head.slice(head.head.lastIndexOf('.') + 1) !== typeName) continue;
    const value = typeValue(ctx, file, ctx.symbols.symbol(file, symbol).container, stated.type);
    if (value?.is === 'instance' && value.file === type.file && value.symbol === type.symbol) {
      found.push({ file, symbol });
    }
  }
  return found;
}

/** Functions of a name that may be written for a type of this file. */
function candidates(ctx: Context, typeFile: number, name: string): SymbolRef[] {
  const found: SymbolRef[] = [];
  if (ctx.symbols.semantics(typeFile).blocks) {
    // Scripts extend a prototype in the type's own file, so no lookup in all files is needed.
    for (const symbol of ctx.symbols.symbolsNamed(typeFile, name).slice(0, MAX_EXTENSION_MEMBERS)) {
      if (FUNCTIONS.has(ctx.symbols.symbol(typeFile, symbol).kind)) found.push({ file: typeFile, symbol });
    }
    return found;
  }
  const { nodes } = ctx.symbols.snapshot;
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_EXTENSION_MEMBERS)) {
    const file = nodes.fileOf(node);
    if (!FUNCTIONS.has(nodes.kind(node)) || !ctx.symbols.sameFamily(file, typeFile)) continue;
    found.push({ file, symbol: nodes.symbolOf(node) });
  }
  return found;
}

/** Binding with the type to which a function belongs, by itself or through the extension around it. */
function statedOwner(ctx: Context, file: number, symbol: number): Binding | undefined {
  const own = ctx.symbols.instance(file, symbol);
  if (own !== undefined) return own;
  const { container } = ctx.symbols.symbol(file, symbol);
  if (container < 0 || ctx.symbols.symbol(file, container).kind !== 'impl') return undefined;
  return ctx.symbols.instance(file, container);
}

/** Members in this file that are written outside of their types, where the language has no other way to write them. */
export function outsideMembers(ctx: Context): OwnedMember[] {
  const { symbols } = ctx.symbols.snapshot.index(ctx.file);
  const { headers } = ctx.symbols.semantics(ctx.file);
  const found: OwnedMember[] = [];
  for (const [symbol, { name, kind, container }] of symbols.entries()) {
    if (!FUNCTIONS.has(kind) || (kind !== 'method' && !headers)) continue;
    if (container >= 0 && !SPACES.has(symbols[container].kind)) continue;
    const stated = ctx.symbols.instance(ctx.file, symbol);
    if (stated === undefined) continue;
    ctx.begin();
    const owner = typeValue(ctx, ctx.file, container, stated.type);
    if (owner?.is !== 'instance' || !isOutsideOfFunctions(ctx, owner)) continue;
    // A class declares all its members; a test of a fixture (`TEST_F`) is none.
    const type = ctx.symbols.symbol(owner.file, owner.symbol).name;
    const isMade = name === type || name === `~${type}`;
    if (!headers || isMade || ctx.symbols.childNamed(owner.file, owner.symbol, name) >= 0)
      found.push({ symbol, owner: { file: owner.file, symbol: owner.symbol } });
  }
  return found;
}

function isOutsideOfFunctions(ctx: Context, { file, symbol }: SymbolRef): boolean {
  for (let at = symbol; at >= 0; at = ctx.symbols.symbol(file, at).container) {
    const { kind } = ctx.symbols.symbol(file, at);
    if (!TYPES.has(kind) && !SPACES.has(kind)) return false;
  }
  return true;
}

// Parents of types.

/** Parents of a type: the types that it extends or implements. */
export function parentsOf(ctx: Context, type: SymbolRef): readonly TypeRef[] {
  const key = keyOf(type.file, type.symbol);
  const known = ctx.parents.get(key);
  if (known !== undefined) return known;
  const shared = ctx.symbols.snapshot.parents.of(ctx, key, type.file, (inner) => findParents(inner, type, key));
  if (shared === null) return findParents(ctx, type, key);
  ctx.parents.set(key, shared);
  return shared;
}

function findParents(ctx: Context, type: SymbolRef, key: number): readonly TypeRef[] {
  const parents: TypeRef[] = [];
  // The entry ends the recursion for a type that inherits from itself.
  ctx.parents.set(key, parents);
  for (const part of partsOf(ctx, wholeOf(ctx, type))) {
    if (!mayInherit(ctx, part)) continue;
    for (const stated of heritageOf(ctx, part)) {
      const { receiver, name } = stated;
      const path = receiver === '' ? [name] : [...receiver.split('.'), name];
      const scope = wholeScope(part.file, heritageScope(ctx, part, stated), EXPECTED_KINDS.extends);
      const found = parentAt(ctx, scope, path);
      if (found?.is === 'symbol' && isPrototype(ctx, found)) parents.push({ file: found.file, symbol: found.symbol });
      else addParent(ctx, parents, found?.is === 'instance' ? found : instanceOf(ctx, found));
    }
    for (const { type: written } of ctx.symbols.statedParents(part.file, part.symbol))
      addParent(ctx, parents, typeValue(ctx, part.file, part.symbol, written));
    // `impl<R: Rule> Named for R`
    const { name, kind } = ctx.symbols.symbol(part.file, part.symbol);
    const bound = kind === 'impl' ? boundOf(ctx, part.file, part.symbol, name) : null;
    for (const value of bound?.is === 'several' ? bound.values : [bound])
      if (value?.is === 'instance') parents.push({ file: value.file, symbol: value.symbol });
  }
  // A class and a trait give the code of a member that an interface only declares.
  const declares = ({ file, symbol }: SymbolRef): number =>
    ctx.symbols.symbol(file, symbol).kind === 'interface' ? 1 : 0;
  parents.sort((a, b) => declares(a) - declares(b));
  addMixedIn(ctx, parents, ctx.symbols.semantics(type.file).mixedIn);
  if (ctx.exhausted) ctx.parents.delete(key);
  return parents;
}

/** The value of a parent's name. A type of a library that is opened here has both names: `class Minitest::Test`. */
function parentAt(ctx: Context, scope: Scope, path: readonly string[]): AbstractValue | null {
  const found = ctx.ask.findPath(ctx, scope, path)?.value ?? null;
  const { dottedNames } = ctx.symbols.semantics(scope.file);
  if (path.length < 2 || dottedNames !== '::' || (found !== null && found.is !== 'external')) return found;
  const whole = path.join(dottedNames);
  if (ctx.symbols.definitions(whole).length === 0) return found;
  return ctx.ask.findPath(ctx, scope, [whole])?.value ?? found;
}

/** Scope in which a type names a parent: around the type. A mixin is named in its body, so one inside of it comes first. */
export function heritageScope(ctx: Context, { file, symbol }: SymbolRef, { kind, receiver, name }: Reference): number {
  const { container } = ctx.symbols.symbol(file, symbol);
  if (kind !== 'implements' || ctx.symbols.semantics(file).mixedIn === '') return container;
  const first = receiver === '' ? name : receiver.split('.', 1)[0];
  return ctx.symbols.childNamed(file, symbol, first) >= 0 ? symbol : container;
}

function mayInherit({ symbols }: Context, part: SymbolRef): boolean {
  const { snapshot } = symbols;
  // A change of the parents is one of the name, so the answer is recorded with it.
  symbols.recorder.note(part.file, snapshot.nodes.nameOf(snapshot.nodes.nodeOf(part)));
  return snapshot.nodes.kind(snapshot.nodes.nodeOf(part)) === 'impl' || snapshot.inherits(part.file, part.symbol);
}

/** Is it an object whose members others take over: `merge(app, proto)`? */
function isPrototype(ctx: Context, { file, symbol }: SymbolRef): boolean {
  const { kind } = ctx.symbols.symbol(file, symbol);
  return (
    VALUES.has(kind) && ctx.symbols.semantics(file).unstatedTypes && ctx.symbols.membersOf(file, symbol).length > 0
  );
}

/** Parents as a lookup visits them: modules that are mixed in before the class that is extended, the last module first. */
function heritageOf(ctx: Context, { file, symbol }: SymbolRef): readonly Reference[] {
  const stated = ctx.symbols.heritage(file, symbol);
  if (stated.length < 2 || ctx.symbols.semantics(file).mixedIn === '') return stated;
  const mixed = stated.filter(({ kind }) => kind === 'implements').reverse();
  return [...mixed, ...stated.filter(({ kind }) => kind !== 'implements')];
}

/** A module of that name inside of a parent gives its members, too: before those of a class that is extended. */
function addMixedIn(ctx: Context, parents: TypeRef[], name: string): void {
  if (name === '') return;
  for (const parent of [...parents]) {
    if (!SPACES.has(ctx.symbols.symbol(parent.file, parent.symbol).kind)) continue;
    for (const { file, symbol } of partsWith(ctx, parent, name)) {
      const inner = ctx.symbols.childNamed(file, symbol, name);
      if (inner >= 0) parents.splice(parents.indexOf(parent), 0, { file, symbol: inner });
    }
  }
}

/** Adds the types that a value is an instance of. A parent with arguments takes the place of the same one without. */
function addParent(ctx: Context, parents: TypeRef[], value: AbstractValue | null): void {
  if (value?.is === 'several') for (const one of value.values) addParent(ctx, parents, one);
  // `interface Cart extends Omit<Base, 'tax'>` declares `tax` itself.
  if (value?.is === 'part') addParent(ctx, parents, value.of);
  const parent = value?.is === 'instance' ? value : value === null ? null : instanceOfAlias(ctx, value);
  if (parent === null) return;
  const { file, symbol, args } = parent;
  const at = parents.findIndex((known) => known.file === file && known.symbol === symbol);
  if (at === -1) parents.push({ file, symbol, args });
  else if (args !== undefined) parents[at] = { file, symbol, args };
}

/** Parents of a type with arguments: `Cart<Item>` extends `List<Item>` if `Cart<T>` extends `List<T>`. */
function parentsWith(ctx: Context, type: SymbolRef, args: TypeArguments | undefined): TypeRef[] {
  const parents = parentsOf(ctx, type);
  const own = parents.some((parent) => parent.args !== undefined) ? argumentsByName(ctx, type, args) : undefined;
  if (own === undefined) return [...parents];
  return parents.map((parent) => {
    if (parent.args === undefined) return parent;
    return { ...parent, args: { ...parent.args, list: parent.args.list.map((type) => bind(type, own)) } };
  });
}

// Members of several types by name: those that override each other are a family.

/** Maximum number of definitions of one name that are compared: of more, none stands out. */
export const MAX_CANDIDATES = 40;
/** Maximum number of ancestors of one type that are visited. */
export const MAX_ANCESTORS = 50;
/** A parent type that is not known: it is no type of the repository. */
export const OUTER = /^super\b/;

/** A member, and the type that has it. */
interface Candidate {
  member: SymbolRef;
  owner: SymbolRef;
  /** It hands the use on to a member of the same name of another type. */
  isDelegate?: boolean;
}

/** Members of one name that override each other: the topmost, and all types that have one. */
export interface Family {
  root: SymbolRef;
  owners: SymbolRef[];
  isDelegate?: boolean;
}

/** The members of types with a name, those that override each other as one. */
export function familiesOf(ctx: Context, name: string): readonly Family[] {
  const known = ctx.families.get(name);
  if (known !== undefined) return known;
  const candidates = candidatesFor(ctx, name);
  const byOwner = new Map(
    candidates.map((candidate) => [keyOf(candidate.owner.file, candidate.owner.symbol), candidate]),
  );
  const families = new Map<number, Family>();
  for (const candidate of candidates) {
    const root = topmost(ctx, candidate, byOwner);
    const key = keyOf(root.member.file, root.member.symbol);
    const family = families.get(key);
    if (family === undefined)
      families.set(key, { root: root.member, owners: [candidate.owner], isDelegate: root.isDelegate });
    else family.owners.push(candidate.owner);
  }
  const found = [...families.values()];
  if (!ctx.exhausted) ctx.families.set(name, found);
  return found;
}

/** Members of types with that name. Doubles of tests count for tests alone. */
function candidatesFor(ctx: Context, name: string): Candidate[] {
  const { snapshot } = ctx.symbols;
  const { nodes } = snapshot;
  const named = ctx.symbols.definitions(name);
  const found: Candidate[] = [];
  if (named.length > MAX_CANDIDATES) return found;
  const fromTest = snapshot.isTest(ctx.file);
  let hasDefining = false;
  for (const node of named) {
    const file = nodes.fileOf(node);
    if (!ctx.symbols.sameFamily(file, ctx.file)) continue;
    if (!fromTest && snapshot.isTest(file)) continue;
    ctx.recorder.note(file, name);
    hasDefining ||= FUNCTIONS.has(nodes.kind(node)) && !DECLARATIONS.test(ctx.symbols.path(file));
    const candidate = asMember(ctx, { file, symbol: nodes.symbolOf(node) });
    if (candidate !== null) found.push(candidate);
  }
  // Code runs what a declaration file (`.pyi`, `.d.ts`) only describes.
  const defining = found.filter(({ member }) => !DECLARATIONS.test(ctx.symbols.path(member.file)));
  return hasDefining ? defining : found;
}

/** A definition with its owner; null for one that is no member of a type, a module or an object that a file exports. */
function asMember(ctx: Context, member: SymbolRef): Candidate | null {
  const { file } = member;
  const { kind, container, exported } = ctx.symbols.symbol(file, member.symbol);
  if (container < 0) return kind === 'method' && exported ? { member, owner: { file, symbol: -1 } } : null;
  const holder = ctx.symbols.symbol(file, container).kind;
  const isHeld = TYPES.has(holder) || holder === 'module';
  if (kind !== 'method' && !(isHeld && (FUNCTIONS.has(kind) || VALUES.has(kind)))) return null;
  return { member, owner: { file, symbol: container }, isDelegate: handsOn(ctx, member, kind) };
}

/** In an application of a framework: does a member give what another object has by the same name? `delegate :total, to: :cart`, `def total = cart.total` */
function handsOn(ctx: Context, { file, symbol }: SymbolRef, kind: SymbolKind): boolean {
  if (ctx.symbols.framework() === null) return false;
  const { name, container } = ctx.symbols.symbol(file, symbol);
  const isSame = (value: string) => value.endsWith(`.${name}()`) && !OUTER.test(value);
  return kind === 'property'
    ? ctx.symbols.bindingsNamed(file, name).some(({ scope, value }) => scope === container && isSame(value))
    : isSame(ctx.symbols.result(file, symbol)?.value ?? '');
}

/** Files that only describe what others define. */
const DECLARATIONS = /\.pyi$|\.d\.[cm]?ts$/;

/** The member that all overrides of this one override. */
function topmost(ctx: Context, candidate: Candidate, byOwner: ReadonlyMap<number, Candidate>): Candidate {
  let top = candidate;
  const seen = new Set([keyOf(candidate.owner.file, candidate.owner.symbol)]);
  const queue: SymbolRef[] = [candidate.owner];
  for (let i = 0; i < queue.length && i < MAX_ANCESTORS; i++) {
    if (queue[i].symbol < 0) continue;
    const { kind } = ctx.symbols.symbol(queue[i].file, queue[i].symbol);
    if (!TYPES.has(kind) && kind !== 'module') continue;
    for (const parent of parentsOf(ctx, queue[i])) {
      const key = keyOf(parent.file, parent.symbol);
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(parent);
      top = byOwner.get(key) ?? top;
    }
  }
  return top;
}
