/** R1 in short: `index` killed anywhere. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IndexReport, SearchResponse } from '../../src/engine/contract.js';
import { cli, cliJson } from '../support/cli.js';
import { createRepo, makeDirectory, ROUNDS, runGit, TestRepo } from '../support/repo.js';
import { manyFiles, PROJECT } from '../support/samples.js';

const FILES = 150;

/** Local files that no finished run leaves behind. */
function debris(repo: TestRepo): string[] {
  const local = existsSync(repo.state) ? (readdirSync(repo.state, { recursive: true }) as string[]) : [];
  const git = (readdirSync(repo.commonDir, { recursive: true }) as string[]).filter(
    (name) => /fast_import_crash|tmp_(pack|idx|obj)/.test(name) || /^refs\/notes\/.*\.lock$/.test(name),
  );
  return [...local.filter((name) => name.includes('.tmp-') || name.includes('writer.lock')), ...git];
}

/** Makes leftovers look as old as they have to be before anyone may remove them. */
function age(repo: TestRepo): void {
  const past = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const name of debris(repo)) {
    for (const base of [repo.state, repo.commonDir]) {
      try {
        utimesSync(join(base, name), past, past);
      } catch {
        // In the other directory.
      }
    }
  }
}

async function killedIndex(repo: TestRepo, delayMs: number): Promise<void> {
  const { signal, code } = await cli(['index'], {
    cwd: repo.dir,
    onStart: (child) => void sleep(delayMs).then(() => child.kill('SIGKILL')),
  });
  assert.ok(signal === 'SIGKILL' || code === 0);
}

function copyOf(origin: TestRepo): TestRepo {
  const dir = makeDirectory('copy');
  runGit(['clone', '-q', '--no-hardlinks', origin.dir, dir], { cwd: origin.dir });
  return new TestRepo(dir);
}

test('killed at random points: search works, fsck is clean, the next run ends as a clean build does', async (t) => {
  const origin = createRepo();
  origin.commit({ ...PROJECT, ...manyFiles(FILES) });
  const clean = copyOf(origin);
  const { ms, chunks } = await cliJson<IndexReport>(['index'], { cwd: clean.dir });
  const expected = clean.notesTree();
  for (let round = 0; round < ROUNDS; round++) {
    const delay = 60 + ((ms.total + 300) * (round + Math.random())) / ROUNDS;
    const repo = copyOf(origin);
    await killedIndex(repo, delay);
    assert.equal(repo.fsck(), '', `after ${delay} ms`);
    if (round % 2 === 0) {
      const response = await cliJson<SearchResponse>(['search', 'rememberToken'], { cwd: repo.dir });
      assert.equal(response.results[0].path, 'src/session.ts');
      assert.deepEqual(response.coverage, { covered: FILES + 4, total: FILES + 4 });
    }
    age(repo);
    const report = await cliJson<IndexReport>(['index'], { cwd: repo.dir });
    assert.deepEqual([report.files, report.chunks], [FILES + 4, chunks], `after ${delay} ms`);
    assert.equal(repo.notesTree(), expected, `after ${delay} ms`);
    assert.equal(repo.fsck(), '');
    repo.write({ 'extra.ts': 'export const extra = 1;\n' }).commit();
    await cliJson<IndexReport>(['index'], { cwd: repo.dir });
    assert.deepEqual(debris(repo), [], `after ${delay} ms`);
  }
  t.diagnostic(`${ROUNDS} rounds, clean run ${ms.total} ms`);
});

/** Parser children whose working directory is in the repository. */
function parsersOf(repo: TestRepo): string[] {
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      const command = readFileSync(`/proc/${entry}/cmdline`, 'latin1');
      return command.includes('parser-child') && readlinkSync(`/proc/${entry}/cwd`) === repo.dir;
    } catch {
      return false;
    }
  });
}

test('no parser is left when the indexer is killed', { skip: process.platform !== 'linux' }, async () => {
  const repo = createRepo();
  repo.commit(manyFiles(FILES));
  await killedIndex(repo, 400);
  for (let i = 0; i < 50 && parsersOf(repo).length > 0; i++) await sleep(100);
  assert.deepEqual(parsersOf(repo), []);
});

const LOCKS: [name: string, content: () => string][] = [
  ['a dead process', () => JSON.stringify({ pid: 2 ** 22 + 1, host: hostnameOf(), started: '1' })],
  ['a pid that another process has now', () => JSON.stringify({ pid: process.pid, host: hostnameOf(), started: '1' })],
];

function hostnameOf(): string {
  return readFileSync('/proc/sys/kernel/hostname', 'utf8').trim();
}

for (const [name, content] of LOCKS) {
  test(`the writer lock of ${name} is taken over at once`, { skip: process.platform !== 'linux' }, async () => {
    const repo = createRepo();
    repo.commit(PROJECT);
    mkdirSync(repo.state, { recursive: true });
    writeFileSync(join(repo.state, 'writer.lock'), content());
    const started = performance.now();
    const report = await cliJson<IndexReport>(['index'], { cwd: repo.dir });
    assert.equal(report.new, 4);
    assert.ok(performance.now() - started < 8_000);
    assert.deepEqual(debris(repo), []);
  });
}

test('an empty lock, left by a writer killed while creating it, is taken over', async () => {
  const repo = createRepo();
  repo.commit(PROJECT);
  mkdirSync(repo.state, { recursive: true });
  writeFileSync(join(repo.state, 'writer.lock'), '');
  assert.equal((await cliJson<IndexReport>(['index'], { cwd: repo.dir })).new, 4);
});

/** Sends a signal as soon as the run holds the writer lock. */
async function signalWhenRunning(repo: TestRepo, child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  const lock = join(repo.state, 'writer.lock');
  while (child.exitCode === null && !existsSync(lock)) await sleep(5);
  child.kill(signal);
}

test('SIGINT and SIGTERM end a run cleanly', async () => {
  const repo = createRepo();
  repo.commit(manyFiles(FILES));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    const { code, stderr } = await cli(['index'], {
      cwd: repo.dir,
      onStart: (child) => void signalWhenRunning(repo, child, signal),
    });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /cancelled/);
    assert.deepEqual(debris(repo), []);
  }
  assert.equal((await cliJson<IndexReport>(['index'], { cwd: repo.dir })).files, FILES);
});
