/** All definitions that make up one type by the rules of its language: reopened classes, partial ones, blocks and companions. */
import type { SymbolKind } from '../../extract/facts.js';
import type { Semantics } from '../../languages/language.js';
import type { Context } from './symbol-table.js';
import { instanceOf, typeValue } from './types.js';
import { EXPECTED_KINDS, FUNCTIONS, keyOf, SPACES, type SymbolRef, TYPES, wholeScope } from './values.js';

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
  const { name, kind } = ctx.symbols.symbol(type.file, type.symbol);
  for (const symbol of ctx.symbols.symbolsNamed(type.file, name)) {
    if (symbol !== type.symbol && isPartOf(ctx, { file: type.file, symbol }, type)) {
      parts.push({ file: type.file, symbol });
    }
  }
  if (ctx.symbols.semantics(type.file).parts !== 'none' && kind !== 'function')
    for (const spelled of spellings(ctx, type, name)) otherParts(ctx, type, spelled, parts);
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
