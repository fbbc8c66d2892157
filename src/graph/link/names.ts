/**
 * Resolves a name without a receiver, from the innermost scope outwards, to imports that list no names and all
 * definitions of the repository.
 */
import type { Semantics } from '../../languages/language.js';
import { commonDepth, getOrMake } from '../../languages/roles/project.js';
import { memberOf } from './members.js';
import { exportedBy, importedValue, inWildcardType, isWildcardOfType } from './modules.js';
import {
  atTop,
  bindingAt,
  bindingValue,
  encloses,
  enclosingType,
  includedBy,
  isOwned,
  MAX_SCOPES,
  TYPE_EXPECTATIONS,
  visibleIn,
} from './scopes.js';
import type { Alias } from './symbol-index.js';
import type { Context } from './symbol-table.js';
import { isReopened } from './type-parts.js';
import {
  type AbstractValue,
  EXPECTED_KINDS,
  type ExpectedKinds,
  FUNCTIONS,
  type NameResolution,
  PATH_ROOTS,
  RESOLVED_OUTSIDE,
  ROOTS,
  rankOf,
  type Scope,
  SPACES,
  type SymbolRef,
  severalValues,
  symbolValue,
  TYPES,
  VALUES,
} from './values.js';

/** Resolves a name in a scope; null if it is unknown. */
export function findName(ctx: Context, scope: Scope, name: string): NameResolution | null {
  if (!ctx.enter()) return null;
  if (isOfTemplates(name) && ctx.symbols.semantics(scope.file).templateNames) {
    ctx.leave();
    return inTemplates(ctx, scope.file, name);
  }
  try {
    return inScopes(ctx, scope, name) ?? throughWildcards(ctx, scope, name) ?? withoutImport(ctx, scope, name);
  } finally {
    ctx.leave();
  }
}

/** Name of the component whose template a file is. */
const OWN_TEMPLATE = '<>';

/** Is it a name that only templates use: `<app-cart>`, `|money`? */
export function isOfTemplates(name: string): boolean {
  const first = name.charCodeAt(0);
  return (first === 60 || first === 124) && /^(?:<[\w.-]*>|\|[\w$]+)$/.test(name);
}

/**
 * A name of a template means the class whose decorator states it, or the value that a container holds under it; of several the nearest one,
 * likely. `<>` means the component that states this file as its template and loads it, or each of several such components.
 */
function inTemplates(ctx: Context, from: number, name: string): NameResolution {
  const path = ctx.symbols.path(from);
  const isOwn = name === OWN_TEMPLATE;
  const given = isOwn ? `<${path.slice(path.lastIndexOf('/') + 1)}>` : name;
  const named = [...ctx.symbols.counted(ctx.symbols.definitions(given)).subarray(0, MAX_DEFINITIONS)];
  const meant = isOwn
    ? named.filter((node) => loads(ctx, ctx.symbols.snapshot.nodes.fileOf(node), from))
    : nearestTo(ctx, from, named);
  /** Values that a container holds under that key. */
  const held: (AbstractValue | null)[] = [];
  const found = meant.flatMap((node) => {
    const { nodes } = ctx.symbols.snapshot;
    const file = nodes.fileOf(node);
    ctx.recorder.note(file, given);
    const key = ctx.symbols.bindingsNamed(file, given).at(-1);
    if (key !== undefined) held.push(bindingValue(ctx, file, key, Number.POSITIVE_INFINITY));
    const symbol = ctx.symbols.symbol(file, nodes.symbolOf(node)).container;
    return symbol < 0 ? [] : [{ file, symbol }];
  });
  const [first] = found;
  if (held.length > 0) return { value: severalValues(held), tier: held.length === 1 ? 'package' : 'likely' };
  if (first === undefined) return RESOLVED_OUTSIDE;
  if (found.length > 1)
    return isOwn ? { value: severalValues(found.map(symbolValue)), tier: 'likely' } : AMBIGUOUS_NAME;
  return { value: symbolValue(first), tier: isOwn ? 'path' : named.length === 1 ? 'package' : 'likely' };
}

