/**
 * Scopes of a file: the type of `this`, bindings, the names that can be used without qualification, and extension
 * functions that are visible.
 */
import { getOrMake } from '../../languages/roles/project.js';
import type { Binding, Reference } from '../../languages/roles/relation-facts.js';
import type { LinkSymbol } from '../../record/link-facts.js';
import { OWN } from './symbol-index.js';
import type { Context } from './symbol-table.js';
import { instanceOfAlias, typeValue } from './types.js';
import {
  type AbstractValue,
  EXPECTED_KINDS,
  type ExpectedKinds,
  FUNCTIONS,
  type NameResolution,
  PATH_ROOTS,
  ROOTS,
  rankOf,
  type Scope,
  type SymbolRef,
  severalValues,
  symbolValue,
  TYPES,
  type TypeArguments,
  VALUES,
  wholeScope,
} from './values.js';

/** Maximum depth of nested scopes, above that of real code. */
export const MAX_SCOPES = 200;

/** Symbols declared directly in a function or at top level, which are usable there by their simple name. */
export function visibleIn(ctx: Context, file: number, at: number, name: string): readonly number[] {
  const named = ctx.symbols.symbolsNamed(file, name);
  if (named.length === 0) return named;
  return named.filter((symbol) => {
    const own = ctx.symbols.symbol(file, symbol);
    const { container } = own.kind === 'enum-member' ? aroundEnum(ctx, file, own) : own;
    // Markup of a component uses methods of the object that its script exports.
    const isOpen = own.kind === 'method' && at < 0 && ctx.symbols.semantics(file).components;
    const isHidden = own.kind === 'method' || own.kind === 'constructor' || own.kind === 'impl';
    if (container !== at || (isHidden && !isOpen)) return false;
    if (at >= 0 && isOwned(ctx.symbols.symbol(file, at), own)) return false;
    return !FUNCTIONS.has(own.kind) || ctx.symbols.instance(file, symbol) === undefined;
  });
}

/** The enum around a member in languages where members need no prefix (C); else the member itself. */
function aroundEnum(ctx: Context, file: number, member: LinkSymbol): LinkSymbol {
  const isOpen = ctx.symbols.semantics(file).openEnums && member.container >= 0;
  return isOpen ? ctx.symbols.symbol(file, member.container) : member;
}

/** Type whose instance `this` is inside of a symbol; null if there is none. */
export function enclosingType(ctx: Context, file: number, scope: number): SymbolRef | null {
  for (let at = scope, depth = 0; at >= 0 && depth < MAX_CONTAINERS; depth++) {
    const { kind, container } = ctx.symbols.symbol(file, at);
    const stated = ctx.symbols.instance(file, at);
    if (stated !== undefined) {
      const value = typeValue(ctx, file, container, stated.type);
      if (value?.is === 'instance') return { file: value.file, symbol: value.symbol };
      // A block for a type from outside has the members of its own.
      if (kind !== 'impl') return null;
    }
    const given = ctx.symbols.given(file, at, OWN);
    if (given !== undefined) {
      const value = ctx.ask.accessPathValue(ctx, { ...wholeScope(file, container), line: given.line }, given.value);
      const held = value === null ? null : (instanceOfAlias(ctx, value) ?? value);
      if (held?.is === 'instance') return { file: held.file, symbol: held.symbol };
    }
    if (TYPES.has(kind) && kind !== 'type') return { file, symbol: at };
    if (kind === 'module' && ctx.symbols.semantics(file).implicitThis) return { file, symbol: at };
    at = container;
  }
  return ownerOf(ctx, file, scope);
}

/** Maximum depth of nested symbols, above that of real code. */
const MAX_CONTAINERS = 200;

/**
 * Finds the object that a function was assigned to (prototypes and objects of JavaScript, tables of Lua). Otherwise it
 * is the function itself, which may be a constructor.
 */
