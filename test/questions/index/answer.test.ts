/** What indexing reports: new and known files, gaps, the past, and what it would cost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { makeMarket } from '../../support/repositories/market.js';

const repo = makeMarket();
repo.commit({ 'image.png': Buffer.from([0, 1]), 'src/empty.ts': '' }, 'more');
const { text } = await openTold(repo);
const index = async (given = {}) => (await text('index', given)).replace(/\b\d[\d,.]* (?:[KM]?B|ms|s)\b/g, 'SOME');

test('a first run, a second one, one of another ref, and what each would do', async () => {
  assert.equal(
    await index({ dryRun: true }),
    `
HEAD [more]: 15 files, 14 blobs
  would parse 14 blobs (SOME), load 0 records
  would embed about 5 chunks with the built-in model
  estimated: SOME, SOME on disk
  skipped: 1 binary
`,
  );
  assert.equal(
    await index({ ref: 'HEAD~2' }),
    `
HEAD~2 [a market]: 14 files, 15 chunks (14 new, 0 reused, SOME added) in SOME; 15 vectors; parse errors may hide declarations in 1 file
`,
  );
  assert.equal(
    await index({ dryRun: true }),
    `
HEAD [more]: 15 files, 14 blobs
  would parse 2 blobs (SOME), load 1 record
  would embed about 2 chunks with the built-in model
  estimated: SOME, SOME on disk
  skipped: 1 binary
`,
  );
  assert.equal(
    await index(),
    `
HEAD [more]: 15 files, 15 chunks (3 new, 11 reused, SOME added) in SOME; 15 vectors; skipped 1 binary; parse errors may hide declarations in 1 file
`,
  );
  assert.equal(
    await index(),
    `
HEAD [more]: 15 files, 15 chunks (nothing to do) in SOME; 15 vectors; skipped 1 binary; parse errors may hide declarations in 1 file
`,
  );
});

test('what is incomplete fails where completeness is asked for, parse errors where strictness is', async () => {
  assert.equal(
    await index({ requireComplete: true }),
    `
HEAD [more]: 15 files, 15 chunks (nothing to do) in SOME; 15 vectors; skipped 1 binary; parse errors may hide declarations in 1 file
`,
  );
  assert.equal(
    await index({ requireComplete: true, strict: true }),
    `
HEAD [more]: 15 files, 15 chunks (nothing to do) in SOME; 15 vectors; skipped 1 binary; parse errors may hide declarations in 1 file
incomplete: 1 parse-errors
exit 1
`,
  );
});

test('versions of the past are recorded once, and all is made anew by force', async () => {
  assert.equal(
    await index({ history: '2' }),
    `
HEAD [more]: 15 files, 15 chunks (nothing to do) in SOME; 15 vectors; skipped 1 binary; parse errors may hide declarations in 1 file
past: 2 commits, 5 versions of files (5 reused)
`,
  );
  assert.equal(
    await index({ history: '10' }),
    `
HEAD [more]: 15 files, 15 chunks (nothing to do) in SOME; 15 vectors; skipped 1 binary; parse errors may hide declarations in 1 file
past: 3 commits, 16 versions of files (16 reused)
`,
  );
  assert.equal(
    await index({ history: '10' }),
    `
HEAD [more]: 15 files, 15 chunks (nothing to do) in SOME; 15 vectors; skipped 1 binary; parse errors may hide declarations in 1 file
past: 3 commits, 16 versions of files (16 reused)
`,
  );
  assert.equal(
    await index({ force: true }),
    `
HEAD [more]: 15 files, 15 chunks (loaded from records, SOME added) in SOME; 15 vectors; skipped 1 binary; parse errors may hide declarations in 1 file
`,
  );
});
