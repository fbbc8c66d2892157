/** `review ok` and `review --unseen`: approvals are of content, so they hold wherever git carries that content. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Approvals, ReviewDocument, ReviewOkDocument } from '../../src/questions/review/question.js';
import { cli, cliJson } from '../support/in-process/cli.js';
import { createRepo, makeDirectory, type TestRepo } from '../support/repositories/repo.js';

const body = (n: number) => `\n  const wanted = [${n}, ${n + 1}];\n  return wanted.reduce((a, b) => a + b, ${n});\n`;
const fn = (name: string, n: number) => `export function ${name}(): number {${body(n)}}\n`;
const BASE = `import { readFileSync } from 'node:fs';\n\n${fn('first', 1)}\n${fn('second', 2)}`;

/** A branch `topic` that changes one function and adds another, with a picture. */
function shop(): TestRepo {
  const repo = createRepo();
  repo.commit({ 'src/cart.ts': BASE, 'src/other.ts': fn('other', 9) }, 'a shop');
  repo.git('checkout', '-q', '-b', 'topic');
  const changed = BASE.replace(fn('second', 2), `${fn('second', 22)}\n${fn('third', 3)}`);
  repo.commit({ 'src/cart.ts': changed, 'logo.png': '\x89PNG\0one' }, 'more');
  return repo;
}

async function unseen(repo: TestRepo, ...args: string[]): Promise<Approvals> {
  const { stdout } = await cli(['review', '--unseen', '--json', ...args], { cwd: repo.dir });
  const { approvals } = JSON.parse(stdout) as ReviewDocument;
  assert.ok(approvals);
  return approvals;
}
const names = ({ unseen: open }: Approvals) =>
  open.list.map(({ what, symbol, path }) => `${what} ${symbol ?? path}`).sort();
const approve = async (repo: TestRepo, ...args: string[]) =>
  (await cliJson(['review', 'ok', ...args], { cwd: repo.dir })) as ReviewOkDocument;

test('everything is new before anybody approves it, and only what was not approved is new afterwards', async () => {
  const repo = shop();
  assert.deepEqual(names(await unseen(repo)), ['file logo.png', 'symbol second', 'symbol third']);
  const done = await approve(repo, 'second', 'logo.png');
  assert.deepEqual([done.parts.list.length, done.already, done.shared], [2, 0, false]);
  const left = await unseen(repo);
  assert.deepEqual([left.parts, left.seen, names(left)], [3, 2, ['symbol third']]);
  assert.equal((await approve(repo, 'second')).already, 1);
  const { stdout, code } = await cli(['review', '--unseen', '--min-reviewers', '1'], { cwd: repo.dir });
  assert.equal(code, 1);
  assert.match(stdout, /^users: .*\n2 of 3 changed parts are as they were approved, 1 is new\n/m);
  assert.match(stdout, /\n\nnot approved yet\n {2}src\/cart\.ts:13 {2}third\n\n/);
  await approve(repo, '--all');
  assert.equal((await cli(['review', '--min-reviewers', '1'], { cwd: repo.dir })).code, 0);
});

test('approved code stays approved through an amend, a squash, a rebase and a cherry-pick', async () => {
  const repo = shop();
  await approve(repo, '--all');
  repo.git('commit', '-q', '--amend', '-m', 'other words');
  assert.deepEqual(names(await unseen(repo)), []);
  repo.commit({ 'src/late.ts': fn('late', 7) }, 'late');
  repo.git('reset', '-q', '--soft', 'main');
  repo.git('commit', '-q', '-m', 'squashed');
  assert.deepEqual(names(await unseen(repo)), ['symbol late']);
  repo.git('checkout', '-q', 'main');
  repo.commit({ 'src/other.ts': `${fn('other', 9)}${fn('extra', 8)}` }, 'main goes on');
  repo.git('checkout', '-q', 'topic');
  repo.git('rebase', '-q', 'main');
  assert.deepEqual(names(await unseen(repo)), ['symbol late']);
  repo.git('checkout', '-q', '-b', 'release', 'main');
  repo.git('cherry-pick', 'topic');
  assert.deepEqual(names(await unseen(repo)), ['symbol late']);
});

