/**
 * Finds members of types: their own, those of other definitions of the type, inherited ones, and those that are written outside of it. Also
 * all members of a name, those that override each other as one family, among which `evidence.ts` chooses.
 */
import type { SymbolKind } from '../../extract/facts.js';
import { getOrMake } from '../../languages/roles/project.js';
import { type Binding, MADE } from '../../languages/roles/relation-facts.js';
import type { OwnedMember } from './link-snapshot.js';
import { bindingValue, isOfTrait, seesExtension } from './scopes.js';
import type { Context } from './symbol-table.js';
import { joinedMember, lineageOf, memberKey, parentsOf, partsOf, partsWith, wholeOf } from './type-parts.js';
import { argumentsByName, parseType } from './type-text.js';
import { typeValue } from './types.js';
import {
  type ExpectedKinds,
  FUNCTIONS,
  GIVEN_BY_CALLER,
  keyOf,
  type NameResolution,
  RESOLVED_OUTSIDE,
  rankOf,
  SPACES,
  type SymbolRef,
  TYPES,
  type TypeArguments,
  VALUES,
} from './values.js';

/** Maximum number of definitions of one name that are examined as extension members. */
const MAX_EXTENSION_MEMBERS = 400;

/** Finds a member of a type or of its parents; null if there is none. A file asks its own classes for the same names again and again. */
export function memberOf(
  ctx: Context,
  type: SymbolRef,
  name: string,
  expected: ExpectedKinds | null,
  args?: TypeArguments,
): NameResolution | null {
  if (args !== undefined || !ctx.isSettled) return findMember(ctx, type, name, expected, args);
  const ofKinds = getOrMake(ctx.members, expected, () => new Map<number, Map<string, NameResolution | null>>());
  const known = getOrMake(ofKinds, memberKey(ctx, type), () => new Map<string, NameResolution | null>());
  const before = known.get(name);
  if (before !== undefined) return before;
  const span = ctx.startSpan();
  const found = findMember(ctx, type, name, expected);
  const isWhole = !ctx.isCut;
  if (ctx.endSpan(span) && isWhole) known.set(name, found);
  return found;
}

function findMember(
  ctx: Context,
  type: SymbolRef,
  name: string,
  expected: ExpectedKinds | null,
  args?: TypeArguments,
): NameResolution | null {
  if (!ctx.enter()) return null;
  try {
    const first = wholeOf(ctx, type);
    const own = ownMember(ctx, first, name, expected, argumentsByName(ctx, first, args));
    // A field that is declared again without a type has the value of the parent's field.
    const inherited =
      isKnown(own) || own?.declared === true
        ? own
        : (fromParents(ctx, { ...type, ...first }, name, expected, args) ?? own);
    const whole = inherited === null ? structOf(ctx, first) : null;
    const found = whole === null ? inherited : ownMember(ctx, whole, name, expected);
    return found?.value?.is === 'symbol'
      ? { ...found, value: { ...found.value, via: args === undefined ? first : { ...first, args } } }
      : found;
  } finally {
    ctx.leave();
  }
}

/** The structure of `typedef struct cart cart;`: the one in the file being linked, or the only one. */
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

/** Finds a field or property of the type itself. Any other name is a mere parameter of the constructor: external. */
export function ownValue(ctx: Context, type: SymbolRef, name: string): NameResolution {
  const child = bestChild(ctx, partsOf(ctx, wholeOf(ctx, type)), name, [VALUES]);
  const isMember = child !== null && VALUES.has(ctx.symbols.symbol(child.file, child.symbol).kind);
  return isMember ? { value: { is: 'symbol', ...child }, tier: 'receiver' } : RESOLVED_OUTSIDE;
}

function isKnown(found: NameResolution | null): boolean {
  return found !== null && found.value !== null && found.value.is !== 'external';
}

