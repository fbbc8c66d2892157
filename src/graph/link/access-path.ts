/** Evaluates access paths (`this.cart.items[].total()`) from their first name on. */

import { COMPUTED } from '../../languages/roles/access-path.js';
import {
  ADDING_METHODS,
  ELEMENT_METHODS,
  HANDING_ON,
  MAPPING_METHODS,
  SAME_METHODS,
} from '../../languages/roles/container-methods.js';
import { type AccessPath, isCall, isTold, type Mark, parseAccessPath, type Segment } from './access-path-text.js';
import { bindingAt, bindingValue } from './bindings.js';
import { called } from './calls.js';
import type { Context } from './context.js';
import { extensionByName } from './extensions.js';
import { CALLED, EXPECTED_KINDS, type ExpectedKinds, FUNCTIONS, PATH_ROOTS, ROOTS, TYPES, VALUES } from './kinds.js';
import { type GivenMark, givenBy, givenByMember } from './lambdas.js';
import { lookup } from './lookup.js';
import { fromParents } from './members.js';
import { findName } from './names.js';
import { parameterOf, withClass } from './parameters.js';
import { elementOfInstance } from './protocols.js';
import { rootOf } from './roots.js';
import { toldBetter } from './told.js';
import { boundValue, instanceOf, statedValue, typeValue } from './types.js';
import {
  type AbstractValue,
  EXTERNAL,
  mapValues,
  type NameResolution,
  type SymbolRef,
  severalValues,
  UNKNOWN_NAME,
  UNKNOWN_TYPE,
} from './values.js';

/** Value of an access path at a line of a file, inside of the symbol `scope`; null if it is unknown. */
export function accessPathValue(
  ctx: Context,
  file: number,
  scope: number,
  text: string,
  line: number,
  roots: ExpectedKinds = ROOTS,
): AbstractValue | null {
  const key = `${file} ${scope} ${Number.isFinite(line) ? line : ''}${roots === ROOTS ? '' : '!'} ${text}`;
  const known = ctx.accessPaths.get(key);
  if (known !== undefined) return known;
  if (!ctx.enter()) return null;
  const span = ctx.startSpan();
  const chain = parseAccessPath(text);
  const value = chain === null ? null : follow(ctx, file, scope, chain, line, roots);
  if (ctx.endSpan(span)) ctx.accessPaths.set(key, value);
  ctx.leave();
  return value;
}

function follow(
  ctx: Context,
  file: number,
  scope: number,
  { makes, segments }: AccessPath,
  line: number,
  roots: ExpectedKinds,
): AbstractValue | null {
  if (makes) return followMade(ctx, file, scope, segments);
  const [start, used] = rootOf(ctx, file, scope, segments, line, roots);
  let value = marked(ctx, file, start, segments[used - 1]);
  for (const [index, segment] of segments.slice(used).entries()) {
    if (typeof segments[used + index - 1].marks.at(-1) === 'number') value = ofRest(ctx, value);
    if (value === null) return null;
    const inside = value.is === 'external' ? null : next(ctx, file, value, segment);
    const extended = inside ?? extensionResult(ctx, file, scope, segment, value.is === 'external');
    if (extended === null && value.is === 'external') return isGiven(segments) ? null : value;
    value = extended;
  }
  return value;
}

/** The type of an object in a call: never a list, but the element of one that takes the rest of the arguments (`...carts: Cart[]`). */
export function ofRest(ctx: Context, value: AbstractValue | null): AbstractValue | null {
  if (value?.is === 'several') return mapValues(value, (one) => (one.is === 'list' ? elementOf(ctx, one) : one));
  return value?.is === 'list' ? elementOf(ctx, value) : value;
}

/** Result of an extension function that is called on a value of another type than those of the repository, or an unknown one. */
function extensionResult(
  ctx: Context,
  file: number,
  symbol: number,
  segment: Segment,
  fromOutside: boolean,
): AbstractValue | null {
  if (file !== ctx.file || segment.marks[0] !== '()') return null;
  const found = extensionByName(ctx, { name: segment.name, receiver: '?', symbol }, fromOutside);
  return found === null ? null : marked(ctx, file, found.value, segment);
}

/** Is a value part of the path that a function gets? Code outside of the repository can give one of its types. */
function isGiven(segments: readonly Segment[]): boolean {
  return segments.some(({ marks }) => marks.includes('{}') || marks.includes('{=}'));
}

function isGivenMark(mark: Mark | undefined): mark is GivenMark {
  return mark === '{}' || mark === '{=}' || mark === '{:}';
}

