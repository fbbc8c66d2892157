/** Evaluates access paths (`this.cart.items[].total()`): follows their segments from the first name on. */
import {
  COMPUTED,
  isCall,
  isCalled,
  isGiven,
  isGivenMark,
  isNarrowing,
  type Mark,
  outsideCall,
  type ParsedPath,
  parseAccessPath,
  type Segment,
} from '../../languages/roles/access-path.js';
import {
  ADDING_METHODS,
  ELEMENT_METHODS,
  FLUENT_METHODS,
  HANDING_ON,
  MAPPING_METHODS,
  SAME_METHODS,
} from '../../languages/roles/type-expressions.js';
import {
  called,
  elementOf,
  elementOfIterator,
  givenBy,
  givenByMember,
  givesHeld,
  parameterOf,
  resultOf,
  withClass,
} from './calls.js';
import { byPath, lookup, MAX_PATH_NAMES, MODULE_ROOTS, narrowed, type Root, typeIn } from './lookup.js';
import { fromParents } from './members.js';
import { putOnExport } from './modules.js';
import { findJoined, findName, fixtureNamed } from './names.js';
import { alternativesOf, bindingAround, bindingAt, bindingValue, enclosingType, extensionByName } from './scopes.js';
import { OWN } from './symbol-index.js';
import type { Context } from './symbol-table.js';
import { instanceOf, statedValue } from './types.js';
import {
  type AbstractValue,
  CALLED,
  EXPECTED_KINDS,
  EXTERNAL,
  FIXTURE,
  GIVEN_BY_CALLER,
  GUESSED_OUTSIDE,
  mapValues,
  type NameResolution,
  PATH_ROOTS,
  partOutside,
  RESOLVED_OUTSIDE,
  ROOTS,
  type Scope,
  type Several,
  type SymbolRef,
  severalValues,
  TYPES,
  type TypeArguments,
  UNKNOWN_NAME,
  UNKNOWN_TYPE,
  VALUES,
  wholeScope,
} from './values.js';

/** Value of an access path in a scope; null if it is unknown. */
export function accessPathValue(ctx: Context, scope: Scope, text: string): AbstractValue | null {
  const { file, symbol, line, expected } = scope;
  const key = `${file} ${symbol} ${Number.isFinite(line) ? line : ''}${expected === ROOTS ? '' : '!'} ${text}`;
  const known = ctx.accessPaths.get(key);
  if (known !== undefined) return known;
  if (!ctx.enter()) return null;
  const span = ctx.startSpan();
  const path = parseAccessPath(text);
  const value = path === null ? null : follow(ctx, scope, path);
  if (ctx.endSpan(span)) ctx.accessPaths.set(key, value);
  ctx.leave();
  return value;
}

/** Value of a parsed path: that of its root, which takes one name or several, and then of one segment after the other. */
function follow(ctx: Context, scope: Scope, { makes, segments }: ParsedPath): AbstractValue | null {
  const { file, symbol } = scope;
  if (makes) return followMade(ctx, file, symbol, segments);
  const [start, used] = rootOf(ctx, scope, segments);
  const first = segments[used - 1];
  let value = marked(ctx, file, start, first);
  if (!isKnown(value)) value = ofContainer(ctx, file, symbol, first) ?? value;
  for (const [index, segment] of segments.slice(used).entries()) {
    if (typeof segments[used + index - 1].marks.at(-1) === 'number') value = ofRest(ctx, value);
    const given = isKnown(value) ? null : ofContainer(ctx, file, symbol, segment);
    if (given !== null) {
      value = given;
      continue;
    }
    if (value === null) return null;
    const extended = extendedBy(ctx, scope, value, segments, used + index);
    if (extended === null && value.is === 'external')
      return isGiven(segments)
        ? null
        : outsideCall(segments.slice(used + index))
          ? GUESSED_OUTSIDE
          : partOutside(value);
    value = extended;
  }
  return value;
}

