/** Parses `{ … }` in types: members with their types, and mapped types. */
import { type TypeExpression, UNKNOWN_EXPRESSION } from '../roles/type-expressions.js';
import type { TypeReader } from './type-reader.js';

const MODIFIERS = /[-+]?(?:readonly|get|set)\s+(?=[\w$["'#])|[-+](?=readonly\b)/y;
const MAPPED = /\[\s*([\w$]+)\s+in\s+/y;
const INDEXED = /\[\s*[\w$]+\s*:/y;
const KEY = /["']?([\p{L}_$][\p{L}\p{N}_$-]*)["']?\s*[-+]?\??/uy;
const COMPUTED = /\[[^\]]*\]\s*\??/y;
const KEYS_OF = /keyof\s+(?:typeof\s+)?/y;
const OPTIONAL = /[-+]?\?/y;
/** Members of one type. */
const MAX_MEMBERS = 200;

/** Reads the object type that starts here. */
export function objectType(reader: TypeReader): TypeExpression {
  reader.take('{');
  reader.match(MODIFIERS);
  const mapped = reader.match(MAPPED);
  if (mapped !== null) return mappedType(reader, /\[\s*([\w$]+)/.exec(mapped)?.[1] ?? '');
  const members: [string, TypeExpression][] = [];
  let index: TypeExpression | undefined;
  while (!reader.isAtEnd && !reader.take('}') && members.length < MAX_MEMBERS) {
    reader.match(MODIFIERS);
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

/** `{ [K in keyof Cart]: Cart[K] }`, behind `in`. */
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
    // `{ [K in Keys]: Cart[K] }`: of these members some.
    const isPicked = value.is === 'member' && value.index.is === 'named' && value.index.head === key;
    return isPicked ? value.of : { is: 'object', members: [], index: value };
  }
  const source: TypeExpression =
    keys.includes('typeof') && of.is === 'named' && of.args.length === 0 ? { is: 'value', chain: of.head } : of;
  return { is: 'mapped', of: source, key, value };
}
