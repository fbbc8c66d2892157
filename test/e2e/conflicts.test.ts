/** `conflicts`: branches and work trees against what is checked out, from refs alone. */
import assert from 'node:assert/strict';
import { existsSync, rmSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ConflictsDocument, conflictsSchema } from '../../src/questions/conflicts/question.js';
import { check } from '../support/check.js';
import { cli, cliJson } from '../support/in-process/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

const PRICE = `/** Price of one. */
export function price(id: string): number {
  return id.length;
}

export function tax(n: number): number {
  return n * 2;
}

export class Rates {
  first(): number {
    return 1;
  }

  second(): number {
    return 2;
  }
}
`;
const CART = `import { price, tax } from './price';

export class Cart {
  ids: string[] = [];

  total(): number {
    return this.ids.length;
  }

  size(): number {
    return tax(price('x'));
  }
}
`;
const OTHER = "export const other = 'x';\n";
const edit = (text: string, from: string, to: string) => {
  assert.ok(text.includes(from), from);
  return text.replace(from, to);
};

/** \`mine\` calls price() in Cart.total; branches do different things to it. */
function shop(): TestRepo {
  const repo = createRepo();
  repo.commit({ 'src/price.ts': PRICE, 'src/cart.ts': CART, 'src/other.ts': OTHER }, 'a shop');
  const branch = (name: string, files: Record<string, string>) => {
    repo.git('checkout', '-q', '-b', name, 'main');
    repo.commit(files, name);
  };
  branch('merged', { 'src/more.ts': 'export const more = 1;\n' });
  repo.git('checkout', '-q', 'main');
  repo.git('merge', '-q', 'merged');
  branch('declares', { 'src/price.ts': edit(PRICE, 'price(id: string)', 'price(id: string, currency: string)') });
  branch('removes', { 'src/price.ts': PRICE.slice(PRICE.indexOf('export function tax')) });
  branch('rewrites', { 'src/cart.ts': edit(CART, 'return this.ids.length', 'return this.ids.length + 1') });
  branch('elsewhere', { 'src/other.ts': "export const other = 'y';\n" });
  branch('mine', {
    'src/cart.ts': edit(CART, 'return this.ids.length', 'return this.ids.length * price(this.ids[0])'),
  });
  return repo;
}

const ask = async (repo: TestRepo, ...args: string[]): Promise<ConflictsDocument> =>
  check(conflictsSchema, JSON.parse((await cli(['conflicts', ...args, '--json'], { cwd: repo.dir })).stdout));
const named = ({ branches }: ConflictsDocument, name: string) => {
  const found = branches.list.find((each) => each.name === name);
  assert.ok(found, `${name} is not among ${branches.list.map((each) => each.name)}`);
  return found;
};

test('conflicts of a merge come first, then uses of what a branch declares otherwise or removes', async () => {
  const repo = shop();
  const document = await ask(repo);
  assert.deepEqual(
    document.branches.list
      .map(({ name, overlap }) => `${name} ${overlap}`)
      .sort((a, b) => Number(/uses/.test(a)) - Number(/uses/.test(b)) || (a < b ? -1 : 1)),
    ['rewrites merge', 'declares uses', 'removes uses'],
  );
  assert.deepEqual([document.compared, document.clean, document.leftOut.merged], [4, 1, 2]);
  const { merge, symbols } = named(document, 'rewrites');
  assert.deepEqual(merge.list, [{ path: 'src/cart.ts', kind: 'contents', symbols: ['Cart.total'] }]);
  assert.deepEqual(symbols.list[0], {
    ...{ path: 'src/cart.ts', symbol: 'Cart.total', kind: 'method', line: 6 },
    ...{ mine: 'body', theirs: 'body' },
  });
  const [use, ...more] = named(document, 'declares').uses.list;
  assert.deepEqual(more, [], 'Cart.size calls it too, and is not changed here');
  assert.deepEqual([use.path, use.symbol, use.line, use.target.symbol], ['src/cart.ts', 'Cart.total', 7, 'price']);
  const now = 'export function price(id: string, currency: string): number';
  assert.deepEqual([use.target.change, use.target.now], ['signature', now]);
  assert.equal(named(document, 'removes').uses.list[0].target.change, 'removed');
  const { stdout } = await cli(['conflicts', 'declares'], { cwd: repo.dir });
  assert.match(stdout, /> src\/cart\.ts:7 {2}Cart\.total calls price of src\/price\.ts, declared otherwise there/);
});

