/** Notes travel by push and pull as records do: private ones never, shared ones only with the code that they are about. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setLogLevel } from '../../../src/base/log.js';
import { writeNotes } from '../../../src/git/notes.js';
import type { NotesDocument } from '../../../src/questions/note/question.js';
import { answer } from '../../support/in-process/answer.js';
import { cloneRepo, type TestRepo } from '../../support/repositories/repo.js';
import { everything, remoteWith, sharedOf } from '../../support/repositories/share.js';

setLogLevel('silent');

const FILES = { 'a.ts': 'export function total() {\n  return 1;\n}\n', 'b.ts': 'export const tax = 19;\n' };
const SHARED_REF = 'refs/notes/socraticode/notes/v1';
const PRIVATE_REF = 'refs/socraticode/local/notes/v1';

async function run(repo: TestRepo, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await answer(['-C', repo.dir, ...args]);
  assert.ok(code === 0, `${args.join(' ')}: ${stderr}`);
  return stdout;
}

async function notesIn(repo: TestRepo): Promise<NotesDocument['notes']['list']> {
  const { stdout } = await answer(['-C', repo.dir, 'note', 'list', '--all', '--limit', '1000', '--json']);
  return (JSON.parse(stdout) as NotesDocument).notes.list;
}

const textsIn = async (repo: TestRepo) => (await notesIn(repo)).map(({ text }) => text).sort();

test('a private note stays in its clone, a shared one reaches another, and both clones end with one tree', async () => {
  const { remote, clone } = remoteWith(FILES);
  const other = cloneRepo(remote);
  await run(clone, 'note', 'add', 'a.ts:1-3', 'nobody else reads this');
  await run(clone, 'note', 'add', 'a.ts:1-3', '--share', 'from the first clone');
  await run(other, 'note', 'add', 'b.ts', '--share', 'from the other clone');
  assert.match(await run(clone, 'knowledge', 'push'), /^origin: 1 entry sent/);
  assert.match(await run(other, 'knowledge', 'push'), /^origin: 1 entry sent, .*; 1 received/);
  await run(clone, 'knowledge', 'pull');
  assert.deepEqual(await textsIn(other), ['from the first clone', 'from the other clone']);
  assert.deepEqual(await textsIn(clone), ['from the first clone', 'from the other clone', 'nobody else reads this']);
  const [one, two, three] = [clone, other, remote].map((repo) => repo.git('rev-parse', `${SHARED_REF}^{tree}`));
  assert.deepEqual([one, two], [three, three]);
  for (const repo of [remote, other]) assert.doesNotMatch(everything(repo), /nobody else reads this/);
  assert.equal(remote.fsck(), '');
});

test('a note about code that the remote lacks is withheld until that code is pushed', async () => {
  const { remote, clone } = remoteWith(FILES);
  clone.git('checkout', '-q', '-b', 'private');
  clone.commit({ 'secret.ts': 'export const launch = 1;\n' });
  await run(clone, 'note', 'add', 'secret.ts', '--share', 'the launch');
  clone.write({ 'staged.ts': 'never committed\n' });
  await run(clone, 'note', 'add', 'staged.ts', '--share', 'the draft');
  assert.match(await run(clone, 'push'), /2 withheld/);
  assert.doesNotMatch(everything(remote), /the launch|the draft|secret\.ts|staged\.ts/);
  clone.git('push', '-q', 'origin', 'private');
  assert.match(await run(clone, 'push'), /1 record sent.*1 withheld/);
  assert.match(everything(remote), /the launch/);
  assert.doesNotMatch(everything(remote), /the draft/);
});

test('a note on uncommitted text is anchored to the committed text where that has the same lines', async () => {
  const { clone } = remoteWith(FILES);
  clone.write({ 'a.ts': `// A draft.\n${FILES['a.ts']}` });
  await run(clone, 'note', 'add', 'a.ts:2-4', '--share', 'about total');
  const [{ written, place, status }] = await notesIn(clone);
  assert.deepEqual([written.startLine, written.endLine, place?.startLine, status], [1, 3, 2, 'current']);
  assert.match(await run(clone, 'knowledge', 'push'), /1 entry sent/);
});

test('settling a note travels with it, and a private note is shared together with what settles it', async () => {
  const { remote, clone } = remoteWith(FILES);
  const other = cloneRepo(remote);
  await run(clone, 'note', 'add', 'a.ts', 'a doubt');
  const [{ id }] = await notesIn(clone);
  await run(clone, 'note', 'resolve', id.slice(0, 8), 'fixed');
  assert.equal(PRIVATE_REF in clone.notesRefs(), false);
  await run(clone, 'note', 'share', id.slice(0, 8));
  await run(clone, 'push');
  await run(other, 'pull');
  const [{ settled, shared }] = await notesIn(other);
  assert.deepEqual([settled?.text, shared], ['fixed', true]);
});

test('compact, fsck and remove leave every note where it is', async () => {
  const { clone } = remoteWith(FILES);
  for (const text of ['one', 'two']) await run(clone, 'note', 'add', 'a.ts', '--share', text);
  await run(clone, 'note', 'add', 'a.ts', 'three');
  clone.git('rm', '-q', 'a.ts');
  clone.commit({}, 'gone');
  clone.git('checkout', '-q', '--orphan', 'new');
  clone.commit({ 'c.ts': 'new\n' });
  clone.git('branch', '-D', 'main');
  clone.git('update-ref', '-d', 'refs/remotes/origin/main');
  clone.git('reflog', 'expire', '--expire=now', '--all');
  clone.git('gc', '-q', '--prune=now');
  assert.match(await run(clone, 'compact'), /notes\/v1: 2 records kept, 2 commits squashed/);
  assert.match(await run(clone, 'knowledge', 'compact'), /local\/notes\/v1: 1 record in one commit already/);
  assert.match(await run(clone, 'knowledge', 'fsck'), /3 entries of people and agents/);
  await run(clone, 'fsck', '--repair');
  assert.match(await run(clone, 'remove'), /kept what people and agents wrote/);
  assert.deepEqual(await textsIn(clone), ['one', 'three', 'two']);
  assert.equal((await answer(['-C', clone.dir, 'remove', '--knowledge'])).code, 2);
  await run(clone, 'remove', '--knowledge', '--yes');
  assert.deepEqual(await textsIn(clone), []);
});

test('damaged and foreign entries are no notes, are reported, and are taken out by a repair', async () => {
  const { clone } = remoteWith(FILES);
  await run(clone, 'note', 'add', 'a.ts', '--share', 'a good one');
  const [{ id }] = await notesIn(clone);
  const good = clone.git('cat-file', 'blob', `${SHARED_REF}:${id.slice(0, 2)}/${id.slice(2, 4)}/${id.slice(4)}`);
  const { repository } = await sharedOf(clone);
  await writeNotes(repository, SHARED_REF, [
    { target: 'a'.repeat(40), note: Buffer.from(good) },
    { target: 'b'.repeat(40), note: Buffer.from('no entry at all') },
    { target: 'c'.repeat(40), note: Buffer.alloc(70_000) },
  ]);
  assert.deepEqual(await textsIn(clone), ['a good one']);
  const { code, stdout } = await answer(['-C', clone.dir, 'knowledge', 'fsck', '--json']);
  assert.equal(code, 1);
  assert.deepEqual(JSON.parse(stdout).counts, { 'entry-damaged': 3 });
  await run(clone, 'knowledge', 'fsck', '--repair');
  await run(clone, 'knowledge', 'fsck');
  assert.deepEqual(await textsIn(clone), ['a good one']);
});
