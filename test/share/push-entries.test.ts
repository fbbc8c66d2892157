/** Pushing entries: one that names a single thing which the remote lacks stays here, whatever else it names. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { notePath, writeNotes } from '../../src/git/notes.js';
import { commitNotes } from '../../src/git/notes-union.js';
import { CatFileReader } from '../../src/git/objects.js';
import { operationAfter, TASKS, type TaskLink } from '../../src/knowledge/codecs.js';
import { EntryStore, encodeEntry, MAX_ENTRY_BYTES, NOTES } from '../../src/knowledge/entry.js';
import { KNOWLEDGE } from '../../src/share/notes-refs.js';
import { pushNotes, requireReached } from '../../src/share/push.js';
import type { TestRepo } from '../support/repositories/repo.js';
import {
  blobOf,
  everything,
  NOTES_REF,
  note,
  noted,
  remoteWith,
  SELECTOR,
  sharedOf,
} from '../support/repositories/share.js';

const CLAIM = { author: { name: 'a', email: '', by: 'person' as const }, time: 1_700_000_000 };

test('a note on published bytes in a private commit stays here, and so does a task that links a private branch', async (t) => {
  const { remote, clone } = remoteWith({ 'a.ts': 'export {};\n' });
  const published = clone.git('rev-parse', 'HEAD');
  const blob = blobOf(clone, 'a.ts');
  clone.git('checkout', '-q', '-b', 'private');
  const hidden = clone.commit({ 'b.ts': 'export const secret = 1;\n' });
  const shared = await sharedOf(clone);
  const objects = new CatFileReader(shared.repository.git);
  t.after(() => objects.close());
  const notes = new EntryStore({ repository: shared.repository, objects }, NOTES, 'v1');
  const note = (commit: string, text: string) => {
    const anchor = { path: 'a.ts', symbol: null, lines: null, blob, commit, size: 11, content: '0'.repeat(32) };
    return notes.add({ ...CLAIM, body: { text, anchor } }, true, 0);
  };
  await note(hidden, 'of the private commit');
  await note(published, 'of the published commit');
  const task = async (title: string, links: TaskLink[]) => {
    const body = operationAfter(null, { title, links });
    const { id } = encodeEntry(TASKS, { ...CLAIM, body }, 'sha1');
    await new EntryStore({ repository: shared.repository, objects }, TASKS, id).add({ ...CLAIM, body }, true, 0);
  };
  await task('on the private branch', [
    { kind: 'branch', to: 'main' },
    { kind: 'branch', to: 'private' },
  ]);
  await task('on a published branch', [
    { kind: 'branch', to: 'main' },
    { kind: 'commit', to: published },
  ]);
  const pushed = await pushNotes(shared, 'origin', KNOWLEDGE);
  assert.deepEqual([pushed.sent, pushed.withheld], [2, 2]);
  const sent = everything(remote);
  assert.match(sent, /of the published commit/);
  assert.match(sent, /on a published branch/);
  assert.doesNotMatch(sent, /private/);
});

/** A clone with a private branch, and stores of notes in it that anybody may write. */
async function clonedWithNotes(t: TestContext) {
  const { remote, clone } = remoteWith({ 'a.ts': 'export {};\n' });
  const published = clone.git('rev-parse', 'HEAD');
  const blob = blobOf(clone, 'a.ts');
  clone.git('checkout', '-q', '-b', 'private');
  const hidden = clone.commit({ 'b.ts': 'export const secret = 1;\n' });
  const shared = await sharedOf(clone);
  const objects = new CatFileReader(shared.repository.git);
  t.after(() => objects.close());
  const notes = new EntryStore({ repository: shared.repository, objects }, NOTES, 'v1');
  const on = (commit: string, text: string) => {
    const anchor = { path: 'a.ts', symbol: null, lines: null, blob, commit, size: 11, content: '0'.repeat(32) };
    return { ...CLAIM, body: { text, anchor } };
  };
  return { remote, clone, shared, notes, on, published, hidden };
}

test('an entry that nobody can read stays here, since nobody knows what it tells of', async (t) => {
  const { remote, shared, notes, on, published, hidden } = await clonedWithNotes(t);
  await notes.add(on(published, 'of the published commit'), true, 0);
  const { id, bytes } = encodeEntry(NOTES, on(hidden, 'of a confidential commit'), 'sha1');
  const unreadable = [
    { target: id, note: bytes.subarray(0, bytes.length - 1) },
    { target: 'b'.repeat(40), note: bytes },
    { target: 'c'.repeat(40), note: Buffer.from('confidential, and no entry at all') },
    { target: 'd'.repeat(40), note: Buffer.alloc(MAX_ENTRY_BYTES + 1, 'confidential ') },
    { target: 'e'.repeat(40), note: Buffer.alloc(0) },
  ];
  await writeNotes(shared.repository, notes.refOf(true), unreadable);
  const pushed = await pushNotes(shared, 'origin', KNOWLEDGE);
  assert.deepEqual([pushed.sent, pushed.withheld], [1, unreadable.length]);
  assert.match(everything(remote), /of the published commit/);
  assert.doesNotMatch(everything(remote), /confidential/);
});

