/**
 * All definitions that make up one type by the rules of its language: reopened classes, partial ones, blocks and companions. Also the
 * types above it.
 */
import type { SymbolKind } from '../../extract/facts.js';
import type { Semantics } from '../../languages/language.js';
import { getOrMake } from '../../languages/roles/project.js';
import type { Reference } from '../../languages/roles/relation-facts.js';
import type { Context } from './symbol-table.js';
import { argumentsByName, bind } from './type-text.js';
import { boundOf, instanceOf, instanceOfAlias, typeValue } from './types.js';
import {
  type AbstractValue,
  EXPECTED_KINDS,
  FUNCTIONS,
  keyOf,
  type Scope,
  SPACES,
  type SymbolRef,
  TYPES,
  type TypeArguments,
  type TypeRef,
  VALUES,
  wholeScope,
} from './values.js';

/** Maximum number of parts of one type that are listed. Members of a type with more are found by their names. */
const MAX_PARTS = 200;
/** As MAX_PARTS, for a module. Hundreds of files open it, few of them have a member of a name, and it has no fields. */
const MAX_MODULE_PARTS = 8;

/** Type of a part such as `impl Cart` or `extension Cart`; the part itself if the type is not in the repository. */
export function wholeOf(ctx: Context, target: SymbolRef): SymbolRef {
  const { file, symbol } = target;
  const { kind, name, container } = ctx.symbols.symbol(file, symbol);
  if (kind !== 'impl') return target;
  const stated = ctx.symbols.instance(file, symbol);
  const value =
    stated === undefined
      ? instanceOf(
          ctx,
          ctx.ask.findPath(ctx, wholeScope(file, container, EXPECTED_KINDS.type), name.split(/\.|::/))?.value ?? null,
        )
      : typeValue(ctx, file, container, stated.type);
  return value !== null && value.is === 'instance' ? { file: value.file, symbol: value.symbol } : target;
}

/** All symbols that make up one type, beginning with itself. */
export function partsOf(ctx: Context, type: SymbolRef): readonly SymbolRef[] {
  const key = keyOf(type.file, type.symbol);
  const known = ctx.parts.get(key);
  if (known !== undefined) return known;
  const shared = ctx.symbols.snapshot.parts.of(ctx, key, type.file, (inner) => findParts(inner, type, key));
  if (shared === null) return findParts(ctx, type, key);
  ctx.parts.set(key, shared);
  return shared;
}

/** The part of a class or module with most methods, where any file can open it again: other parts only add to it. */
export function mainPart(ctx: Context, type: SymbolRef): SymbolRef {
  if (type.symbol < 0) return type;
  const semantics = ctx.symbols.semantics(type.file);
  if (semantics.parts !== 'anywhere' || !semantics.reopens.has('class')) return type;
  if (!isReopened(semantics, ctx.symbols.symbol(type.file, type.symbol).kind)) return type;
  const key = keyOf(type.file, type.symbol);
  const known = ctx.mainParts.get(key);
  if (known !== undefined) return known;
  let main = type;
  let most = -1;
  for (const part of partsOf(ctx, type)) {
    const own = ctx.symbols.membersOf(part.file, part.symbol);
    const count = own.filter((member) => FUNCTIONS.has(ctx.symbols.symbol(part.file, member).kind)).length;
    const isFirst = count === most && keyOf(part.file, part.symbol) < keyOf(main.file, main.symbol);
    if (count > most || isFirst) [main, most] = [part, count];
  }
  if (!ctx.exhausted) ctx.mainParts.set(key, main);
  return main;
}

function findParts(ctx: Context, type: SymbolRef, key: number): readonly SymbolRef[] {
  const parts = [type];
  ctx.parts.set(key, parts);
  ctx.unsettled++;
  const { name, kind } = ctx.symbols.symbol(type.file, type.symbol);
  for (const symbol of ctx.symbols.symbolsNamed(type.file, name)) {
    if (symbol !== type.symbol && isPartOf(ctx, { file: type.file, symbol }, type)) {
      parts.push({ file: type.file, symbol });
    }
  }
  if (ctx.symbols.semantics(type.file).parts !== 'none' && kind !== 'function')
    for (const spelled of spellings(ctx, type, name)) otherParts(ctx, type, spelled, parts);
  ctx.unsettled--;
  return parts;
}

