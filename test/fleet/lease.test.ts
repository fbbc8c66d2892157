/** A maintainer's lease belongs to a process. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { LEASE_SECONDS, mayTakeLease, processHolder, shownHolder } from '../../fleet/src/lease.js';

const LEASE = new URL('../../fleet/src/lease.js', import.meta.url).href;
const SAY = `import { processHolder } from ${JSON.stringify(LEASE)}; console.log(processHolder()); setInterval(() => {}, 1_000);`;

test('the lease of a process of this machine holds while it lives, and no longer', async (t) => {
  const child = spawn(process.execPath, ['--input-type=module', '-e', SAY], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(() => child.kill('SIGKILL'));
  const { value: holder } = await createInterface({ input: child.stdout })[Symbol.asyncIterator]().next();
  const lease = { holder: holder as string, until: 1_000 + LEASE_SECONDS };
  assert.equal(mayTakeLease(lease, processHolder(), 1_000), false);
  assert.equal(mayTakeLease(lease, lease.holder, 1_000), true, 'it renews its own');
  assert.equal(shownHolder(lease.holder), `${hostname()}, process ${child.pid}`);
  child.kill('SIGKILL');
  await once(child, 'close');
  assert.equal(mayTakeLease(lease, processHolder(), 1_000), true);
});

test('a holder of another machine, or of another form, keeps its lease until it runs out', () => {
  const elsewhere = 'other 7 1 0e0e - 12345678';
  for (const holder of [elsewhere, 'vm', 'vm:17', 'a b c d e f', 'vm -1 1 - - x']) {
    const lease = { holder, until: 1_500 };
    assert.equal(mayTakeLease(lease, processHolder(), 1_000), false, holder);
    assert.equal(mayTakeLease(lease, processHolder(), 1_500), true, holder);
  }
  assert.equal(shownHolder('vm'), 'vm');
});
