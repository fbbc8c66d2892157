/** Members of types: their own, those of their other parts, and those of their parents. */
import type { SymbolKind } from '../../extract/facts.js';
import type { Binding } from '../../languages/roles/relation-facts.js';
import type { Semantics } from '../../languages/roles/semantics.js';
import type { LinkSymbol } from '../link-input.js';
import { bindingValue } from './bindings.js';
import type { Context } from './context.js';
import { seesExtension } from './extensions.js';
import { FUNCTIONS, rankOf, SPACES, TYPES, VALUES, WANTED, type Wanted } from './kinds.js';
import { parseType } from './type-text.js';
import { instanceOf, typeValue } from './types.js';
import { type Arguments, type Found, keyOf, type Target } from './values.js';

/** Types that a lookup goes through: more parents than any real type has. */
const MOST_PARENTS = 64;
/** Definitions of one name that are looked at as members written elsewhere. */
const MOST_LOOSE = 400;
const MOST_PARTS = 200;

/** A member of a type, or of what it inherits from. Null if there is none of that name. */
export function memberOf(
  ctx: Context,
  type: Target,
  name: string,
  wanted: Wanted | null,
  args?: Arguments,
): Found | null {
  if (!ctx.enter()) return null;
  try {
    const first = wholeOf(ctx, type);
    const own = ownMember(ctx, first, name, wanted, args);
    // A field that is declared again without a type is what its parent says.
    const found = isKnown(own) ? own : (fromParents(ctx, first, name, wanted) ?? own);
    return found?.value?.is === 'symbol' ? { ...found, value: { ...found.value, via: first } } : found;
  } finally {
    ctx.leave();
  }
}

function isKnown(found: Found | null): boolean {
  return found !== null && found.value !== null && found.value.is !== 'external';
}

/** The nearest parent's member. */
export function fromParents(ctx: Context, type: Target, name: string, wanted: Wanted | null): Found | null {
  const seen = new Set([keyOf(type.file, type.symbol)]);
  const queue = [...parentsOf(ctx, type)];
  for (let i = 0; i < queue.length && i < MOST_PARENTS; i++) {
    const parent = queue[i];
    const key = keyOf(parent.file, parent.symbol);
    if (seen.has(key)) continue;
    seen.add(key);
    const found = ownMember(ctx, parent, name, wanted);
    if (found !== null) return { value: found.value, tier: found.tier === 'external' ? 'external' : 'inherited' };
    queue.push(...parentsOf(ctx, parent));
  }
  return null;
}

function ownMember(ctx: Context, type: Target, name: string, wanted: Wanted | null, args?: Arguments): Found | null {
  const parts = partsOf(ctx, type);
  const child = bestChild(ctx, parts, name, wanted);
  if (child !== null) return { value: { is: 'symbol', ...child, args }, tier: 'receiver' };
  for (const part of parts) {
    const field = fieldOf(ctx, part, name);
    if (field !== undefined) {
      return { value: bindingValue(ctx, part.file, field, Number.POSITIVE_INFINITY, args), tier: 'receiver' };
    }
  }
  const loose = looseMembers(ctx, type, name)[0];
  return loose === undefined ? null : { value: { is: 'symbol', ...loose, args }, tier: 'receiver' };
}

/** Of all parts' children of that name the one that is meant most. */
function bestChild(ctx: Context, parts: readonly Target[], name: string, wanted: Wanted | null): Target | null {
  let chosen: Target | null = null;
  let chosenRank = Number.POSITIVE_INFINITY;
  for (const { file, symbol } of parts) {
    for (const child of ctx.world.symbolsNamed(file, name)) {
      const { container, kind } = ctx.world.symbol(file, child);
      if (!isHeld(ctx, file, container, symbol) || kind === 'impl' || belongsElsewhere(ctx, file, symbol, child))
        continue;
      // Named as a member, whatever it is can be meant; the right sort is only better.
      const rank = wanted === null ? 0 : rankOf(kind, wanted);
      const place = rank < 0 ? LAST_RANK : rank;
      if (place >= chosenRank) continue;
      chosen = { file, symbol: child };
      chosenRank = place;
    }
  }
  return chosen;
}