/** Names that parts of a type can have: `Cart` in a module `Shop`, and `Shop::Cart` outside of it. */
function spellings(ctx: Context, type: SymbolRef, name: string): readonly string[] {
  const { dottedNames } = ctx.symbols.semantics(type.file);
  if (dottedNames !== '::') return [name];
  const path = wholeName(ctx, type).split('.');
  const found = [name];
  for (let count = 1; count <= path.length && count <= MAX_JOINED; count++) {
    const spelled = path.slice(-count).join(dottedNames);
    if (spelled !== name) found.push(spelled);
  }
  return found;
}

/** Maximum number of names that are one: `A::B::C`. */
const MAX_JOINED = 4;

/** The type of that name in a type or module, whose definition names both: `class Shop::Cart`. */
export function joinedMember(ctx: Context, type: SymbolRef, name: string): SymbolRef | null {
  const { dottedNames } = ctx.symbols.semantics(type.file);
  const { kind } = ctx.symbols.symbol(type.file, type.symbol);
  if (dottedNames !== '::' || !/^\p{Lu}/u.test(name) || !(TYPES.has(kind) || SPACES.has(kind))) return null;
  const { nodes } = ctx.symbols.snapshot;
  const path = [...wholeName(ctx, type).split('.'), name];
  for (let count = 2; count <= path.length && count <= MAX_JOINED; count++) {
    for (const node of ctx.symbols.counted(ctx.symbols.definitions(path.slice(-count).join(dottedNames)))) {
      const found = { file: nodes.fileOf(node), symbol: nodes.symbolOf(node) };
      if (ctx.symbols.sameFamily(found.file, type.file) && wholeName(ctx, found) === path.join('.')) return found;
    }
  }
  return null;
}

/** The parts of a type that can have a member of that name: all, or of a type with too many parts those that do have one. */
export function partsWith(ctx: Context, type: SymbolRef, name: string): readonly SymbolRef[] {
  const parts = partsOf(ctx, type);
  if (parts.length <= MAX_MODULE_PARTS) return parts;
  const { nodes } = ctx.symbols.snapshot;
  const own = nodes.nodeOf(type);
  const [kind, id] = [nodes.kind(own), nodes.typeId(own)];
  if (parts.length <= (SPACES.has(kind) ? MAX_MODULE_PARTS : MAX_PARTS)) return parts;
  const near = parts.filter(({ file }) => file === type.file || file === ctx.file);
  const found = new Map(near.map((part) => [nodes.nodeOf(part), part]));
  for (const node of ctx.symbols.counted(ctx.symbols.definitions(name))) {
    const holder = nodes.container[node];
    if (nodes.isFile(holder) || (nodes.kind(holder) === kind && nodes.typeId(holder) !== id) || found.has(holder))
      continue;
    const part = nodes.refOf(holder);
    if (areTogether(ctx, type.file, part.file) && isPartOf(ctx, part, type)) found.set(holder, part);
  }
  return [...found.values()];
}

function otherParts(ctx: Context, type: SymbolRef, name: string, parts: SymbolRef[]): void {
  const { nodes } = ctx.symbols.snapshot;
  const own = nodes.nodeOf(type);
  if (SPACES.has(nodes.kind(own)) && ctx.symbols.semantics(type.file).parts === 'types') return;
  // `definitions` records the lookup, which `partsNamed` does not.
  ctx.symbols.definitions(name);
  for (const node of ctx.symbols.counted(nodes.partsNamed(name, own))) {
    if (parts.length > MAX_PARTS) return;
    const part = nodes.refOf(node);
    if (part.file === type.file || !areTogether(ctx, type.file, part.file)) continue;
    if (isPartOf(ctx, part, type)) parts.push(part);
  }
}

/** Can parts of one type stand in the two files? Packages that do not see each other have types of their own. */
function areTogether(ctx: Context, file: number, other: number): boolean {
  if (!ctx.symbols.sameFamily(file, other)) return false;
  if (file === other || ctx.symbols.semantics(file).parts !== 'package') return true;
  const { resolver } = ctx.symbols.snapshot;
  return resolver.isPeer(file, other) && resolver.isPeer(other, file);
}