/** Value of a path up to the segment at `at`, from that of the segments before it. */
function extendedBy(
  ctx: Context,
  { file, symbol }: Scope,
  value: AbstractValue,
  segments: readonly Segment[],
  at: number,
): AbstractValue | null {
  const [first, segment] = [segments[0], segments[at]];
  const member = value.is === 'external' ? null : next(ctx, file, value, segment);
  const isSecond = member === null && at === 1 && first.marks.length === 0;
  const inside = isSecond ? (underImport(ctx, file, [first.name, segment.name])?.value ?? null) : member;
  if (inside !== null) return inside;
  const put = isSecond ? putOnExport(ctx, file, first.name, segment.name) : null;
  return (
    (put === null ? null : marked(ctx, file, put, segment)) ??
    (at === 1 ? ofTopModule(ctx, file, first, segment) : null) ??
    extensionResult(ctx, { file, symbol }, segment, value)
  );
}

/** A member of the module at the top that an inner one of the same name hides: `::Shop::Till` in `Shop::Shop`. */
function ofTopModule(ctx: Context, file: number, first: Segment, segment: Segment): AbstractValue | null {
  if (ctx.symbols.semantics(file).dottedNames !== '::' || !/^\p{Lu}/u.test(segment.name)) return null;
  const top = findName(ctx, wholeScope(file, -1, PATH_ROOTS), first.name)?.value ?? null;
  return top?.is === 'symbol' ? next(ctx, file, top, segment) : null;
}

const isKnown = (value: AbstractValue | null): boolean => value !== null && value.is !== 'external';

/** Functions of containers that give an instance of the class which they are asked for: `app.get(Cart)`, `inject(Cart)`. */
const CONTAINER_METHODS: ReadonlySet<string> = new Set(['get', 'inject', 'resolve', 'getInstance', 'getService']);

/** Instance that a container from outside of the repository gives; null if it is asked for something else than a class. */
function ofContainer(ctx: Context, file: number, symbol: number, { name, marks }: Segment): AbstractValue | null {
  const asked = marks[0];
  if (typeof asked !== 'object' || !('given' in asked) || !CONTAINER_METHODS.has(name)) return null;
  // `http.get<Cart>(url)` gives a response.
  if (name === 'get' && asked.given.startsWith('<')) return null;
  const named = findName(ctx, wholeScope(file, symbol), asked.given.replace(/[<>]/g, ''))?.value ?? null;
  if (named?.is !== 'symbol' || ctx.symbols.symbol(named.file, named.symbol).kind !== 'class') return null;
  return marked(ctx, file, instanceOf(ctx, named), { name, marks: marks.slice(1) });
}

/** Type of an object that is an argument. A parameter that is a list takes the rest of the arguments: `...carts: Cart[]`. */
export function ofRest(ctx: Context, value: AbstractValue | null): AbstractValue | null {
  if (value?.is === 'several') return mapValues(value, (one) => (one.is === 'list' ? elementOf(ctx, one) : one));
  return value?.is === 'list' ? elementOf(ctx, value) : value;
}

/** Result of an extension function called on a value of an unknown type, or of one from outside of the repository. */
function extensionResult(
  ctx: Context,
  { file, symbol }: SymbolRef,
  segment: Segment,
  receiver: AbstractValue,
): AbstractValue | null {
  if (file !== ctx.file || !isCall(segment.marks[0])) return null;
  const called = { name: segment.name, receiver: '?', symbol, startLine: 0 };
  const found = extensionByName(ctx, called, receiver.is === 'external');
  if (found === null) return null;
  // The value of a wrapper is that of what it holds.
  if (receiver.is !== 'external' && givesHeld(ctx, found.value)) return handed(ctx, file, receiver, segment);
  return marked(ctx, file, found.value, segment);
}

