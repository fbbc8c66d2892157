/** `similar`: a place or a snippet, never both; its text names the place and its copies. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import type { CommandCaller } from '../../../src/questions/asker.js';
import { answerSimilar, similarText } from '../../../src/questions/similar/answer.js';
import {
  MAX_SNIPPET,
  type SimilarResponse,
  type SimilarValues,
  similarResponseSchema,
} from '../../../src/questions/similar/question.js';
import { check } from '../../support/check.js';
import { documentOf, PLAIN } from '../../support/in-process/document.js';
import { manyFiles } from '../../support/repositories/samples.js';
import { committed } from '../../support/repositories/vectors-repo.js';

const HELPER = 'export function parseDuration(text: string): number {\n  return Number(text.slice(0, -1)) * 60;\n}\n';
const copies = Object.fromEntries([...'abcdefg'].map((name) => [`${name}/duration.ts`, HELPER]));
// biome-ignore lint/suspicious/noTemplateCurlyInString: the text of a file.
const OTHER = 'export function formatWeight(grams: number): string {\n  return `${grams / 1000} kg`;\n}\n';
const six = Object.fromEntries([...'abcdef'].map((name) => [`six/${name}.ts`, OTHER]));
const repo = committed({
  ...six,
  ...manyFiles(4, 'parts'),
  ...copies,
  'parts/test/parse.test.ts': 'parseDuration("1m");\n',
});

const asked = async (values: Partial<SimilarValues>, stdin?: string): Promise<SimilarResponse> =>
  check(
    similarResponseSchema,
    await documentOf(repo, (at) => {
      const command =
        stdin === undefined ? {} : { command: { io: { stdin: Readable.from([stdin]) } } as unknown as CommandCaller };
      return answerSimilar({ ...at, ...command }, { limit: 10, lines: 8, ...values } as SimilarValues);
    }),
  );
const written = (response: SimilarResponse, isCommand = true) =>
  similarText(response, { ...PLAIN, isCommand, values: { lines: 2 } });

test('exactly one of a place and a snippet is needed', async () => {
  await assert.rejects(asked({}), /one of place and snippet is needed/);
  await assert.rejects(asked({ place: 'a/duration.ts:1', snippet: 'x' }), /one of place and snippet is needed/);
  assert.equal((await asked({ place: 'a/duration.ts:1' })).place?.path, 'a/duration.ts');
  assert.equal((await asked({ snippet: HELPER })).place, null);
});

test('a snippet on stdin is read whole, and refused where it is empty or too long', async () => {
  const { place, results } = await asked({ place: '-' }, HELPER);
  assert.equal(place, null);
  assert.match(results[0].path, /duration\.ts$/);
  for (const bad of ['', ' \n', 'x'.repeat(MAX_SNIPPET + 1)])
    await assert.rejects(asked({ place: '-' }, bad), /a snippet has 1 to 100,000 characters/);
  await assert.rejects(asked({ place: '-' }), /a snippet has 1 to/, 'no stdin');
  assert.equal((await asked({ place: '-', limit: 1 }, `${'x'.repeat(MAX_SNIPPET - 2)} y`)).place, null);
});

test('filters that searches share narrow what is listed', async () => {
  const paths = async (values: Partial<SimilarValues>) =>
    (await asked({ place: 'a/duration.ts:1', ...values })).results.map(({ path }) => path);
  assert.ok((await paths({})).some((path) => path.startsWith('parts/part')));
  const tests = await paths({ is: ['test'] });
  assert.ok(
    tests.every((path) => path === 'parts/test/parse.test.ts'),
    tests.join(),
  );
});

test('the text names the place, five of its copies and how many more there are', async () => {
  const text = written(await asked({ place: 'a/duration.ts:2', limit: 1 }));
  const lines = text.split('\n');
  assert.match(lines[0], /^like a\/duration\.ts:1-3 \(parseDuration\)$/);
  assert.deepEqual(
    lines.slice(1, 6).map((line) => /^same text: \w\/duration\.ts:1-3$/.test(line)),
    [true, true, true, true, true],
  );
  assert.deepEqual(lines.slice(6, 8), ['(+1 more place)', '']);
  const five = written(await asked({ place: 'six/a.ts:2', limit: 1 }));
  assert.equal(five.match(/^same text: /gm)?.length, 5);
  assert.doesNotMatch(five, /more place/);
  assert.match(written(await asked({ snippet: HELPER, limit: 1 })), /^\w\/duration\.ts/);
  const plain = written(await asked({ place: 'parts/part1.ts:4', limit: 1 }));
  assert.doesNotMatch(plain, /same text|more place/);
});

/** Code that is long enough to compare. Names of variables, numbers and texts are parameters; `more` is one line more. */
const loading = (name: string, row: string, most: number, more = ''): string =>
  [
    `export async function ${name}(db, ids) {`,
    `  const ${row} = await db.select('table of ${name}').where({ ids });`,
    `  if (${row}.length > ${most}) throw new RangeError('too many for ${name}');`,
    `  const known = new Map(${row}.map((one) => [one.id, one]));`,
    `  for (const id of ids) if (!known.has(id)) known.set(id, db.empty(id));`,
    `${more}  return ids.map((id) => known.get(id)).filter((one) => one.isVisible());`,
    '}',
    '',
  ].join('\n');
const fields = (kind: string, names: string[]): string =>
  `export class ${kind} {\n  constructor(${names.join(', ')}) {\n${names.map((name) => `    this.${name} = ${name};\n`).join('')}  }\n}\n`;