test('members are changed on both sides where one side removes their class', async () => {
  const repo = shop();
  repo.git('checkout', '-q', '-b', 'classless', 'main');
  repo.commit({ 'src/price.ts': PRICE.slice(0, PRICE.indexOf('export class')) }, 'no class');
  repo.git('checkout', '-q', 'mine');
  repo.commit({ 'src/price.ts': edit(PRICE, 'return 2;', 'return 3;') }, 'second');
  const shared = named(await ask(repo, 'classless'), 'classless').symbols.list;
  assert.deepEqual(
    shared.map(({ symbol, mine, theirs }) => [symbol, mine, theirs]),
    [['Rates.second', 'body', 'removed']],
  );
});

test('uncommitted changes count, here and in other work trees, and nothing is written into the repository', async () => {
  const repo = shop();
  const tree = join(makeDirectory('tree'), 'tree');
  repo.git('worktree', 'add', '-q', '--detach', tree, 'main');
  repo.write({ 'src/other.ts': "export const other = 'mine';\n" });
  const there = { dir: tree } as TestRepo;
  await import('node:fs').then(({ writeFileSync }) => writeFileSync(join(there.dir, 'src/other.ts'), '// gone\n'));
  const before = await ask(repo);
  assert.equal(before.uncommitted, 1);
  assert.deepEqual(
    [tree, 'elsewhere'].map((name) => [named(before, name).merge.list[0].path, named(before, name).uncommitted]),
    [
      ['src/other.ts', 1],
      ['src/other.ts', 0],
    ],
  );
  const state = () => [repo.git('count-objects', '-v'), repo.git('status', '--porcelain'), repo.git('for-each-ref')];
  const first = state();
  assert.deepEqual(await ask(repo), before);
  assert.deepEqual(state(), first);
  const committed = await ask(repo, '--committed', '--with', 'else*');
  assert.deepEqual([committed.compared, committed.clean], [1, 1]);
});

test('branches that are old are left out, and so is what the names leave out', async () => {
  const repo = shop();
  repo.git('checkout', '-q', 'elsewhere');
  repo.git('-c', 'user.name=a', 'commit', '-q', '--amend', '--no-edit', '--date=2001-01-01T00:00:00Z');
  const { compared } = await ask(repo, '--ref', 'mine');
  assert.equal(compared, 4);
  assert.equal((await ask(repo, '--ref', 'mine', '--with', '!re*')).compared, 2);
  const { code, stderr } = await cli(['conflicts', 'nowhere'], { cwd: repo.dir });
  assert.deepEqual([code, /unknown ref: nowhere/.test(stderr)], [2, true]);
});

test('a clone without the commit at which two parted says so', async () => {
  const repo = shop();
  const clone = join(makeDirectory('shallow'), 'clone');
  repo.git('clone', '-q', '--depth', '1', '--no-single-branch', `file://${repo.dir}`, clone);
  const document = check(conflictsSchema, await cliJson(['conflicts'], { cwd: clone }));
  const { overlap, base, unknown } = named(document, 'origin/declares');
  assert.deepEqual([overlap, base], ['unknown', null]);
  assert.match(unknown[0], /this clone is shallow: git fetch --unshallow/);
});

test('merge drivers and filters of the repository are not run', async () => {
  const repo = shop();
  const mark = join(repo.dir, '.git', 'ran');
  repo.git('config', 'merge.evil.driver', `touch ${mark}`);
  repo.git('config', 'filter.evil.clean', `touch ${mark}; cat`);
  repo.git('config', 'merge.renormalize', 'true');
  repo.write({ '.gitattributes': '*.ts merge=evil filter=evil\n', 'src/other.ts': '// uncommitted\n' });
  // Newer than any index: git reads the file again whenever it writes one.
  const later = new Date(Date.now() + 3_600_000);
  utimesSync(join(repo.dir, 'src/other.ts'), later, later);
  const { merge } = named(await ask(repo), 'rewrites');
  assert.deepEqual(
    merge.list.map(({ path }) => path),
    ['src/cart.ts'],
  );
  assert.ok(!existsSync(mark));
  repo.git('add', 'src/other.ts');
  rmSync(mark, { force: true });
  await cli(['review', '--staged'], { cwd: repo.dir });
  assert.ok(!existsSync(mark));
});
