/** Git over the network: what its prose means, and what its tracking refs do under concurrent fetches. */
import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { withoutPassword } from '../../src/base/printable.js';
import { AUTOMATIC, EXPLICIT, isDenied, isLostPushRace, RemoteDeadline, remoteFailure } from '../../src/git/remote.js';
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
  const inTheWay =
    "[remote rejected] (failed to update ref) remote: error: cannot lock ref 'a': 'a/b' exists; cannot create 'a'";
  assert.deepEqual([isLostPushRace(inTheWay), isDenied(inTheWay)], [false, false]);
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

test('output of a git that has ended is read, however long this process was busy meanwhile', async () => {
  const child = spawn('sh', ['-c', '(sleep 0.3; echo late) & exit 0']);
  const deadline = new RemoteDeadline(child, EXPLICIT);
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.once('exit', () => {
    const until = performance.now() + 1_500;
    while (performance.now() < until);
  });
  await once(child, 'close');
  deadline.stop();
  assert.equal(output, 'late\n');
});

/** A process whose output the test makes, and the signals that its group gets. */
function silent(t: TestContext, signal?: AbortSignal) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setImmediate'] });
  const signals: unknown[] = [];
  t.mock.method(process, 'kill', (_: number, name: string) => signals.push(name));
  const child = Object.assign(new EventEmitter(), {
    pid: 12_345,
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  });
  const deadline = new RemoteDeadline(child as unknown as ChildProcessWithoutNullStreams, AUTOMATIC, signal);
  const says = async () => {
    const heard = once(child.stderr, 'data');
    child.stderr.write('x');
    await heard;
  };
  return { deadline, signals, says };
}

test('a git that says nothing is ended after ten seconds, one that spoke after a minute, and killed a second later', async (t) => {
  const { deadline, signals, says } = silent(t);
  t.mock.timers.tick(9_999);
  await says();
  t.mock.timers.tick(59_999);
  assert.deepEqual([deadline.reason, signals], [null, []]);
  t.mock.timers.tick(1);
  assert.deepEqual([deadline.reason, signals], ['silent', ['SIGTERM']]);
  t.mock.timers.tick(1_000);
  assert.deepEqual(signals, ['SIGTERM', 'SIGKILL']);
  // What it says while it ends starts no new wait.
  await says();
  t.mock.timers.tick(120_000);
  assert.deepEqual(signals, ['SIGTERM', 'SIGKILL']);
});

test('a caller that gives up ends it at once; after the end it has no say', (t) => {
  const given = new AbortController();
  const { deadline, signals } = silent(t, given.signal);
  given.abort();
  assert.deepEqual([deadline.reason, signals], ['cancelled', ['SIGTERM']]);
  t.mock.timers.reset();
  const late = new AbortController();
  const done = silent(t, late.signal);
  done.deadline.stop();
  late.abort();
  t.mock.timers.tick(120_000);
  assert.deepEqual([done.deadline.reason, done.signals], [null, []]);
});
