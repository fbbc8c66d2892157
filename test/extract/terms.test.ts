/** Words of documents and queries: what is cut where, which forms meet, and what never gets lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  eachIdentifier,
  identifierParts,
  identifierTerms,
  MAX_IDENTIFIER,
  nameKey,
  stem,
  textTerms,
  wholeTerm,
} from '../../src/extract/terms.js';

const PARTS: Record<string, string> = {
  parseHTTPRequest2: 'parse HTTP Request 2',
  HTTPServer: 'HTTP Server',
  XMLHttpRequest: 'XML Http Request',
  getUserID: 'get User ID',
  getURLs: 'get URLs',
  URLsOfIDs: 'URLs Of IDs',
  get_user: 'get user',
  CONST_VALUE: 'CONST VALUE',
  __init__: 'init',
  utf8Decode: 'utf 8 Decode',
  SHA256Sum: 'SHA 256 Sum',
  v2: 'v 2',
  $scope: 'scope',
  a$b: 'a b',
  ABC: 'ABC',
  x: 'x',
  ÜberGröße: 'Über Größe',
  данные_пользователя: 'данные пользователя',
  _: '',
};

for (const [identifier, parts] of Object.entries(PARTS)) {
  test(`parts of ${identifier}`, () => assert.equal(identifierParts(identifier).join(' '), parts));
}

test('one name in every style meets as a whole', () => {
  for (const names of [
    ['get_user', 'getUser', 'GetUser', 'GET_USER', '_getUser', '$get_user'],
    ['HTTPServer', 'HttpServer', 'http_server', 'httpServer'],
    ['utf8_decode', 'utf8Decode', 'UTF8_DECODE'],
  ]) {
    const wholes = new Set(names.map(wholeTerm));
    assert.equal(wholes.size, 1, names.join());
    for (const name of names) assert.deepEqual([identifierTerms(name).at(-1), nameKey(name)], [...wholes, ...wholes]);
  }
});

test('names are filed in lower case without joiners, but never under nothing; single letters are no terms', () => {
  assert.deepEqual(
    [nameKey('Classes'), nameKey('x'), nameKey('_'), nameKey('__init__')],
    ['classes', 'x', '_', 'init'],
  );
  assert.deepEqual(textTerms('for (i of X) x = 7'), ['for', 'of', '7']);
});

test('text without spaces between words gives bigrams', () => {
  assert.deepEqual(textTerms('解析器'), ['解析', '析器']);
  assert.deepEqual(textTerms('한국어'), ['한국', '국어']);
  // The long-vowel mark belongs to the word, a rare character of two UTF-16 units is one character.
  assert.deepEqual(textTerms('getユーザー'), ['get', 'ユー', 'ーザ', 'ザー']);
  assert.deepEqual(textTerms('𠮷野家、東'), ['𠮷野', '野家', '東']);
});

test('punctuation of any script ends a word', () => {
  assert.deepEqual(textTerms('“user”→token…größe—café'), ['user', 'token', 'größ', 'café']);
});

test('keys, hashes and encoded data are no words', () => {
  assert.deepEqual(textTerms('a'.repeat(MAX_IDENTIFIER)).length, 1);
  assert.deepEqual(textTerms(`${'a'.repeat(MAX_IDENTIFIER + 1)} ${'é'.repeat(MAX_IDENTIFIER + 1)}`), []);
});

/** Words of each row must become one term. */
const MEET = `
  parse parses parsed parsing | query queries queried querying | class classes | index indexes indexed indexing
  hash hashes hashed hashing | password passwords | address addresses | box boxes | match matches matching
  status statuses | run runs running | stop stopped stopping | cache caches cached caching | retry retries retried
  verify verifies verified | copy copies copied copying | apply applies applied | cookie cookies | movie movies
  alias aliases | canvas canvases | schema schemas | replica replicas | exceed exceeds exceeded exceeding
  need needs needed | speed speeds | embed embeds embedded embedding embeddings | free freed | map mapped mapping
  log logs logged logging | size sizes sized sizing | call calls called calling | process processes processed
  file files filed filing | photo photos | merge merged merging | token tokens | key keys | virus viruses | fix fixes fixed
  unite unites united uniting | note notes noted noting | mode modes | locale locales | paste pastes pasted pasting | route routes routed routing
  type types typed typing | close closes closed closing | scrape scrapes scraped scraping | plan plans planned planning | state states stated stating
  cancel cancels canceled cancelled cancelling | control controls controlled controlling | install installs installed installing | roll rolled rolling
  fill fills filled filling | sniff sniffs sniffed sniffing | commit commits committed committing | agree agreed agreeing | queue queues queued queueing queuing
  send sends sent sending | write writes wrote written writing | build builds building | override overrides overridden overriding overrode
  choose chose chosen choosing | index indices | matrix matrices | child children | menu menus | id ids | bus buses | guarantee guaranteed`;

