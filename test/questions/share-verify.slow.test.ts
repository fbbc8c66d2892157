/** `share.verify`: records of a teammate that validate and lie are named by the pull that brings them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { PullReport } from '../../src/questions/share/question.js';
import { forgeNotes } from '../support/hostile/forge.js';
import { lie } from '../support/hostile/lies.js';
import { cli, cliJson } from '../support/processes/cli.js';
import { cloneRepo } from '../support/repositories/repo.js';
import { remoteWith } from '../support/repositories/share.js';

const FILES = {
  'a.ts': 'export function first(): number {\n  return 1;\n}\n',
  'b.py': 'def second():\n    return 2\n',
  'c.md': '# Third\n\nA text.\n',
};

test('a pull derives as many new records again as `share.verify` says, and names false ones', async () => {
  const { remote, clone: teammate } = remoteWith(FILES);
  await cliJson(['index'], { cwd: teammate.dir });
  await cliJson(['push'], { cwd: teammate.dir });
  const honest = cloneRepo(remote);
  const pull = async (dir: string, count: string) =>
    cliJson<PullReport>(['pull'], { cwd: dir, env: { SOCRATICODE_SHARE_VERIFY: count } });
  assert.deepEqual((await pull(honest.dir, '2')).verified, { equal: 2, different: [], notComparable: 0 });
  // Nothing was new.
  assert.equal((await pull(honest.dir, '2')).verified, null);
  const trusting = cloneRepo(remote);
  assert.equal((await pull(trusting.dir, '0')).verified, null);

  forgeNotes(teammate, (oid, bytes, index) => (index === 0 ? lie(oid, bytes, index) : bytes));
  const [liar] = teammate.notes().keys();
  teammate.git('push', '-q', '--force', 'origin', teammate.notesRef);
  const wary = cloneRepo(remote);
  const { code, stdout, stderr } = await cli(['pull'], { cwd: wary.dir, env: { SOCRATICODE_SHARE_VERIFY: '10' } });
  assert.equal(code, 0);
  assert.match(stdout, /3 records received; 3 records derived again, 1 false/);
  assert.match(stderr, /1 of 3 pulled records .* fsck --rederive all --repair/);
  const again = cloneRepo(remote);
  assert.deepEqual((await pull(again.dir, '10')).verified, { equal: 2, different: [liar], notComparable: 0 });
});