/** Of several nodes those whose files share most folders with a file. */
function nearestTo(ctx: Context, from: number, nodes: readonly number[]): readonly number[] {
  if (nodes.length < 2) return nodes;
  const path = ctx.symbols.path(from);
  const depths = nodes.map((node) => commonDepth(path, ctx.symbols.path(ctx.symbols.snapshot.nodes.fileOf(node))));
  const most = Math.max(...depths);
  return nodes.filter((_, i) => depths[i] === most);
}

const AMBIGUOUS_NAME: NameResolution = { value: null, tier: 'ambiguous' };

/** Does an import of a file lead to another one? */
function loads(ctx: Context, file: number, other: number): boolean {
  return ctx.symbols.snapshot.index(file).imports.some((_, at) => {
    const resolved = ctx.symbols.resolution(file, at);
    return resolved.kind === 'files' && resolved.files.includes(other);
  });
}

/** Definitions of other files that need no import. A module that hundreds of files open is asked for once a file. */
function withoutImport(ctx: Context, scope: Scope, name: string): NameResolution | null {
  const find = (): NameResolution | null =>
    amongPackageFiles(ctx, scope, name) ?? amongGlobals(ctx, scope, name) ?? knownEverywhere(ctx, scope, name);
  if (scope.file !== ctx.file) return find();
  return getOrMake(
    getOrMake(ctx.withoutImport, scope.expected, () => new Map<string, NameResolution | null>()),
    name,
    find,
  );
}

function inScopes(ctx: Context, scope: Scope, name: string): NameResolution | null {
  const { file } = scope;
  const { blocks } = ctx.symbols.semantics(file);
  const aliases = ctx.symbols.aliases(file, name);
  let itself: NameResolution | null = null;
  let at = scope.symbol;
  for (let depth = 0; depth < MAX_SCOPES; depth++) {
    const own =
      at < 0 && blocks
        ? atTop(
            ctx,
            scope,
            name,
            aliases.some((alias) => ctx.symbols.import(file, alias.at).symbol < 0),
          )
        : inScope(ctx, scope, at, name);
    const found =
      preferredImport(ctx, scope, at, name, own, aliases) ??
      own ??
      inBody(ctx, scope, at, name) ??
      importedIn(ctx, scope, at, name, aliases) ??
      ofWildcardIn(ctx, scope, at, name);
    if (found !== null && (at < 0 || !isItself(ctx, scope, at, found))) return found;
    itself ??= found;
    if (at < 0) break;
    at = scopeAround(ctx, file, at);
  }
  return itself;
}

/** Variant of an enumeration that a function opens for itself, before what the file has outside: `use Kind::*`. */
function ofWildcardIn(ctx: Context, { file, expected }: Scope, at: number, name: string): NameResolution | null {
  if (at < 0 || ctx.symbols.semantics(file).paths !== '::') return null;
  for (const wildcard of ctx.symbols.wildcards(file)) {
    if (ctx.symbols.import(file, wildcard).symbol !== at) continue;
    const found = inWildcardType(ctx, file, wildcard, name, expected);
    if (found !== null) return found;
  }
  return null;
}

/**
 * The import in a scope that also defines its name, as a fallback: `try: from gate import open`, `except: open = None`. It
 * counts if it leads to a file of the repository, and if definitions and imports of one name are alternatives at all.
 */
function preferredImport(
  ctx: Context,
  scope: Scope,
  at: number,
  name: string,
  own: NameResolution | null,
  aliases: readonly Alias[],
): NameResolution | null {
  if (own === null || aliases.length === 0 || !ctx.symbols.semantics(scope.file).importsOverDefinitions) return null;
  // A local may be another one than the import, but not in the function that imports it.
  if (own.tier !== 'same-file' && (at < 0 || own.value !== null)) return null;
  const found = importedIn(ctx, scope, at, name, aliases);
  return found === null || found.value === null || found.value.is === 'external' ? null : found;
}