test('moved and renamed code counts as seen, a copy under another name and other indentation do not', async () => {
  const repo = shop();
  await approve(repo, '--all');
  const cart = readFileSync(join(repo.dir, 'src/cart.ts'), 'utf8');
  repo.commit({ 'src/cart.ts': cart.replace(fn('third', 3), ''), 'src/moved.ts': fn('third', 3) }, 'moved');
  const moved = await unseen(repo);
  assert.deepEqual([names(moved), moved.how.moved], [[], 1]);
  repo.commit({ 'src/moved.ts': fn('fourth', 3) }, 'renamed');
  const renamed = await unseen(repo);
  assert.deepEqual([names(renamed), renamed.how.renamed], [[], 1]);
  repo.commit({ 'src/moved.ts': `${fn('third', 3)}${fn('fourth', 3)}` }, 'copied');
  assert.deepEqual(names(await unseen(repo)), ['symbol fourth']);
  repo.commit({ 'src/moved.ts': fn('third', 3).replaceAll('\n  ', '\n    ') }, 'indented');
  assert.deepEqual(names(await unseen(repo)), ['symbol third']);
  assert.deepEqual(names(await unseen(repo, '--reindented')), []);
});

test('a blank inside a string, a mode, an import and a removal are changes that nobody has seen', async () => {
  const repo = shop();
  repo.commit(
    { 'src/text.ts': "export function words(): string {\n  return 'a b and some more words here';\n}\n" },
    'text',
  );
  await approve(repo, '--all');
  repo.commit(
    { 'src/text.ts': "export function words(): string {\n  return 'a  b and some more words here';\n}\n" },
    'blank',
  );
  assert.deepEqual(names(await unseen(repo)), ['symbol words']);
  assert.deepEqual(names(await unseen(repo, '--reindented')), ['symbol words']);
  repo.git('reset', '-q', '--hard', 'HEAD~1');
  repo.git('update-index', '--chmod=+x', 'src/cart.ts');
  repo.git('commit', '-q', '-m', 'a mode');
  assert.deepEqual(names(await unseen(repo)), ['mode src/cart.ts']);
  repo.git('reset', '-q', '--hard', 'HEAD~1');
  const cart = readFileSync(join(repo.dir, 'src/cart.ts'), 'utf8');
  repo.commit({ 'src/cart.ts': cart.replace('node:fs', 'node:net').replace(fn('first', 1), '') }, 'less');
  assert.deepEqual(names(await unseen(repo)), ['outside src/cart.ts', 'removed first']);
  await approve(repo, 'src/cart.ts');
  assert.deepEqual(names(await unseen(repo)), []);
});

test('reviewers are counted apart, programs do not count as people, and an approval can be taken back', async () => {
  const repo = shop();
  await approve(repo, '--all');
  await approve(repo, '--all', '--agent', 'robot');
  const two = await unseen(repo, '--min-reviewers', '2');
  assert.deepEqual([two.seen, two.unseen.list.map(({ reviewers }) => reviewers)], [0, [1, 1, 1]]);
  assert.equal((await unseen(repo, '--by', 'nobody')).seen, 0);
  const ann = { GIT_AUTHOR_NAME: 'Ann', GIT_AUTHOR_EMAIL: 'ann@example.com' };
  await asAuthor(ann, () => approve(repo, '--all'));
  assert.equal((await unseen(repo, '--min-reviewers', '2')).seen, 3);
  assert.equal((await unseen(repo, '--by', 'ann@')).seen, 3);
  await asAuthor(ann, () => approve(repo, 'third', '--withdraw'));
  assert.deepEqual(names(await unseen(repo, '--min-reviewers', '2')), ['symbol third']);
  // Each is later than the one before, though all are of one second.
  await asAuthor(ann, async () => {
    for (const flags of [[], ['--withdraw'], [], ['--withdraw'], []]) await approve(repo, 'third', ...flags);
  });
  assert.equal((await unseen(repo, '--by', 'ann@')).seen, 3);
});

