/** Resolves the names that a file exports to other files, and those that it imports from them. */
import { ALL_OF } from '../../languages/roles/relation-facts.js';
import { memberOf } from './members.js';
import { bindingAt, bindingValue } from './scopes.js';
import { type Alias, OWN } from './symbol-index.js';
import type { Context } from './symbol-table.js';
import {
  type AbstractValue,
  CALLED,
  EXPECTED_KINDS,
  type ExpectedKinds,
  type NameResolution,
  PATH_ROOTS,
  RESOLVED_OUTSIDE,
  ROOTS,
  SPACES,
  type SymbolRef,
  severalValues,
  symbolValue,
  TYPES,
  UNKNOWN_NAME,
  VALUES,
  wholeScope,
} from './values.js';

/** Name of the export that replaces the whole module (`module.exports =`, `export =`). */
const WHOLE = '=';
const DEFAULT = 'default';
const ALL_EXPECTED: readonly ExpectedKinds[] = [...Object.values(EXPECTED_KINDS), ROOTS, PATH_ROOTS, CALLED];

/** Resolves an exported name of a file; null if there is none. */
export function exportedBy(
  ctx: Context,
  file: number,
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  if (ctx.exporting.size > 0) return exported(ctx, file, name, expected);
  try {
    return remembered(ctx, file, name, expected);
  } finally {
    // Each file is searched once per outer query: searching it again in a cycle finds nothing new.
    ctx.exporting.clear();
  }
}

function remembered(ctx: Context, file: number, name: string, expected: ExpectedKinds | null): NameResolution | null {
  const key = file * (ALL_EXPECTED.length + 1) + expectedCode(expected);
  let answers = ctx.exports.get(name);
  const known = answers?.get(key);
  if (known !== undefined) return known;
  const span = ctx.startSpan();
  const found = exported(ctx, file, name, expected);
  if (!ctx.endSpan(span)) return found;
  if (answers === undefined) {
    answers = new Map();
    ctx.exports.set(name, answers);
  }
  answers.set(key, found);
  return found;
}

function expectedCode(expected: ExpectedKinds | null): number {
  return expected === null ? ALL_EXPECTED.length : ALL_EXPECTED.indexOf(expected);
}

function exported(ctx: Context, file: number, name: string, expected: ExpectedKinds | null): NameResolution | null {
  const key = `${file} ${expectedCode(expected)} ${name}`;
  // Ends the recursion of files that re-export each other.
  const isPending = ctx.exporting.has(key);
  if (isPending) ctx.cutExport();
  if (isPending || !ctx.enter()) return null;
  ctx.exporting.add(key);
  try {
    return ctx.symbols.semantics(file).exports === 'marked'
      ? markedExport(ctx, file, name, expected)
      : openExport(ctx, file, name, expected);
  } finally {
    ctx.leave();
  }
}

function markedExport(ctx: Context, file: number, name: string, expected: ExpectedKinds | null): NameResolution | null {
  const entries = ctx.symbols.exportsNamed(file, name);
  for (const { local } of entries) {
    const found = local === '' ? null : localValue(ctx, file, local, expected);
    if (found !== null) return name === WHOLE ? wholeOf(ctx, file, found, expected) : found;
  }
  const exported = ctx.symbols
    .symbolsNamed(file, name)
    .filter((symbol) => ctx.symbols.symbol(file, symbol).container < 0 && ctx.symbols.symbol(file, symbol).exported);
  const chosen = chooseFrom(ctx, file, exported, expected);
  if (chosen >= 0) return { value: symbolValue({ file, symbol: chosen }), tier: 'imported' };
  // The file itself stands for an export that is an expression or a component.
  if (entries.length > 0 || (name === DEFAULT && ctx.symbols.semantics(file).components)) {
    return { value: { is: 'files', files: [file] }, tier: 'imported' };
  }
  return reexported(ctx, file, name, expected) ?? fromWhole(ctx, file, name, expected);
}

