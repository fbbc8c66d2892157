/**
 * Extension functions in languages where they must be imported: which are visible in a file, and which one a call means
 * that nothing else resolves.
 */
import type { Reference } from '../../languages/roles/relation-facts.js';
import type { Context } from './context.js';
import { FUNCTIONS, TYPES } from './kinds.js';
import { type NameResolution, type SymbolRef, symbolValue } from './values.js';
import { MAX_SCOPES } from './visible.js';

/** Maximum number of definitions of one name that are examined. */
const MAX_LOOKED_AT = 400;

/** Is an extension function of another file visible in the file that is being linked? */
export function seesExtension(ctx: Context, { file, symbol }: SymbolRef, name: string): boolean {
  if (file === ctx.file || !ctx.symbols.semantics(file).importedExtensions) return true;
  if (isImported(ctx, file, name)) return true;
  // An extension inside of a class is visible in that class only.
  if (ctx.symbols.symbol(file, symbol).container >= 0) return false;
  return seesPackage(ctx, file);
}

/** Is the package or namespace of a file imported as a whole, or the same? */
function seesPackage(ctx: Context, file: number): boolean {
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
 * Finds the extension function that a call means if its receiver is unknown or of a type outside of the repository. It
 * must be in the same file, imported by name, in the same package or in an imported one. Null unless there is exactly
 * one, not counting overloads for one type. `fromOutside` tells that the receiver's type is outside, so that no member in
 * the repository can be meant.
 */
export function extensionByName(
  ctx: Context,
  { name, receiver, symbol }: Pick<Reference, 'name' | 'receiver' | 'symbol'>,
  fromOutside: boolean,
): NameResolution | null {
  const { importedExtensions, extensionsInTypes } = ctx.symbols.semantics(ctx.file);
  if (!(importedExtensions || extensionsInTypes) || (!fromOutside && isMember(ctx, name))) return null;
  const isBare = receiver === '';
  const own = extensionsIn(ctx, ctx.file, name);
  // In `fun Cart.add(i) = change { add(i) }` the inner `add` has another receiver, so it is not the function around it.
  const others = isBare ? own.filter((target) => !encloses(ctx, target.symbol, symbol)) : own;
  if (own.length > 0) return onlyOne(ctx, others, 'same-file');
  const named: SymbolRef[] = [];
  for (const alias of ctx.symbols.aliases(ctx.file, name)) {
    const resolved = ctx.symbols.resolution(ctx.file, alias.at);
    if (resolved.kind !== 'files') continue;
    for (const file of resolved.files) named.push(...extensionsIn(ctx, file, alias.name.name));
  }
  if (named.length > 0) return onlyOne(ctx, named, 'imported');
  return isBare && extensionsInTypes ? null : onlyOne(ctx, inPackages(ctx, name), 'package');
}

/** Does any type have a method of that name? Members win over extensions, and receivers of lambdas are unknown here. */
function isMember(ctx: Context, name: string): boolean {
  const { nodes } = ctx.symbols.snapshot;
  for (const node of ctx.symbols.definitions(name)) {
    const file = nodes.fileOf(node);
    if (nodes.kind(node) !== 'method' || !ctx.symbols.sameFamily(file, ctx.file)) continue;
    if (ctx.symbols.instance(file, nodes.symbolOf(node)) === undefined) return true;
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
  const inType = container >= 0 && TYPES.has(ctx.symbols.symbol(file, container).kind);
  const isFree = ctx.symbols.semantics(file).extensionsInTypes
    ? inType
    : container < 0 || isObject(ctx, file, container);
  return FUNCTIONS.has(kind) && isFree && ctx.symbols.instance(file, symbol) !== undefined;
}

/** Extensions in an object are imported from it by name. */
function isObject(ctx: Context, file: number, symbol: number): boolean {
  return ctx.symbols.symbol(file, symbol).kind === 'object';
}

function inPackages(ctx: Context, name: string): SymbolRef[] {
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_LOOKED_AT)) {
    const file = nodes.fileOf(node);
    if (!FUNCTIONS.has(nodes.kind(node)) || !ctx.symbols.sameFamily(file, ctx.file)) continue;
    ctx.recorder.note(file, name);
    const target = { file, symbol: nodes.symbolOf(node) };
    if (!isExtension(ctx, file, target.symbol)) continue;
    if (ctx.symbols.semantics(file).extensionsInTypes ? seesPackage(ctx, file) : seesExtension(ctx, target, name))
      found.push(target);
  }
  return found;
}

function onlyOne(ctx: Context, found: readonly SymbolRef[], tier: NameResolution['tier']): NameResolution | null {
  if (found.length === 0) return null;
  const types = found.map(({ file, symbol }) => ctx.symbols.instance(file, symbol)?.type);
  let chosen = found[0];
  for (const [i, target] of found.entries()) {
    if (types[i] !== types[0]) return null;
    if (target.file === chosen.file) continue;
    const variant = ctx.symbols.snapshot.resolver.variant(ctx.file, chosen.file, target.file);
    if (variant === null) return null;
    if (variant === target.file) chosen = target;
  }
  return { value: symbolValue(chosen), tier };
}