function ownerOf(ctx: Context, file: number, scope: number): SymbolRef | null {
  for (let at = scope, depth = 0; at >= 0 && depth < MAX_CONTAINERS; depth++) {
    const { container } = ctx.symbols.symbol(file, at);
    if (container < 0) return { file, symbol: at };
    if (isOwned(ctx.symbols.symbol(file, container), ctx.symbols.symbol(file, at))) return { file, symbol: container };
    if (VALUES.has(ctx.symbols.symbol(file, container).kind)) return { file, symbol: container };
    at = container;
  }
  return null;
}

/** Is a symbol written after its container, to which it belongs by name only (`Cart.prototype.total = …`)? */
export function isOwned(container: LinkSymbol, symbol: LinkSymbol): boolean {
  return symbol.startLine > container.endLine;
}

// Bindings: parameters, locals and fields.

/** Separates the access paths of alternatives: `ok ? cart : basket`. */
const OR = ' | ';

/** Value of a binding, from its declared type, or else from its first value. */
export function bindingValue(
  ctx: Context,
  file: number,
  binding: Binding,
  line: number,
  args?: TypeArguments,
): AbstractValue | null {
  if (ctx.isActive(binding) || !ctx.enter()) return null;
  ctx.active.set(binding, ctx.active.size);
  try {
    const declared = binding.type === '' ? null : typeValue(ctx, file, binding.scope, binding.type, args);
    if (binding.value === '' || (declared !== null && declared.is !== 'external')) return declared;
    const at = Number.isFinite(line) ? binding.line : line;
    const paths = binding.value.includes(OR) ? binding.value.split(OR) : [binding.value];
    const scope = { ...wholeScope(file, binding.scope), line: at };
    const value = severalValues(paths.map((path) => ctx.ask.accessPathValue(ctx, scope, path)));
    // A parent type from outside shows nothing about the parameter.
    if (value?.is === 'external' && INHERITED.test(binding.value)) return declared;
    return value === null || (declared !== null && value.is === 'external') ? declared : value;
  } finally {
    ctx.active.delete(binding);
    ctx.leave();
  }
}

/** Value of a parameter as the same method of a parent type declares it: `super.total(1)`. */
const INHERITED = /^super\.[\w$]+\(\d+\)$/;

/**
 * Binding of a name in one scope that applies at a line: the last one before it. Without a line (in other files) it is
 * the first one with a type, else the first with a value.
 */
export function bindingAt(ctx: Context, file: number, scope: number, name: string, line: number): Binding | undefined {
  const isPlaced = Number.isFinite(line);
  const follows = isPlaced && ctx.symbols.semantics(file).localsFollow;
  const first = scope < 0 ? -1 : ctx.symbols.symbol(file, scope).startLine;
  let chosen: Binding | undefined;
  for (const binding of ctx.symbols.bindingsNamed(file, name)) {
    if (binding.scope !== scope || ctx.isActive(binding)) continue;
    if (binding.line === line && isOfLaterLines(binding, follows && line !== first)) continue;
    if (follows && binding.line > line && binding.line !== first) continue;
    const isBetter = chosen === undefined || (isPlaced ? binding.line <= line : says(binding) > says(chosen));
    if (isBetter) chosen = binding;
  }
  return chosen;
}

/** Counts a binding for the lines after its own alone? A condition does, and so does a local that its own value names. */
function isOfLaterLines(binding: Binding, isLocal: boolean): boolean {
  return NARROWED.test(binding.value) || (isLocal && namesItself(binding));
}

/** Binding of a name that applies at a line, in a scope or in the nearest one around it that has one. */
export function bindingAround(
  ctx: Context,
  file: number,
  scope: number,
  name: string,
  line: number,
): Binding | undefined {
  if (ctx.symbols.bindingsNamed(file, name).length === 0) return undefined;
  for (let at = scope, depth = 0; depth < MAX_SCOPES; depth++) {
    const binding = bindingAt(ctx, file, at, name, line);
    if (binding !== undefined || at < 0) return binding;
    at = ctx.symbols.symbol(file, at).container;
  }
  return undefined;
}

