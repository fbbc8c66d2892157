/** `graph blame`: the commits that brought a dependency in, let it grow, and took it away. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BlameDocument, blameSchema } from '../../../../src/questions/graph/blame/question.js';
import { check } from '../../../support/check.js';
import { cli } from '../../../support/in-process/cli.js';
import { createRepo, type TestRepo } from '../../../support/repositories/repo.js';

const PRICE =
  'export function price(id: string): number {\n  return id.length;\n}\nexport function tax(n: number): number {\n  return n * 2;\n}\n';
const PLAIN = 'export class Cart {\n  total(): number {\n    return 0;\n  }\n}\n';
const using = (body: string, imports = '{ price }') =>
  `import ${imports} from './price';\n\nexport class Cart {\n  total(): number {\n    return ${body};\n  }\n}\n`;

async function ask(repo: TestRepo, ...places: string[]): Promise<BlameDocument> {
  const { stdout, stderr } = await cli(['graph', 'blame', ...places, '--json'], { cwd: repo.dir });
  return check(blameSchema, JSON.parse(stdout || stderr));
}
const told = ({ dependencies }: BlameDocument, at = 0) =>
  dependencies[at].events.list.map(({ change, delta, uses, subject }) => `${change} ${delta} ${uses} ${subject}`);

/** src/cart.ts begins to use src/price.ts, uses it more, moves, and stops. */
function shop(): TestRepo {
  const repo = createRepo();
  repo.commit({ 'src/cart.ts': PLAIN, 'src/price.ts': PRICE }, 'a shop');
  repo.commit({ 'src/cart.ts': using("price('a')") }, 'cart: prices (#12)');
  repo.commit({ 'src/cart.ts': `// a comment\n${using("price('a')")}` }, 'a comment');
  repo.commit({ 'src/cart.ts': using("tax(price('a'))", '{ price, tax }') }, 'cart: taxes');
  return repo;
}

test('a dependency appears, grows, shrinks and goes, each by the commit, author and pull request that did it', async () => {
  const repo = shop();
  const grown = await ask(repo, 'src/cart.ts', 'src/price.ts');
  const [{ uses, since, events }] = grown.dependencies;
  assert.deepEqual(
    told(grown).map((line) => line.replace(/ -?\d+ \d+/, '')),
    ['grew cart: taxes', 'appeared cart: prices (#12)'],
  );
  assert.equal(uses, events.list[0].uses);
  assert.deepEqual(
    [events.list[1].pull, events.list[1].author, events.list[1].paths],
    ['#12', 'A U Thor', ['src/cart.ts']],
  );
  assert.equal(since, events.list[1].commit);
  repo.commit({ 'src/cart.ts': using('1', '{}') }, 'cart: free');
  repo.commit({ 'src/cart.ts': PLAIN }, 'cart: alone');
  const gone = await ask(repo, 'src/cart.ts', 'src');
  assert.ok(gone);
  const after = await ask(repo, 'src/cart.ts', 'src/price.ts');
  assert.deepEqual([after.dependencies[0].uses, after.dependencies[0].since], [0, null]);
  assert.equal(after.dependencies[0].events.list[0].uses, 0);
  const { stdout } = await cli(['graph', 'blame', 'src/cart.ts', 'src/price.ts'], { cwd: repo.dir });
  assert.match(stdout, /^src\/cart\.ts -> src\/price\.ts {2}no use now\n/);
  assert.match(stdout, /^ {2}appeared \+\d, then \d {2}[0-9a-f]{9} \S+ A U Thor: cart: prices \(#12\)$/m);
  // The same question again reads what was kept, and says the same.
  assert.deepEqual(await ask(repo, 'src/cart.ts', 'src/price.ts'), after);
});

test('a rename of either file is no event', async () => {
  const repo = shop();
  const before = told(await ask(repo, 'src/cart.ts', 'src/price.ts'));
  repo.git('mv', 'src/cart.ts', 'src/basket.ts');
  repo.commit({}, 'a basket');
  assert.deepEqual(told(await ask(repo, 'src/basket.ts', 'src/price.ts')), before);
  repo.git('mv', 'src/price.ts', 'src/money.ts');
  repo.commit({ 'src/basket.ts': using("tax(price('a'))", '{ price, tax }').replace('./price', './money') }, 'money');
  assert.deepEqual(told(await ask(repo, 'src/basket.ts', 'src/money.ts')), before);
});

test('a circle is closed by the last of its steps, a folder counts with all files, and a symbol by its uses', async () => {
  const repo = shop();
  const closing = repo.commit(
    { 'src/price.ts': `import { Cart } from './cart';\n${PRICE}export const empty = new Cart();\n` },
    'closes it',
  );
  const circle = await ask(repo, 'src/cart.ts', 'src/price.ts', 'src/cart.ts');
  assert.equal(circle.closed, closing);
  repo.commit({ 'app/main.ts': "import { tax } from '../src/price';\nexport const due = tax(3);\n" }, 'an app');
  const folder = await ask(repo, 'app', 'src/price.ts');
  assert.equal(folder.dependencies[0].events.list[0].subject, 'an app');
  const first = await ask(repo, 'src/price.ts#tax');
  assert.deepEqual(
    first.dependencies[0].events.list.map(({ change, subject }) => `${change} ${subject}`),
    ['grew an app', 'appeared cart: taxes'],
  );
  repo.commit({ 'app/main.ts': 'export const due = 3;\n' }, 'no taxes');
  const last = await ask(repo, 'src/price.ts#tax');
  assert.equal(last.dependencies[0].events.list[0].change, 'shrank');
});

test('places that no commit has are refused, and nothing found is a negative answer', async () => {
  const repo = shop();
  const refused = await cli(['graph', 'blame', 'src/nowhere.ts', 'src/price.ts'], { cwd: repo.dir });
  assert.equal(refused.code, 2);
  assert.match(refused.stderr, /no file or folder is called src\/nowhere\.ts, now or before/);
  assert.equal((await cli(['graph', 'blame', 'src/price.ts', 'src/cart.ts'], { cwd: repo.dir })).code, 1);
});
