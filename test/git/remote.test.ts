/** Git over the network: what its prose means, and what its tracking refs do under concurrent fetches. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withoutPassword } from '../../src/base/hygiene.js';
import { isDenied, isLostPushRace, remoteFailure } from '../../src/git/remote-failure.js';
import { pullNotes } from '../../src/share/pull.js';
import { pushNotes } from '../../src/share/push.js';
import { cloneRepo } from '../support/repositories/repo.js';
import { blobOf, note, noted, remoteWith, SELECTOR, sharedOf, texts } from '../support/repositories/share.js';

const FAILURES: [code: string, stderr: string][] = [
  ['REMOTE_DENIED', 'git@example.com: Permission denied (publickey).\nfatal: Could not read from remote repository.'],
  [
    'REMOTE_DENIED',
    "remote: Permission to a/b.git denied to c.\nfatal: unable to access 'https://h/': The requested URL returned error: 403",
  ],
  ['REMOTE_DENIED', "fatal: could not read Username for 'https://example.com': terminal prompts disabled"],
  ['REMOTE_DENIED', "fatal: Authentication failed for 'https://example.com/'"],
  ['REMOTE_UNREACHABLE', "fatal: unable to access 'https://h.invalid/': Could not resolve host: h.invalid"],
  [
    'REMOTE_UNREACHABLE',
    'ssh: connect to host h port 22: Connection refused\nfatal: Could not read from remote repository.',
  ],
  ['REMOTE_UNREACHABLE', "fatal: '/gone' does not appear to be a git repository"],
  ['REMOTE_UNREACHABLE', "fatal: transport 'ext' not allowed"],
  ['REMOTE_BUSY', "error: cannot lock ref 'refs/notes/remotes/o/x': is at aa but expected bb"],
  ['REMOTE_BUSY', "error: cannot lock ref 'refs/x': Unable to create '/r/refs/x.lock': File exists."],
  ['DISK', "error: cannot lock ref 'refs/x': Unable to create '/r/refs/x.lock': Permission denied"],
  ['DISK', 'error: insufficient permission for adding an object to repository database .git/objects'],
  ['DISK', "fatal: cannot mkdir '.git/objects/pack': Read-only file system"],
  ['GIT_FAILED', 'fatal: something new'],
];

test('git messages of failed fetches and pushes get the right error code', () => {
  for (const [code, stderr] of FAILURES)
    assert.equal(remoteFailure('origin', ['fetch'], 128, stderr).code, code, stderr);
  const { message } = remoteFailure(
    'origin',
    ['fetch'],
    128,
    "fatal: unable to access 'https://me:pass@h/x/': timed out",
  );
  assert.equal(message, "cannot reach origin: unable to access 'https://h/x/': timed out");
  assert.equal(withoutPassword('ssh://u@h/x'), 'ssh://h/x');
});

test('a lost race is retried, a refusal is not', () => {
  const races = [
    '[rejected] (fetch first)',
    '[rejected] (non-fast-forward)',
    '[remote rejected] (failed to update ref)',
    '[remote rejected] (cannot lock ref ...)',
    '[remote rejected] (reference already exists)',
    '[remote rejected] (unable to migrate objects to permanent storage)',
  ];
  for (const text of races) assert.deepEqual([isLostPushRace(text), isDenied(text)], [true, false], text);
  const refusals = [
    '[remote rejected] (pre-receive hook declined)',
    '[remote rejected] (unpacker error) error: remote unpack failed: unable to create temporary object directory',
    '[remote rejected] (protected branch hook declined)',
    '[remote rejected] (deny updating a hidden ref)',
  ];
  for (const text of refusals) assert.deepEqual([isLostPushRace(text), isDenied(text)], [false, true], text);
});

test('concurrent fetches of one clone all succeed', async () => {
  const { remote, clone } = remoteWith(texts(3));
  await note(
    clone,
    [0, 1, 2].map((i) => blobOf(clone, `f${i}.txt`)),
  );
  await pushNotes(await sharedOf(clone), 'origin', [SELECTOR]);
  const other = cloneRepo(remote);
  const shared = await sharedOf(other);
  await Promise.all([1, 2, 3, 4].map(() => pullNotes(shared, 'origin', [SELECTOR])));
  assert.equal(noted(other).length, 3);
});
