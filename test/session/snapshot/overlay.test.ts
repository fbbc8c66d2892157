import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Session } from '../../../src/session/session.js';
import { Snapshots } from '../../../src/session/snapshot/overlay.js';

test('when the local state cannot be read, that is the failure: the git that was asked meanwhile ends without another one', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', note);
  // A name that is too long fails for every user; a folder of another user does not where tests run as root.
  const session = {
    repository: { gitDir: '/nowhere', commonDir: '/nowhere', workTree: '/nowhere' },
    gitConfig: [],
    shards: { directory: `/${'x'.repeat(5_000)}` },
    readChanges: () => Promise.reject(new Error('cancelled')),
    unsaved: null,
    onClose: () => {},
  } as unknown as Session;
  const preparer = new Snapshots(session, { watches: false });
  assert.throws(() => preparer.startStatus('included'), /ENAMETOOLONG/);
  for (let i = 0; i < 3; i++) await nextTurn();
  process.off('unhandledRejection', note);
  assert.deepEqual(unhandled, []);
});