/** The value that a file exports as a whole: if it is a file that it loads, the whole export of that one. */
function wholeOf(ctx: Context, file: number, found: NameResolution, expected: ExpectedKinds | null): NameResolution {
  const loaded = found.value?.is === 'files' && found.value.files.length === 1 ? found.value.files[0] : file;
  if (loaded === file || ctx.symbols.exportsNamed(loaded, WHOLE).length === 0) return found;
  const whole = exportedBy(ctx, loaded, WHOLE, expected);
  return whole === null ? found : onward(whole);
}

/**
 * A property that a file puts on the value which it exports as a whole: `Cart.Item = Item` above `module.exports = Cart`. `name`: what
 * the asking file calls the export.
 */
export function putOnExport(ctx: Context, file: number, name: string, property: string): AbstractValue | null {
  if (ctx.symbols.semantics(file).exports !== 'marked') return null;
  // `module.exports = cart`, `module.exports.total = total`: in the file itself, `cart.total` is the export.
  if (ctx.symbols.exportsNamed(file, WHOLE).some(({ local }) => local === name)) {
    const named = ctx.symbols
      .symbolsNamed(file, property)
      .filter((symbol) => ctx.symbols.symbol(file, symbol).container < 0);
    const symbol = ctx.symbols.best(file, named, CALLED);
    if (symbol >= 0 && named.some((each) => ctx.symbols.symbol(file, each).exported))
      return symbolValue({ file, symbol });
  }
  for (const { at } of ctx.symbols.aliases(file, name)) {
    const resolved = ctx.symbols.resolution(file, at);
    if (resolved.kind !== 'files' || resolved.files.length !== 1) continue;
    const [other] = resolved.files;
    for (const { local } of ctx.symbols.exportsNamed(other, WHOLE)) {
      const put = ctx.symbols.bindingsNamed(other, `${local}.${property}`).at(-1);
      if (put !== undefined) return loadedWhole(ctx, bindingValue(ctx, other, put, Number.POSITIVE_INFINITY));
      for (const symbol of ctx.symbols.symbolsNamed(other, property))
        if (ctx.symbols.given(other, symbol, OWN)?.value === local) return symbolValue({ file: other, symbol });
    }
  }
  return null;
}

/** The whole export of a file that is loaded as a value, if it has one. */
function loadedWhole(ctx: Context, value: AbstractValue | null): AbstractValue | null {
  if (value?.is !== 'files' || value.files.length !== 1) return value;
  return exportedBy(ctx, value.files[0], WHOLE, null)?.value ?? value;
}

function openExport(ctx: Context, file: number, name: string, expected: ExpectedKinds | null): NameResolution | null {
  const named = [...ctx.symbols.symbolsNamed(file, name), ...innerModules(ctx, file, name)];
  const open = named.filter(
    (symbol) => ctx.symbols.isOuter(file, symbol) && ctx.symbols.instance(file, symbol) === undefined,
  );
  const chosen = chooseFrom(ctx, file, open, expected);
  if (chosen >= 0) {
    const first = firstChoice(ctx, file, name, expected);
    return first ?? { value: symbolValue({ file, symbol: chosen }), tier: 'imported' };
  }
  for (const { local } of ctx.symbols.exportsNamed(file, name)) {
    const found = localValue(ctx, file, local, expected);
    if (found !== null) return found;
  }
  return reexported(ctx, file, name, expected) ?? fromWhole(ctx, file, name, expected);
}

/** Modules that a file defines within another one, by the whole name: `Shop.Cart` of `defmodule Cart` in `Shop`. */
function innerModules(ctx: Context, file: number, name: string): number[] {
  const { symbols } = ctx;
  const dot = name.lastIndexOf('.');
  if (dot < 0 || symbols.semantics(file).dottedNames !== '.') return [];
  /** Ends as soon as the names differ: symbols can claim to be thousands deep. */
  const isWhole = (symbol: number): boolean => {
    let rest = name;
    for (let at = symbol; at >= 0; ) {
      const { container, name: own } = symbols.symbol(file, at);
      if (!rest.endsWith(container < 0 ? own : `.${own}`)) return false;
      if (container < 0) return rest === own;
      rest = rest.slice(0, -own.length - 1);
      at = container;
    }
    return false;
  };
  return symbols.symbolsNamed(file, name.slice(dot + 1)).filter(isWhole);
}

