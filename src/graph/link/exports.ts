/** Resolves the names that a file exports to other files. */
import { bindingAt, bindingValue } from './bindings.js';
import type { Context } from './context.js';
import { chooseFrom, importedValue } from './imported.js';
import { CALLED, EXPECTED_KINDS, type ExpectedKinds, PATH_ROOTS, ROOTS, TYPES } from './kinds.js';
import { type NameResolution, symbolValue } from './values.js';

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
    // Each file is asked once per outer query, since asking again in a cycle finds nothing new.
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
  const isAsked = ctx.exporting.has(key);
  if (isAsked) ctx.cutExport();
  if (isAsked || !ctx.enter()) return null;
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
    if (found !== null) return found;
  }
  const exported = ctx.symbols
    .symbolsNamed(file, name)
    .filter((symbol) => ctx.symbols.symbol(file, symbol).container < 0 && ctx.symbols.symbol(file, symbol).exported);
  const chosen = chooseFrom(ctx, file, exported, expected);
  if (chosen >= 0) return { value: symbolValue({ file, symbol: chosen }), tier: 'imported' };
  // The export is an expression, or a component: the file itself stands for it.
  if (entries.length > 0 || (name === DEFAULT && ctx.symbols.semantics(file).components)) {
    return { value: { is: 'files', files: [file] }, tier: 'imported' };
  }
  return reexported(ctx, file, name, expected) ?? fromWhole(ctx, file, name, expected);
}

function openExport(ctx: Context, file: number, name: string, expected: ExpectedKinds | null): NameResolution | null {
  const open = ctx.symbols
    .symbolsNamed(file, name)
    .filter((symbol) => ctx.symbols.isOuter(file, symbol) && ctx.symbols.instance(file, symbol) === undefined);
  const chosen = chooseFrom(ctx, file, open, expected);
  if (chosen >= 0) {
    const first = ctx.symbols.semantics(file).importsAreExports ? firstChoice(ctx, file, name, chosen, expected) : null;
    return first ?? { value: symbolValue({ file, symbol: chosen }), tier: 'imported' };
  }
  for (const { local } of ctx.symbols.exportsNamed(file, name)) {
    const found = localValue(ctx, file, local, expected);
    if (found !== null) return found;
  }
  return reexported(ctx, file, name, expected) ?? fromWhole(ctx, file, name, expected);
}

/**
 * Meaning of a name that a file imports from the repository, and defines as well: `try: from .http2 import Connection`, `except
 * ImportError: class Connection`.
 */
function firstChoice(
  ctx: Context,
  file: number,
  name: string,
  chosen: number,
  expected: ExpectedKinds | null,
): NameResolution | null {
  if (!TYPES.has(ctx.symbols.symbol(file, chosen).kind)) return null;
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
  const { importsAreExports } = ctx.symbols.semantics(file);
  for (const alias of ctx.symbols.aliases(file, name)) {
    const { kind, symbol } = ctx.symbols.import(file, alias.at);
    if (symbol >= 0 && !importsAreExports) continue;
    if (!importsAreExports && !isReexport(kind)) continue;
    const found = importedValue(ctx, file, alias, expected);
    if (found !== null && found.value !== null) return onward(found);
  }
  if (name === DEFAULT || name === WHOLE) return null;
  for (const at of ctx.symbols.wildcards(file)) {
    const found = throughWildcard(ctx, file, at, name, expected);
    if (found !== null) return onward(found);
  }
  return null;
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
    const found = other === file ? null : exportedBy(ctx, other, name, expected);
    if (found !== null) return found;
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
  if (name === WHOLE || ctx.symbols.semantics(file).exports !== 'marked') {
    return name === WHOLE ? null : fromTable(ctx, file, name, expected);
  }
  for (const { local } of ctx.symbols.exportsNamed(file, WHOLE)) {
    const whole = localValue(ctx, file, local, expected);
    if (whole === null || whole.value === null) continue;
    if (name === DEFAULT) return whole;
    if (local === '') continue;
    const found = ctx.ask.lookup(ctx, file, whole.value, name, expected);
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

/** Resolves a name at the file's own top level. '' is an expression, which the file itself stands for. */
function localValue(ctx: Context, file: number, local: string, expected: ExpectedKinds | null): NameResolution | null {
  if (local === '') return { value: { is: 'files', files: [file] }, tier: 'imported' };
  const top = ctx.symbols
    .symbolsNamed(file, local)
    .filter(
      (symbol) => ctx.symbols.symbol(file, symbol).container < 0 && ctx.symbols.symbol(file, symbol).kind !== 'impl',
    );
  const chosen = expected === null ? (top[0] ?? -1) : ctx.symbols.best(file, top, expected);
  if (chosen >= 0) return { value: symbolValue({ file, symbol: chosen }), tier: 'imported' };
  for (const alias of ctx.symbols.aliases(file, local)) {
    const found = importedValue(ctx, file, alias, expected);
    if (found !== null) return onward(found);
  }
  const binding = bindingAt(ctx, file, -1, local, Number.POSITIVE_INFINITY);
  if (binding === undefined) return null;
  const value = bindingValue(ctx, file, binding, Number.POSITIVE_INFINITY);
  return value === null ? null : { value, tier: 'imported' };
}
