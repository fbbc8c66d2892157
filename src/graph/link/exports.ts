/** What other files can get from a file by a name. */
import { bindingAt, bindingValue } from './bindings.js';
import type { Context } from './context.js';
import type { Alias } from './file-index.js';
import { CALLED, PATH_ROOTS, ROOTS, TYPES, VALUES, WANTED, type Wanted } from './kinds.js';
import { memberOf } from './members.js';
import { FOUND_OUTSIDE, type Found, NOTHING_KNOWN, symbolValue } from './values.js';

/** All that `module.exports =` and `export =` stand for. */
const WHOLE = '=';
const DEFAULT = 'default';
/** Languages whose files are one component each. */
const COMPONENTS: ReadonlySet<string> = new Set(['vue', 'svelte']);
const WANTS: readonly Wanted[] = [...Object.values(WANTED), ROOTS, PATH_ROOTS, CALLED];

/** Null if the file has nothing of that name to give. */
export function exportedBy(ctx: Context, file: number, name: string, wanted: Wanted | null): Found | null {
  if (ctx.exporting.size > 0) return exported(ctx, file, name, wanted);
  try {
    // From within other questions an answer can be cut short by what is being asked already.
    return ctx.active.size > 0 ? exported(ctx, file, name, wanted) : remembered(ctx, file, name, wanted);
  } finally {
    // Whoever was asked on the way was asked once: going round circles again would find nothing new.
    ctx.exporting.clear();
  }
}

function remembered(ctx: Context, file: number, name: string, wanted: Wanted | null): Found | null {
  const key = file * (WANTS.length + 1) + wantedCode(wanted);
  let answers = ctx.exports.get(name);
  const known = answers?.get(key);
  if (known !== undefined) return known;
  const found = exported(ctx, file, name, wanted);
  if (ctx.exhausted) return found;
  if (answers === undefined) {
    answers = new Map();
    ctx.exports.set(name, answers);
  }
  answers.set(key, found);
  return found;
}

function wantedCode(wanted: Wanted | null): number {
  return wanted === null ? WANTS.length : WANTS.indexOf(wanted);
}

function exported(ctx: Context, file: number, name: string, wanted: Wanted | null): Found | null {
  const key = `${file} ${wantedCode(wanted)} ${name}`;
  // Files that re-export each other ask in circles.
  if (ctx.exporting.has(key) || !ctx.enter()) return null;
  ctx.exporting.add(key);
  try {
    return ctx.world.semantics(file).exports === 'marked'
      ? markedExport(ctx, file, name, wanted)
      : openExport(ctx, file, name, wanted);
  } finally {
    ctx.leave();
  }
}

function markedExport(ctx: Context, file: number, name: string, wanted: Wanted | null): Found | null {
  const entries = ctx.world.exportsNamed(file, name);
  for (const { local } of entries) {
    const found = local === '' ? null : localValue(ctx, file, local, wanted);
    if (found !== null) return found;
  }
  const exported = ctx.world
    .symbolsNamed(file, name)
    .filter((symbol) => ctx.world.symbol(file, symbol).container < 0 && ctx.world.symbol(file, symbol).exported);
  const chosen = chooseFrom(ctx, file, exported, wanted);
  if (chosen >= 0) return { value: symbolValue({ file, symbol: chosen }), tier: 'imported' };
  // An expression, or a component that is its whole file.
  if (entries.length > 0 || (name === DEFAULT && COMPONENTS.has(ctx.world.language(file)))) {
    return { value: { is: 'files', files: [file] }, tier: 'imported' };
  }
  return reexported(ctx, file, name, wanted) ?? fromWhole(ctx, file, name, wanted);
}

function openExport(ctx: Context, file: number, name: string, wanted: Wanted | null): Found | null {
  const open = ctx.world
    .symbolsNamed(file, name)
    .filter((symbol) => ctx.world.isOuter(file, symbol) && ctx.world.instance(file, symbol) === undefined);
  const chosen = chooseFrom(ctx, file, open, wanted);
  if (chosen >= 0) return { value: symbolValue({ file, symbol: chosen }), tier: 'imported' };
  for (const { local } of ctx.world.exportsNamed(file, name)) {
    const found = localValue(ctx, file, local, wanted);
    if (found !== null) return found;
  }
  return reexported(ctx, file, name, wanted) ?? fromWhole(ctx, file, name, wanted);
}