/** The companion of a Kotlin class: its members are used as if they were the class's own. */
const COMPANION = 'Companion';

function isHeld(ctx: Context, file: number, container: number, holder: number): boolean {
  if (container === holder || container < 0) return container === holder;
  const { kind, name, container: outer } = ctx.world.symbol(file, container);
  return outer === holder && kind === 'object' && name === COMPANION;
}

/** In a namespace, but written as a member of a type: `Cart::Cart(…)`. */
function belongsElsewhere(ctx: Context, file: number, holder: number, child: number): boolean {
  const { kind } = ctx.world.symbol(file, child);
  if (!FUNCTIONS.has(kind) || !SPACES.has(ctx.world.symbol(file, holder).kind)) return false;
  return ctx.world.instance(file, child) !== undefined;
}

const LAST_RANK = 9;

/** A field that is no symbol: best one with a type. */
function fieldOf(ctx: Context, { file, symbol }: Target, name: string): Binding | undefined {
  if (FUNCTIONS.has(ctx.world.symbol(file, symbol).kind)) return undefined;
  const fields = ctx.world.bindingsNamed(file, name).filter(({ scope }) => scope === symbol);
  return fields.find(({ type }) => type !== '') ?? fields.find(({ value }) => value !== '') ?? fields[0];
}

/** The type that a part (`impl Cart`, `extension Cart`) belongs to; the part itself if that is no type of the repository. */
export function wholeOf(ctx: Context, target: Target): Target {
  const { file, symbol } = target;
  const { kind, name, container } = ctx.world.symbol(file, symbol);
  if (kind !== 'impl') return target;
  const stated = ctx.world.instance(file, symbol);
  const value =
    stated === undefined
      ? instanceOf(ctx, ctx.ask.findPath(ctx, file, container, name.split(/\.|::/), WANTED.type)?.value ?? null)
      : typeValue(ctx, file, container, stated.type);
  return value !== null && value.is === 'instance' ? { file: value.file, symbol: value.symbol } : target;
}

/** All symbols that one type consists of, itself first. */
function partsOf(ctx: Context, type: Target): readonly Target[] {
  const key = keyOf(type.file, type.symbol);
  const known = ctx.parts.get(key);
  if (known !== undefined) return known;
  const parts = [type];
  ctx.parts.set(key, parts);
  const { name, kind } = ctx.world.symbol(type.file, type.symbol);
  for (const symbol of ctx.world.symbolsNamed(type.file, name)) {
    if (symbol !== type.symbol && isPartOf(ctx, { file: type.file, symbol }, type)) {
      parts.push({ file: type.file, symbol });
    }
  }
  if (ctx.world.semantics(type.file).parts !== 'none' && kind !== 'function') otherParts(ctx, type, name, parts);
  return parts;
}

function otherParts(ctx: Context, type: Target, name: string, parts: Target[]): void {
  const { nodes } = ctx.world.snapshot;
  for (const node of ctx.world.counted(ctx.world.definitions(name))) {
    if (parts.length > MOST_PARTS) return;
    const kind = nodes.kind(node);
    const file = nodes.fileOf(node);
    if (file === type.file) continue;
    if (!TYPES.has(kind) && !SPACES.has(kind)) continue;
    if (!ctx.world.sameFamily(file, type.file)) continue;
    const part = { file, symbol: nodes.symbolOf(node) };
    ctx.recorder.note(file, name);
    if (isPartOf(ctx, part, type)) parts.push(part);
  }
}

/** Is it another part of the same type, by the rules of its language? */
function isPartOf(ctx: Context, part: Target, type: Target): boolean {
  const a = ctx.world.symbol(part.file, part.symbol);
  const b = ctx.world.symbol(type.file, type.symbol);
  if (a.kind === 'impl' && b.kind !== 'impl') {
    const whole = wholeOf(ctx, part);
    return whole.file === type.file && whole.symbol === type.symbol;
  }
  if (isCompanion(a, b) && part.file === type.file) return outerNames(ctx, part) === outerNames(ctx, type);
  if (a.kind !== b.kind || !isReopened(ctx.world.semantics(type.file), a.kind)) return false;
  return outerNames(ctx, part) === outerNames(ctx, type);
}