/**
 * The definition with which a file replaces an import that fails; null if there is none. A use means it, too. Variables do
 * not count: nobody asks for the uses of a `None`.
 */
export function fallbackOf(ctx: Context, scope: Scope, name: string, found: NameResolution): NameResolution | null {
  const { file, expected } = scope;
  if (!ctx.symbols.semantics(file).importsOverDefinitions) return null;
  const isElsewhere = found.value?.is === 'files' || (found.value?.is === 'symbol' && found.value.file !== file);
  const lines = ctx.symbols.aliases(file, name).map(({ at }) => ctx.symbols.import(file, at).endLine);
  if (!isElsewhere || lines.length === 0) return null;
  const { blocks } = ctx.symbols.semantics(file);
  const symbols = visibleIn(ctx, file, -1, name).filter((symbol) => {
    const { kind, startLine } = ctx.symbols.symbol(file, symbol);
    // A callback far from the import has names of its own.
    return !VALUES.has(kind) && (!blocks || lines.some((line) => Math.abs(startLine - line) <= MAX_FALLBACK_LINES));
  });
  const symbol = ctx.symbols.best(file, symbols, expected);
  return symbol < 0 ? null : { value: symbolValue({ file, symbol }), tier: 'same-file' };
}

/** Maximum number of lines between an import and the definition for the case that it fails. */
const MAX_FALLBACK_LINES = 20;

/** The scope around a symbol as it is written. For `inst.run = () => …` it is the function around, not the type of `inst`. */
function scopeAround(ctx: Context, file: number, at: number): number {
  const own = ctx.symbols.symbol(file, at);
  if (own.container < 0 || file !== ctx.file || !ctx.symbols.semantics(file).blocks) return own.container;
  if (!isOwned(ctx.symbols.symbol(file, own.container), own)) return own.container;
  const around = ctx.symbols.functionAround(file, at);
  return around < 0 ? own.container : around;
}

/** Would the use refer to the function around it? In `inst.trim = () => trim(inst)` the outer `trim` is meant. */
function isItself(ctx: Context, { file, symbol }: Scope, at: number, { value }: NameResolution): boolean {
  if (!ctx.symbols.semantics(file).blocks || value?.is !== 'symbol' || value.file !== file) return false;
  for (let inner = symbol, depth = 0; inner > at && depth < MAX_SCOPES; depth++) {
    if (inner === value.symbol) return true;
    inner = ctx.symbols.symbol(file, inner).container;
  }
  return false;
}

function inScope(ctx: Context, scope: Scope, at: number, name: string): NameResolution | null {
  const { file, expected } = scope;
  if (at >= 0) {
    const { kind } = ctx.symbols.symbol(file, at);
    if (TYPES.has(kind) || SPACES.has(kind)) return inType(ctx, scope, at, name);
    if (VALUES.has(kind)) return byBinding(ctx, scope, at, name) ?? inCallback(ctx, scope, at, name);
  }
  const symbol = ctx.symbols.best(file, visibleIn(ctx, file, at, name), expected);
  if (symbol >= 0) return { value: symbolValue({ file, symbol }), tier: 'same-file' };
  const hidden = byBinding(ctx, scope, at, name);
  if (hidden !== null || at < 0) return hidden;
  return ofStatedInstance(ctx, scope, at, name);
}

/** Functions and types inside of a callback, as in `const handler = wrap(() => { … })`. Members of an object are not in scope. */
function inCallback(ctx: Context, { file, expected }: Scope, at: number, name: string): NameResolution | null {
  const inside = visibleIn(ctx, file, at, name).filter((symbol) => !VALUES.has(ctx.symbols.symbol(file, symbol).kind));
  const symbol = ctx.symbols.best(file, inside, expected);
  return symbol < 0 ? null : { value: symbolValue({ file, symbol }), tier: 'same-file' };
}

