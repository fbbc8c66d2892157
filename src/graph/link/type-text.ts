/**
 * Parses written types as far as looking up members needs, and binds type parameters: to written arguments, or to what values show.
 */
import { splitBound, type TypeExpression, UNKNOWN_EXPRESSION } from '../../languages/roles/type-expressions.js';
import type { Context } from './symbol-table.js';
import type { AbstractValue, BoundType, SymbolRef, TypeArguments } from './values.js';

/** Maximum depth of nested types, since hostile input can nest them without limit. */
const MAX_DEPTH = 8;
/**
 * Maximum number of remembered results. Few texts (of at most 200 units) occur thousands of times, so remembering saves parsing.
 */
const MAX_REMEMBERED = 20_000;
const remembered = new Map<Reader, Map<string, TypeExpression | null>>();

type Reader = (text: string) => TypeExpression | null;

const PREFIX =
  /^(?:(?:readonly|const|volatile|static|constexpr|mut|dyn|impl|final|in|out|inout|ref|struct|union|class|enum|interface|some|any|typename|unsigned|signed|covariant|late|required|var|val|lazy|async|owned|borrowed|weak|unowned|params|vararg|infer|asserts|extends|super)\s+|'\w+\s+|@\w+\s+|[&*?~!:]+\s*|\.{3}\s*|\\)/;
const SUFFIX = /(?:\s*(?:[?!&*]|\bconst\b|\.\.\.)|\s+(?:where|as)\s.*)$/;
const EMPTY_PARTS: ReadonlySet<string> = new Set([
  'null',
  'undefined',
  'None',
  'nil',
  'void',
  'false',
  'never',
  'Nothing',
]);
const NAME = /^[\p{L}_$@][\p{L}\p{N}_$'-]*(?:\.[\p{L}_$][\p{L}\p{N}_$'-]*)*$/u;

/** Parses a type; null for types without members to look up, such as literals and computed types. */
export function parseType(text: string, read: Reader = parseDefault): TypeExpression | null {
  const texts = remembered.get(read) ?? new Map<string, TypeExpression | null>();
  remembered.set(read, texts);
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size >= MAX_REMEMBERED) texts.clear();
  const parsed = read(text);
  texts.set(text, parsed);
  return parsed;
}

/** Types as most languages write them. */
function parseDefault(text: string): TypeExpression | null {
  return parse(text, 0);
}

