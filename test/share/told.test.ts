/** What notes tell of decides what a remote is sent: an entry that cannot be read tells nothing, and so stays here. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listNotes, writeNotes } from '../../src/git/notes.js';
import { encodeEntry, MAX_ENTRY_BYTES } from '../../src/knowledge/entry.js';
import { operationAfter, TASKS } from '../../src/knowledge/task.js';
import { toldByNotes } from '../../src/share/told.js';
import { createRepo } from '../support/repositories/repo.js';
import { NOTES_REF, sharedOf } from '../support/repositories/share.js';

const TASKS_REF = 'refs/notes/socraticode/tasks/v1';
const CLAIM = { author: { name: 'a', email: '', by: 'person' as const }, time: 1_700_000_000 };

test('each entry tells what it names; one that is damaged, too large or gone tells nothing', async () => {
  const repo = createRepo();
  const { repository } = await sharedOf(repo);
  const commit = '5'.repeat(40);
  const entries = ['one', 'two', 'three', 'four'].map((title) => {
    const links = [
      { kind: 'branch' as const, to: title },
      { kind: 'commit' as const, to: commit },
    ];
    return encodeEntry(TASKS, { ...CLAIM, body: operationAfter(null, { title, links }) }, 'sha1');
  });
  const bytes = [entries[0].bytes, entries[1].bytes, entries[2].bytes.subarray(1), Buffer.alloc(MAX_ENTRY_BYTES + 1)];
  const written = entries.map(({ id }, i) => ({ target: id, note: Buffer.from(bytes[i]) }));
  await writeNotes(repository, TASKS_REF, written);
  const { notes } = await listNotes(repository.git, TASKS_REF);
  const gone = '6'.repeat(40);
  const told = await toldByNotes(repository.git, TASKS_REF, new Map([...notes, [gone, gone]]));
  assert.deepEqual(
    [...told].map(([id, { objects, branches }]) => [id, objects, branches]).sort(),
    [0, 1].map((i) => [entries[i].id, [commit], [['one', 'two'][i]]]).sort(),
  );
  assert.deepEqual(
    await toldByNotes(repository.git, NOTES_REF, new Map([[gone, gone]])),
    new Map([[gone, { objects: [gone], branches: [] }]]),
  );
});