/** `object Cart` beside `class Cart` (Scala): what isn't in one is in the other. */
function isCompanion(a: LinkSymbol, b: LinkSymbol): boolean {
  return a.kind !== b.kind && (a.kind === 'object' || b.kind === 'object') && TYPES.has(a.kind) && TYPES.has(b.kind);
}

/** Can a second definition of that kind add to the first? */
export function isReopened({ parts, family }: Semantics, kind: SymbolKind): boolean {
  if (SPACES.has(kind)) return true;
  if (family === 'ruby') return kind === 'class';
  if (family === 'ecmascript') return kind === 'interface';
  return parts === 'package' && (kind === 'class' || kind === 'struct' || kind === 'interface');
}

function outerNames(ctx: Context, { file, symbol }: Target): string {
  const names: string[] = [];
  for (let at = ctx.world.symbol(file, symbol).container; at >= 0; at = ctx.world.symbol(file, at).container) {
    names.unshift(ctx.world.symbol(file, at).name);
  }
  return names.join('.');
}

/** Functions written outside of their type that say that they belong to it: `func (c *Cart) Total()`. */
export function looseMembers(ctx: Context, type: Target, name: string): Target[] {
  const { parts, headers, blocks } = ctx.world.semantics(type.file);
  const { name: typeName, kind } = ctx.world.symbol(type.file, type.symbol);
  if (VALUES.has(kind) && !headers && parts !== 'none') return [];
  const found: Target[] = [];
  const { nodes } = ctx.world.snapshot;
  for (const node of ctx.world.definitions(name).subarray(0, MOST_LOOSE)) {
    if (!FUNCTIONS.has(nodes.kind(node))) continue;
    const file = nodes.fileOf(node);
    // Scripts put members into prototypes where the type stands; reading all other files of that name costs more than it finds.
    if (blocks ? file !== type.file : !ctx.world.sameFamily(file, type.file)) continue;
    const symbol = nodes.symbolOf(node);
    const stated = statedOwner(ctx, file, symbol);
    if (stated === undefined || !seesExtension(ctx, { file, symbol }, name)) continue;
    const head = parseType(stated.type);
    if (head?.is !== 'named' || head.head.slice(head.head.lastIndexOf('.') + 1) !== typeName) continue;
    const value = typeValue(ctx, file, ctx.world.symbol(file, symbol).container, stated.type);
    if (value?.is === 'instance' && value.file === type.file && value.symbol === type.symbol) {
      found.push({ file, symbol });
    }
  }
  return found;
}

/** The binding that says which type a function, or the extension that it stands in, belongs to. */
function statedOwner(ctx: Context, file: number, symbol: number): Binding | undefined {
  const own = ctx.world.instance(file, symbol);
  if (own !== undefined) return own;
  const { container } = ctx.world.symbol(file, symbol);
  if (container < 0 || ctx.world.symbol(file, container).kind !== 'impl') return undefined;
  return ctx.world.instance(file, container);
}

/** Types that a type names as its parents. */
export function parentsOf(ctx: Context, type: Target): readonly Target[] {
  const key = keyOf(type.file, type.symbol);
  const known = ctx.parents.get(key);
  if (known !== undefined) return known;
  const parents: Target[] = [];
  // A type that inherits from itself finds what is known by then.
  ctx.parents.set(key, parents);
  for (const part of partsOf(ctx, wholeOf(ctx, type))) {
    const { container } = ctx.world.symbol(part.file, part.symbol);
    for (const { receiver, name } of ctx.world.heritage(part.file, part.symbol)) {
      const path = receiver === '' ? [name] : [...receiver.split('.'), name];
      const value = instanceOf(ctx, ctx.ask.findPath(ctx, part.file, container, path, WANTED.extends)?.value ?? null);
      if (value?.is === 'instance') parents.push({ file: value.file, symbol: value.symbol });
    }
  }
  if (ctx.exhausted) ctx.parents.delete(key);
  return parents;
}