/**
 * The import of a name that a file also defines as a fallback: `try: from .http2 import Connection`,
 * `except ImportError: class Connection`.
 */
function firstChoice(ctx: Context, file: number, name: string, expected: ExpectedKinds | null): NameResolution | null {
  if (!ctx.symbols.semantics(file).importsOverDefinitions) return null;
  for (const alias of ctx.symbols.aliases(file, name)) {
    if (ctx.symbols.import(file, alias.at).symbol >= 0 || ctx.symbols.resolution(file, alias.at).kind !== 'files')
      continue;
    const found = importedValue(ctx, file, alias, expected);
    if (found?.value?.is === 'symbol' && found.value.file !== file) return onward(found);
  }
  return null;
}

/** Resolves a name through the re-exports of a file. */
function reexported(ctx: Context, file: number, name: string, expected: ExpectedKinds | null): NameResolution | null {
  const { importsAreExports, paths } = ctx.symbols.semantics(file);
  // A function can have the name of a module beside it, whose functions are all exported.
  const mayBeModule = paths === '::' && expected === EXPECTED_KINDS.call;
  let module: NameResolution | null = null;
  for (const alias of ctx.symbols.aliases(file, name)) {
    const { kind, symbol } = ctx.symbols.import(file, alias.at);
    if (!importsAreExports && (symbol >= 0 || !isReexport(kind))) continue;
    const found = importedValue(ctx, file, alias, expected);
    if (found?.value == null) continue;
    if (found.value.is !== 'files' || !mayBeModule) return onward(found);
    module ??= onward(found);
  }
  if (name === DEFAULT || name === WHOLE) return null;
  const found = throughWildcards(ctx, file, name, expected);
  return found?.value?.is === 'external' ? (module ?? found) : (found ?? module);
}

/** Resolves a name through `export * from`, `pub use parts::*` and the like. */
function throughWildcards(
  ctx: Context,
  file: number,
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  let outside: NameResolution | null = null;
  for (const at of ctx.symbols.wildcards(file)) {
    const found = throughWildcard(ctx, file, at, name, expected);
    // A module that imports a name from outside for itself does not give it to others, and another module may have it.
    if (found?.value?.is === 'external') outside ??= found;
    else if (found !== null) return onward(found);
  }
  return outside;
}

function throughWildcard(
  ctx: Context,
  file: number,
  at: number,
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  const { importsAreExports, transitive } = ctx.symbols.semantics(file);
  const { kind } = ctx.symbols.import(file, at);
  const included = kind === 'include' || kind === 'include-system';
  if (!(isReexport(kind) || (included ? transitive : importsAreExports))) return null;
  const resolved = ctx.symbols.resolution(file, at);
  if (resolved.kind !== 'files') return null;
  for (const other of resolved.files) {
    // `pub use self::parts::*` of a module in the text of this file.
    const isInside = other === file && ctx.symbols.semantics(file).paths === '::';
    const found = other !== file ? exportedBy(ctx, other, name, expected) : null;
    const inside = isInside ? inWildcardType(ctx, file, at, name, expected) : null;
    if (found !== null || inside !== null) return found ?? inside;
  }
  return null;
}

function isReexport(kind: string): boolean {
  return kind === 'reexport' || kind === 'type-reexport';
}

function onward(found: NameResolution): NameResolution {
  return found.tier === 'imported' ? { value: found.value, tier: 'reexported' } : found;
}