/** Evaluates `new shop.Cart().items[]`, where the names up to the first call are a type. */
function followMade(ctx: Context, file: number, symbol: number, segments: readonly Segment[]): AbstractValue | null {
  const called = segments.findIndex(({ marks }) => marks.length > 0);
  const count = called < 0 ? segments.length : called + 1;
  const path = segments.slice(0, count).map(({ name }) => name);
  const found = findPath(ctx, wholeScope(file, symbol, EXPECTED_KINDS.new), path);
  let value: AbstractValue | null = found === null ? EXTERNAL : instanceOf(ctx, found.value);
  for (const mark of segments[count - 1].marks.slice(1)) value = apply(ctx, file, value, mark);
  for (const segment of segments.slice(count)) {
    if (value === null || value.is === 'external') return value;
    value = next(ctx, file, value, segment);
  }
  return value;
}

/** Resolves a path of names such as `shop.Cart`, `crate.cart.Cart` or `Cart`; null if it is unknown. */
export function findPath(ctx: Context, scope: Scope, path: readonly string[]): NameResolution | null {
  if (path.length === 1) return findName(ctx, scope, path[0]);
  const { file, expected } = scope;
  const { dottedNames } = ctx.symbols.semantics(file);
  if (dottedNames !== '') {
    const whole = findJoined(ctx, scope, path);
    if (whole?.value?.is === 'symbol' && whole.tier !== 'ambiguous') return whole;
  }
  const value = accessPathValue(ctx, { ...scope, expected: PATH_ROOTS }, path.slice(0, -1).join('.'));
  if (value === null) return underImport(ctx, file, path) ?? UNKNOWN_NAME;
  const last = path[path.length - 1];
  const member = lookup(ctx, file, value, last, expected);
  // A name that no file declares is taken for one from outside, and can be a namespace.
  const found = isKnown(member?.value ?? null) ? member : (underImport(ctx, file, path) ?? member);
  if (path.length !== 2 || (found !== null && found.value?.is !== 'external')) return found;
  const put = putOnExport(ctx, file, path[0], last);
  return put === null ? found : { value: put, tier: 'receiver' };
}

/** A type below the name of an import, as `Stmt\Use_` after `use Ast\Stmt`, or else below the file's own namespace. */
export function underImport(ctx: Context, file: number, path: readonly string[]): NameResolution | null {
  if (ctx.symbols.semantics(file).paths !== '\\' || !path.every((name) => /^\p{Lu}/u.test(name))) return null;
  let isImported = false;
  for (const { at } of ctx.symbols.aliases(file, path[0])) {
    const { specifier, names } = ctx.symbols.import(file, at);
    const imported = names.find(({ alias }) => alias === path[0]);
    if (imported === undefined) continue;
    isImported = true;
    const value = typeAt(ctx, file, [...specifier.split('\\').filter(Boolean), imported.name, ...path.slice(1)]);
    if (value !== null) return { value, tier: 'imported' };
  }
  // The resolver of PHP reads `namespace\Access\Gate` as the language does: from the namespace of the file.
  const value = isImported ? null : typeAt(ctx, file, ['namespace', ...path]);
  return value === null ? null : { value, tier: 'imported' };
}

function typeAt(ctx: Context, file: number, whole: readonly string[]): AbstractValue | null {
  return typeIn(ctx, file, ctx.symbols.filesOfPath(file, -1, whole.join('\\')), whole);
}

/** Value of a member, after the calls and indexes that follow its name. */
function next(ctx: Context, file: number, value: AbstractValue, segment: Segment): AbstractValue | null {
  const { name, marks } = segment;
  if (isGivenMark(marks[0])) {
    const given = givenByMember(ctx, file, value, name, marks[0]) ?? elementGiven(ctx, file, value, name);
    return marked(ctx, file, given, { name, marks: marks.slice(1) });
  }
  if (value.is === 'several') return nextOfEach(ctx, file, value, segment);
  if (name.startsWith(COMPUTED) && isIndexed(value)) return marked(ctx, file, elementOf(ctx, value), segment);
  if (value.is === 'list') return nextOfList(ctx, file, value, segment);
  if (value.is === 'tuple') return nextOfTuple(ctx, file, value, segment);
  // A part of what an iterator gives: a map is known as a list of its values.
  if (PART.test(name)) return name === '#1' ? value : null;
  return nextOfType(ctx, file, value, segment);
}

