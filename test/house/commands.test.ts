/** Every command of the program has one fast end-to-end test in `test/commands`. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { commandNames } from '../support/campaigns/every-command.js';
import { ROOT } from './root.js';

const FOLDER = new URL('test/commands/', ROOT);

test('every command has one end-to-end test in the fast loop', async () => {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.test.ts'));
  assert.deepEqual(
    files.filter((name) => name.endsWith('.slow.test.ts')),
    [],
  );
  const tested = files.flatMap((name) =>
    [...readFileSync(new URL(name, FOLDER), 'utf8').matchAll(/^command\('([a-z ]+)', /gm)].map(
      ([, command]) => command,
    ),
  );
  assert.deepEqual(tested.sort(), (await commandNames()).sort());
});
