/** Hits of a pattern in a snapshot: what is counted, what is returned, and what a range leaves out. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compilePattern } from '../../../src/search/grep/required-texts.js';
import { grep } from '../../../src/session/grep/grep.js';
import type { Session } from '../../../src/session/session.js';
import { opened } from '../../support/in-process/asker.js';
import { createRepo } from '../../support/repositories/repo.js';

/** Files read, hits, and by file its hits and the lines of those that are returned. */
async function found(session: Session, options: Partial<Parameters<typeof grep>[2]> = {}) {
  const pattern = compilePattern({ pattern: 'parcel', fixed: true });
  const { covered, count, matches, baseline } = await grep(session, pattern, { limit: 10, ...options });
  const files = matches.map(
    ({ file, count: hits, hits: shown }) => `${file.path} ${hits}: ${shown.map(({ line }) => line)}`,
  );
  return { covered, count, files, isRange: baseline !== null };
}

test('all hits are counted, and those up to the limit are returned', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'parcel\nno\nparcel\n', 'b.txt': 'none\n', 'c.txt': 'parcel\n' });
  const session = await opened(t, repo);
  const all = { covered: 3, count: 3, isRange: false };
  assert.deepEqual(await found(session), { ...all, files: ['a.txt 2: 1,3', 'c.txt 1: 1'] });
  assert.deepEqual(await found(session, { limit: 1 }), { ...all, files: ['a.txt 2: 1', 'c.txt 1: '] });
});

test('of a range only files that are new or differ are read, uncommitted ones too, and only their new lines are hits', async (t) => {
  const repo = createRepo();
  repo.commit({ 'a.txt': 'parcel 1\n', 'b.txt': 'parcel 2\n', 'c.txt': 'parcel 3\n', 'd.txt': 'none\n' });
  repo.commit({ 'b.txt': 'parcel 2\nparcel 4\n', 'e.txt': 'parcel 5\n' });
  const session = await opened(t, repo);
  const committed = ['b.txt 1: 2', 'e.txt 1: 1'];
  assert.deepEqual(await found(session, { in: 'HEAD~1..HEAD' }), {
    covered: 2,
    count: 2,
    files: committed,
    isRange: true,
  });
  repo.write({ 'd.txt': 'none\nparcel 6\n', 'f.txt': 'parcel 7\n' });
  assert.deepEqual(await found(session, { in: 'HEAD~1..' }), {
    ...{ covered: 4, count: 4, isRange: true },
    files: ['b.txt 1: 2', 'd.txt 1: 2', 'e.txt 1: 1', 'f.txt 1: 1'],
  });
});
