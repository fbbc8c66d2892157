/** `watch` keeps a work tree ready, alone, and ends with whoever started it. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import type { SearchResponse } from '../../src/questions/search/question.js';
import { type WatchEvent, watchEventSchema } from '../../src/questions/watch/question.js';
import { check } from '../support/check.js';
import { CLI, cli, cliJson } from '../support/processes/cli.js';
import { createRepo, type TestRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

interface Watching {
  child: ChildProcess;
  /** The next event; fails where none comes. */
  next: () => Promise<WatchEvent>;
  ended: Promise<number | null>;
}

const PATIENCE_MS = 20_000;

/** A failed test leaves nothing running. */
const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

function watch(repo: TestRepo): Watching {
  const child = spawn(process.execPath, [CLI, 'watch', '--json'], { cwd: repo.dir, stdio: ['pipe', 'pipe', 'pipe'] });
  children.push(child);
  const events: WatchEvent[] = [];
  let wake = () => {};
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(check(watchEventSchema, JSON.parse(line)));
    wake();
  });
  const next = async () => {
    const deadline = Date.now() + PATIENCE_MS;
    while (events.length === 0) {
      assert.ok(Date.now() < deadline, 'nothing happens');
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, 200);
      });
    }
    return events.shift() as WatchEvent;
  };
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return { child, next, ended };
}

function project(): TestRepo {
  const repo = createRepo();
  repo.commit(PROJECT);
  return repo;
}

test('an edit and a commit are taken up; the next search has nothing to parse', async () => {
  const repo = project();
  const { child, next, ended } = watch(repo);
  const first = await next();
  assert.deepEqual([first.event, first.parsed, first.dirty], ['refreshed', 4, 0]);
  repo.write({ 'src/new.ts': 'export function untrackedEmu(): void {}\n' });
  const edited = await next();
  assert.deepEqual([edited.parsed, edited.dirty, edited.overlay], [null, 1, 1]);
  const [state] = readdirSync(repo.state, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('state.json'),
  );
  assert.match(readFileSync(join(repo.state, state), 'utf8'), /src\/new\.ts/);
  const { results } = await cliJson<SearchResponse>(['search', 'untrackedEmu'], { cwd: repo.dir });
  assert.deepEqual([results[0].path, results[0].uncommitted], ['src/new.ts', true]);
  const commit = repo.commit();
  let after = await next();
  while (after.commit !== commit) after = await next();
  assert.deepEqual([after.event, after.dirty], ['refreshed', 0]);
  child.kill('SIGTERM');
  assert.equal(await ended, 0);
  assert.equal(repo.git('status', '--porcelain'), '');
});

test('a second one says so and ends', async () => {
  const repo = project();
  const { child, next, ended } = watch(repo);
  await next();
  const second = await cli(['watch'], { cwd: repo.dir });
  assert.equal(second.code, 0);
  assert.match(second.stderr, new RegExp(`process ${child.pid} is watching this work tree already`));
  child.stdin?.end();
  assert.equal(await ended, 0);
});

test('it ends when its parent does', async () => {
  const repo = project();
  // The shell is killed; what it started must notice without a pipe or a signal.
  const script = `'${process.execPath}' '${CLI}' watch </dev/null 2>&1 & echo $!; wait`;
  const shell = spawn('sh', ['-c', script], { cwd: repo.dir, stdio: ['ignore', 'pipe', 'ignore'] });
  const lines = createInterface({ input: shell.stdout })[Symbol.asyncIterator]();
  const pid = Number((await lines.next()).value);
  await lines.next();
  shell.kill('SIGKILL');
  await until(() => !isAlive(pid));
});

test('it ends when the repository is gone, and refuses a bare one', async () => {
  const repo = project();
  const { next, ended } = watch(repo);
  await next();
  rmSync(repo.dir, { recursive: true, force: true, maxRetries: 5 });
  assert.equal(await ended, 0);
  const bare = await cli(['watch'], { cwd: createRepo({ bare: true }).dir });
  assert.equal(bare.code, 2);
  assert.match(bare.stderr, /no work tree to watch/);
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie whose new parent has not looked yet is gone, too.
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  while (!condition()) {
    assert.ok(Date.now() < deadline, 'it goes on');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