async function asAuthor<T>(env: Record<string, string>, act: () => Promise<T>): Promise<T> {
  const before = { ...process.env };
  Object.assign(process.env, env);
  try {
    return await act();
  } finally {
    for (const key of Object.keys(env)) process.env[key] = before[key];
  }
}

test('approvals travel on request alone, and not to a remote without the code', async () => {
  const remote = createRepo({ bare: true });
  const repo = shop();
  repo.git('remote', 'add', 'origin', remote.dir);
  repo.git('push', '-q', 'origin', 'main');
  await approve(repo, '--all');
  await cli(['push', 'origin'], { cwd: repo.dir });
  const refs = () => remote.git('for-each-ref', '--format=%(refname)', 'refs/notes/socraticode/approvals').trim();
  assert.equal(refs(), '');
  await approve(repo, '--all', '--share');
  await cli(['knowledge', 'push', 'origin'], { cwd: repo.dir });
  assert.equal(refs(), '');
  repo.git('push', '-q', 'origin', 'topic');
  await cli(['knowledge', 'push', 'origin'], { cwd: repo.dir });
  assert.equal(refs(), 'refs/notes/socraticode/approvals/v1');
});

test('with signed, an approval counts only if git finds the signature of a trusted key, under the name of the signer', async () => {
  if (spawnSync('ssh-keygen', ['-?']).error !== undefined) return;
  const repo = shop();
  const keys = makeDirectory('keys');
  const key = join(keys, 'key');
  spawnSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', key]);
  const setGlobal = (name: string, value: string) => repo.git('config', '--global', name, value);
  await approve(repo, 'second');
  setGlobal('gpg.format', 'ssh');
  setGlobal('user.signingkey', `${key}.pub`);
  setGlobal('commit.gpgsign', 'true');
  try {
    assert.equal((await approve(repo, 'third')).signed, true);
    assert.equal((await unseen(repo)).seen, 2);
    assert.equal((await unseen(repo, '--signed')).seen, 0);
    const signers = join(keys, 'signers');
    await import('node:fs').then(({ writeFileSync }) =>
      writeFileSync(signers, `trusted@example.com ${readFileSync(`${key}.pub`, 'utf8')}`),
    );
    // A list of keys that came with a repository is not believed.
    repo.git('config', 'gpg.ssh.allowedSignersFile', signers);
    assert.equal((await unseen(repo, '--signed')).seen, 0);
    repo.git('config', '--unset', 'gpg.ssh.allowedSignersFile');
    setGlobal('gpg.ssh.allowedSignersFile', signers);
    const signed = await unseen(repo, '--signed');
    assert.deepEqual(
      [names(signed), signed.reviewers.map(({ name }) => name)],
      [['file logo.png', 'symbol second'], ['trusted@example.com']],
    );
    const told = async (...flags: string[]) =>
      (await cli(['review', '--unseen', ...flags], { cwd: repo.dir })).stdout.match(/^approved by .*$/m)?.[0];
    assert.match((await told()) ?? '', /: 2 \(names without proof\)$/);
    assert.match((await told('--signed')) ?? '', /^approved by trusted@example\.com: 1, signed$/);
  } finally {
    for (const name of ['gpg.format', 'user.signingkey', 'commit.gpgsign', 'gpg.ssh.allowedSignersFile'])
      repo.git('config', '--global', '--unset', name);
  }
});

test('without a name, a range or an author nothing is approved', async () => {
  const repo = shop();
  const refused = async (...args: string[]) => {
    const { code, stderr } = await cli(['review', ...args], { cwd: repo.dir });
    assert.equal(code, 2);
    return stderr;
  };
  assert.match(await refused('ok'), /nothing is named/);
  assert.match(await refused('ok', 'nowhere'), /no changed part is called nowhere/);
  assert.match(await refused('--unseen', '--staged'), /approvals are about commits/);
  repo.git('checkout', '-q', 'main');
  assert.match(await refused('--unseen'), /nothing tells what this branch began at/);
});