/** Member of the value that is the whole export of the file: `module.exports = cart`. */
function fromWhole(ctx: Context, file: number, name: string, expected: ExpectedKinds | null): NameResolution | null {
  if (name === WHOLE) return null;
  if (ctx.symbols.semantics(file).exports !== 'marked') return fromTable(ctx, file, name, expected);
  for (const { local } of ctx.symbols.exportsNamed(file, WHOLE)) {
    const whole = localValue(ctx, file, local, expected);
    if (whole === null || whole.value === null) continue;
    if (name === DEFAULT) return whole;
    if (local === '') continue;
    const found = ctx.ask.lookup(ctx, file, whole.value, name, expected);
    if (found !== null) return found;
  }
  for (const { local } of name === DEFAULT ? [] : ctx.symbols.exportsNamed(file, ALL_OF)) {
    const part = localValue(ctx, file, local, ROOTS)?.value ?? null;
    const found = part === null || part.is === 'external' ? null : ctx.ask.lookup(ctx, file, part, name, expected);
    if (found !== null) return found;
  }
  return null;
}

/** Member of the value that the file returns (`return Cart` in Lua), which is the module. */
function fromTable(ctx: Context, file: number, name: string, expected: ExpectedKinds | null): NameResolution | null {
  for (const { local } of ctx.symbols.exportsNamed(file, WHOLE)) {
    const whole = local === '' ? null : localValue(ctx, file, local, expected);
    const found =
      whole === null || whole.value === null ? null : ctx.ask.lookup(ctx, file, whole.value, name, expected);
    if (found !== null) return found;
  }
  return null;
}

/** Resolves a name at the file's own top level. '' is an expression: the file itself stands for it. */
function localValue(ctx: Context, file: number, local: string, expected: ExpectedKinds | null): NameResolution | null {
  if (local === '') return { value: { is: 'files', files: [file] }, tier: 'imported' };
  const top = ctx.symbols
    .symbolsNamed(file, local)
    .filter(
      (symbol) => ctx.symbols.symbol(file, symbol).container < 0 && ctx.symbols.symbol(file, symbol).kind !== 'impl',
    );
  const chosen = expected === null ? (top[0] ?? -1) : ctx.symbols.best(file, top, expected);
  // `exports.Cart = Cart` makes a symbol of the name that it exports, too.
  const isItsExport = chosen >= 0 && isConstant(ctx, file, chosen) && bindingAt(ctx, file, -1, local, 0) === undefined;
  if (chosen >= 0 && !(isItsExport && ctx.symbols.aliases(file, local).length > 0))
    return (
      firstChoice(ctx, file, local, expected) ?? { value: symbolValue({ file, symbol: chosen }), tier: 'imported' }
    );
  for (const alias of ctx.symbols.aliases(file, local)) {
    const found = importedValue(ctx, file, alias, expected);
    if (found !== null) return onward(found);
  }
  const binding = bindingAt(ctx, file, -1, local, Number.POSITIVE_INFINITY);
  if (binding === undefined) return null;
  const value = bindingValue(ctx, file, binding, Number.POSITIVE_INFINITY);
  return value === null ? null : { value, tier: 'imported' };
}

function isConstant(ctx: Context, file: number, symbol: number): boolean {
  const { kind, exported } = ctx.symbols.symbol(file, symbol);
  return kind === 'constant' && exported && ctx.symbols.semantics(file).exports === 'marked';
}

// Names that a file imports.

/** Resolves the alias of an import; null if the imported file has no such name. */
export function importedValue(
  ctx: Context,
  file: number,
  alias: Alias,
  expected: ExpectedKinds | null,
): NameResolution | null {
  const resolved = ctx.symbols.resolution(file, alias.at);
  const { name } = alias.name;
  const { specifier } = ctx.symbols.import(file, alias.at);
  if (resolved.kind !== 'files') return importedFromNoFile(ctx, file, alias, expected);
  if (name === '*') {
    const module = moduleInside(ctx, resolved.files, specifier);
    return { value: module ?? wholeFiles(resolved.files, alias.name.alias), tier: 'imported' };
  }
  const exported = exportedByFiles(ctx, file, resolved.files, { name, specifier, expected });
  if (exported !== null) return exported;
  const module = asModule(ctx, resolved.files, name);
  // In `escape.rs`, `use super::escape` of a module inside means the function of that name, where no module can be meant.
  const isOwn = module !== null && expected !== null && !expected[0].has('module');
  const isOpen = resolved.tier === 'package' && ctx.symbols.semantics(file).openNamespaces;
  return (
    (isOwn ? ownName(ctx, file, resolved.files, name, expected) : null) ??
    module ??
    inNamedType(ctx, resolved.files, specifier, name, expected) ??
    ownName(ctx, file, resolved.files, name, expected) ??
    throughNames(ctx, file, alias.at, name, expected) ??
    (isOpen ? { value: { is: 'files', files: resolved.files }, tier: 'imported' } : null)
  );
}

