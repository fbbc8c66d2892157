/** R3 and R2 in short: damaged local files are noticed and rebuilt; a place that cannot be written is said. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setLogLevel } from '../../src/base/log.js';
import type { SearchResponse } from '../../src/engine/contract.js';
import { Searcher } from '../../src/engine/search/searcher.js';
import { Session } from '../../src/engine/session.js';
import { cli, cliJson } from '../support/cli.js';
import { createRepo, ROUNDS, type TestRepo } from '../support/repo.js';
import { manyFiles, PROJECT } from '../support/samples.js';

setLogLevel('silent');

async function indexedRepo(): Promise<TestRepo> {
  const repo = createRepo();
  repo.commit({ ...PROJECT, ...manyFiles(20) });
  await cliJson(['index'], { cwd: repo.dir });
  repo.commit({ 'src/second.ts': 'export class SecondShard {}\n' });
  await cliJson(['search', 'SecondShard'], { cwd: repo.dir });
  return repo;
}

/** Files of the one profile directory, without what was moved aside. */
function localFiles(repo: TestRepo): string[] {
  return (readdirSync(repo.state, { recursive: true }) as string[])
    .filter((name) => /\.(bin|json)$/.test(name))
    .map((name) => join(repo.state, name))
    .sort();
}

async function answer(repo: TestRepo): Promise<string> {
  const session = await Session.open({ directory: repo.dir });
  try {
    const searcher = new Searcher(session);
    const first = await searcher.search({ query: 'rememberToken', limit: 3 });
    const second = await searcher.search({ query: 'SecondShard step1', limit: 5 });
    return JSON.stringify([first, second]);
  } finally {
    session.close();
  }
}

type Mutation = (bytes: Buffer, random: () => number) => Buffer;
const MUTATIONS: Record<string, Mutation> = {
  flip: (bytes, random) => {
    const copy = Buffer.from(bytes);
    copy[Math.floor(random() * copy.length)] ^= 1 << Math.floor(random() * 8);
    return copy;
  },
  truncate: (bytes, random) => bytes.subarray(0, Math.floor(random() * bytes.length)),
  empty: () => Buffer.alloc(0),
  garbage: (bytes, random) => Buffer.from(Array.from({ length: bytes.length }, () => Math.floor(random() * 256))),
  extend: (bytes) => Buffer.concat([bytes, Buffer.alloc(64)]),
  json: () => Buffer.from('{"format":1,"profile":"x","shards":[null]}'),
};

test('damaged shards, manifests and caches: the same answer after a rebuild, never a crash', async () => {
  const repo = await indexedRepo();
  const expected = await answer(repo);
  let seed = 7;
  const random = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed / 2 ** 31;
  };
  for (let round = 0; round < ROUNDS / 8; round++) {
    for (const [name, mutate] of Object.entries(MUTATIONS)) {
      for (const file of localFiles(repo)) {
        const bytes = readFileSync(file);
        const damaged = mutate(bytes, random);
        if (damaged.equals(bytes)) continue;
        writeFileSync(file, damaged);
        assert.equal(await answer(repo), expected, `${name} ${file}`);
      }
    }
  }
  assert.ok((readdirSync(repo.state, { recursive: true }) as string[]).some((name) => name.endsWith('.bad')));
});

test('the command line: damage is one warning, exit code 0, and gone the next time', async () => {
  const repo = await indexedRepo();
  const shard = localFiles(repo).find((name) => name.includes('lexical-')) as string;
  writeFileSync(shard, readFileSync(shard).fill(0xff, 100, 200));
  const damaged = await cli(['search', 'rememberToken'], { cwd: repo.dir });
  assert.equal(damaged.code, 0);
  assert.match(damaged.stderr, /^git-socraticode: lexical-\w+\.bin fails its checksum[^\n]*\n$/);
  const healed = await cli(['search', 'rememberToken'], { cwd: repo.dir });
  assert.deepEqual([healed.code, healed.stderr, healed.stdout], [0, '', damaged.stdout]);
});

test('a pipe in place of a local file is not waited for, and replaced', async () => {
  const repo = await indexedRepo();
  repo.write({ 'src/third.ts': 'export class ThirdDraft {}\n' });
  const ask = (limit: number) => cli(['search', 'SecondShard ThirdDraft', '--limit', String(limit)], { cwd: repo.dir });
  const expected = await ask(5);
  const files = localFiles(repo);
  for (const kind of ['view-', 'lexical-', 'manifest.json', 'state.json']) {
    assert.ok(
      files.some((name) => name.includes(kind)),
      kind,
    );
    for (const file of files.filter((name) => name.includes(kind))) {
      rmSync(file, { force: true });
      execFileSync('mkfifo', [file]);
    }
    const { code, stdout } = await ask(5);
    assert.deepEqual([code, stdout], [0, expected.stdout], kind);
    assert.deepEqual(await ask(5), expected, kind);
  }
});

test('local state removed, shards missing, or the directory emptied: rebuilt from records without parsing', async () => {
  const repo = await indexedRepo();
  const expected = await answer(repo);
  rmSync(localFiles(repo).find((name) => name.includes('lexical-')) as string);
  assert.equal(await answer(repo), expected);
  rmSync(repo.state, { recursive: true });
  assert.equal((await cliJson<{ new: number }>(['index'], { cwd: repo.dir })).new, 0);
  assert.equal(await answer(repo), expected);
});

test('R2: a state directory that cannot be written is exit code 2 and one clear line', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  writeFileSync(repo.state, 'in the way');
  for (const command of [['index'], ['search', 'rememberToken']]) {
    const { code, stdout, stderr } = await cli(command, { cwd: repo.dir });
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(
      stderr,
      /^git-socraticode: [^\n]+socraticode[^\n]*\n {2}Free some space or check permissions[^\n]*\n$/,
    );
  }
  rmSync(repo.state);
  assert.equal((await cli(['search', 'rememberToken'], { cwd: repo.dir })).code, 0);
});

test('R2: a profile directory that is a file', async () => {
  const repo = await indexedRepo();
  const [profile] = readdirSync(repo.state).filter((name) => /^[0-9a-f]{12}$/.test(name));
  rmSync(join(repo.state, profile), { recursive: true });
  writeFileSync(join(repo.state, profile), '');
  const { code, stderr } = await cli(['search', 'rememberToken'], { cwd: repo.dir });
  assert.equal(code, 2);
  assert.match(stderr, /Free some space or check permissions/);
  rmSync(join(repo.state, profile));
  const response = await cliJson<SearchResponse>(['search', 'rememberToken'], { cwd: repo.dir });
  assert.equal(response.results[0].path, 'src/session.ts');
});

test('R2: a notes ref that cannot be created leaves everything as it was', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  mkdirSync(join(repo.commonDir, 'refs/notes'), { recursive: true });
  writeFileSync(join(repo.commonDir, 'refs/notes/socraticode'), `${repo.git('rev-parse', 'HEAD')}\n`);
  const { code, stdout, stderr } = await cli(['index'], { cwd: repo.dir });
  assert.deepEqual([code, stdout], [2, '']);
  assert.match(
    stderr,
    /^git-socraticode: [^\n]*refs\/notes\/socraticode is in the way\n {2}[^\n]+update-ref -d[^\n]+\n$/,
  );
  assert.deepEqual(localFiles(repo), []);
});
