/** Resolves names through imports that list no names. */
import type { Context } from './context.js';
import { amongDefinitions, isNamed } from './definitions.js';
import { exportedBy } from './exports.js';
import { inWildcardType } from './imported.js';
import type { ExpectedKinds } from './kinds.js';

import { type NameResolution, symbolValue } from './values.js';
import { MAX_SCOPES, visibleIn } from './visible.js';

/** Maximum number of files that one file includes, directly and indirectly. */
const MAX_INCLUDED = 3_000;
/**
 * Maximum number of files of a wildcard that are searched one by one; with more, all definitions of the name are
 * filtered.
 */
const MAX_SEARCHED_FILES = 8;

/** Resolves a name through imports of all names of other files: `import a.*`, `using A`, `#include "x.h"`. */
export function throughWildcards(
  ctx: Context,
  file: number,
  scope: number,
  name: string,
  expected: ExpectedKinds,
): NameResolution | null {
  if (ctx.symbols.semantics(file).exports === 'marked') return null;
  const many = new Set<number>();
  for (const at of ctx.symbols.wildcards(file)) {
    const { symbol, kind } = ctx.symbols.import(file, at);
    if (symbol >= 0 && !encloses(ctx, file, symbol, scope)) continue;
    const resolved = ctx.symbols.resolution(file, at);
    if (resolved.kind !== 'files' || kind === 'include' || kind === 'include-system') continue;
    if (resolved.files.length > MAX_SEARCHED_FILES) for (const other of resolved.files) many.add(other);
    else {
      const found =
        inFewFiles(ctx, file, resolved.files, name, expected) ?? inWildcardType(ctx, file, at, name, expected);
      if (found !== null) return found;
    }
  }
  if (many.size > 0) {
    const found = amongDefinitions(ctx, file, name, expected, (other) => many.has(other));
    if (found !== null) return { value: found.value, tier: found.tier === 'unique' ? 'imported' : found.tier };
  }
  const included = includedBy(ctx, file);
  if (included.size === 0) return null;
  const found = amongDefinitions(ctx, file, name, expected, (other) => included.has(other));
  return found === null ? null : { value: found.value, tier: 'imported' };
}

function inFewFiles(
  ctx: Context,
  file: number,
  files: readonly number[],
  name: string,
  expected: ExpectedKinds,
): NameResolution | null {
  const first = files.filter((other) => isNamed(ctx, other, name));
  for (const other of [...first, ...files]) {
    const found = other === file ? ownTop(ctx, file, name, expected) : exportedBy(ctx, other, name, expected);
    if (found !== null) return found;
  }
  return null;
}

/** Resolves a name through `use super::*` in a module inside of the file. */
function ownTop(ctx: Context, file: number, name: string, expected: ExpectedKinds): NameResolution | null {
  const symbol = ctx.symbols.best(file, visibleIn(ctx, file, -1, name), expected);
  return symbol < 0 ? null : { value: symbolValue({ file, symbol }), tier: 'same-file' };
}

function encloses(ctx: Context, file: number, outer: number, inner: number): boolean {
  let at = inner;
  for (let depth = 0; at >= 0 && depth < MAX_SCOPES; depth++) {
    if (at === outer) return true;
    at = ctx.symbols.symbol(file, at).container;
  }
  return false;
}

/** Files that a file includes; where includes are transitive, also those that they include. */
function includedBy(ctx: Context, file: number): ReadonlySet<number> {
  if (file === ctx.file && ctx.included !== null) return ctx.included;
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
  if (file === ctx.file) ctx.included = found;
  return found;
}