/** `pair.1` of a tuple; an option of a pair is the pair. */
function nextOfTuple(ctx: Context, file: number, value: AbstractValue, segment: Segment): AbstractValue | null {
  const { name } = segment;
  if (/^#?\d+$/.test(name)) return marked(ctx, file, elementOf(ctx, value, Number(name.replace('#', ''))), segment);
  const isOption = HANDING_ON.has(name) && ctx.symbols.semantics(file).paths === '::';
  return isOption ? handed(ctx, file, value, segment) : nextOfType(ctx, file, value, segment);
}

function nextOfType(ctx: Context, file: number, value: AbstractValue, segment: Segment): AbstractValue | null {
  const { name, marks } = segment;
  const found = lookup(ctx, file, value, writtenName(name), isCalled(marks[0]) ? CALLED : ROOTS);
  const isOuter = found?.value?.is === 'external' && value.is === 'instance' && FLUENT_METHODS.has(name);
  return found === null || isOuter ? undeclared(ctx, file, value, segment) : marked(ctx, file, found.value, segment);
}

const PART = /^#\d$/;

/** A closure of Rust gets what iterators and options hold, unless the repository has the method. */
function elementGiven(ctx: Context, file: number, value: AbstractValue, name: string): AbstractValue | null {
  if (ctx.symbols.semantics(file).paths !== '::') return null;
  if (value.is === 'instance' && elementOfIterator(ctx, value) !== null) return null;
  const found = value.is === 'list' ? null : (lookup(ctx, file, value, name, CALLED)?.value ?? null);
  if (found?.is === 'symbol') return null;
  return value.is === 'instance' ? { ...value, wrapped: undefined } : value.is === 'tuple' ? value : null;
}

function nextOfEach(ctx: Context, file: number, value: Several, segment: Segment): AbstractValue | null {
  const each = (one: AbstractValue) => (one.is === 'external' ? null : next(ctx, file, one, segment));
  // A part with an index has any member, so the other parts of an intersection are tried first.
  const stated = value.values.filter((one) => one.is !== 'shape' || one.index === undefined);
  const found =
    value.together && stated.length < value.values.length ? mapValues({ ...value, values: stated }, each) : null;
  return found ?? mapValues(value, each);
}

/** Value of a member of a list, by the name alone: the types of lists are outside of the repository. */
function nextOfList(
  ctx: Context,
  file: number,
  value: AbstractValue & { is: 'list' },
  segment: Segment,
): AbstractValue | null {
  const { name, marks } = segment;
  if (typeof marks[0] === 'number') {
    const added = ADDING_METHODS.has(name) ? elementOf(ctx, value) : null;
    return marks.length === 1 ? added : marked(ctx, file, added, { name, marks: marks.slice(1) });
  }
  if (ELEMENT_METHODS.has(name)) return handed(ctx, file, elementOf(ctx, value), segment);
  if (SAME_METHODS.has(name)) return handed(ctx, file, value, segment);
  if (MAPPING_METHODS.has(name)) return handed(ctx, file, { ...value, element: UNKNOWN_TYPE }, segment);
  if (handsOn(ctx, file, name)) return handed(ctx, file, value, segment);
  return isCall(marks[0]) ? null : EXTERNAL;
}

/** Does a method of a library's wrapper or collection return what it is called on? */
function handsOn(ctx: Context, file: number, name: string): boolean {
  const { handing } = ctx.symbols.semantics(file);
  return handing.has(name) || (handing.size > 0 && HANDING_ON.has(name));
}

/** Value of a member without a declaration: an index in brackets, a method that returns its receiver, a macro's constructor. */
function undeclared(ctx: Context, file: number, value: AbstractValue, segment: Segment): AbstractValue | null {
  if (segment.name.startsWith(COMPUTED)) return marked(ctx, file, elementOf(ctx, settled(ctx, value)), segment);
  const { unstatedTypes, blocks } = ctx.symbols.semantics(file);
  if (value.is === 'instance' && (HANDING_ON.has(segment.name) || handsOn(ctx, file, segment.name)))
    return handed(ctx, file, { ...value, wrapped: undefined }, segment);
  if (value.is === 'instance' && unstatedTypes && blocks && FLUENT_METHODS.has(segment.name))
    return handed(ctx, file, value, segment);
  // `self.class.open` in Ruby, `self.__class__.open()` in Python.
  if (value.is === 'instance' && segment.name === ctx.symbols.semantics(file).ownClass)
    return handed(ctx, file, { ...value, is: 'symbol' }, segment);
  if (!isMaker(ctx, value, segment)) return null;
  return handed(ctx, file, { is: 'instance', file: value.file, symbol: value.symbol }, segment);
}

/** Name of a member as its declaration has it: `[STATE_KEY]`, with the brackets. */
const writtenName = (name: string): string => (name.startsWith(COMPUTED) ? `[${name.slice(COMPUTED.length)}]` : name);

const isIndexed = ({ is }: AbstractValue): boolean => is === 'list' || is === 'tuple' || is === 'parameters';

/** Is it a constructor that a macro writes: `Fields::default()`? */
function isMaker(
  ctx: Context,
  value: AbstractValue,
  { name, marks }: Segment,
): value is AbstractValue & { is: 'symbol' } {
  if (value.is !== 'symbol' || !isCall(marks[0])) return false;
  if (!TYPES.has(ctx.symbols.symbol(value.file, value.symbol).kind)) return false;
  return ctx.symbols.semantics(value.file).constructorNames.has(name);
}

/** Applies a method that returns its receiver's content. The first call is skipped, as the value is the same without it. */
function handed(
  ctx: Context,
  file: number,
  value: AbstractValue | null,
  { name, marks }: Segment,
): AbstractValue | null {
  return marked(ctx, file, value, { name, marks: isCall(marks[0]) ? marks.slice(1) : marks });
}

/** Value after the marks of a segment, in their order; without marks the one that the symbol holds. */
function marked(ctx: Context, file: number, start: AbstractValue | null, segment: Segment): AbstractValue | null {
  let value = start;
  for (const mark of segment.marks) value = apply(ctx, file, value, mark);
  if (value?.is === 'external' && outsideCall([segment])) return GUESSED_OUTSIDE;
  return segment.marks.length > 0 ? value : settled(ctx, value);
}

/** Value after one mark. A narrowing can tell the type of an unknown value; other marks leave what is unknown or outside as it is. */
function apply(ctx: Context, file: number, value: AbstractValue | null, mark: Mark): AbstractValue | null {
  if (isNarrowing(mark)) return narrowed(ctx, file, value, mark);
  if (value === null || value.is === 'external') return value;
  if (typeof mark === 'number') return parameterOf(ctx, value, mark);
  if (isGivenMark(mark)) return givenBy(ctx, value, mark);
  if (mark === '[]') return elementOf(ctx, settled(ctx, value));
  if (mark === '()') return called(ctx, value);
  if ('typed' in mark) return withClass(ctx, file, value, mark.typed);
  return called(ctx, withClass(ctx, file, value, mark.given));
}

/** Value held by a symbol that is mentioned but not called. */
export function settled(ctx: Context, value: AbstractValue | null): AbstractValue | null {
  if (value === null || value.is !== 'symbol') return value;
  const stated = statedValue(ctx, value);
  if (stated !== null) return stated;
  const { file, symbol, args } = value;
  const { kind, name, container } = ctx.symbols.symbol(file, symbol);
  if (kind === 'enum-member') return container < 0 ? value : { is: 'instance', file, symbol: container };
  if (ctx.symbols.isDecorated(file, symbol, 'getters')) return resultOf(ctx, value);
  if (!VALUES.has(kind)) return value;
  const heldBy = ({ file: other, symbol: own }: SymbolRef): AbstractValue | null => {
    const binding = bindingAt(ctx, other, container, name, Number.POSITIVE_INFINITY) ?? ctx.symbols.result(other, own);
    return binding === undefined ? null : bindingValue(ctx, other, binding, Number.POSITIVE_INFINITY, args);
  };
  const variants = container < 0 && ctx.symbols.semantics(file).alternatives ? alternativesOf(ctx, value) : [];
  const held = variants.length > 0 ? severalValues([value, ...variants].map(heldBy)) : heldBy(value);
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

/** Value of the names that a path begins with, and their number. The first way that applies decides; the last one always does. */
function rootOf(ctx: Context, scope: Scope, segments: readonly Segment[]): Root {
  return (
    byKeyword(ctx, scope, segments) ??
    ownExports(ctx, scope.file, segments) ??
    dottedAlias(ctx, scope.file, segments) ??
    dottedSymbol(ctx, scope, segments) ??
    assignedMember(ctx, scope, segments) ??
    byFirstName(ctx, scope, segments) ??
    byUndefinedName(ctx, scope, segments)
  );
}

/** `this`, `super`, a literal text, and the keywords that a Rust path begins with. */
function byKeyword(ctx: Context, scope: Scope, segments: readonly Segment[]): Root | null {
  const { name } = segments[0];
  const { paths } = ctx.symbols.semantics(scope.file);
  if (paths === '::' && MODULE_ROOTS.has(name)) return byPath(ctx, scope.file, scope.symbol, segments) ?? [null, 1];
  return KEYWORDS.get(name)?.(ctx, scope, segments) ?? null;
}

type Keyword = (ctx: Context, scope: Scope, segments: readonly Segment[]) => Root;

const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ['""', () => [EXTERNAL, 1]],
  [GIVEN_BY_CALLER, () => [null, 1]],
  [
    FIXTURE,
    (ctx, _, segments) => [fixtureNamed(ctx, segments[1]?.name ?? '')?.value ?? null, Math.min(2, segments.length)],
  ],
  [
    'this',
    (ctx, scope, segments) => {
      const exported = exportsAround(ctx, scope.file, scope.symbol);
      return exported === null ? ofOwn(ctx, scope, segments, (own) => ownInstance(ctx, own)) : [exported, 1];
    },
  ],
  ['super', (ctx, scope, segments) => ofOwn(ctx, scope, segments, (own) => ({ is: 'parents', ...own }))],
]);

