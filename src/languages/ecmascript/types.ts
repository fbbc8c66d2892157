/** Parses types of TypeScript, and those in comments of JavaScript. */
import { type TypeExpression, UNKNOWN_EXPRESSION } from '../roles/type-expressions.js';
import { objectType } from './object-types.js';
import { TypeReader } from './type-reader.js';

/** Types without members that anyone asks for, where another part of a union has some. */
const EMPTY: ReadonlySet<string> = new Set(['null', 'undefined', 'void', 'false', 'true', 'never']);
/** Words before a type that say how it is held. */
const MODIFIER = /(?:readonly|unique|abstract|asserts)\s+(?=[\w$({["'])/y;
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*(?:\s*\.\s*[\p{L}_$#][\p{L}\p{N}_$]*)*/uy;
const LITERAL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`|-?\d[\w.]*/y;
const INFERRED = /\binfer\s+([\w$]+)/g;

/** Parses a type; null where it is none, or one without members. */
export function parseScriptType(text: string): TypeExpression | null {
  const found = new TypeReader(text.trim(), conditional).type();
  return found === UNKNOWN_EXPRESSION ? null : found;
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
  // The bound of a type parameter.
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
  if (telling.length === 0) return all.find((part) => part !== UNKNOWN_EXPRESSION) ?? UNKNOWN_EXPRESSION;
  return telling.length === 1 ? telling[0] : { is: 'several', parts: telling };
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

/** `Cart[]`, `Cart['items']`, `Cart[number]` */
function postfix(reader: TypeReader, start: TypeExpression): TypeExpression {
  let found = start;
  while (reader.takeOnLine('[')) {
    if (reader.take(']')) found = { is: 'list', element: found };
    else {
      const index = reader.type();
      if (!reader.take(']')) return UNKNOWN_EXPRESSION;
      found = { is: 'member', of: found, index };
    }
  }
  return found;
}

function primary(reader: TypeReader): TypeExpression {
  reader.take('?');
  if (reader.follows('{')) return objectType(reader);
  if (reader.take('[')) return { is: 'tuple', items: reader.list(']') };
  if (reader.word('new')) return functionType(reader);
  if (reader.follows('<')) return functionType(reader);
  if (reader.follows('(')) return reader.isFunctionType() ? functionType(reader) : parenthesised(reader);
  const text = reader.match(LITERAL);
  if (text !== null) return { is: 'literal', text: /^["'`]/.test(text) ? text.slice(1, -1) : text };
  if (reader.word('typeof')) return valueType(reader);
  return named(reader);
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
  // Comments of JavaScript write `Array.<Cart>`, too.
  reader.match(DOTTED);
  const args = reader.takeOnLine('<') ? reader.list('>') : [];
  return { is: 'named', head, args };
}

const DOTTED = /\.(?=<)/y;