/** Words of each row must stay apart. */
const APART = `
  state static | user use | string str | general generate | universe university | policy police
  bus bu | this thi | axis axi | need ne | sting st | port part | import important
  unite unit | note not | mode mod | plane plan | stripe strip | paste past | locale local | site sit | rate rat | core cors | state stats | type typ
  line lin | date dat | theme them | bare bar | rune run | scrape scrap | rationale rational | callee call | settings set | headings heads | mine min
  employee employ | found find | built build | bound bind`;

const rows = (table: string) =>
  table
    .trim()
    .split(/[|\n]/)
    .map((row) => row.trim().split(/\s+/));

for (const words of rows(MEET)) {
  test(`stem: ${words.join(', ')} meet`, () => assert.equal(new Set(words.map(stem)).size, 1, words.map(stem).join()));
}
for (const words of rows(APART)) {
  test(`stem: ${words.join(', ')} stay apart`, () => assert.equal(new Set(words.map(stem)).size, words.length));
}

test('an acronym meets its plural', () => {
  for (const word of ['URL', 'API', 'URI', 'UUID']) {
    assert.deepEqual(textTerms(`${word}s`), textTerms(word));
    assert.ok(textTerms(`get${word}s`).includes(word.toLowerCase()));
  }
});

const anyText = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom('get', 'User', 'HTTP', 's', '_', '$', '2', ' ', '.', 'é', 'Ä', '解', 'ー', '𠮷', '“', 'ies'))
    .map((parts) => parts.join('')),
);

test('property: parts cover every letter and digit, in order', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      eachIdentifier(text, (identifier, at) => {
        assert.equal(text.slice(at, at + identifier.length), identifier);
        assert.equal(identifierParts(identifier).join(''), identifier.replace(/[_$]/g, ''));
      });
    }),
    { numRuns: 500 },
  );
});

test('property: terms are never empty, are lower-cased, and survive being stored', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const term of textTerms(text)) {
        assert.notEqual(term, '');
        assert.equal(term, term.toLowerCase());
        assert.equal(Buffer.from(term).toString(), term);
      }
    }),
    { numRuns: 500 },
  );
});

test('property: a text has the terms of its parts, wherever it is cut at a space', () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      assert.deepEqual(textTerms(`${a} ${b}`), [...textTerms(a), ...textTerms(b)]);
      assert.deepEqual(textTerms(a), textTerms(a));
    }),
    { numRuns: 500 },
  );
});

test('property: a word and its plain plural meet', () => {
  const consonant = fc.constantFrom(...'bdfgklmnprt');
  const word = fc.array(fc.tuple(consonant, fc.constantFrom(...'aiou'), consonant), { minLength: 2, maxLength: 3 });
  fc.assert(
    fc.property(word, (syllables) => {
      const text = syllables.flat().join('');
      assert.equal(stem(`${text}s`), stem(text));
    }),
  );
});
