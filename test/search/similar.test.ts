/** `similar` inside one process: which chunk a place means, and what is near to it. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { isSocraticodeError } from '../../src/base/errors.js';
import { type SimilarResponse, similarResponseSchema } from '../../src/questions/similar/question.js';
import type { SimilarOptions } from '../../src/session/search/searcher.js';
import { parseLocation } from '../../src/session/search/similar.js';
import { check } from '../support/check.js';
import { Process } from '../support/in-process/search.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';
import { committed } from '../support/repositories/vectors-repo.js';
import { pathsOf } from '../support/results.js';

const HELPER = 'export function parseDuration(text: string): number {\n  return Number(text.slice(0, -1)) * 60;\n}\n';
const body = (name: string) =>
  `    let total = 0;\n${`    total += this.${name}.length * 2;\n`.repeat(30)}    return total;\n`;
const BIG = `export class Report {\n${['header', 'footer', 'margin']
  .map((name) => `  ${name}Size(): number {\n${body(name)}  }\n`)
  .join('\n')}}\n`;

const repo = committed({
  ...PROJECT,
  ...manyFiles(20, 'parts'),
  'a/duration.ts': HELPER,
  'b/duration.ts': HELPER,
  // The same chunk in another file, and in another language.
  'c/more.ts': `import { x } from './x.js';\n\n${'// padding of a comment that stands alone\n'.repeat(3)}\n${HELPER}`,
  'c/duration.js': HELPER,
  'big/report.ts': BIG,
  'empty.ts': '',
});
const removed = repo.commit({
  'gone/invoice.ts': 'export function invoiceTotal(lines: number[]) {\n  return lines.length;\n}\n',
});
repo.git('rm', '-q', 'gone/invoice.ts');
repo.commit();

let process: Process;
before(async () => {
  process = await Process.open(repo);
});
after(() => process.close());

type Placed = SimilarResponse & { place: NonNullable<SimilarResponse['place']> };

const similar = async (place: string, options: Omit<SimilarOptions, 'place'> = {}): Promise<Placed> =>
  check(similarResponseSchema, await process.searcher.similar({ ...options, place })) as Placed;

test('a place can be a line, a column or a file alone, with or without ./', () => {
  assert.deepEqual(parseLocation('src/a.ts:12'), { path: 'src/a.ts', line: 12 });
  assert.deepEqual(parseLocation(' ./src/a.ts:12:7 '), { path: 'src/a.ts', line: 12 });
  assert.deepEqual(parseLocation('src/a.ts'), { path: 'src/a.ts', line: 1 });
  assert.deepEqual(parseLocation('odd name:x.ts:3'), { path: 'odd name:x.ts', line: 3 });
  for (const bad of ['', ' ', 'a.ts:0', './', 'a.ts:99999999999999999999'])
    assert.throws(
      () => parseLocation(bad),
      (error) => isSocraticodeError(error, 'BAD_ARGUMENT'),
      bad,
    );
});

test('a line inside a method means that method', async () => {
  const lines = BIG.split('\n');
  for (const name of ['header', 'footer', 'margin']) {
    const line = lines.findIndex((text) => text.includes(`${name}Size`)) + 10;
    const { place } = await similar(`big/report.ts:${line}`);
    assert.ok(place.startLine <= line && line <= place.endLine, `${name} ${line}: ${place.startLine}-${place.endLine}`);
    assert.match(place.symbol ?? '', new RegExp(`${name}Size$`));
  }
});

test('lines outside chunks mean the nearest; every way of writing a place means the same', async () => {
  const last = await similar('big/report.ts:9999');
  assert.match(last.place.symbol ?? '', /marginSize$|Report/);
  const expected = (await similar('src/session.ts:8')).place;
  assert.equal(expected.path, 'src/session.ts');
  for (const place of ['./src/session.ts:8', 'src/session.ts:8:3'])
    assert.deepEqual((await similar(place)).place, expected);
  const [first, alone] = [await similar('src/session.ts:1'), await similar('src/session.ts')];
  assert.deepEqual(alone, first);
  for (let line = 1; line <= 16; line++)
    assert.equal((await similar(`src/session.ts:${line}`)).place.path, 'src/session.ts');
});

test('the place itself is no result; copies elsewhere come first, equal files stand with the place', async () => {
  for (const path of ['a/duration.ts', 'b/duration.ts']) {
    const { place, results } = await similar(`${path}:2`);
    assert.equal(place.path, path);
    assert.deepEqual(pathsOf(place).sort(), ['a/duration.ts', 'b/duration.ts']);
    assert.ok(results.every((result) => !pathsOf(result).some((other) => pathsOf(place).includes(other))));
    const copies = pathsOf(results[0]);
    assert.ok(copies.includes('c/duration.js'), copies.join());
    assert.ok(results[0].score > 0.999);
    assert.ok(results[1].score <= results[0].score);
    assert.ok(results.slice(0, 2).some((result) => pathsOf(result).includes('c/more.ts')));
  }
  const { results } = await similar('parts/part3.ts:4', { limit: 30 });
  assert.ok(results[0].path.startsWith('parts/') && results[0].path !== 'parts/part3.ts');
  const scores = results.map(({ score }) => score);
  assert.deepEqual(
    scores,
    [...scores].sort((a, b) => b - a),
  );
});

test('filters, limit and --no-content apply to results, not to the place', async () => {
  const python = await similar('a/duration.ts:2', { lang: ['python'] });
  assert.ok(python.results.length > 0 && python.results.every(({ language }) => language === 'python'));
  assert.equal(python.place.language, 'typescript');
  const below = await similar('a/duration.ts:2', { path: ['parts'], limit: 4, noContent: true });
  assert.equal(below.results.length, 4);
  assert.ok(below.results.every(({ path, content }) => path.startsWith('parts/') && content === undefined));
  assert.deepEqual((await similar('a/duration.ts:2', { within: () => false })).results, []);
});

test('a missing file is an error with a next step, and a deleted file is found under a ref that has it', async () => {
  for (const place of ['nope.ts:3', 'empty.ts:1', 'src', 'gone/invoice.ts:1']) {
    await assert.rejects(
      similar(place),
      (error) => isSocraticodeError(error, 'BAD_ARGUMENT') && /is indexed/.test(error.message) && error.hint !== '',
    );
  }
  const { place, results, commit } = await similar('gone/invoice.ts:1', { ref: removed });
  assert.deepEqual([place.path, commit], ['gone/invoice.ts', removed]);
  assert.ok(results.length > 0);
});

test('a snippet finds code like it, whatever its quotes mean in a query', async () => {
  const snippet = 'rememberToken(user, "token", `expires`) { this.tokens.set(user, token); }';
  const { place, results } = await process.searcher.similar({ snippet });
  assert.equal(place, null);
  assert.equal(results[0].path, 'src/session.ts');
});