/** Is the symbol another part of the type, by the rules of its language? */
function isPartOf(ctx: Context, part: SymbolRef, type: SymbolRef): boolean {
  // Columns tell it without the facts of each file that opens a module.
  const { nodes } = ctx.symbols.snapshot;
  const [at, of] = [nodes.nodeOf(part), nodes.nodeOf(type)];
  const [kind, typeKind] = [nodes.kind(at), nodes.kind(of)];
  const semantics = ctx.symbols.semantics(type.file);
  if (kind === 'impl' && typeKind !== 'impl') {
    if (ctx.symbols.semantics(part.file).dottedNames === '::') return opensByName(ctx, part, type);
    const whole = wholeOf(ctx, part);
    return whole.file === type.file && whole.symbol === type.symbol;
  }
  const isBeside = isCompanion(kind, typeKind) || isMerged(semantics, kind, typeKind);
  if (isBeside && part.file === type.file) return outerNames(ctx, part) === outerNames(ctx, type);
  return kind === typeKind && isReopened(semantics, kind) && nodes.typeId(at) === nodes.typeId(of);
}

/** Does a block name a type by its path, from the top or from one of the modules around it, the innermost first? */
function opensByName(ctx: Context, block: SymbolRef, type: SymbolRef): boolean {
  const { nodes } = ctx.symbols.snapshot;
  const node = nodes.nodeOf(block);
  const wanted = wholeName(ctx, type);
  const around = nodes.isFile(nodes.container[node]) ? [] : nodes.wholeName(nodes.container[node]).split('.');
  const own = nodes.nameOf(node).replaceAll('::', '.');
  for (let count = around.length; count >= 0; count--) {
    const path = [...around.slice(0, count), own].join('.');
    if (path === wanted) return true;
    if (count > 0 && isDefined(ctx, path)) return false;
  }
  return false;
}

function isDefined(ctx: Context, path: string): boolean {
  const { nodes } = ctx.symbols.snapshot;
  const last = path.slice(path.lastIndexOf('.') + 1);
  for (const node of ctx.symbols.counted(ctx.symbols.definitions(last)))
    if (nodes.wholeName(node) === path) return true;
  return false;
}

/** Are the two a Scala class and its companion object, whose members are looked up together? */
function isCompanion(a: SymbolKind, b: SymbolKind): boolean {
  return a !== b && (a === 'object' || b === 'object') && TYPES.has(a) && TYPES.has(b);
}

/** Are the two a namespace and the class, enumeration or function of its name, or an interface and the class, which add members? */
function isMerged({ namespacesMerge }: Semantics, a: SymbolKind, b: SymbolKind): boolean {
  if (!namespacesMerge) return false;
  if (a === 'interface' || b === 'interface') return a === 'class' || b === 'class';
  if (SPACES.has(a) === SPACES.has(b)) return false;
  const kind = SPACES.has(a) ? b : a;
  return TYPES.has(kind) || FUNCTIONS.has(kind);
}

/** Can a second definition of that kind extend the first one? */
export function isReopened({ reopens }: Semantics, kind: SymbolKind): boolean {
  return SPACES.has(kind) || reopens.has(kind);
}

/** The name of a type with those of the modules around it, however they are spelled. */
function wholeName({ symbols }: Context, type: SymbolRef): string {
  const { nodes } = symbols.snapshot;
  return nodes.wholeName(nodes.nodeOf(type));
}

function outerNames({ symbols }: Context, type: SymbolRef): string {
  const { nodes } = symbols.snapshot;
  const outer = nodes.container[nodes.nodeOf(type)];
  return nodes.isFile(outer) ? '' : nodes.wholeName(outer);
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
  ctx.unsettled++;
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
  orderParents(ctx, parents, ctx.symbols.semantics(type.file).traits);
  addMixedIn(ctx, parents, ctx.symbols.semantics(type.file).mixedIn);
  ctx.unsettled--;
  if (ctx.exhausted) ctx.parents.delete(key);
  return parents;
}

/** Puts parents in the order in which members are looked up: a class and a trait give the code of what an interface only declares. */
function orderParents(ctx: Context, parents: TypeRef[], traits: Semantics['traits']): void {
  const kindOf = ({ file, symbol }: SymbolRef): SymbolKind => ctx.symbols.symbol(file, symbol).kind;
  if (traits !== 'parent') {
    const used = parents.filter((parent) => kindOf(parent) === 'trait').reverse();
    const others = parents.filter((parent) => kindOf(parent) !== 'trait');
    parents.splice(0, parents.length, ...used, ...others);
  }
  const rank = (parent: SymbolRef): number => (kindOf(parent) === 'interface' ? 1 : 0);
  parents.sort((a, b) => rank(a) - rank(b));
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
  return ctx.symbols.childNamed(file, symbol, first) >= 0 || hasElsewhere(ctx, file, symbol, first)
    ? symbol
    : container;
}

