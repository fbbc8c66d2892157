/** Pushing entries: one that names a single thing which the remote lacks stays here, whatever else it names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CatFileReader } from '../../src/git/objects.js';
import { encodeEntry } from '../../src/knowledge/entry.js';
import { NOTES } from '../../src/knowledge/note.js';
import { EntryStore } from '../../src/knowledge/store.js';
import { operationAfter, TASKS, type TaskLink } from '../../src/knowledge/task.js';
import { KNOWLEDGE } from '../../src/share/notes-refs.js';
import { pushNotes } from '../../src/share/push.js';
import { blobOf, everything, remoteWith, sharedOf } from '../support/repositories/share.js';

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
