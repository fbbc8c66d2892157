/** Makes edges between files from imports. */
import type { Import, ImportKind } from '../../languages/roles/relation-facts.js';
import type { EdgeKind } from '../types.js';
import type { Context } from './context.js';
import type { LinkedEdge } from './edges.js';
import type { ResolvedImport } from './symbol-table.js';

const KINDS: Readonly<Record<Exclude<ImportKind, 'declare'>, EdgeKind>> = {
  import: 'import',
  type: 'type-import',
  dynamic: 'dynamic-import',
  require: 'require',
  reexport: 'reexport',
  'type-reexport': 'type-reexport',
  include: 'include',
  'include-system': 'include',
  module: 'module',
};

/**
 * Makes one edge per file that an import resolves to, or one edge without target. For a package or namespace, only
 * files that the references use get an edge, if there are any. `uses` are the edges of the file's references.
 */
export function importEdges(ctx: Context, uses: readonly LinkedEdge[]): LinkedEdge[] {
  const used = usedFiles(uses);
  const { headers } = ctx.symbols.semantics(ctx.file);
  const edges: LinkedEdge[] = [];
  ctx.symbols.snapshot.index(ctx.file).imports.forEach((item, at) => {
    // `using shop::Cart` names a namespace, and its files have edges from includes.
    if (item.kind === 'declare' || (item.kind === 'import' && headers)) return;
    const kind = KINDS[item.kind];
    const resolved = ctx.symbols.resolution(ctx.file, at);
    if (resolved.kind !== 'files') edges.push(edgeOf(item, kind, -1, resolved.kind));
    else
      for (const file of narrowed(resolved, item, used))
        if (file !== ctx.file) edges.push(edgeOf(item, kind, file, resolved.tier));
  });
  return edges;
}

function usedFiles(uses: readonly LinkedEdge[]): ReadonlySet<number> {
  const used = new Set<number>();
  for (const { toFile } of uses) {
    if (toFile >= 0) used.add(toFile);
  }
  return used;
}

function narrowed(
  { files, tier }: ResolvedImport & { kind: 'files' },
  { names }: Import,
  used: ReadonlySet<number>,
): readonly number[] {
  // An import of a whole package uses all of its files.
  if (tier === 'path' || files.length < 2 || names.every(({ name, alias }) => name === '*' && alias !== ''))
    return files;
  const some = files.filter((file) => used.has(file));
  return some.length > 0 ? some : files;
}

function edgeOf(item: Import, kind: EdgeKind, toFile: number, tier: LinkedEdge['tier']): LinkedEdge {
  const { startLine, endLine, specifier } = item;
  return { from: -1, toFile, toSymbol: -1, kind, tier, startLine, endLine, name: specifier, receiver: '', literal: '' };
}