function byBinding(ctx: Context, { file, expected, line }: Scope, at: number, name: string): NameResolution | null {
  if (TYPE_EXPECTATIONS.has(expected)) return null;
  const { typesAreMade, functionsAreApart } = ctx.symbols.semantics(file);
  if (expected === EXPECTED_KINDS.new && typesAreMade) return null;
  if (expected === EXPECTED_KINDS.call && functionsAreApart) return null;
  const binding = bindingAt(ctx, file, at, name, line);
  if (binding === undefined) return null;
  return { value: bindingValue(ctx, file, binding, line), tier: 'receiver' };
}

/** Members that their type can use by simple name, and symbols of an enclosing namespace or module. */
function inType(ctx: Context, scope: Scope, at: number, name: string): NameResolution | null {
  const { file, expected } = scope;
  const { kind } = ctx.symbols.symbol(file, at);
  if (!SPACES.has(kind) && !ctx.symbols.semantics(file).implicitThis) return nestedType(ctx, scope, at, name);
  const found = memberOf(ctx, { file, symbol: at }, name, expected);
  if (found === null || found.value?.is !== 'symbol') return found;
  const symbol = ctx.symbols.symbol(found.value.file, found.value.symbol);
  if (symbol.kind === 'constructor' || !expected.some((kinds) => kinds.has(symbol.kind))) return null;
  if (found.tier === 'inherited') return found;
  return { value: found.value, tier: found.value.file === file ? 'same-file' : 'package' };
}

/** Members above the line, which code in the body of a type can use: `__radd__ = __add__`, `@checked`. */
function inBody(
  ctx: Context,
  { file, symbol: from, expected, line }: Scope,
  at: number,
  name: string,
): NameResolution | null {
  if (at < 0 || !ctx.symbols.semantics(file).openBodies || !TYPES.has(ctx.symbols.symbol(file, at).kind)) return null;
  const { kind, container } = ctx.symbols.symbol(file, from);
  const isInBody = from === at || (container === at && (VALUES.has(kind) || expected === EXPECTED_KINDS.decorator));
  if (!isInBody) return null;
  const above = ctx.symbols.symbolsNamed(file, name).filter((symbol) => {
    const member = ctx.symbols.symbol(file, symbol);
    return member.container === at && symbol !== from && member.startLine < line;
  });
  const symbol = ctx.symbols.best(file, above, expected);
  return symbol < 0 ? null : { value: symbolValue({ file, symbol }), tier: 'same-file' };
}

/** Types nested in a type, which it can use by their simple names. */
function nestedType(ctx: Context, { file, expected }: Scope, at: number, name: string): NameResolution | null {
  if (!ctx.symbols.semantics(file).nestedTypes) return null;
  const nested = ctx.symbols.symbolsNamed(file, name).filter((symbol) => {
    const { container, kind } = ctx.symbols.symbol(file, symbol);
    return container === at && TYPES.has(kind) && kind !== 'impl';
  });
  const symbol = ctx.symbols.best(file, nested, expected);
  return symbol < 0 ? null : { value: symbolValue({ file, symbol }), tier: 'same-file' };
}

/** Members of the type to which a function outside of it belongs: `void Cart::total() { discount(); }`. */
function ofStatedInstance(ctx: Context, { file, expected }: Scope, at: number, name: string): NameResolution | null {
  if (!ctx.symbols.semantics(file).implicitThis || ctx.symbols.instance(file, at) === undefined) return null;
  const type = enclosingType(ctx, file, at);
  const found = type === null ? null : memberOf(ctx, type, name, expected);
  if (found?.value?.is !== 'symbol') return found;
  const { kind } = ctx.symbols.symbol(found.value.file, found.value.symbol);
  if (!expected.some((kinds) => kinds.has(kind))) return null;
  // Tier `receiver` would make a field look like a local that holds one.
  if (!(VALUES.has(kind) || kind === 'enum-member') || found.tier !== 'receiver') return found;
  return { value: found.value, tier: found.value.file === file ? 'same-file' : 'package' };
}

