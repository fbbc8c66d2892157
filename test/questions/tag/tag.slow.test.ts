/** Tags of a repository: given by rules, changed by hand, followed with their bytes, and used as a filter. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setLogLevel } from '../../../src/base/log.js';
import { answer } from '../../support/in-process/answer.js';
import { createRepo, type TestRepo } from '../../support/repositories/repo.js';

setLogLevel('silent');

const RULES = { tags: { rules: [{ tag: 'money', is: ['!data'], regex: 'cents?\\b', why: 'amounts' }] } };
const CART = 'export function total() {\n  return cents;\n}\n\nexport function tax() {\n  return 1;\n}\n';

function shop(): TestRepo {
  const repo = createRepo();
  repo.commit({
    '.socraticode.json': JSON.stringify(RULES),
    'src/cart.ts': CART,
    'src/auth/login.ts': 'export function login() {\n  return 2;\n}\n',
  });
  return repo;
}

async function run(repo: TestRepo, args: readonly string[], expected = 0): Promise<string> {
  const { code, stdout, stderr } = await answer(['-C', repo.dir, ...args]);
  assert.equal(code, expected, stderr || stdout);
  return stdout;
}

/** Names of places with a tag. */
async function listed(repo: TestRepo, tag: string, ...args: string[]): Promise<(string | null)[]> {
  const { places } = JSON.parse(await run(repo, ['tag', 'list', tag, '--json', ...args]));
  return places.list.map((place: { path: string; symbol: string | null }) => place.symbol ?? place.path);
}

test('rules of the repository and built-in ones tag its code, and uncommitted code as it is now', async () => {
  const repo = shop();
  assert.match(await run(repo, ['tags']), /^auth +1 file, 0 symbols in others\nmoney +0 files, 1 symbol in others\n/);
  assert.deepEqual(await listed(repo, 'money'), ['total']);
  assert.deepEqual(await listed(repo, 'auth'), ['src/auth/login.ts']);
  assert.match(
    await run(repo, ['tag', 'why', 'total']),
    /money\n {2}is !data; a line matches cents\?\\b {2}rule of \.socraticode\.json, 1: amounts\n/,
  );
  assert.match(await run(repo, ['tag', 'why', 'login']), /its file: path \{auth,/);
  repo.write({ 'src/cart.ts': CART.replace('return 1', 'return cent') });
  assert.deepEqual(await listed(repo, 'money'), ['total', 'tax']);
  assert.deepEqual(await listed(repo, 'money', '--ref', 'HEAD'), ['total']);
});

test('a tag by hand follows its code, the last word counts, and a tag of a rule can be taken away', async () => {
  const repo = shop();
  assert.match(await run(repo, ['tag', 'add', 'tax', 'money']), /has the tag money {2}only in this clone\n/);
  assert.deepEqual(await listed(repo, 'money'), ['total', 'tax']);
  assert.match(await run(repo, ['tag', 'add', 'tax', 'money']), /as before/);
  await run(repo, ['tag', 'remove', 'total', 'money']);
  assert.deepEqual(await listed(repo, 'money'), ['tax']);
  repo.git('mv', 'src/cart.ts', 'src/basket.ts');
  repo.commit({}, 'renamed');
  assert.match(await run(repo, ['tag', 'list', 'money']), /src\/basket\.ts\n {2}5-7 tax {2}by A U Thor.*moved/);
  await run(repo, ['tag', 'remove', 'tax', 'money']);
  await run(repo, ['tag', 'add', 'tax', 'money', '--share']);
  repo.commit({ 'src/basket.ts': CART.replace('return 1', 'return 3') });
  assert.match(await run(repo, ['tag', 'list', 'money']), /tax {2}by A U Thor.*shared, its code changed since/);
  const refused = await answer(['-C', repo.dir, 'tag', 'remove', 'login', 'money']);
  assert.equal(refused.code, 2);
});

test('search and grep find only code with a tag, or without one', async () => {
  const repo = shop();
  const places = async (...args: string[]) => {
    const { code, stdout } = await answer(['-C', repo.dir, ...args, '--json']);
    const { results, hits } = JSON.parse(stdout);
    assert.ok(code < 2);
    return (results ?? hits).map(
      (each: { path: string; line?: number }) => `${each.path}${each.line ? `:${each.line}` : ''}`,
    );
  };
  assert.deepEqual(await places('search', 'tag:auth return function'), ['src/auth/login.ts']);
  assert.deepEqual(await places('search', '--tag', '!auth', 'return function', '--path', 'src'), ['src/cart.ts']);
  assert.deepEqual(await places('grep', 'return', '--tag', 'money'), ['src/cart.ts:2']);
  const unknown = await answer(['-C', repo.dir, 'search', 'tag:nothing return']);
  assert.match(unknown.stderr, /no rule and nobody gives the tag nothing/);
});

test('hostile names and claims are escaped, and a repository without tags by hand writes no ref', async () => {
  const repo = createRepo();
  repo.commit({ 'src/auth/a\x1b[31m.ts': 'export const a = 1;\n' });
  const text = await run(repo, ['tag', 'list', 'auth']);
  assert.ok(text.includes('\\x1b[31m') && !text.includes('\x1b'));
  assert.equal(repo.git('for-each-ref', 'refs/notes/socraticode/tags', 'refs/socraticode/local/tags'), '');
});
