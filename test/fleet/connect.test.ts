/** The connection that a page keeps: made when it is first asked, and closed whatever became of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cachedFleet } from '../../src/questions/fleet/package.js';

test('a fleet that cannot be opened fails its question, not the end of the program', async () => {
  const fleet = await cachedFleet({ ...process.env, SOCRATICODE_FLEET_URL: 'file:///dev/null/fleet' });
  const asked = assert.rejects(fleet?.search({ query: 'total' }) as Promise<unknown>, { code: 'FLEET_STORE' });
  await fleet?.close();
  await asked;
  await assert.rejects(fleet?.search({ query: 'total' }) as Promise<unknown>, { code: 'FLEET_STORE' });
});

test('without an address there is no fleet', async () => {
  const { SOCRATICODE_FLEET_URL, ...env } = process.env;
  assert.equal(await cachedFleet({ ...env, GIT_CONFIG_GLOBAL: '/dev/null' }), undefined);
});
