/** Resolves the names that a file imports. */
import { inAmbientModule } from './ambient.js';
import type { Context } from './context.js';
import type { Alias } from './file-index.js';
import { type ExpectedKinds, ROOTS, TYPES, VALUES } from './kinds.js';
import { memberOf } from './members.js';
import { asModule, isSubmodule } from './modules.js';
import { type NameResolution, RESOLVED_OUTSIDE, symbolValue, UNKNOWN_NAME } from './values.js';

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
  if (resolved.kind !== 'files') {
    const ambient = inAmbientModule(ctx, specifier, name, expected);
    if (ambient !== null) return ambient;
    if (resolved.kind === 'external') return RESOLVED_OUTSIDE;
    return inNamespace(ctx, file, alias, expected) ?? UNKNOWN_NAME;
  }
  if (name === '*') return { value: { is: 'files', files: resolved.files }, tier: 'imported' };
  for (const other of resolved.files) {
    if (isSubmodule(ctx, other, name, specifier)) continue;
    const found = other === file ? null : ctx.ask.exportedBy(ctx, other, name, expected);
    if (found !== null) return found;
  }
  const module = asModule(ctx, resolved.files, name);
  // In `escape.rs`, `use super::escape` of a module inside means the function of that name, where no module can be meant.
  const isOwn = module !== null && expected !== null && !expected[0].has('module');
  return (
    (isOwn ? ownName(ctx, file, resolved.files, name, expected) : null) ??
    module ??
    inNamedType(ctx, resolved.files, specifier, name, expected) ??
    ownName(ctx, file, resolved.files, name, expected) ??
    (resolved.tier === 'package' && ctx.symbols.semantics(file).openNamespaces
      ? { value: { is: 'files', files: resolved.files }, tier: 'imported' }
      : null)
  );
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
  const found = ctx.ask.findPath(ctx, file, -1, path, expected ?? ROOTS);
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
  return chosen < 0 ? null : { value: symbolValue({ file, symbol: chosen }), tier: 'same-file' };
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
  expected: ExpectedKinds,
): NameResolution | null {
  const resolved = ctx.symbols.resolution(file, at);
  if (resolved.kind !== 'files') return null;
  return inNamedType(ctx, resolved.files, ctx.symbols.import(file, at).specifier, name, expected);
}

/** Best symbol of the expected kinds; inside an access path, the first one. */
export function chooseFrom(
  ctx: Context,
  file: number,
  symbols: readonly number[],
  expected: ExpectedKinds | null,
): number {
  if (expected !== null) return ctx.symbols.best(file, symbols, expected);
  return symbols.find((symbol) => ctx.symbols.symbol(file, symbol).kind !== 'impl') ?? -1;
}
