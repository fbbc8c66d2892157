/** Every sample beside this file is checked by the tests of its language's folder. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const TESTS = fileURLToPath(new URL('../../../test/', import.meta.url));

test('each sample is named once in a test of facts', () => {
  const named = readdirSync(`${TESTS}languages`, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('facts.test.ts'))
    .flatMap((name) => /testSamples\(([^;]*)\);/.exec(readFileSync(`${TESTS}languages/${name}`, 'utf8')) ?? [])
    .filter((_, i) => i % 2 === 1)
    .flatMap((list) => list.match(/(?<=')\w+(?=')/g) ?? []);
  const samples = readdirSync(`${TESTS}extract/samples`).map((name) => name.replace(/\.txt$/, ''));
  assert.deepEqual(named.sort(), samples.sort());
});
