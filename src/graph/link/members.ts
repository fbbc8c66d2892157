/** Finds members of types: their own, those of other parts of the type, and inherited ones. */
import type { SymbolKind } from '../../extract/facts.js';
import type { Binding } from '../../languages/roles/relation-facts.js';
import { bindingValue } from './bindings.js';
import type { Context } from './context.js';
import { seesExtension } from './extensions.js';
import { type ExpectedKinds, FUNCTIONS, rankOf, SPACES, VALUES } from './kinds.js';
import { parentsWith } from './parents.js';
import { partsOf, wholeOf } from './parts.js';
import { named } from './type-arguments.js';
import { parseType } from './type-text.js';
import { typeValue } from './types.js';
import { keyOf, type NameResolution, RESOLVED_OUTSIDE, type SymbolRef, type TypeArguments } from './values.js';

/** Maximum number of parent types that one lookup visits, above that of real types. */
const MAX_PARENTS = 64;
/** Maximum number of definitions of one name that are examined as extension members. */
const MAX_EXTENSION_MEMBERS = 400;

/** Finds a member of a type or of its parents; null if there is none. */
export function memberOf(
  ctx: Context,
  type: SymbolRef,
  name: string,
  expected: ExpectedKinds | null,
  args?: TypeArguments,
): NameResolution | null {
  if (!ctx.enter()) return null;
  try {
    const first = wholeOf(ctx, type);
    const own = ownMember(ctx, first, name, expected, named(ctx, first, args));
    // A field that is declared again without a type has the value of the parent's field.
    const inherited =
      isKnown(own) || own?.declared === true ? own : (fromParents(ctx, first, name, expected, args) ?? own);
    const whole = inherited === null ? structOf(ctx, first) : null;
    const found = whole === null ? inherited : ownMember(ctx, whole, name, expected);
    return found?.value?.is === 'symbol'
      ? { ...found, value: { ...found.value, via: args === undefined ? first : { ...first, args } } }
      : found;
  } finally {
    ctx.leave();
  }
}

/** The structure that `typedef struct cart cart;` makes known: that of the file which uses it, or the only one. */
function structOf(ctx: Context, { file, symbol }: SymbolRef): SymbolRef | null {
  const { kind, name } = ctx.symbols.symbol(file, symbol);
  if (kind !== 'type' || !ctx.symbols.semantics(file).headers || ctx.symbols.hasMembers(file, symbol)) return null;
  const { nodes } = ctx.symbols.snapshot;
  const found: SymbolRef[] = [];
  for (const node of ctx.symbols.counted(ctx.symbols.definitions(name))) {
    const other = nodes.fileOf(node);
    if (nodes.kind(node) !== 'struct' || !ctx.symbols.sameFamily(file, other)) continue;
    ctx.recorder.note(other, name);
    found.push({ file: other, symbol: nodes.symbolOf(node) });
  }
  return found.find((one) => one.file === ctx.file) ?? (found.length === 1 ? found[0] : null);
}

/** Finds a field or property of the type itself; a parameter of that name that is no member counts as from outside. */
export function ownValue(ctx: Context, type: SymbolRef, name: string): NameResolution {
  const child = bestChild(ctx, partsOf(ctx, wholeOf(ctx, type)), name, [VALUES]);
  const isMember = child !== null && VALUES.has(ctx.symbols.symbol(child.file, child.symbol).kind);
  return isMember ? { value: { is: 'symbol', ...child }, tier: 'receiver' } : RESOLVED_OUTSIDE;
}

function isKnown(found: NameResolution | null): boolean {
  return found !== null && found.value !== null && found.value.is !== 'external';
}