/**
 * A definition whose name is the path, joined as in the language. The first part can be the short name of an import, which then hides all
 * others: `Session.Data` after `alias Shop.Session`.
 */
export function findJoined(ctx: Context, scope: Scope, path: readonly string[]): NameResolution | null {
  const { dottedNames } = ctx.symbols.semantics(scope.file);
  const full = dottedNames === '.' ? importedName(ctx, scope.file, path[0]) : null;
  const found = full === null ? null : findName(ctx, scope, [full, ...path.slice(1)].join(dottedNames));
  if (found?.value?.is === 'symbol' && found.tier !== 'ambiguous') return { ...found, tier: 'imported' };
  return findName(ctx, scope, path.join(dottedNames));
}

/** The dotted name that a short one stands for; null if the file has no such import, or several that differ. */
function importedName(ctx: Context, file: number, alias: string): string | null {
  const full = new Set<string>();
  for (const { at } of ctx.symbols.aliases(file, alias)) {
    for (const imported of ctx.symbols.import(file, at).names)
      if (imported.alias === alias && imported.name.includes('.')) full.add(imported.name);
  }
  const [only = null] = full;
  return full.size === 1 ? only : null;
}

function importedIn(
  ctx: Context,
  { file, expected }: Scope,
  at: number,
  name: string,
  aliases: readonly Alias[],
): NameResolution | null {
  let nothing: NameResolution | null = null;
  const { importsOverDefinitions } = ctx.symbols.semantics(file);
  const found: NameResolution[] = [];
  for (const alias of aliases) {
    // A name with `#` was made for a file that an expression loads, and is valid in any scope.
    if (ctx.symbols.import(file, alias.at).symbol !== at && !(at < 0 && name.includes('#'))) continue;
    const one = importedValue(ctx, file, alias, expected);
    // With `try: import a except: import b`, the imports that resolve to files count.
    if (one !== null && one.value !== null && one.value.is !== 'external') {
      // `#[cfg(unix)] mod inner;` beside one for other systems: a build has one of them.
      if (!importsOverDefinitions && ctx.symbols.import(file, alias.at).kind !== 'module') return one;
      if (found.length < MAX_CHOICES) found.push(one);
    }
    nothing ??= one ?? { value: null, tier: 'unresolved' };
    if (one?.value?.is === 'external') nothing = one;
  }
  return found.length === 0 ? nothing : eitherOf(found);
}

/** Maximum number of imports of one name among which a condition chooses. */
const MAX_CHOICES = 4;

/** One of several imports: a condition chooses, which is not known here. */
function eitherOf(found: readonly NameResolution[]): NameResolution {
  const symbols = new Map<string, AbstractValue | null>();
  for (const { value } of found)
    symbols.set(value?.is === 'symbol' ? `${value.file} ${value.symbol}` : JSON.stringify(value), value);
  return symbols.size === 1 ? found[0] : { value: severalValues([...symbols.values()]), tier: found[0].tier };
}

/** Definitions in files of the same package or namespace as `file`, which need no import. */
function amongPackageFiles(ctx: Context, scope: Scope, name: string): NameResolution | null {
  const { file } = scope;
  if (ctx.symbols.semantics(file).exports === 'marked') return null;
  const { resolver } = ctx.symbols.snapshot;
  const found = amongDefinitions(ctx, scope, name, (other) => resolver.isPeer(file, other));
  if (found === null) return null;
  const isKnown = found.tier === 'unique' || ctx.symbols.semantics(file).alternatives;
  return { value: found.value, tier: isKnown ? 'package' : found.tier };
}

