/** Reviews of a branch as text, as Markdown and as SARIF, and when one fails. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTold } from '../../support/in-process/told.js';
import { branched } from '../../support/repositories/branched-market.js';

const { text, refusal } = await openTold(branched);
const review = (range: string, more = {}) => text('review', { range, ...more });

test('what dangles, does not fit and changed, with tests and owners', async () => {
  assert.equal(
    await review('main..topic'),
    `
main ([taxes rise]) to topic ([a voucher]): 6 files, 8 symbols changed, 2 removed
risk: high  (3 certain dangling uses in 3 files; 1 call does not fit the new parameters; before: 7 direct users, 2 other files in 1 folder, exported, 1 test file reaches it)
users: 11 before, 7 now, within 3 hops

certain dangling uses
  src/cart.test.ts:12  coupon  coupon of src/money.ts is voucher now
  src/main.ts:8  main  money.describe  describe of src/money.ts is gone
  src/money.ts:2  ./log  src/log.ts is src/util/log.ts now

calls that do not fit
  src/cart.ts:14  Item.price  withTax()  1 argument where it takes 3: src/money.ts:5

exported symbols
  - src/money.ts:22  export function describe(cart: Cart): string
  - src/money.ts:26  export function coupon(code: string): number
  - src/shelf.ts:16  export function pong(count: number): number
  ~ src/money.ts:5  export function withTax(net: number, rate: number, country: string): number  was export function withTax(net: number, rate = 0.2): number
  ~ src/shelf.ts:4  fill(cart: Cart, count = 1): void  was fill(cart: Cart): void
  + src/fresh.ts:3  export function fresh(): Shelf
  + src/money.ts:22  export function voucher(code: string): number

routes, schemas, configuration
  - src/routes.ts:5  GET /prices/:id  route
  + src/routes.ts:5  DELETE /carts/:id  route

changes, largest effect first
  ~ src/money.ts:10  roundUp  function  1 direct user, 3 in all, 1 test file
  ~ src/shelf.ts:4  Shelf.fill  method  2 direct users, 3 in all, medium risk
  ~ src/money.ts:5  withTax  function  1 direct user, 2 in all, 1 test file
  ~ src/money.ts:18  quarter  function  1 direct user
  ~ src/shelf.ts:16  pong  function  1 direct user
  > src/util/log.ts  file  was src/log.ts, no known users, unknown risk
  + src/fresh.ts:3  fresh  function  no known users
  > src/money.ts:22  voucher  function  was coupon, no known users, unknown risk
  - src/money.ts  describe  function
  - src/routes.ts  GET /prices/:id  function

tests to run: 1 file
  src/cart.test.ts:8  3 hops

mentioned in 1 document: docs/guide.md:7

owners by history
  Bob Old  50%, 1 commit
  A U Thor  50%, 1 commit
`,
  );
  assert.equal(
    await review('main...other', { depth: 1 }),
    `
main ([taxes rise]) to other ([rounds to the nearest]): 2 files, 1 symbol changed
risk: low  (before: 1 direct user, 1 test file reaches it)
users: 1 before, 1 now, within 1 hop

changes, largest effect first
  ~ src/money.ts:10  roundUp  function  1 direct user, 1 test file

tests to run: 1 file
  src/cart.test.ts:8  4 hops

owners by history
  Bob Old  50%, 1 commit
  A U Thor  50%, 1 commit
`,
  );
  assert.equal(
    await review('main..main'),
    `
main ([taxes rise]) to main ([taxes rise]): 0 files, 0 symbols changed
nothing that others could notice
`,
  );
});

test('the same as Markdown, cut by a limit, and as SARIF', async () => {
  assert.equal(
    await review('main..topic', { format: 'markdown', limit: 2 }),
    `
## Review of \`main\` ([taxes rise]) to \`topic\` ([a voucher])

6 files, 8 symbols changed, 2 removed

risk: **high**  (3 certain dangling uses in 3 files; 1 call does not fit the new parameters; before: 7 direct users, 2 other files in 1 folder, exported, 1 test file reaches it)

users: 11 before, 7 now, within 3 hops

### Certain dangling uses

- \`src/cart.test.ts:12\` \`coupon\`: coupon of src/money.ts is voucher now
- \`src/main.ts:8\` \`main\` \`money.describe\`: describe of src/money.ts is gone
- … 1 more

### Calls that do not fit

- \`src/cart.ts:14\` \`Item.price\` \`withTax()\`: 1 argument where it takes 3: \`src/money.ts:5\`

### Exported symbols

- removed: \`src/money.ts:22\` \`export function describe(cart: Cart): string\`
- removed: \`src/money.ts:26\` \`export function coupon(code: string): number\`
- … 5 more

### Routes, schemas, configuration

- removed: \`src/routes.ts:5\` \`GET /prices/:id\`: route
- added: \`src/routes.ts:5\` \`DELETE /carts/:id\`: route

### Changes, largest effect first

- changed: \`src/money.ts:10\` \`roundUp\` function: 1 direct user, 3 in all, 1 test file
- changed: \`src/shelf.ts:4\` \`Shelf.fill\` method: 2 direct users, 3 in all, medium risk
- removed: \`src/money.ts\` \`describe\`: function
- removed: \`src/routes.ts\` \`GET /prices/:id\`: function
- … 6 more

### Tests to run: 1 file

- \`src/cart.test.ts:8\`: 3 hops

mentioned in 1 document: \`docs/guide.md:7\`

### Owners by history

- \`Bob Old\`: 50%, 1 commit
- \`A U Thor\`: 50%, 1 commit
`,
  );
  type Location = { physicalLocation: { artifactLocation: { uri: string }; region: { startLine: number } } };
  type Result = { ruleId: string; level: string; message: { text: string } } & Record<
    'locations' | 'relatedLocations',
    Location[] | undefined
  >;
  const { runs } = JSON.parse(await review('main..topic', { format: 'sarif', limit: 3 })) as {
    runs: { results: Result[] }[];
  };
  const at = (all: Location[] = []) =>
    all.map(({ physicalLocation: { artifactLocation, region } }) => `${artifactLocation.uri}:${region.startLine}`);
  assert.deepEqual(
    runs[0].results.map((one) => [
      ...[one.ruleId, one.level, one.message.text, at(one.locations).join(), at(one.relatedLocations).join()],
    ]),
    [
      [
        'dangling-use',
        'error',
        'coupon leads nowhere: coupon of src/money.ts is voucher now.',
        'src/cart.test.ts:12',
        'src/money.ts:22',
      ],
      ['dangling-use', 'error', 'money.describe leads nowhere: describe of src/money.ts is gone.', 'src/main.ts:8', ''],
      [
        'dangling-use',
        'error',
        './log leads nowhere: src/log.ts is src/util/log.ts now.',
        'src/money.ts:2',
        'src/util/log.ts:1',
      ],
      ['call-mismatch', 'error', 'withTax(): 1 argument where it takes 3.', 'src/cart.ts:14', 'src/money.ts:5'],
    ],
  );
});

test('it fails for certain uses that dangle, or a high risk, where that is asked for', async () => {
  const fails = async (range: string, failOn?: string) => (await review(range, { failOn })).endsWith('exit 1\n');
  assert.deepEqual(
    [
      await fails('main..topic'),
      await fails('main..topic', 'dangling'),
      await fails('main..topic', 'high'),
      await fails('main...other', 'dangling'),
      await fails('main...other', 'high'),
    ],
    [false, true, true, false, false],
  );
  assert.equal(
    await refusal('review', { range: 'main..nowhere' }),
    'UNKNOWN_REF: unknown ref: nowhere (Branches and tags here: guest, main, other, topic.)',
  );
});