function parse(raw: string, depth: number): TypeExpression | null {
  if (depth > MAX_DEPTH) return null;
  let text = unquoted(raw.trim());
  if (text === '') return null;
  if (text.includes('=>') || text.includes('->')) return functionType(text, depth);
  const values = /^typeof\s+([\w$.]+)$/.exec(text);
  if (values !== null) return { is: 'value', chain: values[1] };
  for (const separator of ['|', '&', '+']) {
    const parts = splitOutside(text, separator);
    if (parts.length > 1 && !(separator === '&' && parts.some((part) => part.trim() === ''))) {
      return several(parts, separator, depth);
    }
  }
  text = stripped(text);
  const isClosed = /^[({]/.test(text) && closes(text, 0) === text.length - 1;
  if (isClosed) return text[0] === '(' ? tupleOf(text.slice(1, -1), depth) : objectOf(text.slice(1, -1), depth);
  if (text.startsWith('[')) return bracketed(text, depth);
  if (text.startsWith('map[')) return listOf(text.slice(closes(text, 3) + 1), depth);
  const channel = /^(?:<-\s*)?chan(?:\s*<-)?\s+/.exec(text);
  if (channel !== null) return listOf(text.slice(channel[0].length), depth);
  return named(text, depth);
}

/** Parses what stands in round brackets: one type alone, or the types of a tuple. */
function tupleOf(text: string, depth: number): TypeExpression | null {
  const items = splitOutside(text, ',').filter((item) => item.trim() !== '');
  if (items.length < 2) return items.length === 0 ? null : parse(items[0], depth + 1);
  return { is: 'tuple', items: items.map((item) => parse(item, depth + 1) ?? UNKNOWN_EXPRESSION) };
}

/** Parses the members of an object type: `in: Cart; out: Item`. */
function objectOf(text: string, depth: number): TypeExpression {
  const members = splitOutside(text, ';').flatMap((part) => {
    const colon = part.indexOf(':');
    const type = colon < 0 ? null : parse(part.slice(colon + 1), depth + 1);
    return type === null ? [] : [[part.slice(0, colon).trim(), type] as const];
  });
  return { is: 'object', members };
}

/** Parses a function type: `(id: string) => Cart`, `((id: string) => Cart) | undefined`, `(Int) -> Cart`. */
function functionType(text: string, depth: number): TypeExpression | null {
  const close = text.startsWith('(') ? closes(text, 0) : -1;
  if (close < 0) return null;
  const rest = text.slice(close + 1).trim();
  if (rest.startsWith('=>') || rest.startsWith('->')) {
    const result = parse(rest.slice(2), depth + 1) ?? UNKNOWN_EXPRESSION;
    return { is: 'function', result, parameters: parametersOf(text.slice(1, close), depth) };
  }
  return /^(?:\?|\|\s*(?:undefined|null))?$/.test(rest) ? parse(text.slice(1, close), depth + 1) : null;
}

/** Types of `id: string, cart?: Cart`, and of `Int, Cart`. */
function parametersOf(text: string, depth: number): TypeExpression[] {
  if (text.trim() === '') return [];
  return splitOutside(text, ',').map((part) => {
    const type = /^\s*(?:\.{3})?[\w$]+\s*\??\s*:([\s\S]*)$/.exec(part)?.[1] ?? part;
    return parse(type, depth + 1) ?? UNKNOWN_EXPRESSION;
  });
}

/** Removes modifiers of how a value is held, such as `const`, `&` and `?`. */
function stripped(from: string): string {
  let text = from;
  for (let i = 0; i < MAX_DEPTH; i++) {
    const shorter = text.replace(PREFIX, '').replace(SUFFIX, '').trim();
    if (shorter === text || shorter === '') break;
    text = shorter;
  }
  return text;
}

/** Parses a type in brackets: `[]Cart`, `[5]Cart`, `[Cart]`, `[Key: Cart]`. */
function bracketed(text: string, depth: number): TypeExpression | null {
  const close = closes(text, 0);
  if (close < 0) return null;
  const inside = text.slice(1, close).trim();
  const rest = text.slice(close + 1);
  if (rest !== '' && rest !== '[]') return listOf(rest, depth);
  const items = splitOutside(inside, /[A-Za-z]\s*;/.test(inside) ? ';' : ':');
  if (splitOutside(inside, ',').length > 1) return null;
  return items.length > 1 && !inside.includes(';') ? listOf(items[1], depth) : listOf(items[0], depth);
}

function listOf(text: string, depth: number): TypeExpression | null {
  const element = parse(text, depth + 1);
  return element === null ? null : { is: 'list', element };
}

function several(texts: readonly string[], separator: string, depth: number): TypeExpression | null {
  const parts: TypeExpression[] = [];
  for (const text of texts) {
    if (EMPTY_PARTS.has(text.trim()) || text.trim().startsWith('{')) continue;
    const part = parse(text, depth + 1);
    if (part !== null) parts.push(part);
    // One unknown part makes a union (`A | …`) unknown, but not an intersection (`A & …`).
    else if (separator === '|') return null;
  }
  if (parts.length === 0) return null;
  return parts.length === 1 ? parts[0] : { is: 'several', parts };
}

function named(text: string, depth: number): TypeExpression | null {
  const open = text.search(/[<[]/);
  if (open < 0) return headOnly(text);
  const close = closes(text, open);
  const head = text.slice(0, open).trim();
  // The facts cut long types off; the name before `<` is complete.
  if (close < 0) return text[open] === '<' ? headOnly(head) : null;
  const inside = text.slice(open + 1, close).trim();
  const rest = text.slice(close + 1).trim();
  if (text[open] === '[' && /^\d*$/.test(inside)) {
    return /^(?:\[\d*\])*$/.test(rest) ? listOf(head + rest, depth) : null;
  }
  if (text[open] === '[' && QUOTES.has(inside[0])) return null;
  if (/^\[\d*\]/.test(rest)) return listOf(text.slice(0, -rest.length) + rest.replace(/^\[\d*\]/, ''), depth);
  const base = headOnly(head);
  if (base === null || base.is !== 'named') return null;
  // A type nested in a generic one: `Outer<A>.Inner`, `Outer<A>::Inner`.
  const inner = /^(?:\.|::)([\w$.:]+)$/.exec(rest);
  if (inner !== null) return headOnly(`${head}.${inner[1]}`);
  if (rest !== '') return null;
  const args: TypeExpression[] = [];
  for (const part of splitOutside(inside, ','))
    args.push(parse(part.replace(ASSOCIATED, ''), depth + 1) ?? { is: 'named', head: '', args: [] });
  return { is: 'named', head: base.head, args };
}

/** `Item = Cart` in `Iterator<Item = Cart>` */
const ASSOCIATED = /^\s*[A-Z]\w*\s*=\s*/;

function headOnly(text: string): TypeExpression | null {
  const head = text
    .replace(/::|\\|->|#/g, '.')
    .replace(/^\.+/, '')
    .trim();
  return NAME.test(head) ? { is: 'named', head, args: [] } : null;
}

function unquoted(text: string): string {
  const match = /^(["'])(.*)\1$/.exec(text);
  return match === null || match[2].includes(match[1]) ? text : match[2].trim();
}

const QUOTES = new Set(['"', "'", '`']);
const OPENING = '<([{';
const CLOSING = '>)]}';

/** Index of the bracket that closes the one at `open`, -1 if there is none. */
function closes(text: string, open: number): number {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (OPENING.includes(text[i])) depth++;
    else if (CLOSING.includes(text[i]) && text[i - 1] !== '=' && text[i - 1] !== '-' && --depth === 0) return i;
  }
  return -1;
}

function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (OPENING.includes(text[i])) depth++;
    else if (CLOSING.includes(text[i])) depth--;
    else if (
      depth === 0 &&
      text[i] === separator &&
      !(separator === ':' && (text[i + 1] === ':' || text[i - 1] === ':'))
    ) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  parts.push(text.slice(start));
  return parts[0].trim() === '' && parts.length > 1 ? parts.slice(1) : parts;
}

// Type arguments.

/** Names that type parameters usually have, for languages whose facts do not list them: `T`, `TItem`. */
export const PARAMETER = /^(?:[A-Z]|T[A-Z]\w*)$/;

/** Replaces type parameters by their arguments. Without known names, only a single argument can be matched. */
export function bind(type: BoundType, args: TypeArguments): BoundType {
  const inside = <T extends BoundType>(part: T): never => bind(part, args) as never;
  switch (type.is) {
    case 'list':
      return { is: 'list', element: inside(type.element) };
    case 'several':
      return { ...type, parts: type.parts.map(inside) };
    case 'tuple':
      return { is: 'tuple', items: type.items.map(inside) };
    case 'function':
      return { is: 'function', result: inside(type.result), parameters: type.parameters.map(inside) };
    case 'object': {
      const members = type.members.map(([name, part]) => [name, inside(part)] as const);
      return { is: 'object', members, ...(type.index === undefined ? {} : { index: inside(type.index) }) };
    }
    case 'mapped':
      return { ...type, of: inside(type.of), value: inside(type.value) };
    case 'member':
      return { is: 'member', of: inside(type.of), index: inside(type.index) };
    case 'conditional':
      return boundConditional(type, args, inside);
    case 'named':
      return boundName(type, args, inside);
    default:
      return type;
  }
}

function boundName(
  type: BoundType & { is: 'named' },
  args: TypeArguments,
  inside: (part: BoundType) => never,
): BoundType {
  if (type.args.length > 0) return { ...type, args: type.args.map(inside) };
  const bound = args.list[argumentOf(type.head, args)];
  if (bound === undefined) return type;
  return bound.is === 'known' ? bound : { is: 'elsewhere', file: args.file, scope: args.scope, type: bound };
}

type Conditional = BoundType & { is: 'conditional' };

/** Sets the argument for `T` apart in `T extends … ? … : …`: each part of a union is decided by itself. */
function boundConditional(type: Conditional, args: TypeArguments, inside: (part: BoundType) => never): BoundType {
  const { check } = type;
  const name = check.is === 'named' && check.args.length === 0 ? check.head : '';
  const own = name === '' || type.over !== undefined ? -1 : (args.names?.indexOf(name) ?? -1);
  const { names = [], list } = args;
  if (own >= 0 && own < list.length) {
    const others = { ...args, list: list.filter((_, i) => i !== own), names: names.filter((_, i) => i !== own) };
    const rest =
      others.list.length === 0
        ? type
        : (boundConditional(type, others, (part) => bind(part, others) as never) as Conditional);
    return { ...rest, over: inside(check) };
  }
  const parts = [inside(type.parts[0]), inside(type.parts[1])] as const;
  const over = type.over === undefined ? {} : { over: inside(type.over as BoundType) };
  return { ...type, ...over, check: inside(check), pattern: inside(type.pattern), parts };
}

function argumentOf(head: string, { list, names = [] }: TypeArguments): number {
  if (names.length > 0) return names.indexOf(head);
  return list.length === 1 && PARAMETER.test(head) ? 0 : -1;
}

/** Adds to the arguments the names of their type parameters, and the defaults of parameters without an argument. */
export function argumentsByName(
  ctx: Context,
  { file, symbol }: SymbolRef,
  args: TypeArguments | undefined,
): TypeArguments | undefined {
  if (args?.names !== undefined) return args;
  const parameters = ctx.symbols.typeParameters(file, symbol);
  // Some languages state only the parameters that have a bound.
  if (args !== undefined && args.list.length > parameters.length) return args;
  if (parameters.length === 0) return args;
  const given = args?.list ?? [];
  if (given.length === 0 && splitBound(parameters[0].type).defaultType === '') return args;
  const list: BoundType[] = [...given];
  const readType = ctx.symbols.readType(file);
  const place = { file: args?.file ?? file, scope: args?.scope ?? symbol };
  const all = parameters.map(({ name }) => name.slice(1, -1));
  for (const { type } of parameters.slice(list.length)) {
    const defaultType = parseType(splitBound(type).defaultType, readType);
    if (defaultType === null) break;
    // `<T, U = T>`
    const bound = bind(defaultType, { ...place, list: [...list], names: all.slice(0, list.length) });
    list.push({ is: 'elsewhere', file, scope: symbol, type: bound });
  }
  return list.length === 0 ? args : { ...place, list, names: all.slice(0, list.length) };
}

/** Types that have members of their first argument. */
const PARTS: ReadonlySet<string> = new Set(['Omit', 'Pick']);

/** Maximum depth to which types in types are compared. */
const MAX_INFERENCE_DEPTH = 5;

/** Infers arguments for type parameters from pairs of a written type and a value of that type; undefined if none shows. */
export function inferred(
  ctx: Context,
  { file, scope, names }: { file: number; scope: number; names: readonly string[] },
  pairs: readonly (readonly [BoundType, AbstractValue])[],
): TypeArguments | undefined {
  const found = new Map<string, AbstractValue>();
  for (const [type, value] of pairs) new Matcher(ctx, names, found).match(file, scope, type, value, 0);
  if (found.size === 0) return undefined;
  const list = [...found.values()].map((value) => ({ is: 'known' as const, value }));
  return { file, scope, list, names: [...found.keys()] };
}

class Matcher {
  constructor(
    private readonly ctx: Context,
    private readonly names: readonly string[],
    private readonly found: Map<string, AbstractValue>,
  ) {}

  match(file: number, scope: number, type: BoundType, value: AbstractValue | null, depth: number): void {
    if (value === null || value.is === 'external' || depth > MAX_INFERENCE_DEPTH) return;
    const { ctx } = this;
    switch (type.is) {
      case 'elsewhere':
        this.match(type.file, type.scope, type.type, value, depth + 1);
        break;
      case 'several':
        for (const part of type.parts) this.match(file, scope, part, value, depth + 1);
        break;
      case 'list':
        this.match(file, scope, type.element, ctx.ask.elementOf(ctx, value), depth + 1);
        break;
      case 'tuple':
        for (const [i, item] of type.items.entries())
          this.match(file, scope, item, ctx.ask.elementOf(ctx, value, i), depth + 1);
        break;
      case 'function':
        this.match(file, scope, type.result, ctx.ask.called(ctx, value), depth + 1);
        for (const [i, part] of type.parameters.entries())
          this.match(file, scope, part, ctx.ask.parameterOf(ctx, value, i), depth + 1);
        break;
      case 'object':
        for (const [name, part] of type.members) {
          const member = ctx.ask.lookup(ctx, file, value, name, null)?.value ?? null;
          this.match(file, scope, part, ctx.ask.settled(ctx, member), depth + 1);
        }
        break;
      case 'named':
        this.matchNamed(file, scope, type, value, depth);
        break;
      default:
    }
  }

  private matchNamed(
    file: number,
    scope: number,
    type: BoundType & { is: 'named' },
    value: AbstractValue,
    depth: number,
  ): void {
    const { ctx } = this;
    const { head, args } = type;
    if (args.length === 0) {
      this.note(head, ctx.ask.settled(ctx, value));
      return;
    }
    const { wrappers, collections } = ctx.symbols.semantics(file);
    const name = head.slice(head.lastIndexOf('.') + 1);
    const isOwn = value.is === 'instance' && ctx.symbols.symbol(value.file, value.symbol).name === name;
    if (isOwn && value.args !== undefined) {
      const { list, file: from, scope: at } = value.args;
      for (const [i, part] of args.entries())
        if (i < list.length) this.match(file, scope, part, ctx.ask.boundValue(ctx, from, at, list[i]), depth + 1);
    } else if (wrappers.has(name) || PARTS.has(name)) this.match(file, scope, args[0], value, depth + 1);
    else if (collections.has(name))
      this.match(file, scope, args[args.length - 1], ctx.ask.elementOf(ctx, value), depth + 1);
    else if (value.is !== 'instance') this.matchAlias(file, scope, type, value, depth);
  }

  private note(name: string, value: AbstractValue | null): void {
    if (this.names.includes(name) && !this.found.has(name) && value !== null && value.is !== 'external')
      this.found.set(name, value);
  }

  /** Compares results alone: computing the parameters of such functions takes more steps than a reference has. */
  private matchAlias(
    file: number,
    scope: number,
    type: BoundType & { is: 'named' },
    value: AbstractValue,
    depth: number,
  ): void {
    const { ctx } = this;
    const expanded = ctx.ask.expandedAlias(ctx, file, scope, type);
    if (expanded === null) return;
    for (const part of expanded.type.is === 'several' ? expanded.type.parts : [expanded.type])
      if (part.is === 'function')
        this.match(expanded.file, expanded.scope, part.result, ctx.ask.called(ctx, value), depth + 1);
  }
}