/** Definitions that their files make known to all others: `declare global`. */
function knownEverywhere(ctx: Context, scope: Scope, name: string): NameResolution | null {
  const { file } = scope;
  const { everywhere } = ctx.symbols.semantics(file);
  if (everywhere === '') return null;
  const named = ctx.symbols.everywhere(everywhere, name);
  if (named.length === 0) return null;
  const isGiven = (other: number): boolean =>
    ctx.symbols.exportsNamed(other, everywhere + name).length > 0 && ctx.symbols.snapshot.resolver.isPeer(file, other);
  const found = amongDefinitions(ctx, scope, name, isGiven, named);
  return found?.tier === 'unique' ? { ...found, tier: 'package' } : found;
}

/** Definitions that are global among all files that are linked or loaded together. */
function amongGlobals(ctx: Context, scope: Scope, name: string): NameResolution | null {
  const { file, expected } = scope;
  const semantics = ctx.symbols.semantics(file);
  const { headers } = semantics;
  if (headers && TYPE_EXPECTATIONS.has(expected)) return declaredType(ctx, scope, name);
  if (!isGlobal(semantics, expected, name)) return null;
  if (headers && hasFunction(ctx, file, name)) return null;
  const { snapshot } = ctx.symbols;
  const { nodes } = snapshot;
  const fromTest = snapshot.isTest(file);
  const allowed = (other: number, node: number): boolean => {
    if (!nodes.isExported(node) || (!fromTest && snapshot.isTest(other))) return false;
    // In C only functions are global: macros and variables need an include, and included names were found before.
    return !headers || nodes.kind(node) === 'function';
  };
  const found = amongDefinitions(ctx, scope, name, allowed);
  if (found?.tier !== 'ambiguous' || semantics.dottedNames !== '.') return found;
  // An object of Kubernetes or a template of Helm has copies in other charts and environments.
  const near = new Set(nearestTo(ctx, file, [...ctx.symbols.definitions(name)].slice(0, MAX_DEFINITIONS)));
  const nearest = amongDefinitions(ctx, scope, name, (other, node) => near.has(node) && allowed(other, node));
  return nearest?.tier === 'unique' ? { ...nearest, tier: 'likely' } : found;
}

/**
 * Does the file have a function of that name in any scope? It is preferred to one of another file, though facts cannot prove it.
 */
function hasFunction(ctx: Context, file: number, name: string): boolean {
  return ctx.symbols.symbolsNamed(file, name).some((symbol) => FUNCTIONS.has(ctx.symbols.symbol(file, symbol).kind));
}

function isGlobal({ globalFunctions, globalTypes }: Semantics, expected: ExpectedKinds, name: string): boolean {
  const { type, new: made } = EXPECTED_KINDS;
  if (globalTypes && ([type, made, ROOTS, PATH_ROOTS].includes(expected) || /^\p{Lu}/u.test(name))) return true;
  return globalFunctions && (expected === EXPECTED_KINDS.call || expected === EXPECTED_KINDS.value);
}

/** Maximum number of files of a wildcard that are searched one by one; with more, all definitions of the name are filtered. */
const MAX_SEARCHED_FILES = 8;

/** Resolves a name through imports of all names of other files: `import a.*`, `using A`, `#include "x.h"`. */
function throughWildcards(ctx: Context, scope: Scope, name: string): NameResolution | null {
  const { file, symbol: from, expected } = scope;
  if (ctx.symbols.semantics(file).exports === 'marked') return null;
  const many = new Set<number>();
  for (const at of ctx.symbols.wildcards(file)) {
    const { symbol, kind } = ctx.symbols.import(file, at);
    if (symbol >= 0 && !encloses(ctx, file, symbol, from)) continue;
    const resolved = ctx.symbols.resolution(file, at);
    if (resolved.kind !== 'files' || kind === 'include' || kind === 'include-system') continue;
    if (resolved.files.length > MAX_SEARCHED_FILES) for (const other of resolved.files) many.add(other);
    else {
      const found = inFewFiles(ctx, scope, at, name) ?? inWildcardType(ctx, file, at, name, expected);
      if (found !== null) return found;
    }
  }
  const imported = amongFiles(ctx, scope, name, many);
  if (imported !== null) return imported.tier === 'unique' ? { ...imported, tier: 'imported' } : imported;
  const included = amongFiles(ctx, scope, name, includedBy(ctx, file));
  return included === null ? null : { ...included, tier: 'imported' };
}

