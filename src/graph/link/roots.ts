/** Evaluates the first names of an access path. */
import { isTold, type Segment } from './access-path-text.js';
import type { Context } from './context.js';
import { enclosingType } from './enclosing.js';
import { EXPECTED_KINDS, type ExpectedKinds, PATH_ROOTS, ROOTS, TYPES } from './kinds.js';
import { lookup } from './lookup.js';
import { findName } from './names.js';
import {
  type AbstractValue,
  EXTERNAL,
  type NameResolution,
  RESOLVED_OUTSIDE,
  severalValues,
  UNKNOWN_NAME,
} from './values.js';

/** Returns the value of the first names, and how many names it covers. */
export function rootOf(
  ctx: Context,
  file: number,
  scope: number,
  segments: readonly Segment[],
  line: number,
  roots: ExpectedKinds,
): [AbstractValue | null, number] {
  const { name, marks } = segments[0];
  const { paths } = ctx.symbols.semantics(file);
  if (paths === '::' && MODULE_ROOTS.has(name)) return byPath(ctx, file, scope, segments, paths) ?? [null, 1];
  if (name === '""') return [EXTERNAL, 1];
  if (name === 'this' || name === 'super') {
    const own = enclosingType(ctx, file, scope);
    if (own === null) return [null, 1];
    return [name === 'this' ? { is: 'instance', ...own } : { is: 'parents', ...own }, 1];
  }
  if (paths === '' && ctx.symbols.semantics(file).exports === 'marked') {
    // In CommonJS, `exports` and `module.exports` are the exports of the file itself.
    if (name === 'exports') return [{ is: 'files', files: [file] }, 1];
    if (name === 'module' && segments[1]?.name === 'exports') return [{ is: 'files', files: [file] }, 2];
  }
  const dotted = dottedAlias(ctx, file, segments) ?? dottedSymbol(ctx, file, scope, segments);
  if (dotted !== null) return dotted;
  const isCalled = marks.length > 0 && marks[0] !== '[]' && !(isTold(marks[0]) && !('wanted' in marks[0]));
  const found = findName(ctx, file, scope, name, isCalled ? EXPECTED_KINDS.call : roots, line);
  if (found === null) {
    const known = knownObject(ctx, file, scope, name);
    if (known !== null) return [known, 1];
    const files = ctx.symbols.importedPackage(file, name);
    if (files.length > 0) return [{ is: 'files', files }, 1];
    const path = paths === '' || marks.length > 0 ? null : byPath(ctx, file, scope, segments, paths);
    return path ?? [unknownRoot(ctx, file, name), 1];
  }
  if (paths !== '' && isNamespace(ctx, found.value)) {
    const path = byPath(ctx, file, scope, segments, paths);
    if (path !== null) return path;
  }
  return [found.value === null || found.tier === 'ambiguous' ? null : found.value, 1];
}

/** `window`: a member that the repository adds to its type, or one from outside. */
function knownObject(ctx: Context, file: number, scope: number, name: string): AbstractValue | null {
  const type = ctx.symbols.semantics(file).objects.get(name);
  if (type === undefined) return null;
  const found = findName(ctx, file, scope, type, EXPECTED_KINDS.type, Number.POSITIVE_INFINITY)?.value;
  return severalValues([found?.is === 'symbol' ? { ...found, is: 'instance' } : null, EXTERNAL]);
}

function isNamespace(ctx: Context, value: AbstractValue | null): boolean {
  return value?.is === 'symbol' && ctx.symbols.symbol(value.file, value.symbol).kind === 'namespace';
}

/** Keywords that a Rust path can begin with. */
const MODULE_ROOTS: ReadonlySet<string> = new Set(['crate', 'self', 'super']);
/** Maximum number of names in a module or package path, above that of real code. */
const MAX_PATH_NAMES = 12;

/**
 * Resolves modules and packages named at the use, without an import: `super::total`, `com.shop.Cart.of`, `\Shop\slug`.
 */