/** Variables of the name in other files of the package: the build takes one of them (`//go:build`). */
export function alternativesOf(ctx: Context, { file, symbol }: SymbolRef): SymbolRef[] {
  const { name } = ctx.symbols.symbol(file, symbol);
  const { nodes, resolver } = ctx.symbols.snapshot;
  const named = ctx.symbols.definitions(name);
  if (named.length < 2 || named.length > MAX_ALTERNATIVES) return [];
  return [...named].flatMap((node) => {
    const other = nodes.fileOf(node);
    if (other === file || !VALUES.has(nodes.kind(node)) || !nodes.isOuter(node, false)) return [];
    if (!resolver.isPeer(file, other)) return [];
    ctx.recorder.note(other, name);
    return [{ file: other, symbol: nodes.symbolOf(node) }];
  });
}

/** Maximum number of definitions of a name among which variants of a variable are looked for. */
const MAX_ALTERNATIVES = 100;

/** Value that a condition narrows: `cart(kind=open)`, `cart(?isOpen)`. */
const NARROWED = /^[\w$]+\((?:\?|[\w$]+!?=)/;

/** Does the value begin with the bound name, as in `let cart = cart::open()`? There the name still has its earlier meaning. */
function namesItself({ name, value }: Binding): boolean {
  return value.startsWith(name) && /^(?:$|[.([])/.test(value.slice(name.length));
}

/** How much a binding shows of its value: a default of a parameter more than that it is one. */
function says({ type, value }: Binding): number {
  if (type !== '' || value === '') return type === '' ? 0 : 3;
  return PARAMETER_PLACE.test(value) ? 1 : 2;
}

const PARAMETER_PLACE = /\(\d+\)$/;

// Names at top level. The facts also list declarations in callbacks and blocks there, without saying how far a callback
// reaches. So lines decide which declaration is intended.

/** Maximum distance in lines between a declaration in a callback and its use. Longer callbacks are rare. */
const MAX_USE_DISTANCE = 60;

/** Expected kinds for which bindings are ignored, since parameters and locals are not types. */
export const TYPE_EXPECTATIONS: ReadonlySet<ExpectedKinds> = new Set([EXPECTED_KINDS.type, PATH_ROOTS]);

/** Resolves a name at top level to the nearest symbol or binding. `isImported`: an import has the name too. */
export function atTop(ctx: Context, scope: Scope, name: string, isImported: boolean): NameResolution | null {
  const { file, line, expected } = scope;
  const symbols = visibleIn(ctx, file, -1, name);
  const symbol = nearest(ctx, scope, symbols);
  const binding = TYPE_EXPECTATIONS.has(expected) ? undefined : bindingAt(ctx, file, -1, name, line);
  if (binding !== undefined && ((symbol < 0 && !isImported) || hides(ctx, scope, binding, symbols, symbol))) {
    return { value: bindingValue(ctx, file, binding, line), tier: 'receiver' };
  }
  return symbol < 0 ? null : { value: symbolValue({ file, symbol }), tier: 'same-file' };
}

/** Chooses the last definition before the use among unexported ones of equal rank: each may be in a callback of its own. */
function nearest(ctx: Context, { file, expected, line }: Scope, symbols: readonly number[]): number {
  const best = ctx.symbols.best(file, symbols, expected);
  if (best < 0 || symbols.length < 2 || !Number.isFinite(line)) return best;
  const rank = rankOf(ctx.symbols.symbol(file, best).kind, expected);
  let chosen = best;
  for (const symbol of symbols) {
    const { kind, exported, startLine } = ctx.symbols.symbol(file, symbol);
    if (rankOf(kind, expected) !== rank) continue;
    if (exported) return best;
    if (startLine <= line) chosen = symbol;
  }
  return chosen;
}

/** Does the binding hide the symbol, since binding and use are in one callback, judged by their lines? */
function hides(
  ctx: Context,
  { file, symbol: from, line }: Scope,
  binding: Binding,
  symbols: readonly number[],
  symbol: number,
): boolean {
  if (!Number.isFinite(line) || binding.line > line || isExportedScope(ctx, file, from)) return false;
  for (const own of symbols) {
    const { startLine, endLine } = ctx.symbols.symbol(file, own);
    // A binding inside the lines of a symbol of that name is the symbol's own.
    if (startLine <= binding.line && binding.line <= endLine) return false;
  }
  const start = symbol < 0 ? 0 : ctx.symbols.symbol(file, symbol).startLine;
  if (start > line) return true;
  return start < binding.line && line - binding.line <= MAX_USE_DISTANCE;
}

/** Is the use inside of an exported symbol? Exported symbols are not in callbacks. */
function isExportedScope(ctx: Context, file: number, scope: number): boolean {
  let at = scope;
  for (let depth = 0; at >= 0 && depth < MAX_SCOPES; depth++) {
    const { container, exported } = ctx.symbols.symbol(file, at);
    if (container < 0) return exported;
    at = container;
  }
  return false;
}

// Extension functions in languages where they must be imported.

/** Maximum number of definitions of one name that are examined. */
const MAX_LOOKED_AT = 400;

/** Is an extension function of another file visible in the file that is being linked? */
export function seesExtension(ctx: Context, { file, symbol }: SymbolRef, name: string): boolean {
  if (file === ctx.file || !ctx.symbols.semantics(file).importedExtensions) return true;
  if (isImported(ctx, file, name)) return true;
  // An extension inside of a class is visible in that class only.
  if (ctx.symbols.symbol(file, symbol).container >= 0) return false;
  return seesPackage(ctx, file);
}

/** Is the package or namespace of a file imported as a whole, or the same? */
function seesPackage(ctx: Context, file: number): boolean {
  return (
    ctx.symbols.wildcards(ctx.file).some((at) => leadsTo(ctx, at, file)) ||
    ctx.symbols.snapshot.resolver.isPeer(ctx.file, file)
  );
}

function isImported(ctx: Context, file: number, name: string): boolean {
  return ctx.symbols.aliases(ctx.file, name).some((alias) => leadsTo(ctx, alias.at, file));
}

function leadsTo(ctx: Context, at: number, file: number): boolean {
  const resolved = ctx.symbols.resolution(ctx.file, at);
  return resolved.kind === 'files' && resolved.files.includes(file);
}

type Use = Pick<Reference, 'name' | 'receiver' | 'symbol' | 'startLine'>;

/**
 * Finds the extension function that a call means if its receiver is unknown or of a type outside of the repository. It must be in
 * the same file, imported by name, in the same package or in an imported one. Null unless there is exactly one, not counting
 * overloads for one type. `fromOutside`: the receiver's type is outside, so no member of the repository can be meant.
 */
export function extensionByName(ctx: Context, use: Use, fromOutside: boolean): NameResolution | null {
  const { name, receiver, symbol } = use;
  const { importedExtensions, extensionsInTypes, traitMethods } = ctx.symbols.semantics(ctx.file);
  if (traitMethods) return receiver === '' ? null : ofTraitInScope(ctx, use, fromOutside);
  if (!(importedExtensions || extensionsInTypes) || (!fromOutside && isMember(ctx, name))) return null;
  const isBare = receiver === '';
  const own = extensionsIn(ctx, ctx.file, name, symbol);
  // In `fun Cart.add(i) = change { add(i) }` the inner `add` has another receiver, so it is not the function around it.
  const others = isBare ? own.filter((target) => !encloses(ctx, ctx.file, target.symbol, symbol)) : own;
  if (own.length > 0) return onlyOne(ctx, others, 'same-file');
  const named: SymbolRef[] = [];
  for (const alias of ctx.symbols.aliases(ctx.file, name)) {
    const resolved = ctx.symbols.resolution(ctx.file, alias.at);
    if (resolved.kind !== 'files') continue;
    for (const file of resolved.files) named.push(...extensionsIn(ctx, file, alias.name.name));
  }
  if (named.length > 0) return onlyOne(ctx, named, 'imported');
  return isBare && extensionsInTypes ? null : onlyOne(ctx, inPackages(ctx, name), 'package');
}

/**
 * The method of the only trait in scope that has one of that name. No type may have a method of its own with the name, since the
 * value could be of that type, and neither may a type of a library.
 */
function ofTraitInScope(ctx: Context, use: Use, fromOutside: boolean): NameResolution | null {
  const { name, symbol: scope } = use;
  if (ctx.exhausted || ctx.symbols.isLibraryName(name)) return null;
  const { nodes } = ctx.symbols.snapshot;
  const traits: SymbolRef[] = [];
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_LOOKED_AT)) {
    const target = { file: nodes.fileOf(node), symbol: nodes.symbolOf(node) };
    if (!FUNCTIONS.has(nodes.kind(node)) || !ctx.symbols.sameFamily(target.file, ctx.file)) continue;
    ctx.recorder.note(target.file, name);
    const { container } = ctx.symbols.symbol(target.file, target.symbol);
    const holder = container < 0 ? undefined : ctx.symbols.symbol(target.file, container).kind;
    if (holder === 'trait') traits.push(target);
    else if (holder === 'impl' && !fromOutside && !isOfTrait(ctx, target) && seesHolder(ctx, target, scope))
      return null;
  }
  const seen = traits.filter((target) => seesHolder(ctx, target, scope));
  if (seen.length !== 1) return null;
  const own = ofPlainType(ctx, use, fromOutside);
  if (own !== null) return { value: symbolValue(own), tier: 'receiver' };
  return { value: symbolValue(seen[0]), tier: seen[0].file === ctx.file ? 'same-file' : 'imported' };
}

/** The only method of that name that is written for a plain type of the language: `impl Emit for u8`. */
function ofPlainType(ctx: Context, use: Use, fromOutside: boolean): SymbolRef | null {
  if (!fromOutside) return null;
  const { name, receiver, symbol, startLine } = use;
  const at = { file: ctx.file, symbol, line: startLine, expected: ROOTS };
  const value = ctx.ask.accessPathValue(ctx, at, receiver);
  if (value?.is !== 'external' || value.type === undefined) return null;
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_LOOKED_AT)) {
    const file = nodes.fileOf(node);
    const container = nodes.container[node];
    if (container < 0 || nodes.kind(container) !== 'impl' || nodes.nameOf(container) !== value.type) continue;
    if (ctx.symbols.sameFamily(file, ctx.file)) found.push({ file, symbol: nodes.symbolOf(node) });
  }
  return found.length === 1 ? found[0] : null;
}