/** Does another file define a name inside of a type by its whole name: `module Cart::Provided`? */
function hasElsewhere(ctx: Context, file: number, symbol: number, name: string): boolean {
  const { nodes } = ctx.symbols.snapshot;
  const whole = `${ctx.symbols.symbol(file, symbol).name}::${name}`;
  let isFound = false;
  for (const node of ctx.symbols.definitions(whole)) {
    const other = nodes.fileOf(node);
    ctx.recorder.note(other, whole);
    isFound ||= ctx.symbols.sameFamily(file, other);
  }
  return isFound;
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

// Lineages.

/** Maximum number of parent types that one lookup visits, above that of real types. */
export const MAX_PARENTS = 64;

/** The lineage of a type, which a file walks for each name that it asks for. One that is cut short is not kept. */
export function lineageOf(ctx: Context, type: SymbolRef, args: TypeArguments | undefined): Lineage {
  if (args !== undefined || ctx.unsettled > 0) return new Lineage(ctx, type, args);
  return getOrMake(ctx.lineages, memberKey(ctx, type), () => new Lineage(ctx, type));
}

/** The last bit tells an instance from the type itself. */
export const memberKey = (ctx: Context, type: SymbolRef): number =>
  2 * ctx.symbols.snapshot.nodes.nodeOf(type) + ('is' in type && type.is === 'instance' ? 1 : 0);

/** The types above a type, in the order in which members are looked up in them, found as far as somebody asked. */
export class Lineage {
  private readonly found: TypeRef[] = [];
  private readonly queue: TypeRef[];
  private readonly seen: Set<number>;
  private readonly isDeep: boolean;
  private next = 0;
  /** The type above, found last, whose own parents are not in the queue yet. */
  private last: TypeRef | null = null;

  constructor(ctx: Context, type: SymbolRef, args?: TypeArguments) {
    const { mixedIn } = ctx.symbols.semantics(type.file);
    const parents = parentsWith(ctx, type, args);
    // Members that a module gives to the class itself come last for an instance.
    const isLate = ({ file, symbol }: SymbolRef): boolean =>
      'is' in type && type.is === 'instance' && ctx.symbols.symbol(file, symbol).name === mixedIn;
    const late = mixedIn === '' ? [] : parents.filter(isLate);
    this.queue = late.length === 0 ? parents : [...parents.filter((parent) => !isLate(parent)), ...late];
    this.seen = new Set([ctx.symbols.snapshot.nodes.nodeOf(type)]);
    this.isDeep = ctx.symbols.readType(type.file) !== undefined || mixedIn !== '';
  }

  /** The type above of a number, with its arguments by name; undefined behind the last. */
  at(ctx: Context, index: number): TypeRef | undefined {
    while (this.found.length <= index && this.advance(ctx));
    if (ctx.exhausted) ctx.lineages.clear();
    return this.found[index];
  }

  private advance(ctx: Context): boolean {
    const { queue, seen, last } = this;
    if (last !== null) {
      const further = parentsWith(ctx, last, last.args);
      // An interface has all members of its first parent, inherited ones too, before those of the second; so has a class with mixins.
      if (this.isDeep) queue.splice(this.next, 0, ...further);
      else if (further.length > 0) addParents(ctx, queue, this.next, further);
      this.last = null;
    }
    while (this.next < queue.length && this.next < MAX_PARENTS) {
      const parent = queue[this.next++];
      const node = ctx.symbols.snapshot.nodes.nodeOf(parent);
      if (seen.has(node)) continue;
      seen.add(node);
      this.last = { ...parent, args: argumentsByName(ctx, parent, parent.args) };
      this.found.push(this.last);
      return true;
    }
    return false;
  }
}

/** Adds parents behind others, but classes before interfaces that wait from there on: what any class above has is what runs. */
function addParents(ctx: Context, queue: TypeRef[], from: number, further: readonly TypeRef[]): void {
  const isInterface = ({ file, symbol }: SymbolRef) => ctx.symbols.symbol(file, symbol).kind === 'interface';
  let first = from;
  while (first < queue.length && !isInterface(queue[first])) first++;
  queue.splice(first, 0, ...further.filter((type) => !isInterface(type)));
  queue.push(...further.filter(isInterface));
}
