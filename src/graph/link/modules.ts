/** Modules that are imported by name from what contains them. */
import type { Context } from './context.js';
import type { NameResolution } from './values.js';

/** Is the module itself meant, not a name in it? `from shop import cart`, but not `from shop.cart import cart`. */
export function isSubmodule(ctx: Context, file: number, name: string, specifier: string): boolean {
  if (!ctx.symbols.semantics(file).submodules || moduleName(ctx.symbols.path(file)) !== name) return false;
  return specifier.slice(specifier.lastIndexOf('.') + 1) !== name;
}

/** Resolves an imported name that is a module: `from shop import cart`. */
export function asModule(ctx: Context, files: readonly number[], name: string): NameResolution | null {
  const modules = files.filter((file) => moduleName(ctx.symbols.path(file)) === name);
  return modules.length === 0 ? null : { value: { is: 'files', files: modules }, tier: 'imported' };
}

/** Stems of files that stand for their directory. */
const INDEX_FILES: ReadonlySet<string> = new Set(['__init__', 'mod', 'index', 'init', 'lib']);

function moduleName(path: string): string {
  const parts = path.split('/');
  const stem = (parts[parts.length - 1] ?? '').replace(/\..*$/, '');
  return INDEX_FILES.has(stem) && parts.length > 1 ? parts[parts.length - 2] : stem;
}
