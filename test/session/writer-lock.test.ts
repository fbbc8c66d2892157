/** The one writer of a repository's index: who waits, what comes out when the lock or the work fails. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { SocraticodeError } from '../../src/base/errors.js';
import type { NoteEntry } from '../../src/git/notes.js';
import type { SyntaxStore } from '../../src/record/store.js';
import { Session } from '../../src/session/session.js';
import { withWriterLock, writeRecords } from '../../src/session/writer-lock.js';
import { createRepo } from '../support/repositories/repo.js';

async function opened(t: TestContext): Promise<{ session: Session; isLocked: () => boolean }> {
  const repo = createRepo();
  const session = await Session.open({ directory: repo.dir });
  t.after(() => session.close());
  return { session, isLocked: () => existsSync(join(repo.state, 'writer.lock')) };
}

test('one writer works at a time, and the lock is free when the work ends or fails', async (t) => {
  const { session, isLocked } = await opened(t);
  const seen: string[] = [];
  const write = (name: string) => async () => {
    seen.push(`${name} begins`);
    await new Promise((done) => setTimeout(done, 20));
    seen.push(`${name} ends`);
    return name;
  };
  const both = await Promise.all([withWriterLock(session, write('one')), withWriterLock(session, write('other'))]);
  assert.deepEqual(both, ['one', 'other']);
  assert.deepEqual(
    seen.map((line) => line.split(' ')[1]),
    ['begins', 'ends', 'begins', 'ends'],
  );
  const failing = withWriterLock(session, async () => {
    assert.ok(isLocked());
    throw new Error('disk full');
  });
  await assert.rejects(failing, /disk full/);
  assert.ok(!isLocked());
});

test('who may not wait is told at once that another holds the lock', { timeout: 20_000 }, async (t) => {
  const { session } = await opened(t);
  await withWriterLock(session, async () => {
    await assert.rejects(
      withWriterLock(session, async () => {}, { waitMs: 0 }),
      { code: 'LOCKED' },
    );
    const ended = withWriterLock(session, async () => {}, { signal: AbortSignal.abort(new Error('asked to end')) });
    await assert.rejects(ended, /asked to end/);
  });
});

test('records that cannot be kept fail no answer; what is no known error does', async (t) => {
  const { session, isLocked } = await opened(t);
  const notes: NoteEntry[] = [{ target: '1'.repeat(40), note: Buffer.from('record') }];
  const written: (readonly NoteEntry[])[] = [];
  const storing = (error?: Error) =>
    ({
      write: async (entries: readonly NoteEntry[]) => {
        assert.ok(isLocked());
        written.push(entries);
        if (error !== undefined) throw error;
      },
    }) as unknown as SyntaxStore;
  await writeRecords(session, storing(), []);
  assert.deepEqual([written, isLocked()], [[], false], 'nothing to write needs no lock');
  await writeRecords(session, storing(), notes);
  await writeRecords(session, storing(new SocraticodeError('DISK', 'the disk is full')), notes);
  assert.deepEqual(written, [notes, notes]);
  await assert.rejects(writeRecords(session, storing(new TypeError('a fault of ours')), notes), /a fault of ours/);
});