/** Does the name of a method's trait, or of the type around its `impl`, mean that trait or type where the method is used? */
function seesHolder(ctx: Context, { file, symbol }: SymbolRef, scope: number): boolean {
  const { container } = ctx.symbols.symbol(file, symbol);
  const { name, kind } = ctx.symbols.symbol(file, container);
  const typeAt = (from: number, at: number): AbstractValue | null =>
    ctx.ask.findPath(ctx, wholeScope(from, at, EXPECTED_KINDS.type), [name])?.value ?? null;
  const found = typeAt(ctx.file, scope);
  if (found?.is !== 'symbol') return false;
  if (kind === 'trait') return found.file === file && found.symbol === container;
  const whole = typeAt(file, container);
  return whole?.is !== 'symbol' || (found.file === whole.file && found.symbol === whole.symbol);
}

/** Is it in an `impl Trait for Type`? What types implement stands at the first of their symbols, with the line of the block. */
export function isOfTrait(ctx: Context, { file, symbol }: SymbolRef): boolean {
  const { container } = ctx.symbols.symbol(file, symbol);
  if (container < 0) return false;
  const block = ctx.symbols.symbol(file, container);
  if (block.kind !== 'impl') return false;
  return ctx.symbols
    .symbolsNamed(file, block.name)
    .some((each) =>
      ctx.symbols
        .heritage(file, each)
        .some(({ startLine }) => block.startLine <= startLine && startLine <= block.endLine),
    );
}

