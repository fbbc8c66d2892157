/**
 * Scopes of definitions, callbacks and blocks: the definitions around an offset, names that a callback alone binds, types that a block
 * alone declares, receivers that a block leaves out, and callbacks of routes as definitions. Each part changes the facts in place:
 * `collectRelations` calls `hideTypes`, `addImpliedReceivers`, then `separateInnerNames`; `extract` calls `withRouteClosures` last.
 */
import { addTo, firstFrom } from '../../base/lists.js';
import { conventionsOf } from '../../languages/registry.js';
import { routeClosures } from '../../languages/roles/routes.js';
import type { TextRange } from '../../languages/roles/scan.js';
import { inDocumentOrder } from '../collect-drafts.js';
import { type Draft, FUNCTION_KINDS, TYPE_KINDS } from '../draft.js';
import type { SymbolKind } from '../facts.js';
import type { SyntaxTree } from '../syntax-tree.js';
import { MAX_STRING_LENGTH, type RawBinding, type RawReference, type RawRelations } from './fact-sink.js';

/** A definition of the stack, with the innermost of each kind up to it. Thousands can lie around one offset: `var a, b, c T` in Go. */
interface Level extends Record<Sought, number> {
  index: number;
}

/** -1 for none. */
type Sought = 'function' | 'type' | 'alias' | 'holder' | 'space';

/** The definitions around an offset. Offsets must ascend; `rewind` starts again. */
export class Enclosing {
  private readonly stack: Level[] = [];
  private next = 0;
  private names: Map<string, number> | null = null;

  constructor(readonly drafts: readonly Draft[]) {}

  rewind(): void {
    this.next = 0;
    this.stack.length = 0;
  }

  innermost(at: number): number {
    this.moveTo(at);
    return this.top?.index ?? -1;
  }

  function(at: number): number {
    return this.nearest('function', at);
  }

  type(at: number): number {
    return this.nearest('type', at);
  }

  /** A type, or the name of one: `type Cart = { … }`. */
  typeOrAlias(at: number): number {
    return this.nearest('alias', at);
  }

  /** The function around an offset, or the property whose accessor or value contains it; -1 for none. */
  code(at: number): number {
    const index = this.function(at);
    if (index !== -1) return index;
    const inner = this.top?.index ?? -1;
    const holder = inner === -1 ? null : this.drafts[inner].container;
    const isMember = holder !== null && TYPE_KINDS.has(holder.kind) && !TYPE_KINDS.has(this.drafts[inner].kind);
    return isMember ? inner : -1;
  }

  /** A function or a type, whichever is nearer. */
  holder(at: number): number {
    return this.nearest('holder', at);
  }

  isFunction(index: number): boolean {
    return index >= 0 && FUNCTION_KINDS.has(this.drafts[index].kind);
  }

  isType(index: number | null): boolean {
    return index !== null && index >= 0 && TYPE_KINDS.has(this.drafts[index].kind);
  }

  /** A type or a module, whichever is nearer. */
  space(at: number): number {
    return this.nearest('space', at);
  }

  /** Name of the enclosing type or module; `this` if there is none. */
  ownName(at: number): string {
    const index = this.space(at);
    return index === -1 ? 'this' : this.drafts[index].name;
  }

  /** The first symbol of that name, -1 if there is none; of implementations the one around an offset. */
  named(name: string, at: number): number {
    if (this.names === null) {
      this.names = new Map();
      for (const [index, draft] of this.drafts.entries())
        if (!this.names.has(draft.name)) this.names.set(draft.name, index);
    }
    const first = this.names.get(name) ?? -1;
    if (this.drafts[first]?.kind !== 'impl') return first;
    const own = this.type(at);
    return this.drafts[own]?.name === name ? own : first;
  }

  private get top(): Level | undefined {
    return this.stack[this.stack.length - 1];
  }

  private nearest(sought: Sought, at: number): number {
    this.moveTo(at);
    return this.top?.[sought] ?? -1;
  }

  private moveTo(at: number): void {
    const { drafts } = this;
    for (; this.next < drafts.length && drafts[this.next].start <= at; this.next++) {
      this.leave(drafts[this.next].start);
      this.enter(this.next);
    }
    this.leave(at);
  }