/** A value of the type around a scope; outside of types, that of a block of tests. */
function ofOwn(
  ctx: Context,
  scope: Scope,
  segments: readonly Segment[],
  make: (own: SymbolRef) => AbstractValue,
): Root {
  const own = enclosingType(ctx, scope.file, scope.symbol);
  return own === null ? (ofTopInstance(ctx, scope, segments) ?? [null, 1]) : [make(own), 1];
}

const ownInstance = (ctx: Context, own: SymbolRef): AbstractValue => ({
  is: 'instance',
  ...own,
  ...boundedIn(ctx, own),
});

/** In `impl<P: Rule> Total for Cart<P>` a field of type `P` has the bound that stands there, not the one of the type. */
function boundedIn(ctx: Context, { file, symbol }: SymbolRef): { args?: TypeArguments } {
  const names = ctx.symbols.symbol(file, symbol).kind === 'impl' ? ctx.symbols.typeParameters(file, symbol) : [];
  if (names.length === 0) return {};
  const all = [...new Set(names.map(({ name }) => name.slice(1, -1)))];
  return { args: { file, scope: symbol, list: all.map((head) => ({ is: 'named', head, args: [] })), names: all } };
}

/** `this` in a function of the object that a file exports: `module.exports = { get () { … } }`. */
function exportsAround(ctx: Context, file: number, symbol: number): AbstractValue | null {
  if (symbol < 0 || ctx.symbols.semantics(file).exports !== 'marked') return null;
  const given = ctx.symbols.given(file, symbol, OWN);
  if (given === undefined || !/^(?:module\.)?exports$/.test(given.value)) return null;
  return { is: 'files', files: [file] };
}

