/** Branches that conflict with what is checked out, and in which order to merge them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { branched } from '../../support/repositories/branched-market.js';

const { text, refusal } = await openTold(branched);
const conflicts = (more = {}) => text('conflicts', { ref: 'other', ...more });

test('what conflicts in text, what both change, and what one changes and the other uses', async () => {
  assert.equal(
    await conflicts(),
    `
topic  1 merge conflict, 1 symbol changed on both sides, 1 use of what it changes  (6 files changed there, 2 here, 1 on both sides)
  ! src/money.ts  contents: roundUp
  > src/main.ts:13  calls withTax of src/money.ts, declared otherwise there: export function withTax(net: number, rate = 0.2): number -> export function withTax(net: number, rate: number, country: string): number

no conflict with 1 of 2 branches
left out: 1 merged already
`,
  );
  assert.equal(
    await conflicts({ branch: ['topic'], limit: 1 }),
    `
topic  1 merge conflict, 1 symbol changed on both sides, 1 use of what it changes  (6 files changed there, 2 here, 1 on both sides)
  ! src/money.ts  contents: roundUp
  > src/main.ts:13  calls withTax of src/money.ts, declared otherwise there: export function withTax(net: number, rate = 0.2): number -> export function withTax(net: number, rate: number, country: string): number
`,
  );
  assert.equal(
    await conflicts({ ref: 'topic', with: ['other'] }),
    `
other  1 merge conflict, 1 symbol changed on both sides  (2 files changed there, 6 here, 1 on both sides)
  ! src/money.ts  contents: roundUp
`,
  );
  assert.equal(
    await conflicts({ with: ['!topic'] }),
    `
no conflict with 1 branch
left out: 1 merged already
exit 1
`,
  );
});

test('a plan says in which order to merge', async () => {
  assert.equal(
    await conflicts({ plan: true }),
    `
merge 2 branches in this order: the first breaks nothing
  1. guest  (2 files)
  2. topic  1 merge conflict with other  (6 files)

x other and topic do not merge: src/money.ts (contents)

3 pairs; in 0 one names what the other changes
`,
  );
  assert.equal(
    await conflicts({ plan: true, ref: 'main' }),
    `
merge 3 branches in this order: the first 2 break nothing
  1. guest  (2 files)
  2. other  (2 files)
  3. topic  2 uses break, 1 merge conflict with guest, other  (6 files)

! topic declares otherwise withTax src/money.ts:5
    guest uses it in src/guest.ts:3  bill: withTax  1 argument where it takes 3
! topic declares otherwise withTax src/money.ts:5
    guest uses it in src/inn.ts:3  bed: withTax  1 argument where it takes 3

x other and topic do not merge: src/money.ts (contents)

6 pairs; in 1 one names what the other changes
`,
  );
  assert.equal(
    await refusal('conflicts', { branch: ['nowhere'] }),
    'UNKNOWN_REF: unknown ref: nowhere (Branches and tags here: guest, main, other, topic.)',
  );
});