const letters = (prefix: string) => [...'abcdefghij'].map((letter) => `${prefix}${letter}`);
const duplicated = committed({
  'src/users.js': loading('loadUsers', 'users', 50),
  'src/orders.js': loading('loadOrders', 'orders', 900),
  'src/items.js': loading('loadItems', 'items', 7, '  db.release();\n'),
  'src/first.js': fields('First', letters('left')),
  'src/second.js': fields('Second', letters('right')),
  'src/same.js': `// A comment changes nothing.\n${loading('loadTags', 'tags', 1).replace('  if', '  // Too many?\n    if')}`,
  'lib/same.js': `${loading('loadTags', 'tags', 1)}`,
  'test/users.test.js': loading('loadForTest', 'rows', 3),
  'src/generated/users.js': loading('loadGenerated', 'rows', 3),
  'docs/readme.md': '# Nothing\n',
});
const allCopies = async (values: Partial<SimilarValues> = {}, at = duplicated) => {
  const asking = { all: true, limit: 10, lines: 8, minLines: 6, minShare: 0.8, ...values } as SimilarValues;
  const response = check(similarResponseSchema, await documentOf(at, (asker) => answerSimilar(asker, asking)));
  assert.ok(response.copies);
  return { response, copies: response.copies };
};
const pathsOf = ({ copies }: Awaited<ReturnType<typeof allCopies>>) =>
  copies.list.map(({ places }) => places.map(({ path }) => path).sort());

test('all: copies with other names, numbers and texts, and one with a line more, are one group; constructors are none', async () => {
  const found = await allCopies();
  assert.deepEqual(pathsOf(found), [['lib/same.js', 'src/items.js', 'src/orders.js', 'src/same.js', 'src/users.js']]);
  const [{ likeness, share, saved }] = found.copies.list;
  assert.equal(likeness, 'near');
  assert.ok(share >= 0.8 && share < 1);
  assert.equal(saved, 7 + 7 + 7 + 8, 'all but the longest');
  const { groups, functions, compared } = found.copies;
  assert.deepEqual([groups, functions, compared.functions], [1, 5, 7]);
});

test('all: comments and white space make no difference, names do', async () => {
  const same = await allCopies({ path: ['**/same.js'] });
  assert.deepEqual(
    same.copies.list.map(({ likeness }) => likeness),
    ['same'],
  );
  const renamed = await allCopies({ path: ['src/users.js', 'src/orders.js'] });
  assert.deepEqual(
    renamed.copies.list.map(({ likeness }) => likeness),
    ['renamed'],
  );
});

test('all: tests are compared if they are asked for, generated files never', async () => {
  const [paths] = pathsOf(await allCopies({ tests: true }));
  assert.ok(paths.includes('test/users.test.js') && !paths.includes('src/generated/users.js'));
});

test('all: the share, the lines and the filters decide what is listed', async () => {
  const [strict] = pathsOf(await allCopies({ minShare: 1 }));
  assert.ok(!strict.includes('src/items.js'));
  assert.deepEqual(pathsOf(await allCopies({ minLines: 8 })), [['src/items.js', 'src/same.js']]);
  assert.deepEqual(pathsOf(await allCopies({ minLines: 9 })), []);
  assert.deepEqual(pathsOf(await allCopies({ lang: ['python'] })), []);
  await assert.rejects(allCopies({ path: ['nowhere'] }), /no indexed file matches "nowhere"/);
  await assert.rejects(allCopies({ place: 'src/users.js:1' }), /give no place and no snippet/);
});

test('all: a query in a text of several lines is code, and what stands inside of copies is no group of its own', async () => {
  const query = (name: string, sql: string) =>
    `export async function ${name}(db) {\n  const found = await db.query(\`\n${sql}\`);\n${loading('inner', 'rows', 1).replace('export ', '')}  return inner(db, found.map((one) => one.id));\n}\n`;
  const select = (table: string) =>
    `    SELECT ${[...'abcdefghij'].map((one) => `${table}_${one}`).join(', ')}\n    FROM ${table}\n`.repeat(4);
  const repo = committed({
    'a.js': query('one', select('cats')),
    'b.js': query('two', select('cats')),
    'c.js': query('three', select('dogs')),
  });
  const found = await allCopies({ minShare: 0.9 }, repo);
  const symbolsOf = ({ copies }: typeof found) => copies.list.map(({ places }) => places.map(({ symbol }) => symbol));
  assert.deepEqual(symbolsOf(found), [
    ['one', 'two'],
    ['one.inner', 'two.inner', 'three.inner'],
  ]);
  assert.deepEqual(symbolsOf(await allCopies({ path: ['a.js', 'b.js'] }, repo)), [['one', 'two']]);
});

test('all: of functions inside of functions only the outer ones are compared, so that a deep file costs no more than a flat one', async () => {
  const heads = Array.from({ length: 200 }, (_, i) => `function f${i}(a, b) { const x = a.k${i}(b) + g${i}(${i});\n`);
  const repo = committed({ 'deep.js': `${heads.join('')}${'}\n'.repeat(heads.length)}` });
  assert.equal((await allCopies({}, repo)).copies.compared.functions, 7);
});

test('all: the text says how much alike they are, and what was compared', async () => {
  const { response } = await allCopies({ path: ['src/users.js', 'src/orders.js'] });
  assert.equal(
    written(response),
    `1 group of copies: 2 functions; with one of each kept, 7 lines less

7 lines less: 2 functions, the same but for names and texts
  src/orders.js:1-7  loadOrders
  src/users.js:1-7  loadUsers

compared: 2 functions in 2 files; tests, too: --tests
`,
  );
  const none = await allCopies({ path: ['src/first.js'] });
  assert.equal(written(none.response), 'no copies among 1 function in 1 file\n');
});
