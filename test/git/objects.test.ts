/** The long-lived git that reads objects: when it owes an answer, what of its messages is kept, and how answers are cut out. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { CatFileReader } from '../../src/git/objects.js';
import type { Git } from '../../src/git/process.js';

const OID = 'a'.repeat(40);

/** A git whose answers the test gives. */
function fakeGit() {
  const started: { args: string[]; asked: string; isIdle: () => boolean; child: ReturnType<typeof makeChild> }[] = [];
  const makeChild = () =>
    Object.assign(new EventEmitter(), {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr: new PassThrough(),
    });
  const spawn = (args: string[], { isIdle }: { isIdle: () => boolean }) => {
    const child = makeChild();
    const run = { args, asked: '', isIdle, child };
    child.stdin.on('data', (text: Buffer) => {
      run.asked += text;
    });
    started.push(run);
    return child;
  };
  return { started, reader: new CatFileReader({ spawn } as unknown as Git) };
}

test('git owes an answer from a request until it is answered', async () => {
  const { started, reader } = fakeGit();
  const [one, two] = [reader.info('HEAD'), reader.info('main')];
  await turn();
  const [{ args, asked, isIdle, child }] = started;
  assert.deepEqual([args, asked, started.length], [['cat-file', '--batch-check'], 'HEAD\nmain\n', 1]);
  assert.equal(isIdle(), false);
  child.stdout.write(`${OID} commit 7\n`);
  assert.deepEqual(await one, { oid: OID, type: 'commit', size: 7 });
  assert.equal(isIdle(), false, 'one is left');
  child.stdout.write('main missing\n');
  assert.equal(await two, null);
  assert.equal(isIdle(), true);
});

test('contents are cut out of whatever pieces they come in, and those that are missing are null', async () => {
  const { started, reader } = fakeGit();
  const asked = ['one', 'gone', 'two'].map((name) => reader.read(name));
  await turn();
  const answers = `${OID} blob 5\n1\n345\ngone missing\n${OID} tree 0\n\n`;
  for (const sign of answers) started[0].child.stdout.write(sign);
  const found = await Promise.all(asked);
  const expected = [['blob', '1\n345'], null, ['tree', '']];
  assert.deepEqual(
    found.map((object) => object && [object.type, `${object.content}`]),
    expected,
  );
  // All in one piece.
  const again = ['one', 'gone', 'two'].map((name) => reader.read(name));
  await turn();
  started[0].child.stdout.write(answers);
  const whole = await Promise.all(again);
  assert.deepEqual(
    whole.map((object) => object && [object.type, `${object.content}`]),
    expected,
  );
});

test('a reader that was closed sends what was asked, and takes nothing more', async () => {
  const { started, reader } = fakeGit();
  const asked = reader.info('HEAD');
  reader.close();
  assert.equal(started[0].child.stdin.writableEnded, true);
  await turn();
  assert.equal(started[0].asked, 'HEAD\n');
  started[0].child.stdout.write(`${OID} commit 7\n`);
  assert.equal((await asked)?.type, 'commit');
  for (const late of [reader.info('HEAD'), reader.read('HEAD')]) await assert.rejects(late, { code: 'CANCELLED' });
  assert.equal(started.length, 1);
});

test('a git that somebody interrupts was cancelled, and so was what it had not answered', async () => {
  const { started, reader } = fakeGit();
  const lost = ['HEAD', 'main'].map((name) => assert.rejects(reader.read(name), { code: 'CANCELLED' }));
  await turn();
  started[0].child.emit('close', null, 'SIGINT');
  await Promise.all(lost);
});

test('a git that ends without an answer is a failure with its first message; of a flood of messages the rest is not kept', async () => {
  const { started, reader } = fakeGit();
  const lost = reader.read('HEAD');
  await turn();
  const { child } = started[0];
  child.stderr.write(`hint: ${'x'.repeat(5_000)}\n`);
  await turn();
  child.stderr.write('fatal: too late to be kept\n');
  await turn();
  child.emit('close', 128, null);
  await assert.rejects(lost, { code: 'UNREADABLE_OBJECT', message: 'cannot read an object: git cat-file ended early' });
  const next = reader.read('HEAD');
  await turn();
  started[1].child.stderr.write('fatal: bad object\n');
  await turn();
  started[1].child.emit('close', 128, null);
  await assert.rejects(next, { code: 'UNREADABLE_OBJECT', message: /fatal: bad object/ });
});

test('names that git would read as two requests are not asked, and those known to be missing neither', async () => {
  const { started, reader } = fakeGit();
  reader.setMissing([OID]);
  for (const name of ['', 'a\nb', 'a\0b', OID]) {
    assert.equal(await reader.read(name), null);
    assert.equal(await reader.info(name), null);
  }
  assert.equal(started.length, 0);
});

test('a request that kills git is answered with null, and those behind it are asked again', async () => {
  const { started, reader } = fakeGit();
  const [killed, behind] = [reader.info(OID), reader.info('HEAD')];
  await turn();
  started[0].child.stderr.write(`fatal: could not fetch ${OID} from promisor remote\n`);
  await turn();
  started[0].child.emit('close', 128, null);
  assert.equal(await killed, null);
  await turn();
  assert.equal(started[1].asked, 'HEAD\n');
  started[1].child.stdout.write(`${OID} blob 3\n`);
  assert.equal((await behind)?.size, 3);
});

test('a name for which git walks has a git of its own, which ends with its answer', async () => {
  const { started, reader } = fakeGit();
  for (const [name, answer, expected] of [
    ['main~3', `${OID} commit 7\n`, 7],
    ['main@{upstream}', 'fatal', undefined],
    ['HEAD^2^{tree}', 'HEAD^2^{tree} missing\n', undefined],
  ] as const) {
    started.length = 0;
    const found = reader.info(name);
    await turn();
    assert.deepEqual([started.length, started[0].asked], [1, `${name}\n`]);
    if (answer === 'fatal') {
      started[0].child.stderr.write('fatal: no upstream configured\n');
      await turn();
      started[0].child.emit('close', 128, null);
    } else started[0].child.stdout.write(answer);
    assert.equal((await found)?.size, expected);
    assert.equal(started[0].child.stdin.writableEnded, answer !== 'fatal');
  }
  started.length = 0;
  for (const name of ['HEAD', 'main^{commit}', 'HEAD:src/a~b', OID, 'a@b', '@']) void reader.info(name).catch(() => {});
  await turn();
  assert.equal(started.length, 1);
});
