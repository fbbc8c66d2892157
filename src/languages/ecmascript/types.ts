/** Parses types of TypeScript, and those in comments of JavaScript. */
import { type TypeExpression, UNKNOWN_EXPRESSION } from '../roles/type-expressions.js';

/** Types without members that matter, beside another part of a union that has some. */
const EMPTY: ReadonlySet<string> = new Set(['null', 'undefined', 'void', 'false', 'true', 'never']);
/** Words before a type that do not change its members. */
const MODIFIER = /(?:readonly|unique|abstract|asserts)\s+(?=[\w$({["'])/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?:\s*\.\s*[\p{L}_$#][\p{L}\p{N}_$]*)*/uy;
const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|-?\d[\w.]*/y;
const INFERRED = /\binfer\s+([\w$]+)/g;

/** Parses a type; null for other text, or for a type without members. */
export function parseScriptType(text: string): TypeExpression | null {
  const found = new TypeReader(text.trim(), conditional).type();
  return found === UNKNOWN_EXPRESSION ? null : found;
}

/** End of the type that starts at `from`, or of the type parameters in angle brackets that start there. */
export function endOfType(text: string, from: number, to: number, isList = false): number {
  const reader = new TypeReader(text.slice(from, to), conditional);
  if (isList) reader.skipBrackets();
  else reader.type();
  return from + reader.at;
}

function conditional(reader: TypeReader): TypeExpression {
  const check = union(reader);
  if (reader.word('is')) {
    reader.type();
    return UNKNOWN_EXPRESSION;
  }
  if (!reader.word('extends')) return check;
  const from = reader.at;
  const pattern = union(reader);
  const inferred = [...reader.since(from).matchAll(INFERRED)].map(([, name]) => name);
  // Without `?`, this was the bound of a type parameter.
  if (!reader.take('?')) return check;
  const yes = reader.type();
  if (!reader.take(':')) return yes;
  return { is: 'conditional', check, pattern, inferred, parts: [yes, reader.type()] };
}

function union(reader: TypeReader): TypeExpression {
  return parts(reader, '|', (inner) => parts(inner, '&', unary));
}

function parts(reader: TypeReader, sign: string, read: (reader: TypeReader) => TypeExpression): TypeExpression {
  reader.take(sign);
  const first = read(reader);
  if (!reader.follows(sign)) return first;
  const all = [first];
  while (reader.take(sign)) all.push(read(reader));
  const telling = all.filter((part) => part !== UNKNOWN_EXPRESSION && part.is !== 'literal' && !isEmpty(part));
  const literals = telling.length === 0 ? all.filter((part) => part.is === 'literal') : [];
  if (literals.length > 1) return { is: 'several', parts: literals };
  if (telling.length === 0) return all.find((part) => part !== UNKNOWN_EXPRESSION) ?? UNKNOWN_EXPRESSION;
  if (telling.length === 1) return telling[0];
  return sign === '&' ? { is: 'several', parts: telling, together: true } : { is: 'several', parts: telling };
}

function isEmpty(part: TypeExpression): boolean {
  return part.is === 'named' && part.args.length === 0 && EMPTY.has(part.head);
}

function unary(reader: TypeReader): TypeExpression {
  while (reader.match(MODIFIER) !== null);
  if (reader.word('infer')) {
    const name = reader.match(NAME) ?? '';
    return { is: 'named', head: name, args: [] };
  }
  if (reader.word('keyof')) {
    unary(reader);
    return UNKNOWN_EXPRESSION;
  }
  return postfix(reader, primary(reader));
}

const ANY_KEY: TypeExpression = { is: 'named', head: 'keyof', args: [] };

/** `Cart[]`, `Cart['items']`, `Cart[number]` */
function postfix(reader: TypeReader, start: TypeExpression): TypeExpression {
  let found = start;
  while (reader.takeOnLine('[')) {
    if (reader.take(']')) found = { is: 'list', element: found };
    else {
      // `Carts[keyof Carts]` can be any member.
      const isAny = reader.follows('keyof ');
      const read = reader.type();
      const index: TypeExpression = isAny ? ANY_KEY : read;
      if (!reader.take(']')) return UNKNOWN_EXPRESSION;
      found = { is: 'member', of: found, index };
    }
  }
  return found;
}

function primary(reader: TypeReader): TypeExpression {
  reader.take('?');
  if (reader.follows('{')) return objectType(reader);
  if (reader.take('[')) return tupleType(reader);
  if (reader.word('new')) return functionType(reader);
  if (reader.follows('<')) return functionType(reader);
  if (reader.follows('(')) return reader.isFunctionType() ? functionType(reader) : parenthesised(reader);
  const text = reader.match(LITERAL);
  if (text !== null) return { is: 'literal', text: /^["'`]/.test(text) ? text.slice(1, -1) : text };
  if (reader.word('typeof')) return valueType(reader);
  return named(reader);
}

/** `[Cart, ...Items]`: with the items of another type in it, any item can be any of them. */
function tupleType(reader: TypeReader): TypeExpression {
  const items = reader.list(']', true);
  return reader.hasRest ? { is: 'list', element: { is: 'several', parts: items } } : { is: 'tuple', items };
}

function parenthesised(reader: TypeReader): TypeExpression {
  reader.take('(');
  const inner = reader.type();
  return reader.take(')') ? inner : UNKNOWN_EXPRESSION;
}

/** `<T>(id: string) => Cart`, with the reader before its type parameters. */
function functionType(reader: TypeReader): TypeExpression {
  if (reader.follows('<')) reader.skipBrackets();
  if (!reader.take('(')) return UNKNOWN_EXPRESSION;
  const parameters = reader.list(')');
  return { is: 'function', result: reader.take('=>') ? reader.type() : UNKNOWN_EXPRESSION, parameters };
}

const IMPORTED = /import\s*\([^()]*\)(?:\s*\.\s*[\w$]+)*/y;

function valueType(reader: TypeReader): TypeExpression {
  // Value of a literal's member, as an access path.
  if (reader.follows('`')) return { is: 'value', chain: (reader.match(LITERAL) ?? '').slice(1, -1) };
  if (reader.match(IMPORTED) !== null) return UNKNOWN_EXPRESSION;
  const chain = (reader.match(NAME) ?? '').replace(/\s+/g, '');
  if (reader.followsOnLine('<')) reader.skipBrackets();
  return chain === '' ? UNKNOWN_EXPRESSION : { is: 'value', chain };
}

function named(reader: TypeReader): TypeExpression {
  if (reader.match(IMPORTED) !== null) {
    if (reader.followsOnLine('<')) reader.skipBrackets();
    return UNKNOWN_EXPRESSION;
  }
  const head = (reader.match(NAME) ?? '').replace(/\s+/g, '');
  if (head === '') {
    reader.fail();
    return UNKNOWN_EXPRESSION;
  }
  // Comments of JavaScript also write `Array.<Cart>`.
  reader.match(DOTTED);
  const args = reader.takeOnLine('<') ? reader.list('>') : [];
  return { is: 'named', head, args };
}

const DOTTED = /\.(?=<)/y;

const MEMBER_MODIFIERS = /[-+]?(?:readonly|get|set)\s+(?=[\w$["'#])|[-+](?=readonly\b)/y;
const MAPPED = /\[\s*([\w$]+)\s+in\s+/y;
const INDEXED = /\[\s*[\w$]+\s*:/y;
const KEY = /["']?([\p{L}_$][\p{L}\p{N}_$-]*)["']?\s*[-+]?\??/uy;
const COMPUTED = /\[[^\]]*\]\s*\??/y;
const KEYS_OF = /keyof\s+(?:typeof\s+)?/y;
const OPTIONAL = /[-+]?\?/y;
/** Most members of one type. */
const MAX_MEMBERS = 200;

/** Reads the object type that starts here. */
function objectType(reader: TypeReader): TypeExpression {
  reader.take('{');
  reader.match(MEMBER_MODIFIERS);
  const mapped = reader.match(MAPPED);
  if (mapped !== null) return mappedType(reader, /\[\s*([\w$]+)/.exec(mapped)?.[1] ?? '');
  const members: [string, TypeExpression][] = [];
  let index: TypeExpression | undefined;
  while (!reader.isAtEnd && !reader.take('}') && members.length < MAX_MEMBERS) {
    reader.match(MEMBER_MODIFIERS);
    if (reader.match(INDEXED) !== null) {
      reader.skipTo(']');
      reader.take(']');
      index = typeOfMember(reader);
    } else if (reader.match(COMPUTED) !== null) typeOfMember(reader);
    else {
      const key = reader.match(KEY);
      const type = typeOfMember(reader);
      if (key !== null) members.push([key.replace(/[^\p{L}\p{N}_$]/gu, ''), type]);
    }
    if (!reader.take(';')) reader.take(',');
  }
  return { is: 'object', members, ...(index === undefined ? {} : { index }) };
}

/** `: Cart`, `(id: string): Cart` */
function typeOfMember(reader: TypeReader): TypeExpression {
  if (reader.follows('<')) reader.skipBrackets();
  if (reader.take('(')) {
    const parameters = reader.list(')');
    return { is: 'function', parameters, result: reader.take(':') ? reader.type() : UNKNOWN_EXPRESSION };
  }
  if (reader.take(':')) return reader.type();
  reader.skipTo(';', ',', '}', '\n');
  return UNKNOWN_EXPRESSION;
}

/** `{ [K in keyof Cart]: Cart[K] }`, read from behind `in`. */
function mappedType(reader: TypeReader, key: string): TypeExpression {
  const keys = reader.match(KEYS_OF);
  const of = reader.type();
  if (reader.word('as')) reader.type();
  if (!reader.take(']')) return UNKNOWN_EXPRESSION;
  reader.match(OPTIONAL);
  const value = reader.take(':') ? reader.type() : UNKNOWN_EXPRESSION;
  reader.take(';');
  reader.take(',');
  reader.take('}');
  if (keys === null) {
    // `{ [K in Keys]: Cart[K] }` has some of the members.
    const whole = indexedBy(value, key, 0);
    if (whole === null) return { is: 'object', members: [], index: value };
    return value.is === 'member' ? whole : { is: 'mapped', of: whole, key, value, hasOwnMembers: true };
  }
  const source: TypeExpression =
    keys.includes('typeof') && of.is === 'named' && of.args.length === 0 ? { is: 'value', chain: of.head } : of;
  return { is: 'mapped', of: source, key, value };
}

/** The type that a mapped type takes its members from, `Cart` in `(item: Cart[K]) => void`; null if there is none. */
function indexedBy(type: TypeExpression, key: string, depth: number): TypeExpression | null {
  const first = (parts: readonly TypeExpression[]): TypeExpression | null => {
    if (depth === MAX_VALUE_DEPTH) return null;
    for (const part of parts) {
      const found = indexedBy(part, key, depth + 1);
      if (found !== null) return found;
    }
    return null;
  };
  switch (type.is) {
    case 'member':
      return type.index.is === 'named' && type.index.head === key ? type.of : first([type.of]);
    case 'function':
      return first([...(type.parameters ?? []), type.result]);
    case 'list':
      return first([type.element]);
    case 'named':
      return first(type.args);
    case 'several':
    case 'conditional':
      return first(type.parts);
    default:
      return null;
  }
}

/** Deepest type in the value of a mapped type that is searched. */
const MAX_VALUE_DEPTH = 3;

/** Deepest nesting of types: hostile input nests them without limit. */
const MAX_DEPTH = 24;
const OPENING = '([{<';
const CLOSING = ')]}>';
const SPACE = /(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*)*/y;
const WORD = /[\w$]/;
/** `name?: ` of a parameter, or of an item of a tuple. */
const LABEL = /(?:\.{3})?\s*[\p{L}_$][\p{L}\p{N}_$]*\s*\??\s*:(?!:)/uy;
const REST = /\.{3}/y;
const NUMBER: TypeExpression = { is: 'named', head: 'number', args: [] };
/** An item without a type. */
const UNTYPED = /\s*(?=[,)])/y;

class TypeReader {
  at = 0;
  /** Did the last list have items of another type? */
  hasRest = false;
  private depth = 0;

  constructor(
    private readonly text: string,
    private readonly readType: (reader: TypeReader) => TypeExpression,
  ) {}

  /** Reads the type that starts here. */
  type(): TypeExpression {
    if (this.depth >= MAX_DEPTH) {
      this.fail();
      return UNKNOWN_EXPRESSION;
    }
    this.depth++;
    const found = this.readType(this);
    this.depth--;
    return found;
  }

  /** Reads types of parameters, of items of a tuple or of arguments, up to the closing bracket. */
  list(close: string, isTuple = false): TypeExpression[] {
    const found: TypeExpression[] = [];
    let hasRest = false;
    while (!this.isAtEnd && !this.take(close)) {
      const isRest = this.follows('...');
      if (this.follows('{') || this.follows('[')) this.skipPattern();
      else if (this.match(LABEL) === null) this.match(REST);
      const type = this.match(UNTYPED) === null ? this.type() : UNKNOWN_EXPRESSION;
      hasRest ||= isRest && isTuple;
      // `...Items` stands for items of that type.
      found.push(isRest && isTuple ? { is: 'member', of: type, index: NUMBER } : type);
      this.take('?');
      if (!this.take(',') && !this.follows(close)) this.skipTo(',', close);
    }
    this.hasRest = hasRest;
    return found;
  }

  get isAtEnd(): boolean {
    this.skipSpace();
    return this.at >= this.text.length;
  }

  /** Gives up: the text here is no type. */
  fail(): void {
    this.at = this.text.length;
  }

  since(from: number): string {
    return this.text.slice(from, this.at);
  }

  follows(sign: string): boolean {
    this.skipSpace();
    return this.text.startsWith(sign, this.at);
  }

  /** As `follows`, but on the same line: a bracket on the next one begins something else. */
  followsOnLine(sign: string): boolean {
    while (this.text[this.at] === ' ') this.at++;
    return this.text.startsWith(sign, this.at);
  }

  take(sign: string): boolean {
    if (!this.follows(sign)) return false;
    this.at += sign.length;
    return true;
  }

  takeOnLine(sign: string): boolean {
    if (!this.followsOnLine(sign)) return false;
    this.at += sign.length;
    return true;
  }

  word(word: string): boolean {
    if (!this.follows(word) || WORD.test(this.text[this.at + word.length] ?? '')) return false;
    this.at += word.length;
    return true;
  }

  /** Takes what a sticky expression matches here; null if nothing. */
  match(pattern: RegExp): string | null {
    this.skipSpace();
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return null;
    this.at += found[0].length;
    return found[0];
  }

  /** Is the bracket here followed by an arrow? */
  isFunctionType(): boolean {
    const from = this.at;
    this.skipBrackets();
    const is = this.follows('=>');
    this.at = from;
    return is;
  }

  /** Jumps behind the bracket that closes the one here. */
  skipBrackets(): void {
    let depth = 0;
    for (; this.at < this.text.length; this.at++) {
      const char = this.text[this.at];
      if (OPENING.includes(char)) depth++;
      else if (CLOSING.includes(char) && this.text[this.at - 1] !== '=' && --depth === 0) {
        this.at++;
        return;
      }
    }
  }

  /** Jumps over `{ id }:`, a destructured parameter; a type in such brackets is left. */
  skipPattern(): void {
    const from = this.at;
    this.skipBrackets();
    this.take('?');
    if (!this.take(':')) this.at = from;
  }

  /** Jumps to one of the signs outside of brackets. */
  skipTo(...signs: readonly string[]): void {
    for (; this.at < this.text.length; this.at++) {
      if (signs.includes(this.text[this.at])) return;
      if (OPENING.includes(this.text[this.at])) {
        this.skipBrackets();
        this.at--;
      }
    }
  }

  private skipSpace(): void {
    SPACE.lastIndex = this.at;
    SPACE.exec(this.text);
    this.at = Math.max(this.at, SPACE.lastIndex);
  }
}
