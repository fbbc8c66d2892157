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

/**
 * A class can have further functions of that name elsewhere than among the definitions to which uses lead, with bodies in the header.
 * What has several lines there counts as one with a body: a declaration that is wrapped does, too. Then arguments tell which is meant, and a use leads to the header's, since such a function is what most callers call: it leaves out
 * an argument, or is not `const`. Null where nothing else can be meant.
 */
export function otherOverload(ctx: Context, declared: SymbolRef, target: SymbolRef): SymbolRef | null {
  if (target.file === declared.file || declared.symbol < 0) return null;
  const { file } = declared;
  const { container, name, kind } = ctx.symbols.symbol(file, declared.symbol);
  if (container < 0 || !FUNCTIONS.has(kind)) return null;
  const same = ctx.symbols.symbolsNamed(file, name).filter((other) => {
    const symbol = ctx.symbols.symbol(file, other);
    return symbol.container === container && FUNCTIONS.has(symbol.kind);
  });
  if (same.length < 2) return null;
  const defined = extensionMembers(ctx, { file, symbol: container }, name);
  if (same.length <= defined.filter((one) => one.file === target.file).length) return null;
  const bodied = same.filter((other) => {
    const { startLine, endLine } = ctx.symbols.symbol(file, other);
    return endLine > startLine;
  });
  return bodied.length === 1 ? { file, symbol: bodied[0] } : target;
}