function amongFiles(ctx: Context, scope: Scope, name: string, files: ReadonlySet<number>): NameResolution | null {
  return files.size === 0 ? null : amongDefinitions(ctx, scope, name, (other) => files.has(other));
}

function inFewFiles(ctx: Context, scope: Scope, at: number, name: string): NameResolution | null {
  const { file, expected } = scope;
  const resolved = ctx.symbols.resolution(file, at);
  if (resolved.kind !== 'files' || isWildcardOfType(ctx, file, at)) return null;
  const { files } = resolved;
  const first = files.filter((other) => isNamed(ctx, other, name));
  for (const other of [...first, ...files]) {
    const own = other === file ? ownTop(ctx, scope, name) : null;
    // A module in the text of this file can have imported it: `use crate::parts::*`.
    const isOpen = other !== file || ctx.symbols.semantics(file).paths === '::';
    const found = own ?? (isOpen ? exportedBy(ctx, other, name, expected) : null);
    if (found !== null) return found;
  }
  return null;
}

/** Resolves a name through `use super::*` in a module inside of the file. */
function ownTop(ctx: Context, { file, expected }: Scope, name: string): NameResolution | null {
  const symbol = ctx.symbols.best(file, visibleIn(ctx, file, -1, name), expected);
  return symbol < 0 ? null : { value: symbolValue({ file, symbol }), tier: 'same-file' };
}

/** Is the file named after the symbol, like `Cart.cs`? Among several parts of a type, the one in that file is preferred. */
function isNamed(ctx: Context, file: number, name: string): boolean {
  const path = ctx.symbols.path(file);
  return path.slice(path.lastIndexOf('/') + 1).startsWith(`${name}.`) && path.split('.').length === 2;
}

/** Maximum number of definitions of a name. With more, each use would scan them all and still be ambiguous. */
const MAX_DEFINITIONS = 2_000;

/** Best definition that the filter allows; `ambiguous` if there are several. */
function amongDefinitions(
  ctx: Context,
  scope: Pick<Scope, 'file' | 'expected'>,
  name: string,
  allowed: (file: number, node: number) => boolean,
  definitions: Uint32Array = ctx.symbols.definitions(name),
): NameResolution | null {
  if (definitions.length > MAX_DEFINITIONS) return null;
  const { nodes } = ctx.symbols.snapshot;
  let best: SymbolRef | null = null;
  let bestRank = Number.POSITIVE_INFINITY;
  let count = 0;
  for (const node of definitions) {
    const file = nodes.fileOf(node);
    const rank = file !== scope.file && allowed(file, node) ? rankAmong(ctx, scope, node) : -1;
    if (rank < 0 || rank > bestRank) continue;
    ctx.recorder.note(file, name);
    const kind = nodes.kind(node);
    const target = { file, symbol: nodes.symbolOf(node) };
    if (FUNCTIONS.has(kind) && ctx.symbols.instance(file, target.symbol) !== undefined) continue;
    const isBetter = rank < bestRank;
    const preferred: SymbolRef | null = isBetter || best === null ? null : ofSameThing(ctx, scope.file, best, target);
    if (preferred !== null) {
      best = preferred;
      continue;
    }
    if (isBetter) count = 0;
    if (isBetter || isNamed(ctx, file, name)) best = target;
    bestRank = rank;
    if (count === 0 || !isReopened(ctx.symbols.semantics(file), kind)) count++;
  }
  if (best === null) return null;
  return { value: symbolValue(best), tier: count === 1 ? 'unique' : 'ambiguous' };
}

