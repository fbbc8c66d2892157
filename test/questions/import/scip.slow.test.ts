/** What compilers told: believed first, only about the bytes that they saw, and carried along like other records. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  encodeDocument,
  encodeMetadata,
  type ScipDocument,
  type ScipOccurrence,
} from '../../../src/scip/index-file.js';
import { cli } from '../../support/in-process/cli.js';
import { createRepo, makeDirectory, runGit, TestRepo } from '../../support/repositories/repo.js';

/** Nothing in this text tells which `total` is meant. */
const CART = 'export class Cart {\n  total() {\n    return 1;\n  }\n}\n';
const BILL = 'export class Bill {\n  total() {\n    return 2;\n  }\n}\n';
const USE = 'export function sum(all) {\n  return all.first.total() + all.last.total();\n}\n';
const FILES = { 'src/cart.js': CART, 'src/bill.js': BILL, 'src/use.js': USE };

const symbol = (descriptors: string, version = '1') => `scip-test npm shop ${version} ${descriptors}`;

/** Occurrence of `name` for the `nth` time in a line of the text. */
function occurrence(text: string, line: number, name: string, meant: string, roles = 0, nth = 0): ScipOccurrence {
  const written = text.split('\n')[line];
  let column = -1;
  for (let i = 0; i <= nth; i++) column = written.indexOf(name, column + 1);
  assert.ok(column >= 0, `${name} in ${written}`);
  return { range: [line, column, line, column + name.length], symbol: meant, roles };
}

function documents(version = '1'): ScipDocument[] {
  const cart = symbol('src/`cart.js`/Cart#total().', version);
  const bill = symbol('src/`bill.js`/Bill#total().', version);
  const made = (path: string, occurrences: ScipOccurrence[]) => ({
    ...{ path, occurrences, language: 'JavaScript', columns: 2, symbols: [] },
  });
  return [
    made('src/cart.js', [occurrence(CART, 1, 'total', cart, 1)]),
    made('src/bill.js', [occurrence(BILL, 1, 'total', bill, 1)]),
    made('src/use.js', [occurrence(USE, 1, 'total', cart), occurrence(USE, 1, 'total', bill, 0, 1)]),
  ];
}

function written(all: readonly ScipDocument[], projectRoot = 'file:///ci/shop'): string {
  const file = join(makeDirectory('scip'), 'index.scip');
  const tool = { name: 'scip-test', version: '2', arguments: [] };
  const parts = [encodeMetadata({ tool, projectRoot }), ...all.map(encodeDocument)];
  writeFileSync(file, Buffer.concat(parts));
  return file;
}

async function run(repo: TestRepo, ...args: string[]) {
  const { code, stdout, stderr } = await cli([...args, '--json'], { cwd: repo.dir });
  assert.ok(code === 0 || code === 1, stderr);
  return JSON.parse(stdout);
}

/** Uses of a definition as `path:line tier`. */
async function uses(repo: TestRepo, name: string): Promise<string[]> {
  const text = JSON.stringify(await run(repo, 'graph', 'references', name));
  return [...text.matchAll(/"path":"([^"]+)","line":(\d+)[^}]*?"tier":"([a-z-]+)"/g)].map(
    ([, path, line, tier]) => `${path}:${line} ${tier}`,
  );
}

function shop(): TestRepo {
  const repo = createRepo();
  repo.commit(FILES, 'a shop');
  return repo;
}

test('uses that text cannot resolve have the targets that the compiler told', async () => {
  const repo = shop();
  assert.deepEqual(
    (await uses(repo, 'Cart.total')).filter((use) => use.endsWith('compiler')),
    [],
  );
  const report = await run(repo, 'import', '--scip', written(documents()));
  assert.deepEqual([report.tool.name, report.documents, report.added, report.different], ['scip-test', 3, 3, 0]);
  for (const name of ['Cart.total', 'Bill.total']) assert.deepEqual(await uses(repo, name), ['src/use.js:2 compiler']);
  const again = await run(repo, 'import', '--scip', written(documents('2')));
  assert.deepEqual([again.added, again.known], [0, 3], 'another version of the package changes nothing');
});