/** Evaluates `new shop.Cart().items[]`, where the names up to the first call are a type. */
function followMade(ctx: Context, file: number, scope: number, segments: readonly Segment[]): AbstractValue | null {
  const called = segments.findIndex(({ marks }) => marks.length > 0);
  const count = called < 0 ? segments.length : called + 1;
  const path = segments.slice(0, count).map(({ name }) => name);
  const found = findPath(ctx, file, scope, path, EXPECTED_KINDS.new);
  let value: AbstractValue | null = found === null ? EXTERNAL : instanceOf(ctx, found.value);
  for (const mark of segments[count - 1].marks.slice(1)) value = apply(ctx, file, value, mark);
  for (const segment of segments.slice(count)) {
    if (value === null || value.is === 'external') return value;
    value = next(ctx, file, value, segment);
  }
  return value;
}

/** Resolves a path of names such as `shop.Cart`, `crate.cart.Cart` or `Cart`; null if it is unknown. */
export function findPath(
  ctx: Context,
  file: number,
  scope: number,
  path: readonly string[],
  expected: ExpectedKinds,
): NameResolution | null {
  if (path.length === 1) return findName(ctx, file, scope, path[0], expected, Number.POSITIVE_INFINITY);
  if (ctx.symbols.semantics(file).dottedNames) {
    const whole = findName(ctx, file, scope, path.join('.'), expected, Number.POSITIVE_INFINITY);
    if (whole?.value?.is === 'symbol') return whole;
  }
  const value = accessPathValue(ctx, file, scope, path.slice(0, -1).join('.'), Number.POSITIVE_INFINITY, PATH_ROOTS);
  if (value === null) return UNKNOWN_NAME;
  return lookup(ctx, file, value, path[path.length - 1], expected);
}

/** Value of a member, after the calls and indexes that follow its name. */
function next(ctx: Context, file: number, value: AbstractValue, segment: Segment): AbstractValue | null {
  const { name, marks } = segment;
  if (isGivenMark(marks[0])) {
    return marked(ctx, file, givenByMember(ctx, file, value, name, marks[0]), { name, marks: marks.slice(1) });
  }
  if (value.is === 'several') {
    const each = (one: AbstractValue) => (one.is === 'external' ? null : next(ctx, file, one, segment));
    // Any name is an index: a part that has a member of that name tells more.
    const stated = value.values.filter((one) => one.is !== 'shape' || one.index === undefined);
    const found =
      value.together && stated.length < value.values.length ? mapValues({ ...value, values: stated }, each) : null;
    return found ?? mapValues(value, each);
  }
  if (name.startsWith(COMPUTED) && isIndexed(value)) return marked(ctx, file, elementOf(ctx, value), segment);
  if (value.is === 'list') {
    if (typeof marks[0] === 'number') {
      const added = ADDING_METHODS.has(name) ? elementOf(ctx, value) : null;
      return marks.length === 1 ? added : marked(ctx, file, added, { name, marks: marks.slice(1) });
    }
    if (ELEMENT_METHODS.has(name)) return handed(ctx, file, elementOf(ctx, value), segment);
    if (SAME_METHODS.has(name)) return handed(ctx, file, value, segment);
    if (MAPPING_METHODS.has(name)) return handed(ctx, file, { ...value, element: UNKNOWN_TYPE }, segment);
    return isCall(segment.marks[0]) ? null : EXTERNAL;
  }
  const expected = isCalled(segment.marks[0]) ? CALLED : ROOTS;
  const found = lookup(ctx, file, value, writtenName(name), expected);
  // A constant in brackets that no member is declared with is an index.
  if (found === null && name.startsWith(COMPUTED))
    return marked(ctx, file, elementOf(ctx, settled(ctx, value)), segment);
  if (found === null && value.is === 'instance' && HANDING_ON.has(name)) return handed(ctx, file, value, segment);
  if (found === null && isMaker(ctx, value, segment))
    return handed(ctx, file, { is: 'instance', file: value.file, symbol: value.symbol }, segment);
  return found === null ? null : marked(ctx, file, found.value, segment);
}

/** A member that is declared as `[STATE_KEY]` has the brackets in its name. */
const writtenName = (name: string): string => (name.startsWith(COMPUTED) ? `[${name.slice(COMPUTED.length)}]` : name);

const isIndexed = ({ is }: AbstractValue): boolean => is === 'list' || is === 'tuple' || is === 'parameters';

function isCalled(mark: Mark | undefined): boolean {
  return isCall(mark) || (typeof mark === 'object' && ('wanted' in mark || 'typed' in mark));
}

/** `Fields::default()`, where a macro writes the function. */
function isMaker(
  ctx: Context,
  value: AbstractValue,
  { name, marks }: Segment,
): value is AbstractValue & { is: 'symbol' } {
  if (value.is !== 'symbol' || marks[0] !== '()') return false;
  if (!TYPES.has(ctx.symbols.symbol(value.file, value.symbol).kind)) return false;
  return ctx.symbols.semantics(value.file).constructorNames.has(name);
}