/** Finds a member in the nearest parent that has it, or in the first one. */
export function fromParents(
  ctx: Context,
  type: SymbolRef,
  name: string,
  expected: ExpectedKinds | null,
  args?: TypeArguments,
): NameResolution | null {
  const seen = new Set([keyOf(type.file, type.symbol)]);
  const queue = parentsWith(ctx, type, args);
  const isDeep = ctx.symbols.readType(type.file) !== undefined;
  for (let i = 0; i < queue.length && i < MAX_PARENTS; i++) {
    const parent = queue[i];
    const key = keyOf(parent.file, parent.symbol);
    if (seen.has(key)) continue;
    seen.add(key);
    const found = ownMember(ctx, parent, name, expected, named(ctx, parent, parent.args));
    if (found !== null) return { value: found.value, tier: found.tier === 'external' ? 'external' : 'inherited' };
    const further = parentsWith(ctx, parent, parent.args);
    // An interface has all members of its first parent, inherited ones too, before those of the second.
    if (isDeep) queue.splice(i + 1, 0, ...further);
    else queue.push(...further);
  }
  return null;
}

function ownMember(
  ctx: Context,
  type: SymbolRef,
  name: string,
  expected: ExpectedKinds | null,
  args?: TypeArguments,
): NameResolution | null {
  const parts = partsOf(ctx, type);
  const child = bestChild(ctx, parts, name, expected);
  if (child !== null) return { value: { is: 'symbol', ...child, args }, tier: 'receiver' };
  for (const part of parts) {
    const field = fieldOf(ctx, part, name);
    if (field !== undefined) {
      const value = bindingValue(ctx, part.file, field, Number.POSITIVE_INFINITY, args);
      return { value, tier: 'receiver', declared: field.type !== '' };
    }
  }
  const extension = extensionMembers(ctx, type, name)[0];
  return extension === undefined ? null : { value: { is: 'symbol', ...extension, args }, tier: 'receiver' };
}

/** Finds the child of best rank among all parts of a type. */
function bestChild(
  ctx: Context,
  parts: readonly SymbolRef[],
  name: string,
  expected: ExpectedKinds | null,
): SymbolRef | null {
  let chosen: SymbolRef | null = null;
  let chosenRank = Number.POSITIVE_INFINITY;
  for (const { file, symbol } of parts) {
    for (const child of ctx.symbols.symbolsNamed(file, name)) {
      const { container, kind } = ctx.symbols.symbol(file, child);
      if (!isHeld(ctx, file, container, symbol) || kind === 'impl' || belongsElsewhere(ctx, file, symbol, child))
        continue;
      // A member of an unexpected kind can be meant too, but ranks last.
      const rank = expected === null ? 0 : rankOf(kind, expected);
      // A name in a namespace hardly ever means something that another file defines for itself alone.
      const place = (rank < 0 ? LAST_RANK : rank) + (isOwnOf(ctx, file, symbol, kind) ? HIDDEN_RANK : 0);
      if (place >= chosenRank) continue;
      chosen = { file, symbol: child };
      chosenRank = place;
    }
  }
  return chosen;
}

/** Name of a Kotlin companion object, whose members are used as members of the class. */
const COMPANION = 'Companion';

function isHeld(ctx: Context, file: number, container: number, holder: number): boolean {
  if (container === holder || container < 0) return container === holder;
  const { kind, name, container: outer } = ctx.symbols.symbol(file, container);
  if (outer !== holder) return false;
  // `Cart::kOpen` of `class Cart { enum State { kOpen }; };`
  if (kind === 'enum') return ctx.symbols.semantics(file).openEnums === true;
  // `typedef struct cart { … } cart_t;`
  return kind === 'struct' ? ctx.symbols.symbol(file, holder).kind === 'type' : kind === 'object' && name === COMPANION;
}

/** Is the child a member of a type that is only written in the namespace: `Cart::Cart(…)`? */
function belongsElsewhere(ctx: Context, file: number, holder: number, child: number): boolean {
  const { kind } = ctx.symbols.symbol(file, child);
  if (!FUNCTIONS.has(kind) || !SPACES.has(ctx.symbols.symbol(file, holder).kind)) return false;
  return ctx.symbols.instance(file, child) !== undefined;
}

