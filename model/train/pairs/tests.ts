/** Makes pairs from tests: the title, and the code of the test. */
import { looksLikeCode, wordsOf } from './clean.js';
import { isTest, nameWords } from './names.js';
import { linesOf } from './source.js';
import { cutCode, type Draft, type FilePairs, hashOf, type Pair, type Source } from './types.js';

const MIN_BODY = 60;
const MAX_TITLE_LENGTH = 160;

/** Matches a call or block with a title in a string; group 2 (or 3) is the title. */
const TITLED =
  /(?:^|[\s;{(.])(?:it|test|specify|scenario|context|describe|subtest|test_that|TEST_CASE|SECTION|SCENARIO|should|test_case|testWidgets|property|@test|t\.Run|b\.Run|t\.test|Deno\.test|QUnit\.test)(?:\.(?:only|skip|concurrent|serial|each\([^\n]*?\)|prop\([^\n]*?\)))?\s*\(?\s*(["'`])((?:(?!\1)[^\\\n]|\\.){6,160})\1/gm;
const GROUP = /^\W*(?:describe|context|SECTION|TEST_CASE|suite)/;
const PLACEHOLDER = /\$\{[^}]*\}|%[sdijoO]|#\{[^}]*\}/g;
/** Languages in which a test is a call with a string. */
const BY_TITLE =
  /^(?:typescript|tsx|javascript|vue|svelte|coffeescript|ruby|elixir|perl|bash|lua|dart|scala|groovy|r|cpp|crystal|kotlin|go|swift|julia|fsharp|raku)$/;

const MACRO_TEST = /^(?:TYPED_)?TEST(?:_[FP])?\s*\(\s*(\w+)\s*,\s*(\w+)\s*\)/gm;
const DEFTEST = /^[ \t]*\((?:ert-)?deftest\s+(\S+)/gm;

export function testPairs(source: Source): Draft[] {
  if (!source.test && !/#\[(?:\w+::)?test|@Test\b|\btest\(/.test(source.text)) return [];
  return [...titledTests(source), ...namedTests(source), ...macroTests(source)];
}

function titledTests({ text, language }: Source): Draft[] {
  if (!BY_TITLE.test(language)) return [];
  const drafts: Draft[] = [];
  const groups: { indent: number; title: string }[] = [];
  for (const match of text.matchAll(TITLED)) {
    const at = match.index + match[0].search(/\S/);
    const indent = at - text.lastIndexOf('\n', at) - 1;
    while (groups.length > 0 && groups[groups.length - 1].indent >= indent) groups.pop();
    const title = match[2].replace(/\\(.)/g, '$1').replace(PLACEHOLDER, ' ');
    const group = groups[groups.length - 1]?.title;
    if (GROUP.test(match[0])) groups.push({ indent, title });
    const full = group !== undefined && hashOf(group + title) % 2 === 0 ? `${group} ${title}` : title;
    const draft = testPair(full, bodyAfter(text, match.index + match[0].length));
    const named = group !== undefined && /^[.#]?[\w$.#]+(?:\(\))?$/.test(group);
    if (draft !== null) drafts.push(named ? { ...draft, subject: nameWords(group) } : draft);
  }
  return drafts;
}

function namedTests({ definitions, text }: Source): Draft[] {
  const drafts: Draft[] = [];
  for (const { name, start, end, kind, doc } of definitions) {
    if (kind !== 'function' && kind !== 'method') continue;
    const code = text.slice(start, end);
    if (!isTest(name, code)) continue;
    const documented = doc !== null && doc.start >= start;
    const body = documented ? text.slice(start, doc.start) + text.slice(doc.end, end) : code;
    const spoken = nameWords(name).replace(/^tests? (?:that )?|(?:^| )test$/g, '');
    const draft = testPair(spoken, withoutHead(body, name));
    if (draft !== null) drafts.push({ ...draft, subject: spoken });
  }
  return drafts;
}

function macroTests({ text, language }: Source): Draft[] {
  const pattern = /^(?:cpp|c)$/.test(language) ? MACRO_TEST : /^(?:clojure|emacslisp)$/.test(language) ? DEFTEST : null;
  if (pattern === null) return [];
  return [...text.matchAll(pattern)].flatMap((match) => {
    const words = match.slice(1).map(nameWords).join(' ');
    const draft = testPair(words.replace(/\btests?\b ?/g, ''), bodyAfter(text, match.index + match[0].length));
    return draft === null ? [] : [draft];
  });
}

function testPair(title: string, body: string): Draft | null {
  const query = title.replace(/\s+/g, ' ').trim();
  const code = cutCode(body);
  if (wordsOf(query).filter((word) => word.length > 1).length < 2 || query.length > MAX_TITLE_LENGTH) return null;
  if (/^(?:issue|bug|gh|pr|regression|case|example)s? ?#?\d/i.test(query)) return null;
  if (code.length < MIN_BODY || looksLikeCode(query) || /[\u0080-\uffff]{3}/.test(query)) return null;
  return { kind: 'test', query, code };
}

/** Lines below the title that are indented deeper, which are the block of any formatted code. */
function bodyAfter(text: string, at: number): string {
  const lineStart = text.lastIndexOf('\n', at) + 1;
  const lines = linesOf(text.slice(lineStart, lineStart + 6_000));
  const rest = text.slice(at, lineStart + lines[0].end).replace(/^\s*,\s*/, '');
  let last = 0;
  for (let i = 1; i < lines.length; i++) {
    if (lines[i].indent > lines[0].indent || (i === 1 && /^\s*\{\s*$/.test(lines[i].text))) last = i;
    else if (lines[i].indent !== -1) break;
  }
  const inner = lines
    .slice(1, last + 1)
    .map((line) => line.text)
    .join('\n');
  // The rest of the title's line is dropped if it only opens the block.
  if (/(?:\bdo|[{([|]|[=-]>)\s*$/.test(rest)) return inner;
  return /^\W*(?:async|function|fn|do|sub|func|\(|\w+\s*=>|\{|t\b)?[\s\w(){}:,.*&=>-]{0,60}$/.test(rest)
    ? inner
    : `${rest}\n${inner}`;
}

/** Code of the test without attributes and without the line that names it. */
function withoutHead(code: string, name: string): string {
  const named = code.indexOf(name);
  const end = code.indexOf('\n', Math.max(named, 0));
  return end === -1 ? '' : code.slice(end + 1);
}

const MIN_LETTERS = 6;

/** Pairs titles with the function that they test, if only one function of the package has that name. */
export function testedPairs(files: readonly FilePairs[]): Pair[] {
  const functions = new Map<string, string | null>();
  for (const { functions: found } of files) {
    for (const [words, code] of found) functions.set(words, functions.has(words) ? null : code);
  }
  return files.flatMap(({ tests }) =>
    tests.flatMap(({ subject, pair }) => {
      const code = testedBy(subject, functions);
      return code === null ? [] : [{ ...pair, code }];
    }),
  );
}

/** Function with the longest name that the words start with. */
function testedBy(subject: string, functions: ReadonlyMap<string, string | null>): string | null {
  const words = subject.split(' ');
  for (let n = words.length; n > 0; n--) {
    const name = words.slice(0, n).join(' ');
    // A single word names a function only if no other word follows.
    if (name.length < MIN_LETTERS || (n === 1 && words.length > 1)) return null;
    const code = functions.get(name);
    if (code !== undefined) return code;
  }
  return null;
}
