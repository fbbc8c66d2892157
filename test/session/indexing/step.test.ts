/** What a step from an indexed commit to the next counts: the files that it adds and takes away, beside those that were there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { indexRef, warmSearch } from '../../../src/session/indexing/index-operation.js';
import { inProcess } from '../../support/in-process/search.js';
import { createRepo } from '../../support/repositories/repo.js';

const BINARY = Buffer.from([0, 1, 2]);

test('files that are left out are counted by reason over several steps, and none is counted where none is left', async () => {
  const repo = createRepo();
  const counted = (files: Record<string, string | Buffer>) => {
    repo.commit(files);
    return inProcess(repo, async (process) => {
      const { files: all, skipped, parseErrors = 0 } = await indexRef(process.session);
      // A step needs a view of what is before it.
      await warmSearch(process.session);
      return { files: all, skipped, parseErrors, isStep: process.listed === 0 };
    });
  };
  assert.deepEqual(await counted({ 'a.ts': 'export const a = 1;\n', '.env': 'KEY=1\n', 'logo.png': BINARY }), {
    files: 1,
    skipped: { secret: 1, binary: 1 },
    parseErrors: 0,
    isStep: false,
  });
  const broken = { 'b.ts': 'class { { (\n', 'b/.env': 'KEY=2\n', 'c/.env': 'KEY=3\n', 'icon.png': Buffer.from([0, 3]) };
  assert.deepEqual(await counted(broken), {
    files: 2,
    skipped: { secret: 3, binary: 2 },
    parseErrors: 1,
    isStep: true,
  });
  repo.git('rm', '-q', '.env', 'logo.png');
  assert.deepEqual(await counted({ 'b.ts': 'export const b = 1;\n' }), {
    files: 2,
    skipped: { secret: 2, binary: 1 },
    parseErrors: 0,
    isStep: true,
  });
  repo.git('rm', '-q', 'b/.env', 'c/.env', 'icon.png');
  assert.deepEqual(await counted({}), { files: 2, skipped: {}, parseErrors: 0, isStep: true });
});