/**
 * Applies a method that returns its receiver's content. The first call is skipped, as the value is the same without it.
 */
function handed(
  ctx: Context,
  file: number,
  value: AbstractValue | null,
  { name, marks }: Segment,
): AbstractValue | null {
  return marked(ctx, file, value, { name, marks: isCall(marks[0]) ? marks.slice(1) : marks });
}

function marked(ctx: Context, file: number, start: AbstractValue | null, segment: Segment): AbstractValue | null {
  let value = start;
  for (const mark of segment.marks) value = apply(ctx, file, value, mark);
  return segment.marks.length > 0 ? value : settled(ctx, value);
}

function apply(ctx: Context, file: number, value: AbstractValue | null, mark: Mark): AbstractValue | null {
  if (isTold(mark)) return toldBetter(ctx, file, value, mark);
  if (value === null || value.is === 'external') return value;
  if (typeof mark === 'number') return parameterOf(ctx, value, mark);
  if (isGivenMark(mark)) return givenBy(ctx, value, mark);
  if (mark === '[]') return elementOf(ctx, settled(ctx, value));
  if (mark === '()') return called(ctx, value);
  if ('typed' in mark) return withClass(ctx, file, value, mark.typed);
  return called(ctx, withClass(ctx, file, value, mark.given));
}

/** Element of a collection; of a tuple the item of that number, else any of them. */
export function elementOf(ctx: Context, value: AbstractValue | null, number?: number): AbstractValue | null {
  if (value === null || value.is === 'external') return value;
  if (value.is === 'list') return boundValue(ctx, value.file, value.scope, value.element);
  if (value.is === 'tuple') {
    const { file, scope, items } = value;
    const meant = number === undefined ? items : items.slice(number, number + 1);
    return severalValues(meant.map((item) => boundValue(ctx, file, scope, item)));
  }
  if (value.is === 'shape')
    return value.index === undefined ? null : boundValue(ctx, value.file, value.scope, value.index);
  if (value.is === 'parameters') return number === undefined ? null : parameterOf(ctx, value.of, number);
  if (value.is === 'several') return mapValues(value, (one) => elementOf(ctx, one, number));
  if (value.is === 'instance') return elementOfType(ctx, value) ?? elementOfInstance(ctx, value);
  if (value.is === 'symbol' && FUNCTIONS.has(ctx.symbols.symbol(value.file, value.symbol).kind)) {
    return elementOf(ctx, ctx.ask.resultOf(ctx, value));
  }
  return null;
}

/** Element of a type that is declared as a collection: `type Items []Item`. */
function elementOfType(ctx: Context, { file, symbol }: SymbolRef): AbstractValue | null {
  const { name, kind } = ctx.symbols.symbol(file, symbol);
  if (kind !== 'type') return null;
  const declared = ctx.symbols.bindingsNamed(file, `${name}[]`)[0];
  const list = declared === undefined ? null : typeValue(ctx, file, -1, declared.type);
  return list?.is === 'list' ? elementOf(ctx, list) : null;
}

/** Value held by a symbol that is mentioned but not called. */
export function settled(ctx: Context, value: AbstractValue | null): AbstractValue | null {
  if (value === null || value.is !== 'symbol') return value;
  const stated = statedValue(ctx, value);
  if (stated !== null) return stated;
  const { file, symbol, args } = value;
  const { kind, name, container } = ctx.symbols.symbol(file, symbol);
  if (kind === 'enum-member') return container < 0 ? value : { is: 'instance', file, symbol: container };
  if (ctx.symbols.isDecorated(file, symbol, 'getters')) return ctx.ask.resultOf(ctx, value);
  if (!VALUES.has(kind)) return value;
  const binding = bindingAt(ctx, file, container, name, Number.POSITIVE_INFINITY) ?? ctx.symbols.result(file, symbol);
  const held = binding === undefined ? null : bindingValue(ctx, file, binding, Number.POSITIVE_INFINITY, args);
  return held === null || held.is === 'external' ? (declaredAbove(ctx, value) ?? held ?? value) : held;
}

/** Value of a field from a parent type, if the field is declared again without a type. */
function declaredAbove(ctx: Context, { file, symbol }: AbstractValue & { is: 'symbol' }): AbstractValue | null {
  const { name, container } = ctx.symbols.symbol(file, symbol);
  if (container < 0 || !TYPES.has(ctx.symbols.symbol(file, container).kind) || !ctx.enter()) return null;
  const found = fromParents(ctx, { file, symbol: container }, name, ROOTS)?.value ?? null;
  const held = found?.is === 'symbol' && found.symbol === symbol && found.file === file ? null : settled(ctx, found);
  ctx.leave();
  return held === null || held.is === 'external' || held.is === 'symbol' ? null : held;
}
