/** Replaces declarations in headers by their definitions in other files. */
import type { Context } from './context.js';
import { FUNCTIONS, VALUES } from './kinds.js';
import { extensionMembers } from './members.js';
import type { SymbolRef } from './values.js';

const HEADER = /\.(?:h|hh|hpp|hxx|h\+\+|inl|ipp|tpp)$/i;

/**
 * Definition in another file of a symbol that a header declares; the declaration itself if there is none or several
 * files have one.
 */
export function definitionOf(ctx: Context, { file, symbol }: SymbolRef): SymbolRef {
  const own = { file, symbol };
  if (symbol < 0 || !ctx.symbols.semantics(file).headers || !HEADER.test(ctx.symbols.path(file))) return own;
  const { kind, name, container } = ctx.symbols.symbol(file, symbol);
  if (!FUNCTIONS.has(kind) && !VALUES.has(kind)) return own;
  const isMember = container >= 0 && ctx.symbols.symbol(file, container).kind !== 'namespace';
  const found = isMember
    ? extensionMembers(ctx, { file, symbol: container }, name)
    : freeDefinitions(ctx, own, name, FUNCTIONS.has(kind));
  const defined = found.filter((target) => !HEADER.test(ctx.symbols.path(target.file)));
  // Overloads in one file cannot be told apart, so the first is taken.
  return defined.length > 0 && defined.every((target) => target.file === defined[0].file) ? defined[0] : own;
}

function freeDefinitions(ctx: Context, declared: SymbolRef, name: string, isFunction: boolean): SymbolRef[] {
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.definitions(name)) {
    const file = nodes.fileOf(node);
    const kind = nodes.kind(node);
    if (file === declared.file || !(isFunction ? FUNCTIONS : VALUES).has(kind) || kind === 'macro') continue;
    if (!nodes.isExported(node) || !ctx.symbols.sameFamily(file, declared.file)) continue;
    if (!nodes.isOuter(node, true)) continue;
    ctx.recorder.note(file, name);
    const symbol = nodes.symbolOf(node);
    if (ctx.symbols.instance(file, symbol) === undefined) found.push({ file, symbol });
  }
  return found;
}
