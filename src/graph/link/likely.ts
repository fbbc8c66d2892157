/** Members that names alone tell, where types do not. All are of tier `unique`. */
import type { Reference } from '../../languages/roles/relation-facts.js';
import type { Context } from './context.js';
import { EXPECTED_KINDS, FUNCTIONS, TYPES, VALUES } from './kinds.js';
import { lookup } from './lookup.js';
import { findName } from './names.js';
import type { NameResolution, SymbolRef } from './values.js';

/** The member that a use with an unknown receiver means, as far as its names tell; null if they do not. */
export function byNames(ctx: Context, reference: Reference): NameResolution | null {
  const { implicitMembers, namesTell } = ctx.symbols.semantics(ctx.file);
  if (namesTell) return ofNamedType(ctx, reference);
  return implicitMembers && reference.receiver === '?' ? implicitMember(ctx, reference.name) : null;
}

/** Maximum number of types of one name that are looked at. */
const MAX_TYPES = 20;

/** `book.fetch(code)`: by convention a `book` is a `Book`, if there is one type of that name and it has the member. */
function ofNamedType(ctx: Context, { kind, name, receiver }: Reference): NameResolution | null {
  const type = typeNameOf(receiver);
  const { nodes } = ctx.symbols.snapshot;
  if (type === '') return null;
  const named = ctx.symbols.definitions(type);
  if (named.length > MAX_TYPES) return null;
  const meant = new Map<string, NameResolution>();
  for (const node of named) {
    const file = nodes.fileOf(node);
    if (!TYPES.has(nodes.kind(node)) || !ctx.symbols.sameFamily(file, ctx.file)) continue;
    ctx.recorder.note(file, type);
    const value = { is: 'instance', file, symbol: nodes.symbolOf(node) } as const;
    const found = lookup(ctx, ctx.file, value, name, EXPECTED_KINDS[kind])?.value;
    if (found?.is !== 'symbol') continue;
    const { kind: member } = ctx.symbols.symbol(found.file, found.symbol);
    if (FUNCTIONS.has(member) || VALUES.has(member))
      meant.set(`${found.file} ${found.symbol}`, { value: found, tier: 'unique' });
  }
  return meant.size === 1 ? [...meant.values()][0] : null;
}

/** `LineItem` of `order.line_item`, of `@line_items[]` and of `line_item()`; '' where the last name is no name of a thing. */
function typeNameOf(receiver: string): string {
  const match = /(?:^|\.)([a-z]\w*)((?:\(\)|\[\])*)$/.exec(receiver);
  if (match === null || match[1] === 'this') return '';
  const [, name, marks] = match;
  const single = marks.endsWith('[]') ? name.replace(/ies$/, 'y').replace(/([^s])s$/, '$1') : name;
  return single.replace(/(?:^|_)([a-z\d])/g, (_, letter: string) => letter.toUpperCase());
}

/** The case of an enumeration that `.name` means where the context is not known: the only definition of that name. */
function implicitMember(ctx: Context, name: string): NameResolution | null {
  const { nodes } = ctx.symbols.snapshot;
  if (CASES_OF_OTHERS.has(name)) return null;
  const all = [...ctx.symbols.definitions(name)].filter((node) => ctx.symbols.sameFamily(nodes.fileOf(node), ctx.file));
  if (all.length !== 1 || nodes.kind(all[0]) !== 'enum-member') return null;
  const file = nodes.fileOf(all[0]);
  ctx.recorder.note(file, name);
  return { value: { is: 'symbol', file, symbol: nodes.symbolOf(all[0]) }, tier: 'unique' };
}

/** Cases of the standard library's own enumerations. */
const CASES_OF_OTHERS: ReadonlySet<string> = new Set(['none', 'some', 'success', 'failure', 'default']);

/** A member that an extension adds to a type from outside, the only one of that name: `extension Array { var titles }`. */
export function ofOutsideType(ctx: Context, name: string): NameResolution | null {
  if (!ctx.symbols.semantics(ctx.file).implicitMembers) return null;
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_EXTENSIONS)) {
    const file = nodes.fileOf(node);
    const container = nodes.container[node];
    if (!ctx.symbols.sameFamily(file, ctx.file) || container < 0 || nodes.kind(container) !== 'impl') continue;
    ctx.recorder.note(file, name);
    const whole = findName(ctx, file, -1, nodes.nameOf(container), EXPECTED_KINDS.type, Number.POSITIVE_INFINITY);
    if (whole?.value?.is !== 'symbol') found.push({ file, symbol: nodes.symbolOf(node) });
  }
  return found.length === 1 ? { value: { is: 'symbol', ...found[0] }, tier: 'unique' } : null;
}

/** Maximum number of definitions of one name that are looked at. */
const MAX_EXTENSIONS = 100;