  private enter(index: number): void {
    const { kind } = this.drafts[index];
    const [isFunction, isType] = [FUNCTION_KINDS.has(kind), TYPE_KINDS.has(kind)];
    const around = this.top;
    this.stack.push({
      index,
      function: isFunction ? index : (around?.function ?? -1),
      type: isType ? index : (around?.type ?? -1),
      alias: isType || kind === 'type' ? index : (around?.alias ?? -1),
      holder: isFunction || isType ? index : (around?.holder ?? -1),
      space: isType || kind === 'module' ? index : (around?.space ?? -1),
    });
  }

  /** Drops the definitions that end before an offset. */
  private leave(at: number): void {
    for (let { top } = this; top !== undefined && this.drafts[top.index].end <= at; { top } = this) this.stack.pop();
  }
}

// Names that a callback alone binds

/** Most functions that are looked at in one file, and bindings of one name. */
const MAX_FUNCTIONS = 50_000;

/** Deepest nesting of functions. */
const MAX_SCOPE_DEPTH = 200;

/** A name that callbacks bind. */
interface Inner {
  /** In order, by the function that contains them. */
  bindings: Map<number, RawBinding[]>;
  /** Functions that contain symbols of that name. */
  symbols: Set<number>;
}

/**
 * Renames the names that callbacks bind and that mean something else around them, with all their uses. Facts know scopes by symbols only,
 * and a callback is none, so such a name gets one of its own. `kinds`: functions without a name, in the grammar.
 */
export function separateInnerNames(
  raw: RawRelations,
  drafts: readonly Draft[],
  tree: SyntaxTree,
  kinds: readonly string[],
): void {
  const twice = boundTwice(raw, drafts);
  if (twice.size === 0) return;
  const functions = new Functions(tree, kinds);
  const names = new Map<string, Inner>();
  for (const [name, bindings] of twice) {
    const inner = new Map<number, RawBinding[]>();
    for (const { binding, from } of bindings) {
      const place = functions.around(binding.at);
      if (functions.startOf(place) >= from) addFew(inner, place, binding);
    }
    inner.delete(-1);
    if (inner.size > 0) names.set(name, { bindings: inner, symbols: new Set() });
  }
  if (names.size === 0) return;
  for (const draft of drafts) {
    if (isNamedDirectly(draft)) names.get(draft.name)?.symbols.add(functions.around(draft.start));
  }
  rename(raw, (name, at) => {
    const inner = names.get(name);
    return inner === undefined ? undefined : functions.nearest(inner, at);
  });
  for (const { bindings } of names.values()) {
    for (const binding of [...bindings.values()].flat()) binding.name = ownName(binding);
  }
}

/** Meaning of a name at an offset: undefined without a binding, null if its value is unknown. */
type Meaning = (name: string, at: number) => RawBinding | null | undefined;

function rename(raw: RawRelations, meaningOf: Meaning): void {
  raw.references = raw.references.filter((reference) => renameUse(reference, meaningOf));
  const renamed = new Map<RawBinding, string>();
  for (const binding of raw.bindings) {
    const [makes, name, rest] = splitRoot(binding.value);
    const found = binding.value === '' || makes !== '' ? undefined : meaningOf(name, binding.at);
    if (found !== undefined) renamed.set(binding, accessPathFrom(found, rest));
  }
  for (const [binding, value] of renamed) binding.value = value;
}

/** A local, and the offset from which on callbacks are inside the function that it belongs to. */
interface BoundTwice {
  binding: RawBinding;
  from: number;
}

/** Locals, by names that a symbol of the same scope or an import also has. */
function boundTwice(raw: RawRelations, drafts: readonly Draft[]): Map<string, BoundTwice[]> {
  const starts = new Set(drafts.map((draft) => draft.nameStart));
  const imported = importedNames(raw);
  const known = new Set(imported);
  for (const draft of drafts) if (isNamedDirectly(draft)) known.add(draft.name);
  const locals = raw.bindings.filter(
    ({ place, of, name, at }) => place === 'local' && of !== 'assigned' && known.has(name) && !starts.has(at),
  );
  const names = new Map<string, BoundTwice[]>();
  if (locals.length === 0) return names;
  const sorted = [...drafts].sort(inDocumentOrder);
  const around = new Enclosing(sorted);
  const indexes = new Map<Draft | null, number>([[null, -1]]);
  for (const [index, draft] of sorted.entries()) indexes.set(draft, index);
  const scopes = new Set<string>();
  for (const draft of drafts) if (isNamedDirectly(draft)) scopes.add(`${indexes.get(draft.container)} ${draft.name}`);
  for (const binding of locals.sort((a, b) => a.at - b.at)) {
    const scope = around.function(binding.at);
    // A local of the function itself needs no other name: facts apply it to the whole function.
    const from = scope === -1 ? 0 : sorted[scope].signatureEnd;
    if (scopes.has(`${scope} ${binding.name}`)) addFew(names, binding.name, { binding, from: 0 });
    else if (imported.has(binding.name)) addFew(names, binding.name, { binding, from });
  }
  return names;
}