/** Finds a member in the nearest parent that has it, or in the first one. Traits that are a part of a class are none of its `parents`. */
export function fromParents(
  ctx: Context,
  type: SymbolRef,
  name: string,
  expected: ExpectedKinds | null,
  args?: TypeArguments,
): NameResolution | null {
  const lineage = lineageOf(ctx, type, args);
  let skipsTraits = 'is' in type && type.is === 'parents' && ctx.symbols.semantics(type.file).traits === 'own';
  for (let i = 0; ; i++) {
    const parent = lineage.at(ctx, i);
    if (parent === undefined) return null;
    skipsTraits &&= ctx.symbols.symbol(parent.file, parent.symbol).kind === 'trait';
    if (skipsTraits) continue;
    const found = ownMember(ctx, parent, name, expected, parent.args);
    if (found !== null) return { value: found.value, tier: found.tier === 'external' ? 'external' : 'inherited' };
  }
}

function ownMember(
  ctx: Context,
  type: SymbolRef,
  name: string,
  expected: ExpectedKinds | null,
  args?: TypeArguments,
): NameResolution | null {
  const parts = partsWith(ctx, type, name);
  const child = bestChild(ctx, parts, name, expected);
  if (child !== null) return { value: { is: 'symbol', ...child, args }, tier: 'receiver' };
  for (const part of parts) {
    const field = fieldOf(ctx, part, name);
    if (field !== undefined) {
      const value = bindingValue(ctx, part.file, field, Number.POSITIVE_INFINITY, args);
      return { value, tier: 'receiver', declared: field.type !== '' };
    }
  }
  const nested = joinedMember(ctx, type, name);
  if (nested !== null) return { value: { is: 'symbol', ...nested }, tier: 'receiver' };
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
      // A name in a namespace hardly ever means what another source file defines for itself.
      const place = (rank < 0 ? LAST_RANK : rank) + (isOwnOf(ctx, file, symbol, kind) ? HIDDEN_RANK : 0);
      const isPlainer = place === chosenRank && chosen !== null && isPlainerThan(ctx, { file, symbol: child }, chosen);
      if (place >= chosenRank && !isPlainer) continue;
      chosen = { file, symbol: child };
      chosenRank = place;
    }
  }
  return chosen;
}

/**
 * Is the one a member of the type itself and the other one of a trait? The type's own is meant then. Of blocks in several files, of which a
 * build takes one, a file means its own.
 */
