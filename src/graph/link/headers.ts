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

/** Has a class further functions of that name elsewhere than among the definitions to which uses lead, such as one with a body in the header? */
export function hasOtherOverloads(ctx: Context, declared: SymbolRef, target: SymbolRef): boolean {
  if (target.file === declared.file || declared.symbol < 0) return false;
  const { container, name, kind } = ctx.symbols.symbol(declared.file, declared.symbol);
  if (container < 0 || !FUNCTIONS.has(kind)) return false;
  const same = ctx.symbols.symbolsNamed(declared.file, name).filter((other) => {
    const symbol = ctx.symbols.symbol(declared.file, other);
    return symbol.container === container && FUNCTIONS.has(symbol.kind);
  });
  if (same.length < 2) return false;
  const defined = extensionMembers(ctx, { file: declared.file, symbol: container }, name);
  return same.length > defined.filter(({ file }) => file === target.file).length;
}
