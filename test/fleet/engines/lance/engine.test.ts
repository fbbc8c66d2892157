/** LanceDB on a disk passes the contract, and refuses tables of another shape. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openEngine } from '../../../../fleet/src/open.js';
import { makeDirectory } from '../../../support/repositories/repo.js';
import { testContract } from '../../contract.js';
import { PROFILE } from '../../made.js';

testContract('lance on a disk', async () => {
  const address = pathToFileURL(makeDirectory('fleet')).href;
  return { engine: await openEngine(address, PROFILE), other: await openEngine(address, PROFILE) };
});

test('a disk keeps every commit', async () => {
  const address = pathToFileURL(makeDirectory('fleet')).href;
  await (await openEngine(address, PROFILE, { probe: true })).close();
});

test('tables of another shape are refused', async () => {
  const address = pathToFileURL(makeDirectory('fleet')).href;
  await (await openEngine(address, PROFILE)).close();
  const other = { ...PROFILE, dimensions: 16 };
  await assert.rejects(openEngine(address, other), { code: 'FLEET_STORE', message: /unit_1 has the columns/ });
  await assert.rejects(openEngine('ftp://x', PROFILE), { code: 'BAD_ARGUMENT' });
});