/** A value of the instance outside of all types, as blocks of tests share it: `@cart`. */
function ofTopInstance(ctx: Context, { file, symbol, line }: Scope, segments: readonly Segment[]): Root | null {
  if (segments.length < 2 || symbol >= 0 || !ctx.symbols.semantics(file).namesTell) return null;
  const binding = bindingAt(ctx, file, symbol, segments[1].name, line);
  return binding === undefined ? null : [bindingValue(ctx, file, binding, line), 2];
}

/** A member that a local was given: `req.open()` after `req.open = request.open`. */
function assignedMember(ctx: Context, scope: Scope, segments: readonly Segment[]): Root | null {
  if (segments.length < 2 || segments[0].marks.length > 0) return null;
  const value = assignedTo(ctx, scope, segments[0].name, segments[1].name);
  return value === null ? null : [value, 2];
}

export function assignedTo(
  ctx: Context,
  { file, symbol, line }: Scope,
  owner: string,
  name: string,
): AbstractValue | null {
  const { unstatedTypes, blocks } = ctx.symbols.semantics(file);
  if (!unstatedTypes || !blocks) return null;
  const binding = bindingAround(ctx, file, symbol, `${owner}.${name}`, line);
  return binding === undefined ? null : bindingValue(ctx, file, binding, line);
}