/** Does any type have a method of that name? Members win over extensions, and receivers of lambdas are unknown here. */
function isMember(ctx: Context, name: string): boolean {
  const { nodes } = ctx.symbols.snapshot;
  for (const node of ctx.symbols.definitions(name)) {
    const file = nodes.fileOf(node);
    if (nodes.kind(node) !== 'method' || !ctx.symbols.sameFamily(file, ctx.file)) continue;
    if (ctx.symbols.instance(file, nodes.symbolOf(node)) === undefined) return true;
  }
  return false;
}

/** Is the inner symbol in the outer one, or the same? */
export function encloses(ctx: Context, file: number, outer: number, inner: number): boolean {
  let at = inner;
  for (let depth = 0; at >= 0 && depth < MAX_SCOPES; depth++) {
    if (at === outer) return true;
    at = ctx.symbols.symbol(file, at).container;
  }
  return false;
}

/** `use`: the symbol around a use in that file, which sees extensions that are members of the types around it. */
function extensionsIn(ctx: Context, file: number, name: string, use = -1): SymbolRef[] {
  return ctx.symbols
    .symbolsNamed(file, name)
    .filter((symbol) => isExtension(ctx, file, symbol, use))
    .map((symbol) => ({ file, symbol }));
}

function isExtension(ctx: Context, file: number, symbol: number, use = -1): boolean {
  const { kind, container } = ctx.symbols.symbol(file, symbol);
  const inType = container >= 0 && TYPES.has(ctx.symbols.symbol(file, container).kind);
  const isFree = ctx.symbols.semantics(file).extensionsInTypes
    ? inType
    : container < 0 || isObject(ctx, file, container) || (inType && use >= 0 && encloses(ctx, file, container, use));
  return FUNCTIONS.has(kind) && isFree && ctx.symbols.instance(file, symbol) !== undefined;
}

