/** Everything about a language stands in `src/languages`: elsewhere no code names one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allLanguages, LANGUAGE_IDS, loadAllRules, rulesOf } from '../../src/languages/registry.js';
import { sourceFiles } from './root.js';

const IDS: ReadonlySet<string> = new Set(LANGUAGE_IDS);

/**
 * Ids that are also words of other trades (git's subcommands, a pager, formats of output, modes of files, kinds of chunks), so that a literal
 * alone proves nothing. They count on lines that speak of a language.
 */
const ORDINARY_WORDS: ReadonlySet<string> = new Set([
  'diff',
  'html',
  'ignore',
  'json',
  'less',
  'log',
  'markdown',
  'r',
  'text',
  'toml',
  'yaml',
]);
/** `languageOf(language)?.plain ?? 'text'` names a kind of chunk. */
const KIND_OF_CHUNK = /\.plain \?\? 'text'/;
/** `javascript` here is the engine that compares vectors where usearch is missing. */
const NAMES_AN_ENGINE = "'usearch'";

/** Shells that completion is written for are programs of the user, not languages of files. */
const NAMES_SHELLS = /^questions\/completion\//;

interface Line {
  place: string;
  code: string;
}

const LINES: Line[] = sourceFiles()
  .filter(({ path }) => !path.startsWith('languages/'))
  .flatMap(({ path, text }) =>
    text
      .split('\n')
      .map((code, index) => ({ place: `${path}:${index + 1}`, code: code.replace(/^\s*(?:\/?\*|\/\/).*$/, '') })),
  );

test('no code outside of src/languages names a language', () => {
  const named = LINES.filter(({ place }) => !NAMES_SHELLS.test(place)).filter(({ code }) =>
    [...code.matchAll(/'([a-z]+)'/g)].some(([, id]) => {
      if (!IDS.has(id) || code.includes(NAMES_AN_ENGINE)) return false;
      return !ORDINARY_WORDS.has(id) || (/language/i.test(code) && !KIND_OF_CHUNK.test(code));
    }),
  );
  assert.deepEqual(
    named.map(({ place, code }) => `${place}: ${code.trim()}`),
    [],
  );
});

test('no table outside of src/languages is keyed by languages', () => {
  const files = new Map<string, Set<string>>();
  for (const { place, code } of LINES) {
    const key = /^\s+(\w+): (?!(?:z|string|number|boolean)\b)/.exec(code)?.[1];
    if (key === undefined || !IDS.has(key) || ORDINARY_WORDS.has(key)) continue;
    const path = place.slice(0, place.lastIndexOf(':'));
    files.set(path, (files.get(path) ?? new Set()).add(key));
  }
  // One such key is a field that happens to have the name of a language (`reason`, `batch`); a table has several.
  const tables = [...files].filter(([, keys]) => keys.size > 1);
  assert.deepEqual(
    tables.map(([path, keys]) => `${path}: ${[...keys].join(', ')}`),
    [],
  );
});

test('a declaration says of itself what its rules hold', async () => {
  await loadAllRules();
  for (const { id, grammar, tokens = false, relations = false, semantics, imports } of allLanguages()) {
    const rules = rulesOf(id);
    assert.equal(rules.definitions !== undefined, grammar !== undefined || tokens, `${id}: grammar`);
    assert.equal(rules.definitions?.tokens !== undefined, tokens, `${id}: tokens`);
    const collects = rules.relations !== undefined || rules.template !== undefined || rules.braces !== undefined;
    assert.equal(collects, relations !== false, `${id}: relations`);
    assert.equal(rules.formats !== undefined, relations === 'formats', `${id}: formats`);
    if (relations !== false)
      assert.ok(semantics !== undefined && imports !== undefined, `${id}: what is collected is linked`);
  }
});