function importedNames({ imports }: RawRelations): Set<string> {
  return new Set(imports.flatMap((fact) => fact.names.map(({ alias }) => alias)));
}

function addFew<K, T>(lists: Map<K, T[]>, key: K, value: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else if (list.length < MAX_FUNCTIONS) list.push(value);
}

function isNamedDirectly({ kind, container }: Draft): boolean {
  return kind !== 'method' && kind !== 'constructor' && (container === null || !TYPE_KINDS.has(container.kind));
}

const TYPE_USES: ReadonlySet<string> = new Set(['type', 'extends', 'implements']);

/** Gives a use the name of the binding that it means; false if it means nothing that the facts can name. */
function renameUse(reference: RawReference, meaningOf: Meaning): boolean {
  const { kind, name, receiver, at } = reference;
  if (TYPE_USES.has(kind)) return true;
  const [makes, root, rest] = splitRoot(receiver === '' ? name : receiver);
  const found = makes === '' ? meaningOf(root, at) : undefined;
  if (found === undefined) return true;
  if (kind === 'value' || (receiver === '' && (kind === 'read' || kind === 'write'))) return false;
  if (receiver !== '') reference.receiver = accessPathFrom(found, rest) || '?';
  else {
    // `const { run } = tools(); run()` is a call of `tools().run`.
    const value = found?.value ?? '';
    const dot = value.lastIndexOf('.');
    const isMember = dot > 0 && /^[^()[\]]+$/.test(value.slice(dot + 1));
    reference.receiver = isMember ? value.slice(0, dot) : '?';
    if (isMember) reference.name = value.slice(dot + 1);
  }
  return true;
}

/** A name that no source can write. */
function ownName({ name, at }: RawBinding): string {
  const own = `${name}#${at}`;
  return own.length > MAX_STRING_LENGTH ? `#${at}` : own;
}

/** The access path that begins with a binding; '' if that leads nowhere. */
function accessPathFrom(binding: RawBinding | null, rest: string): string {
  if (binding === null || (binding.type === '' && binding.value === '')) return '';
  const accessPath = ownName(binding) + rest;
  return accessPath.length > MAX_STRING_LENGTH ? '' : accessPath;
}