test('records stay with their blobs through renames, and an edited file loses only its own', async () => {
  const repo = shop();
  await run(repo, 'import', '--scip', written(documents()));
  repo.git('mv', 'src/cart.js', 'src/basket.js');
  repo.commit({}, 'rename');
  assert.deepEqual(await uses(repo, 'Cart.total'), ['src/use.js:2 compiler']);
  repo.commit({ 'src/bill.js': `// Edited.\n${BILL}` }, 'edit');
  assert.ok((await uses(repo, 'Cart.total')).includes('src/use.js:2 compiler'));
  assert.deepEqual(
    (await uses(repo, 'Bill.total')).filter((use) => use.endsWith('compiler')),
    [],
  );
});

test('an index about another text, or of files that are not here, gives no records', async () => {
  const repo = shop();
  const shifted = documents().map((document) => ({
    ...document,
    occurrences: document.occurrences.map((it) => ({ ...it, range: [0, 0, 0, 5] as const })),
  }));
  const other = { ...documents()[0], path: 'src/gone.js' };
  const report = await run(repo, 'import', '--scip', written([...shifted, other]));
  assert.deepEqual([report.added, report.different, report.missing], [0, 3, 1]);
  assert.deepEqual(
    (await uses(repo, 'Cart.total')).filter((use) => use.endsWith('compiler')),
    [],
  );
});

test('the index of a folder of a monorepo finds its files', async () => {
  const repo = createRepo();
  const moved = Object.entries(FILES).map(([path, text]) => [`packages/shop/${path}`, text]);
  repo.commit(Object.fromEntries(moved), 'a monorepo');
  const report = await run(repo, 'import', '--scip', written(documents(), 'file:///ci/build/packages/shop'));
  assert.deepEqual([report.root, report.added], ['packages/shop/', 3]);
  assert.deepEqual(await uses(repo, 'Cart.total'), ['packages/shop/src/use.js:2 compiler']);
});

test('push and pull carry the records, and the commands for maintenance know them', async () => {
  const repo = shop();
  await run(repo, 'import', '--scip', written(documents()));
  const remote = createRepo({ bare: true });
  repo.git('remote', 'add', 'origin', `file://${remote.dir}`);
  repo.git('push', '-q', 'origin', 'HEAD');
  const { code, stderr } = await cli(['push'], { cwd: repo.dir });
  assert.equal(code, 0, stderr);
  const clone = new TestRepo(makeDirectory('clone'));
  runGit(['clone', '-q', `file://${remote.dir}`, clone.dir], { cwd: remote.dir });
  assert.equal((await cli(['pull'], { cwd: clone.dir })).code, 0);
  assert.deepEqual(await uses(clone, 'Cart.total'), ['src/use.js:2 compiler']);
  assert.equal((await run(clone, 'status')).compiler.present, 3);
  assert.equal((await run(clone, 'graph', 'status')).graph.compiled, 3);
  const { checked, findings } = await run(clone, 'fsck');
  assert.deepEqual([checked.compiler, findings.filter((it: { isFault: boolean }) => it.isFault)], [3, []]);
  const { profiles } = await run(clone, 'profiles');
  assert.equal(profiles.find((it: { kind: string }) => it.kind === 'compiler')?.use, 'current');
});

test('a file that is no index is refused, and nothing is written', async () => {
  const repo = shop();
  const file = join(makeDirectory('scip'), 'index.scip');
  writeFileSync(file, 'not an index');
  const { code, stderr } = await cli(['import', '--scip', file], { cwd: repo.dir });
  assert.equal(code, 2);
  assert.match(stderr, /not a SCIP index/);
  assert.doesNotMatch(repo.git('for-each-ref', 'refs/notes'), /compiler/);
});

test('a file in one line, folders without end and repeated documents take linear time', async () => {
  const repo = createRepo();
  const names = 30_000;
  const text = `/* ä */ ${'a.b;'.repeat(names)}\n`;
  repo.commit({ 'src/min.js': text });
  const meant = symbol('src/`min.js`/b.');
  const occurrences = Array.from({ length: names }, (_, i): ScipOccurrence => {
    const column = 9 + 4 * i + 2;
    return { range: [0, column, 0, column + 1], symbol: meant, roles: i === 0 ? 1 : 0 };
  });
  const document = { path: 'src/min.js', occurrences, language: 'JavaScript', columns: 1, symbols: [] };
  const all = [document, ...Array.from({ length: 20_000 }, () => ({ ...document, occurrences: [] }))];
  const report = await run(repo, 'import', '--scip', written(all, `file://${'/a'.repeat(30_000)}`));
  assert.deepEqual([report.added, report.occurrences, report.missing], [1, names, 20_000]);
});