/** The best of the symbols; for a link of a chain, the first. */
function chooseFrom(ctx: Context, file: number, symbols: readonly number[], wanted: Wanted | null): number {
  if (wanted !== null) return ctx.world.best(file, symbols, wanted);
  return symbols.find((symbol) => ctx.world.symbol(file, symbol).kind !== 'impl') ?? -1;
}

/** What a file hands on of what it imports. */
function reexported(ctx: Context, file: number, name: string, wanted: Wanted | null): Found | null {
  const { importsAreExports } = ctx.world.semantics(file);
  for (const alias of ctx.world.aliases(file, name)) {
    const { kind, symbol } = ctx.world.import(file, alias.at);
    if (symbol >= 0 && !importsAreExports) continue;
    if (!importsAreExports && !isReexport(kind)) continue;
    const found = importedValue(ctx, file, alias, wanted);
    if (found !== null && found.value !== null) return onward(found);
  }
  if (name === DEFAULT || name === WHOLE) return null;
  for (const at of ctx.world.wildcards(file)) {
    const found = throughWildcard(ctx, file, at, name, wanted);
    if (found !== null) return onward(found);
  }
  return null;
}

function throughWildcard(ctx: Context, file: number, at: number, name: string, wanted: Wanted | null): Found | null {
  const { importsAreExports, transitive } = ctx.world.semantics(file);
  const { kind } = ctx.world.import(file, at);
  const included = kind === 'include' || kind === 'include-system';
  if (!(isReexport(kind) || (included ? transitive : importsAreExports))) return null;
  const resolved = ctx.world.resolution(file, at);
  if (resolved.kind !== 'files') return null;
  for (const other of resolved.files) {
    const found = other === file ? null : exportedBy(ctx, other, name, wanted);
    if (found !== null) return found;
  }
  return null;
}

function isReexport(kind: string): boolean {
  return kind === 'reexport' || kind === 'type-reexport';
}

function onward(found: Found): Found {
  return found.tier === 'imported' ? { value: found.value, tier: 'reexported' } : found;
}

/** A member of what the file as a whole stands for: `module.exports = cart`. */
function fromWhole(ctx: Context, file: number, name: string, wanted: Wanted | null): Found | null {
  if (name === WHOLE || ctx.world.semantics(file).exports !== 'marked') {
    return name === WHOLE ? null : fromTable(ctx, file, name, wanted);
  }
  for (const { local } of ctx.world.exportsNamed(file, WHOLE)) {
    const whole = localValue(ctx, file, local, wanted);
    if (whole === null || whole.value === null) continue;
    if (name === DEFAULT) return whole;
    if (local === '') continue;
    const found = ctx.ask.lookup(ctx, file, whole.value, name, wanted);
    if (found !== null) return found;
  }
  return null;
}

/** Modules that are what a file returns (`return Cart` of Lua): its members are the module's. */
function fromTable(ctx: Context, file: number, name: string, wanted: Wanted | null): Found | null {
  for (const { local } of ctx.world.exportsNamed(file, WHOLE)) {
    const whole = local === '' ? null : localValue(ctx, file, local, wanted);
    const found = whole === null || whole.value === null ? null : ctx.ask.lookup(ctx, file, whole.value, name, wanted);
    if (found !== null) return found;
  }
  return null;
}

/** What a name of the file itself means at its top level; '' for an expression: then the file stands for it. */
function localValue(ctx: Context, file: number, local: string, wanted: Wanted | null): Found | null {
  if (local === '') return { value: { is: 'files', files: [file] }, tier: 'imported' };
  const top = ctx.world
    .symbolsNamed(file, local)
    .filter((symbol) => ctx.world.symbol(file, symbol).container < 0 && ctx.world.symbol(file, symbol).kind !== 'impl');
  const chosen = wanted === null ? (top[0] ?? -1) : ctx.world.best(file, top, wanted);
  if (chosen >= 0) return { value: symbolValue({ file, symbol: chosen }), tier: 'imported' };
  for (const alias of ctx.world.aliases(file, local)) {
    const found = importedValue(ctx, file, alias, wanted);
    if (found !== null) return onward(found);
  }
  const binding = bindingAt(ctx, file, -1, local, Number.POSITIVE_INFINITY);
  if (binding === undefined) return null;
  const value = bindingValue(ctx, file, binding, Number.POSITIVE_INFINITY);
  return value === null ? null : { value, tier: 'imported' };
}

