/** Filters that searches share: author, dates, class of the file, uses of a symbol; lines of context. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { COMMAND_WORDS, plainPen } from '../../../src/questions/pen.js';
import { searchText } from '../../../src/questions/result-text.js';
import { answerSearch } from '../../../src/questions/search/answer.js';
import type { SearchResponse, SearchValues } from '../../../src/questions/search/question.js';
import { answerSimilar } from '../../../src/questions/similar/answer.js';
import { Session } from '../../../src/session/session.js';
import { askerOf } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';
import { pathsOf } from '../../support/results.js';

const repo = createRepo();

function commitAs(author: string, date: string, files: Record<string, string>): void {
  repo.write(files);
  repo.git('add', '-A');
  const by = `--author=${author} <${author.toLowerCase()}@example.org>`;
  repo.gitAt(date, 'commit', '-qm', 'change', by, `--date=${date}`);
}

const many = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [`many/f${i}.ts`, `export const basket${i} = ${i};\n`]),
);
const CART = 'export function basketTotal(): number {\n  return 1;\n}\n';
const USER =
  "import { basketTotal } from './cart';\n\nexport function basketPage(): number {\n  return basketTotal();\n}\n";
commitAs('Ann', '2020-01-01T00:00:00Z', { 'src/cart.ts': CART, ...many });
commitAs('Bob', '2021-06-01T00:00:00Z', {
  'src/page.ts': USER,
  'test/cart.test.ts': '// basket\nexport const basketTest = 1;\n',
});
commitAs('Ann', '2022-06-01T00:00:00Z', { 'src/late.ts': 'export const basketLate = 1;\n' });
const LONG = `export function first(): number {\n${'  work();\n'.repeat(60)}  return 1;\n}\n`;
commitAs('Cid', '2019-06-01T00:00:00Z', {
  'src/long.ts': `${LONG}export function second(): void {}\n${LONG.replace('first', 'third')}`,
});
repo.write({ 'src/now.ts': 'export const basketNow = 1;\n' });
repo.git('config', 'user.name', 'Cat');

const session = await Session.open({ directory: repo.dir });
after(() => session.close());
const at = askerOf(session, { directory: repo.dir });

const search = (values: Partial<SearchValues>): Promise<SearchResponse> =>
  answerSearch(at, { query: 'basket', mode: 'lexical', limit: 100, ...values }) as Promise<SearchResponse>;

async function found(values: Partial<SearchValues>): Promise<string[]> {
  const { results } = await search(values);
  return [...new Set(results.flatMap(pathsOf))].filter((path) => !path.startsWith('many/f1')).sort();
}

test('since and until look at the last change of a file; uncommitted files change now', async () => {
  assert.deepEqual(await found({ since: '2021-01-01' }), [
    'src/late.ts',
    'src/now.ts',
    'src/page.ts',
    'test/cart.test.ts',
  ]);
  assert.deepEqual(await found({ since: '2021-01-01', committed: true, until: '2022-01-01' }), [
    'src/page.ts',
    'test/cart.test.ts',
  ]);
  assert.deepEqual(await found({ since: '1d' }), ['src/now.ts']);
});

test('an author is a part of a name or address; commits of many files count', async () => {
  assert.deepEqual(await found({ author: 'BOB@' }), ['src/page.ts', 'test/cart.test.ts']);
  assert.deepEqual(await found({ author: 'ann', since: '2022-01-01' }), ['src/late.ts']);
  assert.ok((await found({ author: 'ann', until: '2020-12-31' })).includes('many/f2.ts'));
  assert.deepEqual(await found({ author: 'cat' }), ['src/now.ts']);
  await assert.rejects(found({ author: 'bbo' }), { code: 'BAD_ARGUMENT', hint: 'Did you mean Bob?' });
});

test('classes of files, and their words in the query', async () => {
  assert.deepEqual(await found({ is: ['test'] }), ['test/cart.test.ts']);
  assert.deepEqual(await found({ query: 'basket author:bob -is:test' }), ['src/page.ts']);
});

test('languages, paths and kinds as words of the query; a misspelt language is said, and nothing else is an empty query', async () => {
  assert.deepEqual(await found({ query: 'basket path:test/' }), ['test/cart.test.ts']);
  assert.deepEqual(await found({ query: 'basket lang:ts -path:many -path:test kind:function' }), [
    'src/cart.ts',
    'src/page.ts',
  ]);
  await assert.rejects(search({ query: 'basket lang:python' }), /python/);
  await assert.rejects(search({ query: 'basket lang:pyhton' }), { code: 'BAD_ARGUMENT', hint: /python/ });
  await assert.rejects(search({ query: 'lang:ts' }), { code: 'EMPTY_QUERY' });
});

test('uses: only code in which the symbol is used', async () => {
  assert.deepEqual(await found({ uses: 'basketTotal' }), ['src/page.ts']);
});

test('filters of one snapshot are refused for several', async () => {
  await assert.rejects(search({ author: 'ann', allRefs: true }), { code: 'BAD_ARGUMENT' });
  for (const since of ['gibberish', '32/13/2020', '2020-13-45', '0.5.2024'])
    await assert.rejects(search({ since }), /not a date/, since);
  for (const since of ['31/12/2020', '12/31/2020', '31.12.2020', '2020-12-31', '2020/12/31 10:00'])
    await search({ since });
});

test('context: lines around those shown, in the text and in the document', async () => {
  const values = { query: 'third', lines: 1, context: 2, limit: 1 };
  const response = await search(values);
  const text = searchText(response, { pen: plainPen(COMMAND_WORDS), values, isCommand: true });
  assert.match(
    text,
    /\n63:\}\n64:export function second\(\): void \{\}\n65:export function third.*\n66: {2}work\(\);\n67: {2}work\(\);\n/,
  );
  const [{ startLine, contentLine, content }] = response.results;
  assert.deepEqual([startLine, contentLine], [65, 63]);
  assert.ok(content?.startsWith('}\nexport function second') && content.endsWith('}'));
});

test('similar takes a path from the directory, and the same filters', async () => {
  const below = askerOf(session, { directory: join(repo.dir, 'src') });
  const { place, results } = await answerSimilar(below, {
    place: 'cart.ts:1',
    lines: 8,
    minLines: 6,
    minShare: 0.8,
    is: ['!test'],
    minScore: 0,
  });
  assert.equal(place?.path, 'src/cart.ts');
  assert.ok(results.every(({ path }) => !path.startsWith('test/')));
});
