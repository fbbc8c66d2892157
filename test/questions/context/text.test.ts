/** Artifacts of the repository and outside of it: listed with their state, searched alone, shown, indexed and removed. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { createRepo, makeDirectory, runGit } from '../../support/repositories/repo.js';

const outside = makeDirectory('outside');
for (const [name, content] of [
  ['plan.md', '# Overdue plans\n\nSend reminders.\n'],
  ['image.png', '\0\x01'],
  ['large.md', `# Large\n\n${'word '.repeat(800)}\n`],
])
  writeFileSync(join(outside, name), content);
const repo = createRepo();
const artifact = (name: string, path: string) => ({ name, path, description: `about ${name}` });
repo.commit(
  {
    '.socraticodecontextartifacts.json': JSON.stringify({
      artifacts: [
        artifact('db', 'db/schema.sql'),
        artifact('adr', 'docs/adr'),
        artifact('plans', outside),
        artifact('gone', 'none.md'),
      ],
    }),
    '.socraticode.json': '{"exclude": ["*.sql"], "maxFileBytes": 3000}',
    'db/schema.sql': 'CREATE TABLE invoice (\n  id BIGINT,\n  overdue BOOLEAN\n);\n',
    'docs/adr/1.md': '# Overdue invoices\n\nReminders go out at night.\n',
    'docs/adr/2.md': '# Currency\n\nAmounts are integers.\n',
    'src/invoice.ts': 'export const overdue = 1;\n',
  },
  'begin',
);
const global = (...words: string[]) => runGit(['config', '--global', ...words], { cwd: repo.dir });
const masked = (told: string) => told.replaceAll(outside, 'OUTSIDE').replace(/\b\d[\d.]* (?:[KM]?B|ms|s)\b/g, 'SOME');

test('without consent nothing outside is looked at; what is inside is searched alone', async () => {
  const { text, refusal } = await openTold(repo);
  const context = async (name: string, given = {}) => masked(await text(`context ${name}`, given));
  assert.equal(
    await context('list'),
    `
db  db/schema.sql  partial  0 of 1 file, SOME, 0 chunks, <id>
  about db
  a search indexes the rest first
adr  docs/adr  partial  0 of 2 files, SOME, 0 chunks, <id>
  about adr
  a search indexes the rest first
plans  OUTSIDE (outside)  not-allowed
  about plans
  it lies outside of the repository; only the user may allow it, knowing why it is named: git config --global --add socraticode.context.allow OUTSIDE
gone  none.md  missing
  about gone
  nothing is there in this snapshot
`,
  );
  assert.equal(
    await context('list', { artifact: ['db'] }),
    `
db  db/schema.sql  partial  0 of 1 file, SOME, 0 chunks, <id>
  about db
  a search indexes the rest first
`,
  );
  assert.equal(
    await context('search', { query: 'overdue reminders' }),
    `
docs/adr/1.md:1  Overdue invoices  section  [adr]
1:# Overdue invoices
2:
3:Reminders go out at night.

db/schema.sql:1  invoice  table  [db]
1:CREATE TABLE invoice (
2:  id BIGINT,
3:  overdue BOOLEAN
4:);

not searched: plans, not-allowed: it lies outside of the repository; only the user may allow it, knowing why it is named: git config --global --add socraticode.context.allow OUTSIDE
not searched: gone, missing: nothing is there in this snapshot
`,
  );
  assert.equal(
    await context('search', { query: 'overdue', artifact: ['db'], noContent: true }),
    `
db/schema.sql:1  invoice  table  [db]
1-4

`,
  );
  assert.equal(
    await context('show', { name: 'adr' }),
    `
adr  docs/adr  ready  2 files, SOME, 2 chunks, <id>
  about adr

docs/adr/1.md
 # Overdue invoices
 
 Reminders go out at night.

docs/adr/2.md
 # Currency
 
 Amounts are integers.
`,
  );
  assert.equal(
    await context('show', { name: 'plans' }),
    `
plans  OUTSIDE (outside)  not-allowed
  about plans
  it lies outside of the repository; only the user may allow it, knowing why it is named: git config --global --add socraticode.context.allow OUTSIDE
`,
  );
  assert.equal(
    await refusal('context show', { name: 'dbs' }),
    'BAD_ARGUMENT: no artifact is called dbs (Artifacts here: db, adr, plans, gone)',
  );
  assert.equal(
    await refusal('context search', { query: 'x', artifact: ['dbs'] }),
    'BAD_ARGUMENT: no artifact is called dbs (Artifacts here: db, adr, plans, gone)',
  );
});

test('what the user allows is indexed on this machine, found, and removed again', async () => {
  global('--add', 'socraticode.context.allow', outside);
  after(() => global('--unset-all', 'socraticode.context.allow'));
  const copy = createRepo();
  copy.git('pull', '-q', repo.dir, 'main');
  const { text } = await openTold(copy);
  const context = async (name: string, given = {}) => masked(await text(`context ${name}`, given));
  assert.equal(
    await context('index'),
    `
3 artifacts inside: part of the index of HEAD; 6 files parsed now
1 artifact outside: 1 file, 1 parsed now; kept on this machine
db  db/schema.sql  ready  1 file, SOME, 1 chunk, <id>
  about db
adr  docs/adr  ready  2 files, SOME, 2 chunks, <id>
  about adr
plans  OUTSIDE (outside)  ready  1 file, SOME, 1 chunk, <id>
  about plans
  left out: 1 binary, 1 too-large
gone  none.md  missing
  about gone
  nothing is there in this snapshot
`,
  );
  assert.equal(
    await context('search', { query: 'overdue plans', artifact: ['plans'] }),
    `
OUTSIDE/plan.md:1  Overdue plans  section  [plans]
1:# Overdue plans
2:
3:Send reminders.

`,
  );
  assert.equal(
    await context('show', { name: 'plans' }),
    `
plans  OUTSIDE (outside)  ready  1 file, SOME, 1 chunk, <id>
  about plans
  left out: 1 binary, 1 too-large

OUTSIDE/plan.md
 # Overdue plans
 
 Send reminders.
`,
  );
  writeFileSync(join(outside, 'later.md'), '# Later plans\n');
  assert.equal(
    await context('list', { artifact: ['plans'] }),
    `
plans  OUTSIDE (outside)  stale  1 of 2 files, SOME, 1 chunk, <id>
  about plans
  left out: 1 binary, 1 too-large
  it has changed since it was indexed; a search brings it up to date
`,
  );
  assert.equal(
    await context('index', { artifact: ['plans'] }),
    `
1 artifact outside: 2 files, 1 parsed now; kept on this machine
plans  OUTSIDE (outside)  ready  2 files, SOME, 2 chunks, <id>
  about plans
  left out: 1 binary, 1 too-large
`,
  );
  assert.equal(
    await context('remove'),
    `
1 index of artifacts outside deleted, SOME
3 artifacts inside kept: part of the repository's index; to keep one out, take it from .socraticodecontextartifacts.json
`,
  );
});
