/** Tasks: what each change adds, how one is named, and how they are listed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { makeMarket } from '../../support/repositories/market.js';

const repo = makeMarket();
const { text, document, refusal } = await openTold(repo);
const SECRET = `ghp_${'a8K2mQ9xZt3LpW7vRb5N'.repeat(2).slice(0, 36)}`;
type One = { task: { id: string; title: string } };

test('a task has a title, a description, links, and the history of its status, newest first', async () => {
  assert.equal(await refusal('task get', { id: 'last' }), 'BAD_ARGUMENT: there is no task (git socraticode task list)');
  assert.equal(
    await text('task list'),
    `
no tasks
exit 1
`,
  );
  const given = {
    title: 'round\n totals',
    description: 'half up',
    branch: ['refs/heads/main'],
    commit: ['HEAD~1'],
    plan: ['docs/plan.md'],
  };
  assert.equal(
    await text('task create', { ...given, note: 'as the law says' }),
    `
<id>  todo  round totals
 half up
  branch main, commit [a market], plan docs/plan.md
  A U Thor <author@example.com>, <now>, only in this clone
  <now> todo by A U Thor <author@example.com>
 as the law says
  A U Thor <author@example.com>, <now>
`,
  );
  assert.equal(
    await text('task update', { id: 'last', status: 'in-progress', note: 'begun', agent: 'robot' }),
    `
<id>  in-progress  round totals
 half up
  branch main, commit [a market], plan docs/plan.md
  A U Thor <author@example.com>, <now>, only in this clone
  <now> in-progress by the agent robot of A U Thor <author@example.com>
  <now> todo by A U Thor <author@example.com>
 begun
  the agent robot of A U Thor <author@example.com>, <now>
 as the law says
  A U Thor <author@example.com>, <now>
`,
  );
  assert.equal(
    await text('task update', { id: 'last', title: 'round all totals', description: ' ' }),
    `
<id>  in-progress  round all totals
  branch main, commit [a market], plan docs/plan.md
  A U Thor <author@example.com>, <now>, only in this clone
  <now> in-progress by the agent robot of A U Thor <author@example.com>
  <now> todo by A U Thor <author@example.com>
 begun
  the agent robot of A U Thor <author@example.com>, <now>
 as the law says
  A U Thor <author@example.com>, <now>
`,
  );
});

test('links are added and taken away; a commit that is not here needs its whole id', async () => {
  const oid = 'ab12'.repeat(10);
  assert.equal(
    await text('task link', { id: 'last', branch: ['topic'], commit: [oid] }),
    `
<id>  in-progress  round all totals
  branch main, branch topic, commit [a market], commit <id>, plan docs/plan.md
  A U Thor <author@example.com>, <now>, only in this clone
  <now> in-progress by the agent robot of A U Thor <author@example.com>
  <now> todo by A U Thor <author@example.com>
 begun
  the agent robot of A U Thor <author@example.com>, <now>
 as the law says
  A U Thor <author@example.com>, <now>
`,
  );
  assert.equal(
    await text('task link', { id: 'last', branch: ['main', 'topic'], remove: true }),
    `
<id>  in-progress  round all totals
  commit [a market], commit <id>, plan docs/plan.md
  A U Thor <author@example.com>, <now>, only in this clone
  <now> in-progress by the agent robot of A U Thor <author@example.com>
  <now> todo by A U Thor <author@example.com>
 begun
  the agent robot of A U Thor <author@example.com>, <now>
 as the law says
  A U Thor <author@example.com>, <now>
`,
  );
  assert.equal(
    await refusal('task link', { id: 'last' }),
    'BAD_ARGUMENT: nothing is named to link (Name a branch, a commit or a planning document.)',
  );
  assert.equal(
    await refusal('task link', { id: 'last', commit: ['ab12'] }),
    'BAD_ARGUMENT: ab12 is no commit (Name one that is here, or give its whole id.)',
  );
});

test('a list has those of a status or a branch, the one changed last first; a shared task stays shared', async () => {
  const { task } = await document<One>('task create', {
    title: 'write the guide',
    branch: ['docs', 'a', 'b', 'c'.repeat(90)],
    share: true,
  });
  const list = async (values = {}) =>
    await document<{ total: number; tasks: { list: { title: string }[]; leftOut: number } }>('task list', values);
  await document('task update', { id: task.id.slice(0, 20), status: 'done' });
  const titles = async (values = {}) => {
    const { total, tasks } = await list(values);
    return [total, tasks.leftOut, ...tasks.list.map(({ title }) => title)];
  };
  assert.deepEqual((await titles()).slice(0, 2), [2, 0]);
  assert.deepEqual(await titles({ status: 'done' }), [2, 0, 'write the guide']);
  assert.deepEqual(await titles({ branch: 'docs' }), [2, 0, 'write the guide']);
  assert.deepEqual(await titles({ branch: 'docs', status: 'todo' }), [2, 0]);
  assert.deepEqual((await titles({ limit: 1 })).slice(0, 2), [2, 1]);
  assert.equal(
    await text('task list', { status: 'done' }),
    `
<id>  done  write the guide
  branch docs, branch a, branch b, 1 more
`,
  );
  assert.equal(
    await text('task list', { status: 'dropped' }),
    `
no such tasks
exit 1
`,
  );
  assert.equal(
    await text('task get', { id: task.id }),
    `
<id>  done  write the guide
  branch docs, branch a, branch b, branch cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc
  A U Thor <author@example.com>, <now>, shared
  <now> done by A U Thor <author@example.com>
  <now> todo by A U Thor <author@example.com>
`,
  );
});

test('what cannot be kept or found is refused', async () => {
  assert.equal(
    await refusal('task update', { id: 'last' }),
    'BAD_ARGUMENT: nothing is to be changed (Give a status, a title, a description or a note.)',
  );
  assert.equal(
    await refusal('task get', { id: 'zz' }),
    'BAD_ARGUMENT: id takes the first digits of an id, as a list shows it, or "last", not "zz"',
  );
  assert.equal(
    await refusal('task create', { title: '  ' }),
    'BAD_ARGUMENT: the text is empty, or no text (Say it in words.)',
  );
  assert.equal(
    await refusal('task create', { title: 'x', note: `use ${SECRET}` }),
    'BAD_ARGUMENT: the text looks like it holds a secret (Nothing was kept. Say where the secret is kept, not what it is.)',
  );
});
