/** Sharing with a remote: what is sent and received, what only one side has, and the refspec of a plain fetch. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { pushIndex } from '../../../src/questions/share/answer.js';
import { openTold } from '../../support/in-process/told.js';
import { cloneRepo, createRepo } from '../../support/repositories/repo.js';
import { remoteWith } from '../../support/repositories/share.js';

const { remote, clone } = remoteWith({ 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 2;\n' });
const other = cloneRepo(remote);
const [one, two] = [await openTold(clone), await openTold(other)];
const masked = (told: string) => told.replaceAll(remote.dir, 'REMOTE').replace(/\b\d[\d,.]* [KM]?B\b/g, 'SIZE');

test('what is pushed is pulled once; what others have not seen is withheld', async () => {
  assert.equal(
    masked(await one.text('share status')),
    `
origin: git fetch leaves the index alone
`,
  );
  assert.equal(
    masked(await one.text('push')),
    `
origin: nothing to send, as nothing is indexed here yet: git socraticode index, then push again
`,
  );
  await one.text('index');
  clone.commit({ 'c.ts': 'export const secret = 3;\n' }, 'not pushed');
  await one.text('index');
  assert.equal(
    masked(await one.text('push', { dryRun: true })),
    `
origin: 2 records would be sent, SIZE; 1 withheld, as no branch or tag of origin has what it is about
`,
  );
  assert.equal(
    masked(await one.text('push')),
    `
origin: 2 records sent, SIZE; 1 withheld, as no branch or tag of origin has what it is about
`,
  );
  assert.equal(
    masked(await one.text('push')),
    `
origin: up to date; 1 withheld, as no branch or tag of origin has what it is about
`,
  );
  assert.equal(
    masked(await two.text('pull')),
    `
origin: 2 records received
`,
  );
  assert.equal(
    masked(await two.text('pull')),
    `
origin: nothing new
`,
  );
  assert.equal(
    masked(await one.text('share status')),
    `
origin: git fetch leaves the index alone
  refs/notes/socraticode/syntax/<id>: on both sides, 1 record to push, 0 to pull
`,
  );
});

test('knowledge goes its own way, if it is shared', async () => {
  // A note names the commit that it was written at, which a remote has to know.
  clone.git('reset', '-q', '--hard', 'HEAD~1');
  await one.text('note add', { target: 'a.ts', text: 'for all', share: true });
  await one.text('note add', { target: 'b.ts', text: 'for me' });
  assert.equal(
    masked(await one.text('knowledge status')),
    `
notes: 1 shared entry, 1 only in this clone; 1 to push, 0 to pull
compared with origin as of the last fetch
`,
  );
  assert.equal(
    masked(await one.text('knowledge push')),
    `
origin: 1 entry sent, SIZE
`,
  );
  assert.equal(
    masked(await two.text('knowledge pull')),
    `
origin: 1 entry received
`,
  );
  assert.match(await two.text('note list'), /for all/);
  assert.doesNotMatch(await two.text('note list'), /for me/);
});

test('a refspec is added once and taken away; remotes that are none are refused', async () => {
  assert.equal(
    masked(await one.text('share enable')),
    `
origin: git fetch now brings the index
  refs/notes/socraticode/notes/v1: on both sides, 0 records to push, 0 to pull
  refs/notes/socraticode/syntax/<id>: on both sides, 1 record to push, 0 to pull
`,
  );
  assert.equal(
    masked(await one.text('share enable')),
    `
origin: git fetch now brings the index
  refs/notes/socraticode/notes/v1: on both sides, 0 records to push, 0 to pull
  refs/notes/socraticode/syntax/<id>: on both sides, 1 record to push, 0 to pull
`,
  );
  assert.equal(
    masked(await one.text('share disable')),
    `
origin: git fetch leaves the index alone
  refs/notes/socraticode/notes/v1: on both sides, 0 records to push, 0 to pull
  refs/notes/socraticode/syntax/<id>: on both sides, 1 record to push, 0 to pull
`,
  );
  assert.equal(
    masked(await one.text('share disable')),
    `
origin: git fetch leaves the index alone
  refs/notes/socraticode/notes/v1: on both sides, 0 records to push, 0 to pull
  refs/notes/socraticode/syntax/<id>: on both sides, 1 record to push, 0 to pull
`,
  );
  assert.equal(
    await one.refusal('push', { remote: 'nowhere' }),
    'NO_REMOTE: no remote is called nowhere: there is origin (Add one with `git remote add origin URL`, or name one: git socraticode push REMOTE)',
  );
  const alone = createRepo();
  alone.commit({ 'a.ts': '1\n' });
  assert.equal(
    await (await openTold(alone)).refusal('pull'),
    'NO_REMOTE: there is no remote (Add one with `git remote add origin URL`, or name one: git socraticode push REMOTE)',
  );
});

test('after a refusal nothing is pushed unasked, until a push that somebody asks for is taken', async () => {
  const { remote, clone } = remoteWith({ 'a.ts': 'export const a = 1;\n' });
  const { session, text } = await openTold(clone);
  await text('index');
  const refusing = join(remote.dir, 'hooks', 'pre-receive');
  const pushed = async (quiet: boolean) => {
    const { status, sent } = await pushIndex(session, { quiet });
    return [status, sent];
  };
  writeFileSync(refusing, '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  assert.deepEqual(await pushed(true), ['denied', 0]);
  await assert.rejects(pushed(false), { code: 'REMOTE_DENIED' });
  rmSync(refusing);
  assert.deepEqual(await pushed(true), ['denied', 0], 'it is not asked again');
  assert.deepEqual(await pushed(false), ['sent', 1]);
  assert.deepEqual(await pushed(true), ['up-to-date', 0], 'access was given');
  clone.commit({ 'b.ts': 'export const b = 2;\n' });
  clone.git('push', '-q', 'origin', 'main');
  await text('index');
  assert.deepEqual(await pushed(true), ['sent', 1]);
});
