/** `similar` from the command line: text, JSON, exit codes. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorSchema } from '../../src/questions/shared-output.js';
import { type SimilarResponse, similarResponseSchema } from '../../src/questions/similar/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/in-process/cli.js';
import { manyFiles, PROJECT } from '../support/repositories/samples.js';
import { committed } from '../support/repositories/vectors-repo.js';

const repo = committed({ ...PROJECT, ...manyFiles(5, 'parts') });
const options = { cwd: repo.dir };

test('text: the place, then what resembles it', async () => {
  const { code, stdout, stderr } = await cli(['similar', 'parts/part1.ts:4', '--limit', '2', '--lines', '3'], options);
  assert.deepEqual([code, stderr], [0, '']);
  assert.match(stdout, /^like parts\/part1\.ts:\d+-\d+ \(Part1\b.*\)\n\nparts\/part\d\.ts:2 {2}Part\d/);
});

test('JSON follows its schema, for a place in another ref as well', async () => {
  for (const args of [[], ['--ref', 'main', '--no-content', '--path', 'parts']]) {
    const response: SimilarResponse = check(
      similarResponseSchema,
      await cliJson(['similar', './parts/part1.ts:4:1', ...args], options),
    );
    assert.equal(response.place?.path, 'parts/part1.ts');
    assert.ok(response.results.length > 0 && response.results.every(({ path }) => path !== 'parts/part1.ts'));
    assert.equal(response.vectors.reason, null);
  }
});

test('limits outside of 1 to 100 are refused', async () => {
  for (const limit of ['0', '101', 'ten']) {
    const { code, stderr } = await cli(['similar', 'README.md', '--limit', limit], options);
    assert.equal(code, 2);
    assert.match(stderr, /--limit takes a whole number from 1 to 100, not "?[^"]+"?\n/);
  }
});

test('no results is exit code 1; an invalid place is exit code 2 with a hint', async () => {
  const none = await cli(['similar', 'README.md', '--path', 'README.md'], options);
  assert.deepEqual([none.code, /no results/.test(none.stdout)], [1, true]);
  const nowhere = await cli(['similar', 'README.md', '--path', 'nowhere'], options);
  assert.deepEqual([nowhere.code, /no indexed file matches "nowhere"/.test(nowhere.stderr)], [2, true]);
  for (const place of ['nope.ts:3', 'README.md:0']) {
    const { code, stdout, stderr } = await cli(['similar', place], options);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, /^git-socraticode: [^\n]+\n {2}\S[^\n]+\n$/);
  }
  const json = await cli(['similar', 'nope.ts:3', '--json'], options);
  assert.equal(json.code, 2);
  if (json.stdout !== '') check(errorSchema, JSON.parse(json.stdout));
});

test('a snippet comes from stdin or an option, and paths count from the current directory', async () => {
  const piped = await cli(['similar', '-', '--json'], {
    ...options,
    input: 'class Part1 { step0Of1(input: number) { return input * 2; } }\n',
  });
  const response = check(similarResponseSchema, JSON.parse(piped.stdout));
  assert.equal(response.place, null);
  assert.match(response.results[0].path, /^parts\//);
  assert.equal((await cli(['similar', '--snippet', 'return input * 2'], options)).code, 0);
  for (const args of [[], ['a.ts:1', '--snippet', 'x']]) {
    const { code, stderr } = await cli(['similar', ...args], options);
    assert.equal(code, 2);
    assert.match(stderr, /one of place and snippet is needed/);
  }
  const below = await cli(['similar', 'part1.ts:4'], { cwd: join(repo.dir, 'parts') });
  assert.match(below.stdout, /^like parts\/part1\.ts:/);
});