/** In CommonJS, `exports` and `module.exports` are the exports of the file itself. */
function ownExports(ctx: Context, file: number, segments: readonly Segment[]): Root | null {
  const { paths, exports } = ctx.symbols.semantics(file);
  if (paths !== '' || exports !== 'marked') return null;
  const [{ name }, second] = segments;
  if (name === 'exports') return [{ is: 'files', files: [file] }, 1];
  return name === 'module' && second?.name === 'exports' ? [{ is: 'files', files: [file] }, 2] : null;
}

/** Value of a first name that is defined or imported; null for other names. */
function byFirstName(ctx: Context, scope: Scope, segments: readonly Segment[]): Root | null {
  const { name, marks } = segments[0];
  const isCalled = marks.length > 0 && marks[0] !== '[]' && !(isNarrowing(marks[0]) && !('wanted' in marks[0]));
  // In `ast::Flags::new()` no variable `ast` is meant, since members have no capitals.
  const isPath = ctx.symbols.semantics(scope.file).paths === '::' && /^\p{Lu}/u.test(segments[1]?.name ?? '');
  const expected = isCalled ? EXPECTED_KINDS.call : isPath ? PATH_ROOTS : scope.expected;
  const found = findName(ctx, { ...scope, expected }, name);
  if (found === null) return null;
  const path = isNamespace(ctx, found.value) ? byPath(ctx, scope.file, scope.symbol, segments) : null;
  return path ?? [found.tier === 'ambiguous' ? null : found.value, 1];
}

/** Value of a first name without definition: a known object, a package, the beginning of a path, or something external. */
function byUndefinedName(ctx: Context, { file, symbol }: Scope, segments: readonly Segment[]): Root {
  const { name, marks } = segments[0];
  const known = knownObject(ctx, file, symbol, name);
  if (known !== null) return [known, 1];
  const files = ctx.symbols.importedPackage(file, name);
  if (files.length > 0) return [{ is: 'files', files }, 1];
  const path = marks.length > 0 ? null : byPath(ctx, file, symbol, segments);
  return path ?? [unknownRoot(ctx, file, name), 1];
}

