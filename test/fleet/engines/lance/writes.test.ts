/** Writes of a process at the same time share commits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openEngine } from '../../../../fleet/src/open.js';
import { makeDirectory } from '../../../support/repositories/repo.js';
import { numberedFile, PROFILE, storedUnit } from '../../made.js';

test('simultaneous publications of a process share commits, and a content that two of them send is stored once', async () => {
  const engine = await openEngine(pathToFileURL(makeDirectory('fleet')).href, PROFILE);
  const send = (...numbers: number[]) => {
    const made = numbers.map((number) => storedUnit(numberedFile(number)));
    return engine.append(
      made.map(({ unit }) => unit),
      made.map(({ record }) => record),
    );
  };
  await Promise.all([send(0), send(1, 2), send(2, 3), send(4)]);
  const { tables } = await engine.status();
  assert.deepEqual([tables.unit.rows, tables.record.rows], [5, 5]);
  await engine.close();
});
