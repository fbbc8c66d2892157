/** Owners by commits and by lines, of files and symbols, under the names of a mailmap. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GraphImpactResponse } from '../../../src/questions/graph/impact/output.js';
import type { OwnersDocument } from '../../../src/questions/owners/output.js';
import { cli, cliJson } from '../../support/processes/cli.js';
import { cloneRepo, createRepo } from '../../support/repositories/repo.js';

const cart = (rate: number) =>
  `export function total(): number {\n  return ${rate};\n}\n\nexport function other(): number {\n  return 1;\n}\n`;

function twoAuthors() {
  const repo = createRepo();
  repo.commit({ 'cart.ts': cart(1), 'tax.ts': '1\n' }, 'first');
  repo.git('config', 'user.name', 'Bob Old');
  repo.git('config', 'user.email', 'bob@old.example');
  const by = { GIT_AUTHOR_NAME: 'Bob Old', GIT_AUTHOR_EMAIL: 'bob@old.example' };
  for (let n = 2; n <= 4; n++) {
    repo.write({ 'cart.ts': cart(n), 'tax.ts': `${n}\n` });
    repo.git(
      '-c',
      'user.name=Bob Old',
      'commit',
      '-qam',
      `rate ${n}`,
      `--author=${by.GIT_AUTHOR_NAME} <${by.GIT_AUTHOR_EMAIL}>`,
    );
  }
  return repo;
}

const asked = (dir: string, ...args: string[]) => cliJson<OwnersDocument>(['owners', ...args], { cwd: dir });
const told = ({ method, owners }: OwnersDocument) => [
  method,
  ...owners.list.map(({ author, lines, commits }) => [author, lines, commits]),
];

test('by commits the busiest comes first, by lines the author of what stands, of a symbol of its own lines', async () => {
  const { dir } = twoAuthors();
  assert.deepEqual(told(await asked(dir, 'cart.ts')), [
    'commits',
    ['Bob Old', undefined, 3],
    ['A U Thor', undefined, 1],
  ]);
  assert.deepEqual(told(await asked(dir, 'cart.ts', '--lines')), ['lines', ['A U Thor', 6, 1], ['Bob Old', 1, 1]]);
  assert.deepEqual(told(await asked(dir, 'total')), ['lines', ['A U Thor', 2, 1], ['Bob Old', 1, 1]]);
});

test('authors go by the names of the mailmap', async () => {
  const repo = twoAuthors();
  repo.commit({ '.mailmap': 'Robert New <bob@new.example> <bob@old.example>\n' }, 'names');
  for (const args of [['cart.ts'], ['cart.ts', '--lines']]) {
    const names = (await asked(repo.dir, ...args)).owners.list.map(({ author }) => author).sort();
    assert.deepEqual(names, ['A U Thor', 'Robert New']);
  }
});

test('the impact of a file names what usually changes with it, where that is asked for', async () => {
  const { dir } = twoAuthors();
  const impact = (...args: string[]) =>
    cliJson<GraphImpactResponse>(['graph', 'impact', 'cart.ts', ...args], { cwd: dir });
  assert.deepEqual(
    (await impact('--coupled')).coupled?.list.map(({ path, together, of }) => [path, together, of]),
    [['tax.ts', 4, 4]],
  );
});

test('in a partial clone, files whose older versions are missing are counted, and where all are, the way out is said', async () => {
  const repo = twoAuthors();
  repo.commit({ 'new.ts': 'export const one = 1;\n' });
  repo.git('config', 'uploadpack.allowFilter', 'true');
  const partial = cloneRepo(repo, '--filter=blob:none');
  const some = await cliJson<OwnersDocument>(['owners', 'cart.ts', 'new.ts', '--lines'], { cwd: partial.dir });
  assert.deepEqual([some.missing, some.owners.list.length], [1, 1]);
  const { code, stderr } = await cli(['owners', 'cart.ts', '--lines'], { cwd: partial.dir });
  assert.equal(code, 2);
  assert.match(
    stderr,
    /this clone lacks older versions of cart\.ts\n {2}Without lines, files are asked about by their commits/,
  );
});
