/** Extension functions of languages where they must be imported: which of them a file sees, and what a use means that nothing else explains. */
import type { Reference } from '../../extract/relations.js';
import type { Context } from './context.js';
import { FUNCTIONS } from './kinds.js';
import { type NameResolution, type SymbolRef, symbolValue } from './values.js';
import { MAX_SCOPES } from './visible.js';

/** Definitions of one name that are looked at. */
const MAX_LOOKED_AT = 400;

/** Can the file that is being linked use an extension function of another file? */
export function seesExtension(ctx: Context, { file, symbol }: SymbolRef, name: string): boolean {
  if (file === ctx.file || !ctx.symbols.semantics(file).importedExtensions) return true;
  if (isImported(ctx, file, name)) return true;
  // Inside of a class it is only for that class.
  if (ctx.symbols.symbol(file, symbol).container >= 0) return false;
  return (
    ctx.symbols.wildcards(ctx.file).some((at) => leadsTo(ctx, at, file)) ||
    ctx.symbols.snapshot.resolver.isPeer(ctx.file, file)
  );
}

function isImported(ctx: Context, file: number, name: string): boolean {
  return ctx.symbols.aliases(ctx.file, name).some((alias) => leadsTo(ctx, alias.at, file));
}

function leadsTo(ctx: Context, at: number, file: number): boolean {
  const resolved = ctx.symbols.resolution(ctx.file, at);
  return resolved.kind === 'files' && resolved.files.includes(file);
}

/**
 * The extension function that a call means whose receiver isn't known, or is of a type from outside: one of the same
 * file, or one that is imported by its name. Without a receiver, which leaves nothing else to be meant, also one of the
 * package or of an imported one. Null unless there is exactly one, overloads for one type aside. `fromOutside`: the
 * receiver's type is, so that no member of the repository can be meant.
 */
export function extensionByName(
  ctx: Context,
  { name, receiver, symbol }: Reference,
  fromOutside: boolean,
): NameResolution | null {
  if (!ctx.symbols.semantics(ctx.file).importedExtensions || (!fromOutside && isMember(ctx, name))) return null;
  const isBare = receiver === '';
  const own = extensionsIn(ctx, ctx.file, name);
  // `fun Cart.add(i) = change { add(i) }`: what calls its own name without a receiver means that of another one.
  const others = isBare ? own.filter((target) => !encloses(ctx, target.symbol, symbol)) : own;
  if (own.length > 0) return onlyOne(ctx, others, 'same-file');
  const named: SymbolRef[] = [];
  for (const alias of ctx.symbols.aliases(ctx.file, name)) {
    const resolved = ctx.symbols.resolution(ctx.file, alias.at);
    if (resolved.kind !== 'files') continue;
    for (const file of resolved.files) named.push(...extensionsIn(ctx, file, alias.name.name));
  }
  if (named.length > 0) return onlyOne(ctx, named, 'imported');
  return isBare ? onlyOne(ctx, inPackages(ctx, name), 'package') : null;
}

/** Members come before extensions, and lambdas can have receivers that nothing here knows. */
function isMember(ctx: Context, name: string): boolean {
  const { nodes } = ctx.symbols.snapshot;
  for (const node of ctx.symbols.definitions(name)) {
    if (nodes.kind(node) === 'method' && ctx.symbols.sameFamily(nodes.fileOf(node), ctx.file)) return true;
  }
  return false;
}

function encloses(ctx: Context, outer: number, inner: number): boolean {
  let at = inner;
  for (let depth = 0; at >= 0 && depth < MAX_SCOPES; depth++) {
    if (at === outer) return true;
    at = ctx.symbols.symbol(ctx.file, at).container;
  }
  return false;
}

function extensionsIn(ctx: Context, file: number, name: string): SymbolRef[] {
  return ctx.symbols
    .symbolsNamed(file, name)
    .filter((symbol) => isExtension(ctx, file, symbol))
    .map((symbol) => ({ file, symbol }));
}

function isExtension(ctx: Context, file: number, symbol: number): boolean {
  const { kind, container } = ctx.symbols.symbol(file, symbol);
  return FUNCTIONS.has(kind) && container < 0 && ctx.symbols.instance(file, symbol) !== undefined;
}

function inPackages(ctx: Context, name: string): SymbolRef[] {
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_LOOKED_AT)) {
    const file = nodes.fileOf(node);
    if (!FUNCTIONS.has(nodes.kind(node)) || !ctx.symbols.sameFamily(file, ctx.file)) continue;
    ctx.recorder.note(file, name);
    const target = { file, symbol: nodes.symbolOf(node) };
    if (isExtension(ctx, file, target.symbol) && seesExtension(ctx, target, name)) found.push(target);
  }
  return found;
}

function onlyOne(ctx: Context, found: readonly SymbolRef[], tier: NameResolution['tier']): NameResolution | null {
  if (found.length === 0) return null;
  const types = found.map(({ file, symbol }) => ctx.symbols.instance(file, symbol)?.type);
  const isOne = found.every(({ file }, i) => file === found[0].file && types[i] === types[0]);
  return isOne ? { value: symbolValue(found[0]), tier } : null;
}