function isPlainerThan(ctx: Context, one: SymbolRef, other: SymbolRef): boolean {
  if (ctx.symbols.semantics(one.file).paths !== '::') return false;
  if (isOfTrait(ctx, other) !== isOfTrait(ctx, one)) return isOfTrait(ctx, other);
  const { container } = ctx.symbols.symbol(one.file, one.symbol);
  const isOfBlock = container >= 0 && ctx.symbols.symbol(one.file, container).kind === 'impl';
  return isOfBlock && one.file === ctx.file && other.file !== ctx.file;
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

/** Is the child a member of a type, and only written in the namespace: `Cart::Cart(…)`? */
function belongsElsewhere(ctx: Context, file: number, holder: number, child: number): boolean {
  const { kind } = ctx.symbols.symbol(file, child);
  if (!FUNCTIONS.has(kind) || !SPACES.has(ctx.symbols.symbol(file, holder).kind)) return false;
  return ctx.symbols.instance(file, child) !== undefined;
}

/** Rank of a kind that is not expected: behind those of all groups of expected kinds. */
const LAST_RANK = 9;
/** Added to the rank of a symbol that another source file has for itself: behind any other one, whatever its kind. */
const HIDDEN_RANK = 20;
const SOURCE = /\.(?:c|cc|cpp|cxx|c\+\+|cu|m|mm)$/i;

/** Does another source file define the symbol of a namespace for itself? Functions do not count: headers may declare them. */
function isOwnOf(ctx: Context, file: number, holder: number, kind: SymbolKind): boolean {
  if (file === ctx.file || FUNCTIONS.has(kind) || !ctx.symbols.semantics(file).headers) return false;
  return SPACES.has(ctx.symbols.symbol(file, holder).kind) && SOURCE.test(ctx.symbols.path(file));
}

/** Finds a field that is a binding, not a symbol. One with a type is preferred, then one with a value. */
function fieldOf(ctx: Context, { file, symbol }: SymbolRef, name: string): Binding | undefined {
  const isMaker = FUNCTIONS.has(ctx.symbols.symbol(file, symbol).kind);
  const named = ctx.symbols.bindingsNamed(file, isMaker ? `${MADE}.${name}` : name);
  if (named.length === 0) return undefined;
  const fields = named.filter(({ scope }) => scope === symbol);
  return (
    fields.find(({ type }) => type !== '') ??
    fields.find(({ value }) => value !== '' && !value.startsWith(GIVEN_BY_CALLER)) ??
    fields[0]
  );
}

/** Extension members: functions written outside of the type that they belong to, as `func (c *Cart) Total()`. */
export function extensionMembers(ctx: Context, type: SymbolRef, name: string): SymbolRef[] {
  // A lookup in all files has this file linked again whenever one of them changes the name.
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
    // Scripts extend a prototype in the type's own file, so no lookup in all files is needed.
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

/** Binding with the type to which a function belongs, by itself or through the extension around it. */
function statedOwner(ctx: Context, file: number, symbol: number): Binding | undefined {
  const own = ctx.symbols.instance(file, symbol);
  if (own !== undefined) return own;
  const { container } = ctx.symbols.symbol(file, symbol);
  if (container < 0 || ctx.symbols.symbol(file, container).kind !== 'impl') return undefined;
  return ctx.symbols.instance(file, container);
}

/** Members in this file that are written outside of their types, where the language has no other way to write them. */
export function outsideMembers(ctx: Context): OwnedMember[] {
  const { symbols } = ctx.symbols.snapshot.index(ctx.file);
  const { headers } = ctx.symbols.semantics(ctx.file);
  const found: OwnedMember[] = [];
  for (const [symbol, { name, kind, container }] of symbols.entries()) {
    if (!FUNCTIONS.has(kind) || (kind !== 'method' && !headers)) continue;
    if (container >= 0 && !SPACES.has(symbols[container].kind)) continue;
    const stated = ctx.symbols.instance(ctx.file, symbol);
    if (stated === undefined) continue;
    ctx.begin();
    const owner = typeValue(ctx, ctx.file, container, stated.type);
    if (owner?.is !== 'instance' || !isOutsideOfFunctions(ctx, owner)) continue;
    // A class declares all its members; a test of a fixture (`TEST_F`) is none.
    const type = ctx.symbols.symbol(owner.file, owner.symbol).name;
    const isMade = name === type || name === `~${type}`;
    if (!headers || isMade || ctx.symbols.childNamed(owner.file, owner.symbol, name) >= 0)
      found.push({ symbol, owner: { file: owner.file, symbol: owner.symbol } });
  }
  return found;
}

function isOutsideOfFunctions(ctx: Context, { file, symbol }: SymbolRef): boolean {
  for (let at = symbol; at >= 0; at = ctx.symbols.symbol(file, at).container) {
    const { kind } = ctx.symbols.symbol(file, at);
    if (!TYPES.has(kind) && !SPACES.has(kind)) return false;
  }
  return true;
}

// Members of several types by name: those that override each other are a family.

/** Maximum number of definitions of one name that are compared: of more, none stands out. */
export const MAX_CANDIDATES = 40;
/** Maximum number of ancestors of one type that are visited. */
export const MAX_ANCESTORS = 50;
/** A parent type that is not known: it is no type of the repository. */
export const OUTER = /^super\b/;

/** A member, and the type that has it. */
interface Candidate {
  member: SymbolRef;
  owner: SymbolRef;
  /** It hands the use on to a member of the same name of another type. */
  isDelegate?: boolean;
}

/** Members of one name that override each other: the topmost, and all types that have one. */
export interface Family {
  root: SymbolRef;
  owners: SymbolRef[];
  isDelegate?: boolean;
}

/** The members of types with a name, those that override each other as one. */
export function familiesOf(ctx: Context, name: string): readonly Family[] {
  const known = ctx.families.get(name);
  if (known !== undefined) return known;
  const candidates = candidatesFor(ctx, name);
  const byOwner = new Map(
    candidates.map((candidate) => [keyOf(candidate.owner.file, candidate.owner.symbol), candidate]),
  );
  const families = new Map<number, Family>();
  for (const candidate of candidates) {
    const root = topmost(ctx, candidate, byOwner);
    const key = keyOf(root.member.file, root.member.symbol);
    const family = families.get(key);
    if (family === undefined)
      families.set(key, { root: root.member, owners: [candidate.owner], isDelegate: root.isDelegate });
    else family.owners.push(candidate.owner);
  }
  const found = [...families.values()];
  if (!ctx.exhausted) ctx.families.set(name, found);
  return found;
}

/** Members of types with that name. Doubles of tests count for tests alone. */
function candidatesFor(ctx: Context, name: string): Candidate[] {
  const { snapshot } = ctx.symbols;
  const { nodes } = snapshot;
  const named = ctx.symbols.definitions(name);
  const found: Candidate[] = [];
  if (named.length > MAX_CANDIDATES) return found;
  const fromTest = snapshot.isTest(ctx.file);
  let hasDefining = false;
  for (const node of named) {
    const file = nodes.fileOf(node);
    if (!ctx.symbols.sameFamily(file, ctx.file)) continue;
    if (!fromTest && snapshot.isTest(file)) continue;
    ctx.recorder.note(file, name);
    hasDefining ||= FUNCTIONS.has(nodes.kind(node)) && !DECLARATIONS.test(ctx.symbols.path(file));
    const candidate = asMember(ctx, { file, symbol: nodes.symbolOf(node) });
    if (candidate !== null) found.push(candidate);
  }
  // Code runs what a declaration file (`.pyi`, `.d.ts`) only describes.
  const defining = found.filter(({ member }) => !DECLARATIONS.test(ctx.symbols.path(member.file)));
  return hasDefining ? defining : found;
}

/** A definition with its owner; null for one that is no member of a type, a module or an object that a file exports. */
function asMember(ctx: Context, member: SymbolRef): Candidate | null {
  const { file } = member;
  const { kind, container, exported } = ctx.symbols.symbol(file, member.symbol);
  if (container < 0) return kind === 'method' && exported ? { member, owner: { file, symbol: -1 } } : null;
  const holder = ctx.symbols.symbol(file, container).kind;
  const isHeld = TYPES.has(holder) || holder === 'module';
  if (kind !== 'method' && !(isHeld && (FUNCTIONS.has(kind) || VALUES.has(kind)))) return null;
  return { member, owner: { file, symbol: container }, isDelegate: handsOn(ctx, member, kind) };
}

/** In an application of a framework: does a member give what another object has by the same name? `delegate :total, to: :cart`, `def total = cart.total` */
function handsOn(ctx: Context, { file, symbol }: SymbolRef, kind: SymbolKind): boolean {
  if (ctx.symbols.framework() === null) return false;
  const { name, container } = ctx.symbols.symbol(file, symbol);
  const isSame = (value: string) => value.endsWith(`.${name}()`) && !OUTER.test(value);
  return kind === 'property'
    ? ctx.symbols.bindingsNamed(file, name).some(({ scope, value }) => scope === container && isSame(value))
    : isSame(ctx.symbols.result(file, symbol)?.value ?? '');
}

/** Files that only describe what others define. */
const DECLARATIONS = /\.pyi$|\.d\.[cm]?ts$/;

/** The member that all overrides of this one override. */
function topmost(ctx: Context, candidate: Candidate, byOwner: ReadonlyMap<number, Candidate>): Candidate {
  let top = candidate;
  const seen = new Set([keyOf(candidate.owner.file, candidate.owner.symbol)]);
  const queue: SymbolRef[] = [candidate.owner];
  for (let i = 0; i < queue.length && i < MAX_ANCESTORS; i++) {
    if (queue[i].symbol < 0) continue;
    const { kind } = ctx.symbols.symbol(queue[i].file, queue[i].symbol);
    if (!TYPES.has(kind) && kind !== 'module') continue;
    for (const parent of parentsOf(ctx, queue[i])) {
      const key = keyOf(parent.file, parent.symbol);
      if (seen.has(key)) continue;
      seen.add(key);
      queue.push(parent);
      top = byOwner.get(key) ?? top;
    }
  }
  return top;
}
