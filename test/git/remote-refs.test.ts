/** What a remote is asked for, what it is sent, and what a rejection says. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import type { RemoteOptions } from '../../src/git/remote.js';
import { Remote } from '../../src/git/remote.js';
import type { Repository } from '../../src/git/repository.js';
import { makeDirectory, type TestRepo } from '../support/repositories/repo.js';
import { NOTES_REF, remoteWith, sharedOf } from '../support/repositories/share.js';

async function remoteOf(clone: TestRepo, options: RemoteOptions = {}): Promise<Remote> {
  const { repository, config } = await sharedOf(clone);
  return new Remote(repository, config, 'origin', options);
}

test('published is what branches and tags name, tags with what they stand for; pull requests and notes are not', async () => {
  const { remote, clone } = remoteWith({ 'a.txt': 'a' });
  const main = clone.git('rev-parse', 'HEAD');
  const side = clone.commit({ 'a.txt': 'side' });
  clone.git('tag', '-a', '-m', 'one', 'v1', main);
  const tag = clone.git('rev-parse', 'v1');
  clone.git('push', '-q', 'origin', 'v1', `${side}:refs/heads/team/side`);
  const pulled = clone.commit({ 'a.txt': 'pulled' });
  clone.git('push', '-q', 'origin', `${pulled}:refs/pull/1/head`, `${pulled}:refs/notes/x`);
  const { tips, branches } = await (await remoteOf(clone)).listHeads();
  assert.deepEqual(tips.sort(), [main, side, tag].sort());
  assert.deepEqual([...branches].sort(), ['main', 'team/side']);
  assert.ok(remote.git('rev-parse', 'refs/pull/1/head') === pulled);
});

test('of its notes only ours are listed', async () => {
  const { clone } = remoteWith({ 'a.txt': 'a' });
  const main = clone.git('rev-parse', 'HEAD');
  const names = [
    NOTES_REF,
    'refs/notes/commits',
    'refs/notes/socraticode-like/x',
    'refs/heads/refs/notes/socraticode/x/y',
  ];
  clone.git('push', '-q', 'origin', ...names.map((name) => `${main}:${name}`));
  assert.deepEqual([...(await (await remoteOf(clone)).listNotes())], [[NOTES_REF, main]]);
});

test('a push that is not rejected has no rejection, and one that is says why', async () => {
  const { remote, clone } = remoteWith({ 'a.txt': 'a' });
  const first = clone.git('rev-parse', 'HEAD');
  const second = clone.commit({ 'a.txt': 'b' });
  const origin = await remoteOf(clone);
  const push = (commit: string) => origin.push([{ commit, ref: 'refs/x/a' }]);
  assert.deepEqual(await push(second), [{ ref: 'refs/x/a', rejection: null }]);
  assert.deepEqual(await push(second), [{ ref: 'refs/x/a', rejection: null }], 'it is there already');
  const [{ ref, rejection }] = await push(first);
  assert.equal(ref, 'refs/x/a');
  assert.match(rejection ?? '', /^\[rejected\] \(non-fast-forward\) error: failed to push/);
  assert.equal(remote.git('rev-parse', 'refs/x/a'), second);
});

test('a ref is moved or deleted only from where it was thought to be', async () => {
  const { remote, clone } = remoteWith({ 'a.txt': 'a' });
  const first = clone.git('rev-parse', 'HEAD');
  const second = clone.commit({ 'a.txt': 'b' });
  const origin = await remoteOf(clone);
  await origin.push([{ commit: second, ref: 'refs/x/a' }]);
  const move = async (from: string, to: string | null) =>
    (await origin.move([{ ref: 'refs/x/a', from, to }]))[0].rejection;
  assert.match((await move(first, null)) ?? '', /stale info/);
  assert.equal(await move(second, first), null);
  assert.equal(remote.git('rev-parse', 'refs/x/a'), first);
  assert.equal(await move(first, null), null);
  assert.equal(remote.git('for-each-ref', 'refs/x'), '');
});

test('a remote that is pushed to another address than it is fetched from, or to two, is sent nothing', async () => {
  const { clone } = remoteWith({ 'a.txt': 'a' });
  const commit = clone.git('rev-parse', 'HEAD');
  const other = makeDirectory('other');
  const pushes = async () => (await remoteOf(clone)).push([{ commit, ref: 'refs/x/a' }]);
  clone.git('remote', 'set-url', '--push', 'origin', other);
  await assert.rejects(pushes(), { code: 'REMOTE_DENIED', message: /fetched from one address and pushed to others/ });
  clone.git('remote', 'set-url', '--push', 'origin', clone.git('remote', 'get-url', 'origin'));
  assert.equal((await pushes())[0].rejection, null);
  clone.git('remote', 'set-url', '--add', 'origin', other);
  await assert.rejects(pushes(), { code: 'REMOTE_DENIED' });
});

test('a remote that cannot be reached, a transport that the user forbids, and a caller that gave up are told apart', async (t: TestContext) => {
  const { clone } = remoteWith({ 'a.txt': 'a' });
  await assert.rejects((await remoteOf(clone, { signal: AbortSignal.abort() })).listTips(), { code: 'CANCELLED' });
  clone.git('config', 'protocol.file.allow', 'never');
  await assert.rejects((await remoteOf(clone)).listTips(), {
    code: 'REMOTE_UNREACHABLE',
    message: /'file' not allowed/,
  });
  clone.git('config', 'protocol.file.allow', 'always');
  t.after(() => delete process.env.GIT_ALLOW_PROTOCOL);
  process.env.GIT_ALLOW_PROTOCOL = 'https:ssh';
  await assert.rejects((await remoteOf(clone)).listTips(), { code: 'REMOTE_UNREACHABLE' });
  process.env.GIT_ALLOW_PROTOCOL = 'file';
  assert.equal((await (await remoteOf(clone)).listTips()).length, 1);
  clone.git('remote', 'set-url', 'origin', 'file:///nowhere/at/all');
  await assert.rejects((await remoteOf(clone)).listTips(), { code: 'REMOTE_UNREACHABLE' });
});

/** A remote whose git writes this and ends with a code; what it was asked is kept. */
function saying(output: { stdout?: string; stderr?: readonly string[]; code?: number }, options: RemoteOptions = {}) {
  const asked: { args: readonly string[]; env: Record<string, string> }[] = [];
  const spawn = (args: readonly string[], { env }: { env: Record<string, string> }) => {
    asked.push({ args, env });
    const stream = () => new PassThrough();
    const child = Object.assign(new EventEmitter(), {
      stdin: stream(),
      stdout: stream(),
      stderr: stream(),
      pid: undefined,
    });
    const write = async () => {
      for (const text of output.stderr ?? []) {
        child.stderr.write(text);
        await new Promise(setImmediate);
      }
      child.stdout.end(output.stdout ?? '');
      child.stdout.once('end', () => child.emit('close', output.code ?? 0, null));
    };
    setImmediate(write);
    return child;
  };
  const text = async () => 'https://example.com/a';
  const repository = { git: { spawn, text }, workTree: '/x', gitDir: '/x/.git', commonDir: '/x/.git' };
  const config = [{ key: 'remote.origin.url', value: 'https://example.com/a', scope: 'local', origin: '' } as const];
  return { asked, remote: new Remote(repository as unknown as Repository, config, 'origin', options) };
}

