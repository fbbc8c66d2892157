/** Parts of types: all definitions that make up one type, by the rules of its language. */
import type { SymbolKind } from '../../extract/facts.js';
import type { Semantics } from '../../languages/roles/semantics.js';
import type { LinkSymbol } from '../link-input.js';
import type { Context } from './context.js';
import { EXPECTED_KINDS, FUNCTIONS, SPACES, TYPES } from './kinds.js';
import { instanceOf, typeValue } from './types.js';
import { keyOf, type SymbolRef } from './values.js';

/** Maximum number of parts of one type. */
const MAX_PARTS = 200;

/**
 * Type that a part (`impl Cart`, `extension Cart`) belongs to; the part itself if the type is not in the repository.
 */
export function wholeOf(ctx: Context, target: SymbolRef): SymbolRef {
  const { file, symbol } = target;
  const { kind, name, container } = ctx.symbols.symbol(file, symbol);
  if (kind !== 'impl') return target;
  const stated = ctx.symbols.instance(file, symbol);
  const value =
    stated === undefined
      ? instanceOf(ctx, ctx.ask.findPath(ctx, file, container, name.split(/\.|::/), EXPECTED_KINDS.type)?.value ?? null)
      : typeValue(ctx, file, container, stated.type);
  return value !== null && value.is === 'instance' ? { file: value.file, symbol: value.symbol } : target;
}

/** All symbols that make up one type, beginning with itself. */
export function partsOf(ctx: Context, type: SymbolRef): readonly SymbolRef[] {
  const key = keyOf(type.file, type.symbol);
  const known = ctx.parts.get(key);
  if (known !== undefined) return known;
  const parts = [type];
  ctx.parts.set(key, parts);
  const { name, kind } = ctx.symbols.symbol(type.file, type.symbol);
  for (const symbol of ctx.symbols.symbolsNamed(type.file, name)) {
    if (symbol !== type.symbol && isPartOf(ctx, { file: type.file, symbol }, type)) {
      parts.push({ file: type.file, symbol });
    }
  }
  if (ctx.symbols.semantics(type.file).parts !== 'none' && kind !== 'function') otherParts(ctx, type, name, parts);
  return parts;
}

function otherParts(ctx: Context, type: SymbolRef, name: string, parts: SymbolRef[]): void {
  const { nodes } = ctx.symbols.snapshot;
  if (SPACES.has(ctx.symbols.symbol(type.file, type.symbol).kind) && ctx.symbols.semantics(type.file).parts === 'types')
    return;
  for (const node of ctx.symbols.counted(ctx.symbols.definitions(name))) {
    if (parts.length > MAX_PARTS) return;
    const kind = nodes.kind(node);
    const file = nodes.fileOf(node);
    if (file === type.file) continue;
    if (!TYPES.has(kind) && !SPACES.has(kind)) continue;
    if (!ctx.symbols.sameFamily(file, type.file)) continue;
    const part = { file, symbol: nodes.symbolOf(node) };
    ctx.recorder.note(file, name);
    if (isPartOf(ctx, part, type)) parts.push(part);
  }
}

/** Is the symbol another part of the type, by the rules of its language? */
function isPartOf(ctx: Context, part: SymbolRef, type: SymbolRef): boolean {
  const a = ctx.symbols.symbol(part.file, part.symbol);
  const b = ctx.symbols.symbol(type.file, type.symbol);
  if (a.kind === 'impl' && b.kind !== 'impl') {
    const whole = wholeOf(ctx, part);
    return whole.file === type.file && whole.symbol === type.symbol;
  }
  if (isCompanion(a, b) && part.file === type.file) return outerNames(ctx, part) === outerNames(ctx, type);
  if (isMerged(ctx.symbols.semantics(type.file), a, b) && part.file === type.file)
    return outerNames(ctx, part) === outerNames(ctx, type);
  if (a.kind !== b.kind || !isReopened(ctx.symbols.semantics(type.file), a.kind)) return false;
  return outerNames(ctx, part) === outerNames(ctx, type);
}

/** Are the two a Scala class and its companion object, whose members are looked up together? */
function isCompanion(a: LinkSymbol, b: LinkSymbol): boolean {
  return a.kind !== b.kind && (a.kind === 'object' || b.kind === 'object') && TYPES.has(a.kind) && TYPES.has(b.kind);
}

/** Are the two a namespace and the class, enumeration or function of its name, to which it adds members? */
function isMerged({ namespacesMerge }: Semantics, a: LinkSymbol, b: LinkSymbol): boolean {
  if (!namespacesMerge || SPACES.has(a.kind) === SPACES.has(b.kind)) return false;
  const { kind } = SPACES.has(a.kind) ? b : a;
  return TYPES.has(kind) || FUNCTIONS.has(kind);
}

/** Can a second definition of that kind extend the first one? */
export function isReopened({ reopens }: Semantics, kind: SymbolKind): boolean {
  return SPACES.has(kind) || reopens.has(kind);
}

function outerNames(ctx: Context, { file, symbol }: SymbolRef): string {
  const names: string[] = [];
  for (let at = ctx.symbols.symbol(file, symbol).container; at >= 0; at = ctx.symbols.symbol(file, at).container) {
    names.unshift(ctx.symbols.symbol(file, at).name);
  }
  return names.join('.');
}
