/** What is indexed, what is left out and why, and what to type next. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { makeMarket } from '../../support/repositories/market.js';

const repo = makeMarket();
repo.commit(
  {
    '.socraticode.json': '{ "exclude": ["gen/**"] }',
    'gen/a.ts': '1\n',
    'image.png': Buffer.from([0, 1]),
    'gen/b.ts': '2\n',
  },
  'more',
);
const { text } = await openTold(repo);
const sizes = (told: string) =>
  told
    .replace(/\b\d[\d,.]* (?:[KM]?B|ms|s)\b/g, 'SIZE')
    .replace(/\(\/.*post-commit\)/, '(HOOK)')
    .replace(/all \d+$/m, 'all GRAMMARS');

test('before the index, then after it', async () => {
  assert.equal(
    sizes(await text('status')),
    `
ref        HEAD [more] (main)
coverage   0 of 15 files, 0 chunks
left out   2 excluded, 1 binary; which: git socraticode status --left-out
unparsed   no file
languages  8 typescript, 3 python, 2 json, 1 markdown, 1 text
records    0 blobs with a record, 15 without
notes      refs/notes/socraticode/syntax/<id>: 0 records, SIZE packed
shards     0 shards, 0 documents, SIZE
vectors    0 of 0 chunks, SIZE
embedder   builtin <id>, 256 dimensions, profile <id>
grammars   all GRAMMARS
dirty      no uncommitted files
hook       not installed (HOOK)
remotes    none
next
  git socraticode index
`,
  );
  assert.equal(
    sizes(await text('index', { dryRun: true })),
    `
HEAD [more]: 15 files, 15 blobs
  would parse 15 blobs (SIZE), load 0 records
  would embed about 5 chunks with the built-in model
  estimated: SIZE, SIZE on disk
  skipped: 2 excluded, 1 binary
`,
  );
  assert.equal(
    sizes(await text('index')),
    `
HEAD [more]: 15 files, 16 chunks (15 new, 0 reused, SIZE added) in SIZE; 16 vectors; skipped 2 excluded, 1 binary; parse errors may hide declarations in 1 file
`,
  );
  assert.equal(
    sizes(await text('index')),
    `
HEAD [more]: 15 files, 16 chunks (nothing to do) in SIZE; 16 vectors; skipped 2 excluded, 1 binary; parse errors may hide declarations in 1 file
`,
  );
  assert.equal(
    sizes(await text('status')),
    `
ref        HEAD [more] (main)
coverage   15 of 15 files, 16 chunks
left out   2 excluded, 1 binary; which: git socraticode status --left-out
unparsed   no file
incomplete 1 file, whose parse errors may hide declarations: src/broken.ts; where: git socraticode explain FILE
languages  8 typescript, 3 python, 2 json, 1 markdown, 1 text
records    15 blobs with a record, 0 without
notes      refs/notes/socraticode/syntax/<id>: 15 records, SIZE packed
shards     1 shard, 16 documents, SIZE
vectors    16 of 16 chunks, SIZE
embedder   builtin <id>, 256 dimensions, profile <id>
grammars   all GRAMMARS
dirty      no uncommitted files
hook       not installed (HOOK)
remotes    none
next
  git socraticode search "what you are looking for"
`,
  );
  assert.equal(
    sizes(await text('index', { dryRun: true })),
    `
HEAD [more]: 15 files, 15 blobs
  would parse 0 blobs (SIZE), load 0 records
  would embed 0 chunks with the built-in model
  estimated: SIZE, SIZE on disk
  skipped: 2 excluded, 1 binary
`,
  );
});

test('of a ref, what is left out by each rule, cut by a limit; and the lines for prompts', async () => {
  assert.equal(
    sizes(await text('status', { ref: 'HEAD~1' })),
    `
ref        HEAD~1 [taxes rise] (main)
coverage   14 of 14 files, 15 chunks
left out   nothing
unparsed   no file
incomplete 1 file, whose parse errors may hide declarations: src/broken.ts; where: git socraticode explain FILE
languages  8 typescript, 3 python, 1 json, 1 markdown, 1 text
records    14 blobs with a record, 0 without
notes      refs/notes/socraticode/syntax/<id>: 15 records, SIZE packed
shards     1 shard, 16 documents, SIZE
vectors    15 of 15 chunks, SIZE
embedder   builtin <id>, 256 dimensions, profile <id>
grammars   all GRAMMARS
dirty      no uncommitted files
hook       not installed (HOOK)
remotes    none
next
  git socraticode search --ref 'HEAD~1' "what you are looking for"
`,
  );
  assert.equal(
    await text('status', { leftOut: '' }),
    `
3 of 18 files not indexed

2 files: the setting exclude leaves it out (gen/** in .socraticode.json)
  gen/a.ts
  gen/b.ts
  next: Remove the glob from the setting.
1 file: its extension is that of a binary file (*.png)
  image.png
`,
  );
  assert.equal(
    await text('status', { leftOut: 'gen', limit: 1 }),
    `
2 of 2 files below gen not indexed

2 files: the setting exclude leaves it out (gen/** in .socraticode.json)
  gen/a.ts
  (+1 more)
  next: Remove the glob from the setting.
`,
  );
  assert.equal(
    await text('status', { porcelain: true }),
    `
branch.oid [more]
branch.head main
index.files 15
index.covered 15
index.writer 0
`,
  );
});