test('progress is told as it comes: the last of what one piece says, and nothing of other words', async () => {
  const seen: [number, number][] = [];
  const stderr = [
    'remote: Counting objects:  50% (1/2)\r',
    'Receiving objects:  10% (1/10)\rReceiving objects:  20% (2/10)\r',
    'Unpacking objects: 100% (7/9), done.\n',
    'Writing objects:   5% (3/60)\r',
  ];
  const { remote } = saying({ stderr }, { onProgress: (done, total) => seen.push([done, total]) });
  await remote.fetch(['a:b'], []);
  assert.deepEqual(seen, [
    [2, 10],
    [7, 9],
    [3, 60],
  ]);
});

test('each line of a push is an outcome; without any the push has failed', async () => {
  const oid = 'a'.repeat(40);
  const lines = [
    'To x',
    `*\t${oid}:refs/x/new\t[new reference]`,
    `!\t${oid}:refs/x/old\t[rejected] (fetch first)`,
    'Done',
  ];
  const stderr = ['hint: words\nremote: error: hook said no\nerror: failed to push\n'];
  const { remote, asked } = saying({ stdout: lines.join('\n'), stderr, code: 1 });
  assert.deepEqual(
    await remote.push([
      { commit: oid, ref: 'refs/x/new' },
      { commit: oid, ref: 'refs/x/old' },
    ]),
    [
      { ref: 'refs/x/new', rejection: null },
      { ref: 'refs/x/old', rejection: '[rejected] (fetch first) remote: error: hook said no' },
    ],
  );
  assert.deepEqual(asked[0].args.slice(-4), ['--end-of-options', 'origin', `${oid}:refs/x/new`, `${oid}:refs/x/old`]);
  const failing = saying({ stderr: ['fatal: something new\n'], code: 1 });
  await assert.rejects(failing.remote.push([{ commit: oid, ref: 'refs/x/new' }]), { code: 'GIT_FAILED' });
  await assert.rejects(saying({ stderr: ['fatal: something new\n'], code: 128 }).remote.listTips(), {
    code: 'GIT_FAILED',
  });
});

test('an automatic command asks nobody for a password, and common commits are negotiated only where some are known', async () => {
  const { remote, asked } = saying({}, { automatic: true });
  await remote.fetch(['a:b'], []);
  await remote.fetch(['a:b'], ['c'.repeat(40)]);
  assert.deepEqual([asked[0].env.GIT_ASKPASS, asked[0].env.SSH_ASKPASS], ['', '']);
  assert.equal(asked[0].env.GIT_ALLOW_PROTOCOL, 'file:git:http:https:ssh');
  assert.ok(!asked[0].args.some((arg) => arg.startsWith('--negotiation-tip')));
  assert.ok(asked[1].args.includes(`--negotiation-tip=${'c'.repeat(40)}`));
  const typed = saying({});
  await typed.remote.listTips();
  assert.equal(typed.asked[0].env.GIT_ASKPASS, undefined);
  assert.equal(typed.remote.url, 'https://example.com/a');
});