test('no object that a push brings names what the branches and tags of the remote do not reach', async (t) => {
  const { remote, clone, shared, notes, on, published, hidden } = await clonedWithNotes(t);
  const secret = blobOf(clone, 'b.ts');
  await note(clone, [blobOf(clone, 'a.ts'), secret]);
  await notes.add(on(published, 'first'), true, 0);
  await notes.add(on(hidden, 'second'), true, 0);
  // As written by a later version: readable to nobody, and full of private names.
  const body = Buffer.concat([Buffer.from(`later ${hidden} `), Buffer.from(secret, 'hex')]);
  await writeNotes(shared.repository, notes.refOf(true), [{ target: 'f'.repeat(40), note: body }]);
  const objectsOf = (repo: TestRepo, ...refs: string[]) =>
    repo.git('rev-list', '--objects', '--no-object-names', ...refs).split('\n');
  const reached = new Set(objectsOf(remote, '--branches', '--tags'));
  const kept = objectsOf(clone, '--branches').filter((oid) => !reached.has(oid));
  assert.equal(kept.includes(hidden) && kept.includes(secret), true);
  const { sent } = await pushNotes(shared, 'origin', [SELECTOR, ...KNOWLEDGE]);
  assert.equal(sent, 2);
  const pack = everything(remote);
  for (const oid of kept) {
    // A tree, a note and a message name it by its digits, by its bytes, or as a path of a notes tree.
    const names = [oid, Buffer.from(oid, 'hex').toString('latin1'), notePath(oid)];
    assert.equal(
      names.some((name) => pack.includes(name)),
      false,
      oid,
    );
  }
  for (const ref of remote.git('for-each-ref', '--format=%(refname)', 'refs/notes').split('\n')) {
    const targets = noted(remote, ref);
    if (ref === NOTES_REF)
      assert.deepEqual(
        targets.filter((target) => !reached.has(target)),
        [],
      );
    assert.equal(targets.length, 1, ref);
  }
});

test('whatever chose it, no commit leaves with a private record, an entry about private code, or older notes behind it', async (t) => {
  const { clone, shared, notes, on, published, hidden } = await clonedWithNotes(t);
  const { repository } = shared;
  const record = clone.blob('a record');
  const entry = (commit: string) => encodeEntry(NOTES, on(commit, 'text'), 'sha1');
  const offer = async (ref: string, of: [target: string, note: string][], parent: string | null = null) => {
    return [{ ref, commit: await commitNotes(repository, parent, new Map(of)) }];
  };
  const ofEntry = ({ id, bytes }: ReturnType<typeof entry>): [string, string] => [id, clone.blob(bytes)];
  const [open, secret] = [blobOf(clone, 'a.ts'), blobOf(clone, 'b.ts')];
  const entries = notes.refOf(true);
  const [older] = await offer(NOTES_REF, [[secret, record]]);
  const heads = { tips: [published], branches: new Set(['main']) };
  const leave = async (offers: Awaited<ReturnType<typeof offer>>, tracked = new Map<string, string>()) =>
    requireReached(repository.git, offers, { tracked, heads });
  await leave(await offer(NOTES_REF, [[open, record]]));
  await leave(await offer(entries, [ofEntry(entry(published))]));
  const linked = async (to: string) => {
    const body = operationAfter(null, { title: 'to do', links: [{ kind: 'branch', to }] });
    const task = encodeEntry(TASKS, { ...CLAIM, body }, 'sha1');
    return offer('refs/notes/socraticode/tasks/v1', [ofEntry(task)]);
  };
  await leave(await linked('main'));
  // What the remote has already is its own affair.
  await leave(await offer(NOTES_REF, [[open, record]], older.commit), new Map([[NOTES_REF, older.commit]]));
  const refused = [
    await offer(NOTES_REF, [
      [open, record],
      [secret, record],
    ]),
    await offer(entries, [ofEntry(entry(published)), ofEntry(entry(hidden))]),
    await offer(entries, [[open, record]]),
    await linked('private'),
    await offer(NOTES_REF, [[open, record]], older.commit),
    [{ ref: NOTES_REF, commit: hidden }],
  ];
  for (const [i, offers] of refused.entries())
    await assert.rejects(leave(offers), { code: 'INTERNAL', message: /nothing was sent/ }, `${i}`);
});

test('a push that takes private objects for published ones sends nothing at all', async (t) => {
  const { remote, clone, shared, notes, on, published, hidden } = await clonedWithNotes(t);
  await note(clone, [blobOf(clone, 'a.ts'), blobOf(clone, 'b.ts')]);
  await notes.add(on(published, 'first'), true, 0);
  await notes.add(on(hidden, 'second'), true, 0);
  const { git } = shared.repository;
  let walks = 0;
  const spawn: typeof git.spawn = (args, options) =>
    git.spawn(args.includes('--objects') && walks++ === 0 ? [...args, '--all'] : args, options);
  const mistaken = new Proxy(git, {
    get: (_, name) => (name === 'spawn' ? spawn : bound(git, Reflect.get(git, name, git))),
  });
  const push = pushNotes({ ...shared, repository: { ...shared.repository, git: mistaken } }, 'origin', [
    SELECTOR,
    ...KNOWLEDGE,
  ]);
  await assert.rejects(push, { code: 'INTERNAL', message: /nothing was sent/ });
  assert.equal(remote.git('for-each-ref', 'refs/notes'), '');
});

const bound = (of: object, value: unknown): unknown => (typeof value === 'function' ? value.bind(of) : value);

test('an entry that is shared and was private before counts once, as shared', async (t) => {
  const { notes, on, published } = await clonedWithNotes(t);
  const id = await notes.add(on(published, 'a note'), false, 0);
  await notes.add(on(published, 'another'), false, 0);
  const [{ entry }] = (await notes.read()).entries.filter((each) => each.entry.id === id);
  await notes.share([entry]);
  const { entries, unreadable } = await notes.read();
  assert.deepEqual(
    [entries.map((each) => [each.entry.id === id, each.isShared]), unreadable],
    [
      [
        [true, true],
        [false, false],
      ],
      0,
    ],
  );
});