/** Resolves the alias of an import that leads to no file: to a declared module, a package outside or a namespace. */
function importedFromNoFile(ctx: Context, file: number, alias: Alias, expected: ExpectedKinds | null): NameResolution {
  const ambient = inAmbientModule(ctx, ctx.symbols.import(file, alias.at).specifier, alias.name.name, expected);
  if (ambient !== null) return ambient;
  if (ctx.symbols.resolution(file, alias.at).kind === 'external') return RESOLVED_OUTSIDE;
  return inNamespace(ctx, file, alias, expected) ?? UNKNOWN_NAME;
}

function exportedByFiles(
  ctx: Context,
  file: number,
  files: readonly number[],
  { name, specifier, expected }: { name: string; specifier: string; expected: ExpectedKinds | null },
): NameResolution | null {
  const isPath = ctx.symbols.semantics(file).paths === '::';
  for (const other of files) {
    if (isSubmodule(ctx, other, name, specifier)) continue;
    const found = other === file ? null : exportedBy(ctx, other, name, expected);
    // `use crate::read::pe`: not the module `crate::pe` that `read/pe.rs` imports for itself.
    const isForItself = found?.value?.is === 'files' && isPath && moduleName(ctx, other) === name;
    if (found !== null && !isForItself) return found;
  }
  return null;
}

/** A template in several formats is each of its files. */
function wholeFiles(files: readonly number[], alias: string): AbstractValue | null {
  if (files.length === 1 || !alias.startsWith('|#')) return { is: 'files', files };
  return severalValues(files.map((file) => ({ is: 'files', files: [file] })));
}

/** The module that `use crate::digit::{self}` names, if it stands inside of a file instead of being one. */
function moduleInside(ctx: Context, files: readonly number[], specifier: string): AbstractValue | null {
  if (ctx.symbols.semantics(ctx.file).paths !== '::') return null;
  const name = specifier.slice(specifier.lastIndexOf(':') + 1);
  for (const file of files) {
    const [own, folder] = ctx.symbols
      .path(file)
      .replace(/\.\w+$/, '')
      .split('/')
      .reverse();
    if (own === name || (own === 'mod' && folder === name)) continue;
    ctx.recorder.note(file, name);
    const symbol = ctx.symbols
      .symbolsNamed(file, name)
      .find((each) => ctx.symbols.symbol(file, each).kind === 'module');
    if (symbol !== undefined) return symbolValue({ file, symbol });
  }
  return null;
}

/** Resolves `using shop::Cart`, which names a namespace instead of a file. Includes have brought it into scope. */
function inNamespace(
  ctx: Context,
  file: number,
  { at, name }: Alias,
  expected: ExpectedKinds | null,
): NameResolution | null {
  if (!ctx.symbols.semantics(file).headers) return null;
  const { specifier } = ctx.symbols.import(file, at);
  const path = specifier.split('::').filter((part) => part !== '');
  if (name.name !== '*') path.push(name.name);
  // The lookup would only find the alias itself.
  if (path.length === 0 || path[0] === name.alias) return null;
  const found = ctx.ask.findPath(ctx, wholeScope(file, -1, expected ?? ROOTS), path);
  return found === null || found.value === null || found.value.is === 'external' ? null : found;
}