/** Extensions in an object are imported from it by name. */
function isObject(ctx: Context, file: number, symbol: number): boolean {
  return ctx.symbols.symbol(file, symbol).kind === 'object';
}

function inPackages(ctx: Context, name: string): SymbolRef[] {
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_LOOKED_AT)) {
    const file = nodes.fileOf(node);
    if (!FUNCTIONS.has(nodes.kind(node)) || !ctx.symbols.sameFamily(file, ctx.file)) continue;
    ctx.recorder.note(file, name);
    const target = { file, symbol: nodes.symbolOf(node) };
    if (!isExtension(ctx, file, target.symbol)) continue;
    if (ctx.symbols.semantics(file).extensionsInTypes ? seesPackage(ctx, file) : seesExtension(ctx, target, name))
      found.push(target);
  }
  return found;
}

function onlyOne(ctx: Context, found: readonly SymbolRef[], tier: NameResolution['tier']): NameResolution | null {
  if (found.length === 0) return null;
  const types = found.map(({ file, symbol }) => ctx.symbols.instance(file, symbol)?.type);
  let chosen = found[0];
  for (const [i, target] of found.entries()) {
    if (types[i] !== types[0]) return null;
    if (target.file === chosen.file) continue;
    const variant = ctx.symbols.snapshot.resolver.variant(ctx.file, chosen.file, target.file);
    if (variant === null) return null;
    if (variant === target.file) chosen = target;
  }
  return { value: symbolValue(chosen), tier };
}

// Files that a file includes, whose names are in its scope.

/** Maximum number of files that one file includes, directly and indirectly. */
const MAX_INCLUDED = 3_000;

/** Files that a file includes; where includes are transitive, also those that they include. */
export function includedBy(ctx: Context, file: number): ReadonlySet<number> {
  const find = (asking: Context) => findIncluded(asking, file);
  // All files of a program in C together would hold every header for every file, which takes more memory than it saves time.
  const isLarge = ctx.symbols.semantics(file).transitive;
  return getOrMake(ctx.included, file, () =>
    isLarge ? find(ctx) : (ctx.symbols.snapshot.included.of(ctx, file, file, find) ?? find(ctx)),
  );
}

function findIncluded(ctx: Context, file: number): ReadonlySet<number> {
  const found = new Set<number>();
  const queue = [file];
  for (let i = 0; i < queue.length && found.size < MAX_INCLUDED; i++) {
    for (const at of ctx.symbols.wildcards(queue[i])) {
      const { kind } = ctx.symbols.import(queue[i], at);
      if (kind !== 'include' && kind !== 'include-system') continue;
      const resolved = ctx.symbols.resolution(queue[i], at);
      if (resolved.kind !== 'files') continue;
      for (const other of resolved.files) {
        if (other === file || found.has(other)) continue;
        found.add(other);
        if (ctx.symbols.semantics(file).transitive) queue.push(other);
      }
    }
  }
  return found;
}