/** What an import's alias stands for. Null if the file that it names has no such name. */
export function importedValue(ctx: Context, file: number, alias: Alias, wanted: Wanted | null): Found | null {
  const resolved = ctx.world.resolution(file, alias.at);
  if (resolved.kind === 'external') return FOUND_OUTSIDE;
  if (resolved.kind === 'unresolved') return inNamespace(ctx, file, alias, wanted) ?? NOTHING_KNOWN;
  const { name } = alias.name;
  if (name === '*') return { value: { is: 'files', files: resolved.files }, tier: 'imported' };
  for (const other of resolved.files) {
    const found = other === file ? null : exportedBy(ctx, other, name, wanted);
    if (found !== null) return found;
  }
  return (
    asModule(ctx, resolved.files, name) ??
    inNamedType(ctx, resolved.files, ctx.world.import(file, alias.at).specifier, name, wanted) ??
    ownName(ctx, file, resolved.files, name, wanted) ??
    (resolved.tier === 'package' && ctx.world.semantics(file).openNamespaces
      ? { value: { is: 'files', files: resolved.files }, tier: 'imported' }
      : null)
  );
}

/** `using shop::Cart`: no file is named, but a namespace, which includes make known. */
function inNamespace(ctx: Context, file: number, { at, name }: Alias, wanted: Wanted | null): Found | null {
  if (!ctx.world.semantics(file).headers) return null;
  const { specifier } = ctx.world.import(file, at);
  const path = specifier.split('::').filter((part) => part !== '');
  if (name.name !== '*') path.push(name.name);
  // The alias would only find itself.
  if (path.length === 0 || path[0] === name.alias) return null;
  const found = ctx.ask.findPath(ctx, file, -1, path, wanted ?? ROOTS);
  return found === null || found.value === null || found.value.is === 'external' ? null : found;
}

/** `use super::Cart` in a module inside of the file: what it names stands in this very file. */
function ownName(
  ctx: Context,
  file: number,
  files: readonly number[],
  name: string,
  wanted: Wanted | null,
): Found | null {
  if (!files.includes(file)) return null;
  const chosen = chooseFrom(ctx, file, ctx.world.symbolsNamed(file, name), wanted);
  return chosen < 0 ? null : { value: symbolValue({ file, symbol: chosen }), tier: 'same-file' };
}

/** A name that is a module itself: `from shop import cart`. */
function asModule(ctx: Context, files: readonly number[], name: string): Found | null {
  const modules = files.filter((file) => moduleName(ctx.world.path(file)) === name);
  return modules.length === 0 ? null : { value: { is: 'files', files: modules }, tier: 'imported' };
}

/** Files that stand for the directory they are in. */
const INDEX_FILES: ReadonlySet<string> = new Set(['__init__', 'mod', 'index', 'init', 'lib']);

function moduleName(path: string): string {
  const parts = path.split('/');
  const stem = (parts[parts.length - 1] ?? '').replace(/\..*$/, '');
  return INDEX_FILES.has(stem) && parts.length > 1 ? parts[parts.length - 2] : stem;
}

/** The last name of the specifier can be a type or a module inside of the file: `import static a.Cart.of`. */
function inNamedType(
  ctx: Context,
  files: readonly number[],
  specifier: string,
  name: string,
  wanted: Wanted | null,
): Found | null {
  const last = /[\p{L}_$][\p{L}\p{N}_$]*$/u.exec(specifier)?.[0];
  if (last === undefined || last === name) return null;
  for (const file of files) {
    for (const symbol of ctx.world.symbolsNamed(file, last)) {
      const { kind } = ctx.world.symbol(file, symbol);
      if (!TYPES.has(kind) && kind !== 'module' && kind !== 'namespace' && !VALUES.has(kind)) continue;
      const found = memberOf(ctx, { file, symbol }, name, wanted);
      if (found !== null) return { value: found.value, tier: 'imported' };
    }
  }
  return null;
}

/** All members of the type that a wildcard names: `import static a.Cart.*`. */
export function inWildcardType(ctx: Context, file: number, at: number, name: string, wanted: Wanted): Found | null {
  const resolved = ctx.world.resolution(file, at);
  if (resolved.kind !== 'files') return null;
  return inNamedType(ctx, resolved.files, ctx.world.import(file, at).specifier, name, wanted);
}
