/** Approvals of changed code: what counts as seen after moves, renames and edits, by whom, and how they are taken back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { approvalBlocks } from '../../../src/questions/graph/changes/text.js';
import { comparedCommits, type UnseenOptions, unseenCode } from '../../../src/questions/review/approvals.js';
import { blockLines } from '../../../src/questions/view.js';
import { parseRange } from '../../../src/session/snapshot/target.js';
import { askerOf } from '../../support/in-process/asker.js';
import { PLAIN } from '../../support/in-process/document.js';
import { openTold } from '../../support/in-process/told.js';
import { branchedMarket } from '../../support/repositories/market.js';

const repo = branchedMarket();
repo.git('checkout', '-q', 'topic');
const { text, refusal, session } = await openTold(repo);
const ok = (given: object) => text('review ok', { ...given });
const at = askerOf(session);

async function unseen(given: Partial<UnseenOptions> = {}): Promise<string> {
  const compared = await comparedCommits(session, parseRange('main...topic'));
  const approvals = await unseenCode(at, compared, { limit: 20, ...given });
  return `\n${blockLines(approvalBlocks(approvals), PLAIN.pen).join('\n')}\n`;
}

test('every part of a change is unseen at first: symbols, text outside of them, files, what is removed', async () => {
  assert.equal(
    await unseen(),
    `
2 of 13 changed parts are as they were approved (1 moved, 1 renamed), 11 are new

not approved yet
  notes.txt:1  outside of symbols
  src/fresh.ts:1  outside of symbols
  src/fresh.ts:3  fresh
  src/money.ts:5  withTax
  src/money.ts:10  roundUp
  src/money.ts:18  quarter
  src/routes.ts:1  outside of symbols
  src/shelf.ts:4  Shelf.fill
  src/shelf.ts:16  pong
  src/money.ts  describe  removed
  src/routes.ts  GET /prices/:id  removed
`,
  );
  assert.equal(
    await unseen({ limit: 2 }),
    `
2 of 13 changed parts are as they were approved (1 moved, 1 renamed), 11 are new

not approved yet
  notes.txt:1  outside of symbols
  src/fresh.ts:1  outside of symbols
  … 9 more: raise --limit
`,
  );
});

test('symbols, files and directories are approved by name, once; an approval is taken back', async () => {
  assert.equal(
    await ok({ names: ['withTax', 'src/shelf.ts', 'src/util'] }),
    `
4 parts approved by A U Thor (in this clone alone)
  src/money.ts:5  withTax
  src/shelf.ts:4  Shelf.fill
  src/shelf.ts:16  pong
  src/util/log.ts:1  log
`,
  );
  assert.equal(
    await ok({ names: ['src/money.ts#withTax', 'fresh'] }),
    `
1 part approved by A U Thor (in this clone alone); 1 was approved before
  src/fresh.ts:3  fresh
`,
  );
  assert.equal(
    await unseen(),
    `
6 of 13 changed parts are as they were approved (1 moved, 1 renamed), 7 are new
approved by A U Thor <author@example.com>: 5 (names without proof)

not approved yet
  notes.txt:1  outside of symbols
  src/fresh.ts:1  outside of symbols
  src/money.ts:10  roundUp
  src/money.ts:18  quarter
  src/routes.ts:1  outside of symbols
  src/money.ts  describe  removed
  src/routes.ts  GET /prices/:id  removed
`,
  );
  assert.equal(
    await ok({ names: ['src/shelf.ts', 'voucher'], withdraw: true }),
    `
2 parts taken back by A U Thor (in this clone alone); 1 was not approved
  src/shelf.ts:4  Shelf.fill
  src/shelf.ts:16  pong
`,
  );
  assert.equal(
    await ok({ all: true, range: 'main..topic', limit: 1 }),
    `
10 parts approved by A U Thor (in this clone alone); 3 were approved before
  notes.txt:1  outside of symbols
  … 9 more: raise --limit
`,
  );
  assert.equal(
    await unseen(),
    `
13 of 13 changed parts are as they were approved (1 moved, 1 renamed), 0 are new
approved by A U Thor <author@example.com>: 13 (names without proof)
`,
  );
});

test('two reviewers are more than one, a program counts where it is named, and nothing is signed', async () => {
  assert.equal(
    await unseen({ minReviewers: 2, limit: 1 }),
    `
2 of 13 changed parts are as they were approved by 2 reviewers (1 moved, 1 renamed), 11 are new
approved by A U Thor <author@example.com>: 13 (names without proof)

not approved yet
  notes.txt:1  outside of symbols  1 approval
  … 10 more: raise --limit
`,
  );
  assert.equal(
    await ok({ names: ['voucher'], agent: 'robot', share: true }),
    `
1 part approved by A U Thor (sent with the next push)
  src/money.ts:22  voucher
`,
  );
  assert.equal(
    await unseen({ by: 'robot', limit: 1 }),
    `
2 of 13 changed parts are as they were approved (1 moved, 1 renamed), 11 are new
approved by A U Thor <author@example.com>, an agent: 1 (names without proof)

not approved yet
  notes.txt:1  outside of symbols
  … 10 more: raise --limit
`,
  );
  assert.equal(
    await unseen({ by: 'nobody', limit: 1 }),
    `
2 of 13 changed parts are as they were approved (1 moved, 1 renamed), 11 are new

not approved yet
  notes.txt:1  outside of symbols
  … 10 more: raise --limit
`,
  );
  assert.equal(
    await unseen({ signed: true, limit: 1 }),
    `
2 of 13 changed parts are as they were approved (1 moved, 1 renamed), 11 are new

not approved yet
  notes.txt:1  outside of symbols
  … 10 more: raise --limit
`,
  );
});

test('moved, renamed and indented code is recognised; edited code is not', async () => {
  const money = repo.git('show', 'topic:src/money.ts');
  const coupon = /export function voucher[^}]*}/.exec(money)?.[0] ?? '';
  repo.commit(
    {
      'src/money.ts': `${money.replace(coupon, '').replace('(value * 2) / 8', 'value / 3').trim()}\n`,
      'src/deals.ts': `${coupon.replace('code.length', "code.length + 'a longer text than before'.length")}\n`,
      'src/fresh.ts':
        "import { Shelf } from './shelf';\n\nexport function fresh(): Shelf {\n    return new Shelf();\n}\n",
      'src/shelves.ts': repo.git('show', 'topic:src/shelf.ts'),
    },
    'moves',
  );
  repo.git('rm', '-q', 'src/shelf.ts');
  repo.git('commit', '-qm', 'shelves');
  assert.equal(
    await unseen(),
    `
14 of 21 changed parts are as they were approved (6 moved, 1 renamed), 7 are new
approved by A U Thor <author@example.com>: 10 (names without proof)

not approved yet
  src/deals.ts:1  voucher
  src/fresh.ts:3  fresh
  src/money.ts:18  quarter
  src/money.ts  coupon  removed
  src/shelf.ts  Shelf.fill  removed
  src/shelf.ts  Shelf.restock  removed
  src/shelf.ts  pong  removed
`,
  );
  assert.equal(
    await unseen({ reindented: true }),
    `
15 of 21 changed parts are as they were approved (6 moved, 1 renamed, 1 reindented), 6 are new
approved by A U Thor <author@example.com>: 11 (names without proof)

not approved yet
  src/deals.ts:1  voucher
  src/money.ts:18  quarter
  src/money.ts  coupon  removed
  src/shelf.ts  Shelf.fill  removed
  src/shelf.ts  Shelf.restock  removed
  src/shelf.ts  pong  removed
`,
  );
});

test('names and ranges that are none are refused', async () => {
  assert.equal(
    await refusal('review ok', {}),
    'BAD_ARGUMENT: nothing is named (git socraticode review ok --all approves everything that changed; git socraticode review --unseen lists it.)',
  );
  assert.equal(
    await refusal('review ok', { all: true, names: ['a'] }),
    'BAD_ARGUMENT: names and all exclude each other (git socraticode review ok --all approves everything that changed; git socraticode review --unseen lists it.)',
  );
  assert.equal(
    await refusal('review ok', { names: ['nowhere'] }),
    'BAD_ARGUMENT: no changed part is called nowhere (git socraticode review --unseen lists those that nobody has approved.)',
  );
  assert.equal(
    await refusal('review ok', { names: ['a'], range: 'main..nowhere' }),
    'UNKNOWN_REF: unknown ref: nowhere (Branches and tags here: guest, main, other, topic.)',
  );
});
