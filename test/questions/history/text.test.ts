/** Where code came from and went to: events, places, windows, and what was never there. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { createRepo } from '../../support/repositories/repo.js';

const retry = (body: string, name = 'retry') =>
  `/** Tries again later. */\nexport function ${name}(times: number): number {\n  ${body}\n}\n`;
const other = 'export function other(value: number): number {\n  return value + 5;\n}\n';
const repo = createRepo();
repo.commit(
  { 'src/net.ts': `${other}\n${retry('return times * 2;')}`, 'src/keep.ts': 'export const keep = 1;\n' },
  'begin',
);
repo.commit({ 'src/net.ts': `${other}\n${retry('return times ** 2;')}` }, 'square');
repo.commit(
  { 'src/net.ts': `${other}\n${retry('return times ** 2;').replace('times: number)', 'times: number, wait = 1)')}` },
  'wait',
);
repo.write({
  'src/net.ts': other,
  'src/back.ts': retry('return times ** 2;').replace('times: number)', 'times: number, wait = 1)'),
});
repo.commit({}, 'move it');
repo.commit({ 'src/keep.ts': 'export const keep = 2;\nexport class Retry {\n  retry(): void {}\n}\n' }, 'keep more');
repo.git('rm', '-q', 'src/back.ts');
repo.commit({}, 'drop it');
const { text, refusal } = await openTold(repo);
const history = (query: string | undefined, more = {}) => text('history', { query, ...more });

test('a symbol has its first and last commit, where it went, and its text; events where they are asked for', async () => {
  assert.equal(
    await history('retry'),
    `
src/keep.ts  Retry.retry  method  present
  first appeared [keep more] 2024-01-02 keep more (A U Thor)
  3:retry(): void {}

src/back.ts  retry  function  deleted
  first appeared [begin] 2024-01-02 begin (A U Thor)
  last changed   [wait] 2024-01-02 wait (A U Thor) (3 changes)
  disappeared    [drop it] 2024-01-02 drop it (A U Thor)
  also at        src/net.ts
  2:export function retry(times: number, wait = 1): number {
  3:  return times ** 2;
  4:}
  git show [keep more]:src/back.ts

`,
  );
  assert.equal(
    await history('retry', { events: true, lines: 1, limit: 1 }),
    `
src/keep.ts  Retry.retry  method  present
  first appeared [keep more] 2024-01-02 keep more (A U Thor)
  3:retry(): void {}

1 more definition: raise --limit or name a --path
`,
  );
  assert.equal(
    await history('Retry.retry', { noContent: true }),
    `
src/keep.ts  Retry.retry  method  present
  first appeared [keep more] 2024-01-02 keep more (A U Thor)

`,
  );
  assert.equal(
    await history('other', { lines: 0 }),
    `
src/net.ts  other  function  present
  first appeared [begin] 2024-01-02 begin (A U Thor)
  1:export function other(value: number): number {
  2:  return value + 5;
  3:}

`,
  );
});

test('only what is gone, only some paths, and only a window of commits', async () => {
  assert.equal(
    await history('retry', { deleted: true, noContent: true }),
    `
src/back.ts  retry  function  deleted
  first appeared [begin] 2024-01-02 begin (A U Thor)
  last changed   [wait] 2024-01-02 wait (A U Thor) (3 changes)
  disappeared    [drop it] 2024-01-02 drop it (A U Thor)
  also at        src/net.ts
  git show [keep more]:src/back.ts

`,
  );
  assert.equal(
    await history('retry', { path: ['src/keep.ts'], noContent: true }),
    `
src/keep.ts  Retry.retry  method  present
  first appeared [keep more] 2024-01-02 keep more (A U Thor)

`,
  );
  assert.equal(
    await history('retry', { maxCommits: 2, noContent: true, events: true }),
    `
src/keep.ts  Retry.retry  method  present
  first appeared [keep more] 2024-01-02 keep more (A U Thor)

src/back.ts  retry  function  deleted
  first appeared in or before [keep more], the oldest commit that was walked
  disappeared    [drop it] 2024-01-02 drop it (A U Thor)
  git show [keep more]:src/back.ts

searched 2 commits: --max-commits N walks further back
`,
  );
  assert.equal(
    await history('retry', { maxCommits: 5, noContent: true, deleted: true }),
    `
src/back.ts  retry  function  deleted
  first appeared in or before [square], the oldest commit that was walked
  last changed   [wait] 2024-01-02 wait (A U Thor) (at least 3 changes)
  disappeared    [drop it] 2024-01-02 drop it (A U Thor)
  also at        src/net.ts
  git show [keep more]:src/back.ts

searched 5 commits: --max-commits N walks further back
`,
  );
  assert.equal(
    await history('keep', { since: '2025-01-01', noContent: true }),
    `
src/keep.ts  keep  constant  present
  first appeared not in the commits that were walked

searched 0 commits since the given date
`,
  );
  assert.equal(
    await history('retry', { ref: 'HEAD~2', noContent: true, limit: 1 }),
    `
src/back.ts  retry  function  present
  first appeared [begin] 2024-01-02 begin (A U Thor)
  last changed   [wait] 2024-01-02 wait (A U Thor) (3 changes)
  also at        src/net.ts

`,
  );
});

test('words find code that is gone; a name of another case, a near name, and one that never was', async () => {
  assert.equal(
    await history('tries again later', { noContent: true }),
    `
src/back.ts  retry  function  deleted
  first appeared [begin] 2024-01-02 begin (A U Thor)
  last changed   [wait] 2024-01-02 wait (A U Thor) (3 changes)
  disappeared    [drop it] 2024-01-02 drop it (A U Thor)
  also at        src/net.ts
  git show [keep more]:src/back.ts

`,
  );
  assert.equal(
    await history('RETRY', { noContent: true, limit: 1 }),
    `
src/keep.ts  Retry  class  present
  first appeared [keep more] 2024-01-02 keep more (A U Thor)

no definition is written RETRY; upper and lower case were ignored
2 more definitions: raise --limit or name a --path
`,
  );
  assert.match(await history('other', { deleted: true }), /^\nno definition of other is gone in what was searched\n/);
  assert.equal(
    await history('othr'),
    `
othr was never defined in what was searched
did you mean other?
--words looks for code that mentions it
exit 1
`,
  );
  assert.equal(
    await history('zzzzzzzz'),
    `
zzzzzzzz was never defined in what was searched
--words looks for code that mentions it
exit 1
`,
  );
  assert.equal(
    await history('square', { commits: true }),
    `
[square] 2024-01-02 square (A U Thor)
  src/net.ts
  retry
from all 6 commits since 2024-01-02
`,
  );
  assert.equal(
    await refusal('history', { query: ' ' }),
    'EMPTY_QUERY: the query is empty (Name a symbol, or say what to look for: git socraticode history "retry with backoff")',
  );
});