function splitRoot(accessPath: string): [makes: string, root: string, rest: string] {
  const match = /^(new )?([^.()[\]{]*)(.*)$/s.exec(accessPath);
  return [match?.[1] ?? '', match?.[2] ?? '', match?.[3] ?? ''];
}

/** Functions without a name, by position. */
class Functions {
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  /** Index of the function around it, -1 for none. */
  private readonly outer: number[] = [];

  constructor(tree: SyntaxTree, kinds: readonly string[]) {
    const numbers = new Set(kinds.flatMap((kind) => tree.names.numbers.get(kind) ?? []));
    const stack: number[] = [];
    for (let i = 0; i < tree.count && this.starts.length < MAX_FUNCTIONS; i++) {
      if (!numbers.has(tree.kind[i])) continue;
      const [start, end] = [tree.start[i], tree.end[i]];
      while (stack.length > 0 && this.ends[stack[stack.length - 1]] <= start) stack.pop();
      this.outer.push(stack[stack.length - 1] ?? -1);
      stack.push(this.starts.length);
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  /** The offset at which a function starts, -1 for none. */
  startOf(index: number): number {
    return this.starts[index] ?? -1;
  }

  /** The innermost function around an offset, -1 for none. */
  around(at: number): number {
    let index = firstFrom(this.starts.length, (i) => this.starts[i] <= at) - 1;
    while (index !== -1 && this.ends[index] <= at) index = this.outer[index];
    return index;
  }

  /** Nearest binding of a name, see `Meaning`. Of several in one function the last one before the offset counts. */
  nearest({ bindings, symbols }: Inner, at: number): RawBinding | null | undefined {
    let place = this.around(at);
    for (let depth = 0; place !== -1 && depth < MAX_SCOPE_DEPTH; depth++) {
      const here = bindings.get(place);
      if (here !== undefined) return lastBefore(here, at);
      if (symbols.has(place)) return undefined;
      place = this.outer[place];
    }
    return symbols.size === 0 || symbols.has(-1) ? undefined : null;
  }
}

function lastBefore(bindings: readonly RawBinding[], at: number): RawBinding {
  return bindings[Math.max(0, firstFrom(bindings.length, (i) => bindings[i].at <= at) - 1)];
}

// Types that a block alone declares

/** Takes the place of a hidden type in other types. */
const UNKNOWN = 'unknown';

type Hidden = RawRelations['hidden'][number];

/** Types of one name that blocks declare for themselves. */
interface InnerTypes {
  /** Blocks whose type is a symbol: uses in them mean it. */
  open: TextRange[];
  /** Blocks whose type is none, and all that surrounds the type of an open one up to the next function: there the name means nothing. */
  closed: TextRange[];
  /** True if several blocks of one function have such a type: a binding may then mean either. */
  isUnclear: boolean;
}

/**
 * Drops uses of types that blocks declare for themselves, and what bindings say by their names, except where a symbol of the scope can
 * be meant. A type in a callback has no symbol around it, so that all of the file would see it: one whose name the file defines or
 * imports, too, is marked as shadowed.
 */
export function hideTypes(raw: RawRelations, drafts: readonly Draft[]): void {
  if (raw.hidden.length === 0) return;
  const byName = findAndShadowInnerTypes(raw, drafts);
  const isIn = (ranges: readonly TextRange[], at: number): boolean =>
    ranges.some(({ start, end }) => start <= at && at < end);
  const isHidden = (name: string, at: number): boolean => {
    const inner = byName.get(name);
    return inner !== undefined && !isIn(inner.open, at) && isIn(inner.closed, at);
  };
  raw.references = raw.references.filter(({ kind, name, receiver, at }) => {
    if (kind !== 'type' && kind !== 'extends' && kind !== 'implements') return true;
    return !isHidden(receiver === '' ? name : (receiver.split('.', 1)[0] ?? ''), at);
  });
  for (const binding of raw.bindings) {
    if (binding.type === '') continue;
    binding.type = binding.type.replace(WORD, (word) =>
      isHidden(word, binding.at) || byName.get(word)?.isUnclear ? UNKNOWN : word,
    );
  }
}

const INNER_KINDS: ReadonlySet<SymbolKind> = new Set(['type', 'interface', 'enum']);

/** Finds the types that blocks declare, by name, and marks as `shadowed` those that all of the file would take for another one. */
function findAndShadowInnerTypes(raw: RawRelations, drafts: readonly Draft[]): Map<string, InnerTypes> {
  const hidden = new Map<string, Hidden[]>();
  for (const one of raw.hidden) addFew(hidden, one.name, one);
  const named = new Map<string, Draft[]>();
  for (const draft of drafts) if (hidden.has(draft.name) && isNamedDirectly(draft)) addFew(named, draft.name, draft);
  const imported = importedNames(raw);
  const byName = new Map<string, InnerTypes>();
  for (const [name, blocks] of hidden) {
    const inner: InnerTypes = { open: [], closed: [], isUnclear: false };
    const blocksAround = (draft: Draft) => blocks.filter(({ start, end }) => start <= draft.start && draft.start < end);
    const all = (named.get(name) ?? []).map((draft) => ({
      draft,
      around: INNER_KINDS.has(draft.kind) ? blocksAround(draft) : [],
    }));
    const isNameOfFile =
      imported.has(name) || all.some((one) => one.around.length === 0 && one.draft.container === null);
    inner.closed.push(...blocks);
    const scopes = new Set<Draft | null>();
    for (const { draft, around } of all) {
      if (around.length === 0) continue;
      if (draft.container === null && isNameOfFile) {
        draft.shadowed = true;
        continue;
      }
      inner.isUnclear ||= scopes.has(draft.container);
      scopes.add(draft.container);
      inner.open.push(...around);
      inner.closed.push(draft.container ?? { start: 0, end: Number.POSITIVE_INFINITY });
    }
    byName.set(name, inner);
  }
  return byName;
}

const WORD = /(?<![\w$.])[A-Za-z_$][\w$]*(?![\w$])/g;

// Receivers that a block leaves out

/** Puts the receiver that a function lets its body leave out before bare names that are no locals. The innermost function counts. */
export function addImpliedReceivers(raw: RawRelations, drafts: readonly Draft[]): void {
  if (raw.implied.length === 0) return;
  const ranges = raw.implied.sort((a, b) => a.start - b.start || b.end - a.end);
  const locals = localsOf(raw);
  const around = new Enclosing([...drafts].sort(inDocumentOrder));
  const open: number[] = [];
  let next = 0;
  for (const reference of raw.references.sort((a, b) => a.at - b.at)) {
    const { at } = reference;
    for (; next < ranges.length && ranges[next].start <= at; next++) open.push(next);
    while (open.length > 0 && ranges[open[open.length - 1]].end <= at) open.pop();
    if (open.length === 0) continue;
    const { start, accessPath } = ranges[open[open.length - 1]];
    // `super` in a class without a name is its only parent.
    const parent = /^new [\w$.]+\(\)(?=\.run\{=\}$)/.exec(accessPath)?.[0];
    if (parent !== undefined) reference.receiver = reference.receiver.replace(/^super(?=$|\.)/, parent);
    if (!canBeMember(reference)) continue;
    const first = around.function(at);
    const from = first === -1 ? start : around.drafts[first].start;
    if (locals.get(rootOf(reference))?.some((local) => local >= from && local <= at)) continue;
    const { receiver } = reference;
    reference.receiver = receiver === '' ? accessPath : `${accessPath}.${receiver}`;
  }
}

function localsOf({ bindings }: RawRelations): Map<string, number[]> {
  const locals = new Map<string, number[]>();
  for (const { place, of, name, at } of bindings) {
    if (place !== 'local' || of === 'assigned') continue;
    addTo(locals, name, at);
  }
  return locals;
}

const KINDS: ReadonlySet<string> = new Set(['call', 'read', 'write', 'value']);

/** Types and the current instance are no members of the receiver. */
function canBeMember(reference: RawReference): boolean {
  const root = rootOf(reference);
  return KINDS.has(reference.kind) && !/^(?:this|super|new\b|\?|"|\p{Lu})/u.test(root);
}

function rootOf({ receiver, name }: RawReference): string {
  return receiver === '' ? name : (/^[^.()[\]{]*/.exec(receiver)?.[0] ?? '');
}

// Functions without a name that answer a route: symbols without a chunk of their own

/** Returns the definitions with these functions among them, around what is defined in them, and adds a use of each to the relations. */
export function withRouteClosures(text: string, drafts: Draft[], relations: RawRelations, language: string): Draft[] {
  const { routeNames } = conventionsOf(language);
  const found = routeClosures(text, relations.references, routeNames);
  if (found.length === 0) return drafts;
  const written = new Map(drafts.map((draft) => [draft.nameStart, draft]));
  const closures = found.flatMap(({ name, at, start, end, use }) => {
    // `cart() { … }` in a map of resolvers has a name.
    const named = use.kind === 'route' ? written.get(use.at) : undefined;
    if (named !== undefined) {
      use.name = named.name;
      use.receiver = named.container?.name ?? '';
      return [];
    }
    if (use.kind === 'route') use.name = name;
    else
      relations.references.push({ ...use, at, end: start, kind: 'value', name, receiver: '', args: -1, literal: '' });
    const draft: Draft = {
      ...{ name, kind: 'function', container: null, exported: false, assigned: true, start, end, headStart: start },
      ...{ nameStart: start, signatureEnd: start, doc: null, bodied: true, opens: false, owner: null },
    };
    return [draft];
  });
  if (closures.length === 0) return drafts;
  const all = [...drafts, ...closures].sort(inDocumentOrder);
  const own = new Set(closures);
  const around: Draft[] = [];
  for (const draft of all) {
    while (around.length > 0 && around[around.length - 1].end < draft.end) around.pop();
    const outer = around[around.length - 1];
    // A definition stays with an owner that the text names.
    if (outer !== undefined && (own.has(draft) || (own.has(outer) && isAround(draft.container, outer))))
      draft.container = outer;
    around.push(draft);
  }
  return all;
}

/** Is a definition outside of another one, or none at all? */
const isAround = (outer: Draft | null, inner: Draft): boolean =>
  outer === null || (outer.start <= inner.start && outer.end >= inner.end);