/** Value of an object of the runtime such as `window`: its type may be in the repository too, which adds members to it. */
function knownObject(ctx: Context, file: number, symbol: number, name: string): AbstractValue | null {
  const type = ctx.symbols.semantics(file).objects.get(name);
  if (type === undefined) return null;
  const found = findName(ctx, wholeScope(file, symbol, EXPECTED_KINDS.type), type)?.value;
  return severalValues([found?.is === 'symbol' ? { ...found, is: 'instance' } : null, EXTERNAL]);
}

function isNamespace(ctx: Context, value: AbstractValue | null): boolean {
  return value?.is === 'symbol' && ctx.symbols.symbol(value.file, value.symbol).kind === 'namespace';
}

/** Value of an undefined name: external, unless the language shares names between files without imports. */
function unknownRoot(ctx: Context, file: number, name: string): AbstractValue | null {
  const { globalFunctions, implicitThis, unstatedTypes } = ctx.symbols.semantics(file);
  // In Ruby a class can be made under a name that no text defines.
  if (/^\p{Lu}/u.test(name)) return implicitThis && unstatedTypes ? GUESSED_OUTSIDE : EXTERNAL;
  return globalFunctions || implicitThis ? null : GUESSED_OUTSIDE;
}

/** Finds the longest import or namespace that the path begins with (`import a.b` in Python, `Shop.Models` in C#). */
function dottedAlias(ctx: Context, file: number, segments: readonly Segment[]): Root | null {
  if (segments.length < 2) return null;
  const names: string[] = [];
  let best: Root | null = null;
  for (const { name, marks } of segments) {
    names.push(name);
    if (names.length > 1) {
      const found = findDotted(ctx, file, names.join('.'));
      if (found !== null) best = [found.value, names.length];
    }
    if (marks.length > 0) break;
  }
  return best;
}

/** Finds the longest Elixir module name that the path begins with. */
function dottedSymbol(ctx: Context, { file, symbol }: Scope, segments: readonly Segment[]): Root | null {
  const { dottedNames } = ctx.symbols.semantics(file);
  if (dottedNames === '') return null;
  // `Shop::Cart.open`: only constants are joined so.
  const called = segments.findIndex(
    ({ name, marks }) => marks.length > 0 || (dottedNames === '::' && !/^\p{Lu}/u.test(name)),
  );
  for (let count = Math.min(called < 0 ? segments.length : called, MAX_PATH_NAMES); count > 1; count--) {
    const path = segments.slice(0, count).map(({ name }) => name);
    const found = findJoined(ctx, wholeScope(file, symbol), path);
    if (found?.value?.is === 'symbol' && found.tier !== 'ambiguous') return [found.value, count];
  }
  return null;
}

function findDotted(ctx: Context, file: number, alias: string): NameResolution | null {
  const { openNamespaces, paths } = ctx.symbols.semantics(file);
  if (openNamespaces && paths === '') {
    const { nodes } = ctx.symbols.snapshot;
    for (const node of ctx.symbols.definitions(alias)) {
      const other = nodes.fileOf(node);
      if (nodes.kind(node) !== 'namespace' || !ctx.symbols.sameFamily(file, other)) continue;
      ctx.recorder.note(other, alias);
      return { value: { is: 'symbol', file: other, symbol: nodes.symbolOf(node) }, tier: 'package' };
    }
  }
  for (const { at } of ctx.symbols.aliases(file, alias)) {
    const resolved = ctx.symbols.resolution(file, at);
    if (resolved.kind === 'files') return { value: { is: 'files', files: resolved.files }, tier: 'imported' };
    return resolved.kind === 'external' ? RESOLVED_OUTSIDE : UNKNOWN_NAME;
  }
  return null;
}
