/** What `doctor` says of sharing after a remote refused a push: the hook is silent from then on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSharing } from '../../../src/questions/doctor/answer.js';
import { Session } from '../../../src/session/session.js';
import { addressKey, RemoteMemory } from '../../../src/share/pull.js';
import { cli } from '../../support/processes/cli.js';
import { createRepo } from '../../support/repositories/repo.js';

const URL = 'https://host.invalid/x.git';

test('a refused push is told, and is wrong where a hook was to share', async () => {
  const repo = createRepo();
  repo.commit({ 'a.ts': 'export const a = 1;\n' });
  repo.git('remote', 'add', 'origin', URL);
  const said = async () => {
    const session = await Session.open({ directory: repo.dir });
    try {
      return (await checkSharing(session, false)).find(({ name }) => name === 'pushes') ?? null;
    } finally {
      await session.close();
    }
  };
  assert.equal(await said(), null);
  const session = await Session.open({ directory: repo.dir });
  const memory = new RemoteMemory(session.repository);
  memory.setDenied(addressKey(URL), true);
  const told = await said();
  assert.deepEqual([told?.ok, told?.hint], [true, null]);
  await cli(['hooks', 'install', '--share'], { cwd: repo.dir });
  const wrong = await said();
  assert.equal(wrong?.ok, false);
  assert.match(
    wrong?.detail ?? '',
    /^origin refused the last push of the index: since then the pre-push hook sends nothing$/,
  );
  assert.match(wrong?.hint ?? '', /git socraticode push origin/);
  memory.setDenied(addressKey(URL), false);
  assert.equal(await said(), null);
  await session.close();
});