/** Resolves `use super::Cart` in a module inside of the file, which names a symbol of the same file. */
function ownName(
  ctx: Context,
  file: number,
  files: readonly number[],
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  if (!files.includes(file)) return null;
  const chosen = chooseFrom(ctx, file, ctx.symbols.symbolsNamed(file, name), expected);
  if (chosen >= 0) return { value: symbolValue({ file, symbol: chosen }), tier: 'same-file' };
  // An import of the file is a name of it, too.
  const { importsAreExports, paths } = ctx.symbols.semantics(file);
  return importsAreExports && paths === '::' ? exportedBy(ctx, file, name, expected) : null;
}

/** First names of paths that begin at a module and not at a name, so that looking them up leads to no other import. */
const BEGINS = new Set(['crate', 'self', 'super']);

/** Resolves `use crate::proto::rr::Cart` where `proto` is no module but a name that the root gives on: `pub use shop_proto as proto`. */
function throughNames(
  ctx: Context,
  file: number,
  at: number,
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  const { specifier, symbol } = ctx.symbols.import(file, at);
  const path = specifier.split('::');
  if (path.length < 2 || !BEGINS.has(path[0]) || ctx.symbols.semantics(file).paths !== '::') return null;
  const resolved = ctx.symbols.resolution(file, at);
  if (resolved.kind === 'files' && resolved.files.some((other) => moduleName(ctx, other) === path.at(-1))) return null;
  const found = ctx.ask.findPath(ctx, wholeScope(file, symbol, expected ?? ROOTS), [...path, name]);
  return found?.value?.is === 'symbol' || found?.value?.is === 'files' ? { ...found, tier: 'reexported' } : null;
}

/** Resolves a member of the type or module that the specifier ends with: `import static a.Cart.of`. */
function inNamedType(
  ctx: Context,
  files: readonly number[],
  specifier: string,
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  const last = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(specifier)?.[0];
  if (last === undefined || last === name) return null;
  for (const file of files) {
    for (const symbol of ctx.symbols.symbolsNamed(file, last)) {
      const { kind } = ctx.symbols.symbol(file, symbol);
      if (!TYPES.has(kind) && kind !== 'module' && kind !== 'namespace' && !VALUES.has(kind)) continue;
      const found = memberOf(ctx, { file, symbol }, name, expected);
      if (found !== null) return { value: found.value, tier: 'imported' };
    }
  }
  return null;
}

/** Resolves a member of the type that a wildcard import names: `import static a.Cart.*`. */
export function inWildcardType(
  ctx: Context,
  file: number,
  at: number,
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  const resolved = ctx.symbols.resolution(file, at);
  if (resolved.kind !== 'files') return null;
  return (
    inNamedType(ctx, resolved.files, ctx.symbols.import(file, at).specifier, name, expected) ??
    throughNames(ctx, file, at, name, expected)
  );
}

/** Does a wildcard import name a type by its package? Then it imports the members of the type, and nothing else of the file. */
export function isWildcardOfType(ctx: Context, file: number, at: number): boolean {
  if (!ctx.symbols.semantics(file).pathsByName) return false;
  const resolved = ctx.symbols.resolution(file, at);
  const { specifier } = ctx.symbols.import(file, at);
  const type = specifier.slice(specifier.lastIndexOf('.') + 1);
  return resolved.kind === 'files' && resolved.files.some((other) => isTopType(ctx, other, type));
}

function isTopType(ctx: Context, file: number, name: string): boolean {
  return ctx.symbols.symbolsNamed(file, name).some((each) => {
    const { kind, container } = ctx.symbols.symbol(file, each);
    return container < 0 && TYPES.has(kind);
  });
}

/** Best symbol of the expected kinds; inside an access path, the first one. */
function chooseFrom(ctx: Context, file: number, symbols: readonly number[], expected: ExpectedKinds | null): number {
  if (expected !== null) return ctx.symbols.best(file, symbols, expected);
  return symbols.find((symbol) => ctx.symbols.symbol(file, symbol).kind !== 'impl') ?? -1;
}

