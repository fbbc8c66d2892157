/** What is deleted, what stays and says so, and what compacting squashes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { createRepo } from '../../support/repositories/repo.js';

const repo = createRepo();
repo.commit({ 'a.ts': 'export const a = 1;\n', 'b.ts': 'export const b = 1;\n' }, 'begin');
const { text, refusal } = await openTold(repo);
const masked = (told: string) =>
  told.replaceAll(repo.dir, 'REPO').replace(/\b\d[\d,.]* [KM]?B\b|extraction \d+/g, 'SIZE');
const remove = async (given = {}) => masked(await text('remove', given));

test('compacting squashes commits and drops records that nothing reaches', async () => {
  assert.equal(
    masked(await text('compact')),
    `
no notes to compact
`,
  );
  await text('index');
  repo.commit({ 'a.ts': 'export const a = 2;\n' }, 'edit');
  await text('index');
  await text('note add', { target: 'a', text: 'one' });
  assert.equal(
    masked(await text('compact', { dryRun: true })),
    `
refs/notes/socraticode/syntax/<id>: 3 records would be kept, 2 commits would be squashed; SIZE -> SIZE
refs/socraticode/local/notes/v1: 1 record in one commit already
`,
  );
  repo.git('reset', '-q', '--hard', 'HEAD~1');
  repo.git('reflog', 'expire', '--expire=now', '--all');
  repo.git('prune');
  assert.equal(
    masked(await text('compact')),
    `
refs/notes/socraticode/syntax/<id>: 2 records kept, 1 dropped, 2 commits squashed; SIZE -> SIZE
refs/socraticode/local/notes/v1: 1 record in one commit already
git gives the space back with its next \`git gc\`
`,
  );
  assert.equal(
    masked(await text('compact')),
    `
refs/notes/socraticode/syntax/<id>: 2 records in one commit already
refs/socraticode/local/notes/v1: 1 record in one commit already
`,
  );
  assert.equal(
    masked(await text('knowledge compact', { dryRun: true })),
    `
refs/socraticode/local/notes/v1: 1 record in one commit already
`,
  );
});

test('profiles are removed alone, and what people wrote stays unless it is confirmed', async () => {
  const profiles = await text('profiles');
  assert.equal(
    masked(profiles),
    `
syntax <id>: in use (SIZE)
  refs/notes/socraticode/syntax/<id>: 2 records, SIZE, <now>
  REPO/.git/socraticode/<id>-<id>: SIZE
vectors <id>: in use (builtin:<id>)
  REPO/.git/socraticode/<id>-<id>: SIZE
`,
  );
  assert.equal(
    await refusal('remove', { profile: 'nothing' }),
    'BAD_ARGUMENT: not a profile: nothing (git socraticode profiles)',
  );
  assert.equal(
    await refusal('remove', { knowledge: true }),
    'BAD_ARGUMENT: this would delete what people and agents wrote, and nothing makes it again (To do that: git socraticode remove --knowledge --yes)',
  );
  assert.equal(
    await refusal('remove', { remote: 'origin' }),
    'NO_REMOTE: no remote is called origin (Add one with `git remote add origin URL`, or name one: git socraticode push REMOTE)',
  );
  const [, profile] =
    /^refs\/notes\/socraticode\/syntax\/(\S+)$/m.exec(repo.git('for-each-ref', '--format=%(refname)')) ?? [];
  assert.equal(
    await remove({ profile, dryRun: true }),
    `
would delete refs/notes/socraticode/syntax/<id>
would delete REPO/.git/socraticode/<id>-<id> (SIZE)
`,
  );
  assert.equal(
    await remove({ dryRun: true }),
    `
would delete refs/notes/socraticode/syntax/<id>
would delete REPO/.git/socraticode (SIZE)
kept what people and agents wrote, in 1 ref: git socraticode remove --knowledge
`,
  );
  assert.equal(
    await remove(),
    `
deleted refs/notes/socraticode/syntax/<id>
deleted REPO/.git/socraticode (SIZE)
kept what people and agents wrote, in 1 ref: git socraticode remove --knowledge
`,
  );
  assert.equal(
    await remove(),
    `
nothing to delete
kept what people and agents wrote, in 1 ref: git socraticode remove --knowledge
`,
  );
  assert.equal(
    await remove({ knowledge: true, yes: true }),
    `
deleted refs/socraticode/local/notes/v1
deleted REPO/.git/socraticode (SIZE)
`,
  );
  assert.equal(
    masked(await text('profiles')),
    `
nothing is indexed yet: git socraticode index
`,
  );
});