/** How well a definition of another file fits what is expected: 0 is best, -1 means that it cannot be meant. */
function rankAmong(ctx: Context, { file, expected }: Pick<Scope, 'file' | 'expected'>, node: number): number {
  const { nodes } = ctx.symbols.snapshot;
  const other = nodes.fileOf(node);
  const kind = nodes.kind(node);
  if (kind === 'method' || kind === 'constructor' || kind === 'impl' || !ctx.symbols.sameFamily(file, other)) return -1;
  const { openNamespaces, openEnums } = ctx.symbols.semantics(other);
  return nodes.isOuter(node, openNamespaces, openEnums) ? rankOf(kind, expected) : -1;
}

/** The preferred one of two definitions that count as one: a class and its companion, or variants of one file; else null. */
function ofSameThing(ctx: Context, file: number, best: SymbolRef, other: SymbolRef): SymbolRef | null {
  if (areCompanions(ctx, best, other))
    return ctx.symbols.symbol(other.file, other.symbol).kind === 'object' ? best : other;
  const variant = ctx.symbols.snapshot.resolver.variant(file, best.file, other.file);
  return variant === null ? null : variant === other.file ? other : best;
}

/** The only type of that name. A file may name it without its header: `class Cart;`. */
function declaredType(ctx: Context, scope: Scope, name: string): NameResolution | null {
  const { nodes } = ctx.symbols.snapshot;
  const isType = (_: number, node: number): boolean => nodes.isExported(node) && TYPES.has(nodes.kind(node));
  const found = amongDefinitions(ctx, scope, name, isType);
  return found?.tier === 'unique' ? found : null;
}

/** Maximum number of definitions of one name among which a fixture is looked for. */
const MAX_FIXTURES = 200;
const SHARED_FIXTURES = /(?:^|\/)conftest\.py$/;

/** The fixture that a test of this file gets by a name: of its own file, else of the nearest `conftest.py` above it. */
export function fixtureNamed(ctx: Context, name: string): NameResolution | null {
  const { nodes } = ctx.symbols.snapshot;
  const own = ctx.symbols.path(ctx.file);
  let best: SymbolRef | null = null;
  let depth = -1;
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_FIXTURES)) {
    const file = nodes.fileOf(node);
    const path = ctx.symbols.path(file);
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const near =
      file === ctx.file ? own.length : SHARED_FIXTURES.test(path) && own.startsWith(folder) ? folder.length : -1;
    if (near <= depth || !FUNCTIONS.has(nodes.kind(node))) continue;
    ctx.recorder.note(file, name);
    const symbol = nodes.symbolOf(node);
    if (ctx.symbols.isDecorated(file, symbol, 'fixtures')) [best, depth] = [{ file, symbol }, near];
  }
  return best === null
    ? null
    : { value: { is: 'symbol', ...best }, tier: best.file === ctx.file ? 'same-file' : 'package' };
}

export function macroNamed(ctx: Context, name: string): NameResolution | null {
  const { nodes } = ctx.symbols.snapshot;
  return amongDefinitions(ctx, { file: ctx.file, expected: MACRO }, name, (_, node) => nodes.kind(node) === 'macro');
}

const MACRO = [new Set(['macro'] as const)];

/** Are the symbols a class and its companion object, which are one type with one name? */
function areCompanions(ctx: Context, a: SymbolRef, b: SymbolRef): boolean {
  if (a.file !== b.file) return false;
  const one = ctx.symbols.symbol(a.file, a.symbol);
  const other = ctx.symbols.symbol(b.file, b.symbol);
  return one.container === other.container && (one.kind === 'object') !== (other.kind === 'object');
}