// Ambient modules: `declare module 'shop' { … }` declares what a package without types has.

/** Maximum number of declarations of one module that are looked at. */
const MAX_DECLARATIONS = 20;

/** Member of an ambient module that the same package or one around it declares; null if there is no such module. */
function inAmbientModule(
  ctx: Context,
  specifier: string,
  name: string,
  expected: ExpectedKinds | null,
): NameResolution | null {
  if (!ctx.symbols.semantics(ctx.file).ambientModules) return null;
  for (const module of declarationsOf(ctx, specifier)) {
    const whole = wholeExport(ctx, module);
    if (name === '*' || name === '=') return { value: symbolValue(whole ?? module), tier: 'imported' };
    if (name === 'default' && whole !== null) return { value: symbolValue(whole), tier: 'imported' };
    const found =
      memberOf(ctx, module, name, expected) ?? (whole === null ? null : memberOf(ctx, whole, name, expected));
    if (found?.value?.is === 'symbol') return { value: found.value, tier: 'imported' };
  }
  return null;
}

function declarationsOf(ctx: Context, specifier: string): SymbolRef[] {
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.counted(ctx.symbols.definitions(specifier)).subarray(0, MAX_DECLARATIONS)) {
    const [file, symbol] = [nodes.fileOf(node), nodes.symbolOf(node)];
    if (!SPACES.has(nodes.kind(node)) || !ctx.symbols.sameFamily(file, ctx.file)) continue;
    // The compiler of one package does not see what another package declares.
    if (!ctx.symbols.path(ctx.file).startsWith(packageFolder(ctx, file))) continue;
    ctx.recorder.note(file, specifier);
    if (ctx.symbols.symbol(file, symbol).container < 0) found.push({ file, symbol });
  }
  return found;
}

/** Definition that `export = cart` or `export default cart` names in a module: its own, or one at the file's top level. */
function wholeExport(ctx: Context, { file, symbol }: SymbolRef): SymbolRef | null {
  for (const name of ctx.symbols.namedInside(file, symbol)) {
    for (const holder of [symbol, -1]) {
      const found = ctx.symbols.childNamed(file, holder, name);
      if (found >= 0) return { file, symbol: found };
    }
  }
  return null;
}

/** Folder of the nearest package.json above a file, with a slash at its end; '' for the top. */
function packageFolder(ctx: Context, file: number): string {
  let folder = ctx.symbols.path(file);
  do folder = folder.slice(0, folder.lastIndexOf('/', folder.length - 2) + 1);
  while (folder !== '' && !ctx.symbols.snapshot.numbers.has(`${folder}package.json`));
  return folder;
}

// Modules imported by name.

/** Is the module itself meant, and not a name in it? True for `from shop import cart`, false for `from shop.cart import cart`. */
function isSubmodule(ctx: Context, file: number, name: string, specifier: string): boolean {
  if (!ctx.symbols.semantics(file).submodules || moduleName(ctx, file) !== name) return false;
  return specifier.slice(specifier.lastIndexOf('.') + 1) !== name;
}

/** Resolves an imported name that is a module: `from shop import cart`. */
function asModule(ctx: Context, files: readonly number[], name: string): NameResolution | null {
  const modules = files.filter((file) => moduleName(ctx, file) === name);
  return modules.length === 0 ? null : { value: { is: 'files', files: modules }, tier: 'imported' };
}

/** Stems of files that stand for their directory. */
const INDEX_FILES: ReadonlySet<string> = new Set(['__init__', 'mod', 'index', 'init', 'lib']);

function moduleName(ctx: Context, file: number): string {
  const parts = ctx.symbols.path(file).split('/');
  const stem = (parts[parts.length - 1] ?? '').replace(/\..*$/, '');
  // `mod.py` and `lib.py` are modules like any other.
  const isIndex = ctx.symbols.semantics(file).submodules ? stem === '__init__' : INDEX_FILES.has(stem);
  return isIndex && parts.length > 1 ? parts[parts.length - 2] : stem;
}
