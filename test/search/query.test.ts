/** How a query is understood: one name or a question, which words count, which are written like code. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { asksForPermission, parseQuery } from '../../src/search/query.js';

const SYMBOLS: Record<string, string> = {
  SessionStore: 'SessionStore',
  'rememberToken()': 'rememberToken',
  'Session.open': 'open',
  'std::vector': 'vector',
  'Array#map': 'map',
  'foo->bar': 'bar',
  'App\\Http\\Kernel': 'Kernel',
  '`quoted_name`': 'quoted_name',
  "'quoted'": 'quoted',
  '  padded  ': 'padded',
  '#private': 'private',
  '@Injectable': 'Injectable',
  'save!': 'save!',
  'empty?': 'empty?',
  $scope: '$scope',
  Größe: 'Größe',
  解析器: '解析器',
};

for (const [text, name] of Object.entries(SYMBOLS)) {
  test(`${text} is one name`, () => {
    const { kind, identifiers } = parseQuery(text);
    assert.deepEqual([kind, identifiers], ['symbol', [name]]);
  });
}

/** Text -> how it is understood, and the names that it spells out. */
const TEXTS: Record<string, [kind: string, identifiers: string[]]> = {
  'how are passwords hashed': ['question', []],
  'Where is the login checked?': ['question', []],
  'How does HTTP work': ['question', []],
  'why is getUser slow': ['question', ['getUser']],
  'Where is Session.open called?': ['question', ['open']],
  'what calls std::sort in here': ['question', ['sort']],
  'what does run() return.': ['question', ['run']],
  'WHEN\nis it saved': ['question', []],
  'find the get_user function': ['natural', ['get_user']],
  'the `Foo` thing and "bar"': ['natural', ['Foo', 'bar']],
  'parse XMLHttpRequest bodies': ['natural', ['XMLHttpRequest']],
  'retries, e.g. after a timeout, i.e. never': ['natural', []],
  '"two words"': ['natural', []],
  // Words that merely begin like a question.
  'howdy partner': ['natural', []],
  'whereClause builder': ['natural', ['whereClause']],
  'whatever happens next': ['natural', []],
  'show how events are sent': ['natural', []],
};

for (const [text, [kind, identifiers]] of Object.entries(TEXTS)) {
  test(`${JSON.stringify(text)} is ${kind} with ${identifiers.join() || 'no name'}`, () => {
    const parsed = parseQuery(text);
    assert.deepEqual([parsed.kind, parsed.identifiers, parsed.text], [kind, identifiers, text]);
  });
}

test('a question word alone, or one that begins a name, is a name', () => {
  for (const text of ['how', 'where', 'howdy', 'whereClause', 'when()', 'what.next'])
    assert.equal(parseQuery(text).kind, 'symbol', text);
});

test('stop words are left out, in any case, and what remains is stemmed once', () => {
  assert.deepEqual(parseQuery('How are Passwords hashed, and where is a password hashed?').terms, ['password', 'hash']);
  assert.deepEqual(parseQuery("why doesn't the login expire").terms, ['login', 'expir']);
});

test('a query of stop words alone keeps them', () => {
  assert.deepEqual(parseQuery('what is this').terms, ['what', 'is', 'this']);
  assert.deepEqual(parseQuery('for').terms, ['for']);
});

test('a stop word inside a name is part of the name', () => {
  assert.deepEqual(parseQuery('getFor').terms, ['get', 'for', 'getfor']);
});

test('wholes holds the identifiers of several parts, and typed the word behind each term', () => {
  const { wholes, typed } = parseQuery('Why does get_user parse URLs');
  assert.deepEqual([...wholes], ['getuser']);
  assert.deepEqual([typed.get('getuser'), typed.get('pars'), typed.get('url')], ['get_user', 'parse', 'URLs']);
});

test('property: any text parses; terms are distinct and each was typed as something in it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
      const { terms, typed, identifiers } = parseQuery(text);
      assert.equal(new Set(terms).size, terms.length);
      for (const term of terms) assert.ok(text.includes(typed.get(term) as string));
      for (const name of identifiers) assert.ok(name !== '' && text.includes(name));
    }),
    { numRuns: 300 },
  );
});

/** Title of an issue -> the words that count. */
const TITLES: Record<string, string> = {
  '[Bug] window opens twice': 'window open twice',
  '🐛 Bug: window opens twice': 'window open twice',
  '[Feature Request]: open windows twice': 'open window twice',
  'feat: open windows twice': 'open window twice',
  'Error: window opens twice': 'window open twice',
  'Hello, please open the third window twice': 'open third window twice',
  'some bugs when the third window opens twice': 'third window open twice',
  // The code may be about these.
  'bug report window': 'bug report window',
  'hello world': 'hello world',
  'error handling of windows': 'error handl window',
  '[data] attribute of windows': 'data attribut window',
  'error: timeout': 'error timeout',
};

for (const [text, words] of Object.entries(TITLES)) {
  test(`${JSON.stringify(text)} asks for ${words}`, () => {
    const { kind, terms } = parseQuery(text);
    assert.deepEqual([kind, terms.join(' ')], ['natural', words]);
  });
}

test('a mark in front of a question leaves it a question', () => {
  assert.equal(parseQuery('[Question] how are windows opened').kind, 'question');
});

test('a question who may do something asks for permission, and leaves out the words of asking', () => {
  for (const asked of [
    'may a guest delete a comment',
    'Can a team member invite people?',
    'who is allowed to export a collection',
    'who can see drafts',
    'how does the server decide that a user may edit a document',
  ])
    assert.ok(asksForPermission(parseQuery(asked)), asked);
  for (const other of [
    'allow guests to delete comments',
    'can the parser read comments',
    'guest',
    'who can be notified',
    'how are users stored',
    'may',
  ])
    assert.ok(!asksForPermission(parseQuery(other)), other);
  assert.deepEqual(parseQuery('how does the server decide that a user may edit a document').terms, [
    'edit',
    'document',
  ]);
});
