/** Makes pairs from definitions: their documentation, or their names as a person would type them, with their code. */
import { identifierParts } from '../../../src/extract/terms.js';
import { PAIRS } from '../recipe.js';
import { cleanDoc, wordsOf } from './clean.js';
import { cutCode, type Definition, type Draft, hashOf, type Source } from './types.js';

/** Replacement of a masked name, which gives no term. */
const MASK = '_';
const MIN_DOCUMENTED = 40;
const MIN_NAMED = 120;

const DOCUMENTED = new Set(
  'function method constructor class interface trait struct enum type module namespace constant variable field property macro object table impl'.split(
    ' ',
  ),
);
const NAMED = new Set('function method class interface trait struct enum type macro object'.split(' '));
/** Names that are meaningless without the name of their container. */
const VAGUE =
  /^(?:main|init|run|get|set|call|apply|new|create|make|to string|tostring|equals|hash code|iter|next|len|repr|str|eq|ne|lt|gt|hash|enter|exit|del|setup|set up|tear down|start|stop|open|close|read|write|add|remove|delete|update|copy|clone|dup|free|drop|default|fmt|from|into|as ref|deref|index|size|length|value|name|type|data|item|items|list|map|test|foo|bar|baz)$/;

export function docPairs(source: Source): Draft[] {
  const drafts: Draft[] = [];
  for (const definition of source.definitions) {
    const { doc, kind, name } = definition;
    if (doc === null || !DOCUMENTED.has(kind)) continue;
    const code = codeOf(source, definition);
    const query = code.length < MIN_DOCUMENTED ? null : cleanDoc(source.text.slice(doc.start, doc.end), name);
    if (query !== null) drafts.push({ kind: 'doc', query, code });
  }
  return drafts;
}

export function namePairs(source: Source): Draft[] {
  const drafts: Draft[] = [];
  for (const definition of source.definitions) {
    if (!NAMED.has(definition.kind)) continue;
    const code = codeOf(source, definition);
    if (code.length < MIN_NAMED || isTest(definition.name, code)) continue;
    const seed = hashOf(`${definition.name}\n${code}`);
    const query = spoken(definition, (seed & 1) === 1);
    if (query === null) continue;
    const masked = (seed >>> 1) % 100 < PAIRS.maskedNames;
    drafts.push({ kind: 'name', query, code: masked ? maskName(code, definition.name) : code });
  }
  return drafts;
}

/** Text of the definition without its documentation, which may be before or inside of it. */
export function codeOf(source: Source, { start, end, doc }: Definition): string {
  const { text } = source;
  const inside = doc !== null && doc.start >= start && doc.end <= end;
  return cutCode(inside ? text.slice(start, doc.start).trimEnd() + text.slice(doc.end, end) : text.slice(start, end));
}

/** Splits a name into words: `parseHttpRequest` becomes `parse http request`. */
export function nameWords(name: string): string {
  return (name.match(/[\w$]+/g) ?? []).flatMap(identifierParts).join(' ').toLowerCase();
}

/** Replaces every occurrence of the name as a whole identifier by `_`. */
export function maskName(code: string, name: string): string {
  const identifier = name.match(/[\w$-]*\w/g)?.pop();
  if (identifier === undefined || identifier.length < 2) return code;
  const escaped = identifier.replace(/[$-]/g, '\\$&');
  return code.replace(new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`, 'g'), MASK);
}

/** Words of a name, with those of its container if that was drawn at random or the name alone is too short. */
function spoken({ name, container }: Definition, withContainer: boolean): string | null {
  const own = nameWords(name);
  const vague = VAGUE.test(own);
  const outer = container === '' || !(withContainer || vague || !own.includes(' ')) ? '' : nameWords(container);
  // The name of a container adds nothing if the definition repeats it (`Foo` in `foo`).
  const words = outer === '' || own.startsWith(outer) ? own : `${outer} ${own}`;
  const long = wordsOf(words).filter((word) => word.length > 1);
  if (long.length < 2 || (vague && outer === '') || words.length > 80) return null;
  return words;
}

/** Attributes and macros that make a definition a test, whatever its name. */
const TEST_HEAD =
  /^\s*(?:#\[(?:[^\]]*\]\s*#\[)*(?:\w+::)*test|@(?:Test|ParameterizedTest)\b|\[(?:Fact|Theory|Test|TestMethod|TestCase)\b|@pytest|TEST(?:_[FP])?\s*\()/;

/** Is the definition a test, by its name or by an attribute before it? */
export function isTest(name: string, code: string): boolean {
  return TEST_HEAD.test(code) || /^(?:test|Test|TEST)(?:_|[A-Z])/.test(name) || /(?:Test|_test|Spec)$/.test(name);
}