const LAST_RANK = 9;
const HIDDEN_RANK = 20;
const SOURCE = /\.(?:c|cc|cpp|cxx|c\+\+|cu|m|mm)$/i;

/** Is a symbol of a namespace in a source, no header, that is not the file being linked? Functions have prototypes elsewhere. */
function isOwnOf(ctx: Context, file: number, holder: number, kind: SymbolKind): boolean {
  if (file === ctx.file || FUNCTIONS.has(kind) || !ctx.symbols.semantics(file).headers) return false;
  return SPACES.has(ctx.symbols.symbol(file, holder).kind) && SOURCE.test(ctx.symbols.path(file));
}

/** Finds a field that is a binding, not a symbol. One with a type is preferred, then one with a value. */
function fieldOf(ctx: Context, { file, symbol }: SymbolRef, name: string): Binding | undefined {
  if (FUNCTIONS.has(ctx.symbols.symbol(file, symbol).kind)) return undefined;
  const fields = ctx.symbols.bindingsNamed(file, name).filter(({ scope }) => scope === symbol);
  return fields.find(({ type }) => type !== '') ?? fields.find(({ value }) => value !== '') ?? fields[0];
}

/** Extension members: functions written outside of the type that they belong to, as `func (c *Cart) Total()`. */
export function extensionMembers(ctx: Context, type: SymbolRef, name: string): SymbolRef[] {
  // Asking all files for a name has this file linked again whenever any of them changes it.
  if (!ctx.symbols.semantics(ctx.file).membersOutside) return [];
  const { parts, headers } = ctx.symbols.semantics(type.file);
  const { name: typeName, kind } = ctx.symbols.symbol(type.file, type.symbol);
  if (VALUES.has(kind) && !headers && parts !== 'none') return [];
  const found: SymbolRef[] = [];
  for (const { file, symbol } of candidates(ctx, type.file, name)) {
    const stated = statedOwner(ctx, file, symbol);
    if (stated === undefined || !seesExtension(ctx, { file, symbol }, name)) continue;
    const head = parseType(stated.type, ctx.symbols.readType(file));
    if (head?.is !== 'named' || head.head.slice(head.head.lastIndexOf('.') + 1) !== typeName) continue;
    const value = typeValue(ctx, file, ctx.symbols.symbol(file, symbol).container, stated.type);
    if (value?.is === 'instance' && value.file === type.file && value.symbol === type.symbol) {
      found.push({ file, symbol });
    }
  }
  return found;
}

/** Functions of a name that may be written for a type of this file. */
function candidates(ctx: Context, typeFile: number, name: string): SymbolRef[] {
  const found: SymbolRef[] = [];
  if (ctx.symbols.semantics(typeFile).blocks) {
    // Scripts extend a prototype in the type's own file. A question to all files would have the file linked again whenever
    // a symbol of that name changes anywhere.
    for (const symbol of ctx.symbols.symbolsNamed(typeFile, name).slice(0, MAX_EXTENSION_MEMBERS)) {
      if (FUNCTIONS.has(ctx.symbols.symbol(typeFile, symbol).kind)) found.push({ file: typeFile, symbol });
    }
    return found;
  }
  const { nodes } = ctx.symbols.snapshot;
  for (const node of ctx.symbols.definitions(name).subarray(0, MAX_EXTENSION_MEMBERS)) {
    const file = nodes.fileOf(node);
    if (!FUNCTIONS.has(nodes.kind(node)) || !ctx.symbols.sameFamily(file, typeFile)) continue;
    found.push({ file, symbol: nodes.symbolOf(node) });
  }
  return found;
}

/** Binding with the type that a function belongs to, its own or that of the extension around it. */
function statedOwner(ctx: Context, file: number, symbol: number): Binding | undefined {
  const own = ctx.symbols.instance(file, symbol);
  if (own !== undefined) return own;
  const { container } = ctx.symbols.symbol(file, symbol);
  if (container < 0 || ctx.symbols.symbol(file, container).kind !== 'impl') return undefined;
  return ctx.symbols.instance(file, container);
}