function byPath(
  ctx: Context,
  file: number,
  scope: number,
  segments: readonly Segment[],
  separator: string,
): [AbstractValue | null, number] | null {
  const called = segments.findIndex(({ marks }) => marks.length > 0);
  const most = Math.min(called < 0 ? segments.length : called + 1, MAX_PATH_NAMES);
  for (let count = most; count > 0; count--) {
    const path = segments.slice(0, count).map(({ name }) => name);
    const files = ctx.symbols.filesOfPath(file, scope, path.join(separator));
    if (files.length > 0) return [typeIn(ctx, file, files, path) ?? { is: 'files', files }, count];
  }
  return null;
}

/** Type that a path ends with, as in `com.shop.Cart`; null if it ends with a package. */
function typeIn(ctx: Context, file: number, files: readonly number[], path: readonly string[]): AbstractValue | null {
  if (path.length < 2) return null;
  const found = lookup(ctx, file, { is: 'files', files }, path[path.length - 1], PATH_ROOTS)?.value ?? null;
  return found?.is === 'symbol' && TYPES.has(ctx.symbols.symbol(found.file, found.symbol).kind) ? found : null;
}

/** Value of an undefined name: external, unless the language shares names between files without imports. */
function unknownRoot(ctx: Context, file: number, name: string): AbstractValue | null {
  const { globalFunctions, implicitThis } = ctx.symbols.semantics(file);
  if (/^\p{Lu}/u.test(name)) return EXTERNAL;
  return globalFunctions || implicitThis ? null : EXTERNAL;
}

/** Finds the longest import or namespace that the path begins with (`import a.b` in Python, `Shop.Models` in C#). */
function dottedAlias(ctx: Context, file: number, segments: readonly Segment[]): [AbstractValue | null, number] | null {
  if (segments.length < 2) return null;
  const names: string[] = [];
  let best: [AbstractValue | null, number] | null = null;
  for (const { name, marks } of segments) {
    names.push(name);
    if (names.length > 1) {
      const found = findDotted(ctx, file, names.join('.'));
      if (found !== null) best = [found.value, names.length];
    }
    if (marks.length > 0) break;
  }
  return best;
}

/** Finds the longest Elixir module name that the path begins with. */
function dottedSymbol(
  ctx: Context,
  file: number,
  scope: number,
  segments: readonly Segment[],
): [AbstractValue | null, number] | null {
  if (!ctx.symbols.semantics(file).dottedNames) return null;
  const called = segments.findIndex(({ marks }) => marks.length > 0);
  for (let count = Math.min(called < 0 ? segments.length : called, MAX_PATH_NAMES); count > 1; count--) {
    const name = segments
      .slice(0, count)
      .map((segment) => segment.name)
      .join('.');
    const found = findName(ctx, file, scope, name, ROOTS, Number.POSITIVE_INFINITY);
    if (found?.value?.is === 'symbol' && found.tier !== 'ambiguous') return [found.value, count];
  }
  return null;
}

function findDotted(ctx: Context, file: number, alias: string): NameResolution | null {
  const { openNamespaces, paths } = ctx.symbols.semantics(file);
  if (openNamespaces && paths === '') {
    const { nodes } = ctx.symbols.snapshot;
    for (const node of ctx.symbols.definitions(alias)) {
      const other = nodes.fileOf(node);
      if (nodes.kind(node) !== 'namespace' || !ctx.symbols.sameFamily(file, other)) continue;
      ctx.recorder.note(other, alias);
      return { value: { is: 'symbol', file: other, symbol: nodes.symbolOf(node) }, tier: 'package' };
    }
  }
  for (const { at } of ctx.symbols.aliases(file, alias)) {
    const resolved = ctx.symbols.resolution(file, at);
    if (resolved.kind === 'files') return { value: { is: 'files', files: resolved.files }, tier: 'imported' };
    return resolved.kind === 'external' ? RESOLVED_OUTSIDE : UNKNOWN_NAME;
  }
  return null;
}
