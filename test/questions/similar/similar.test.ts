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
