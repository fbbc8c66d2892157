import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { Git } from '../../src/git/process.js';
import { campaign } from '../support/campaigns/campaign.js';
import * as bombs from '../support/hostile/bombs.js';
import { CLI } from '../support/processes/cli.js';
import { type Measured, measured } from '../support/processes/measured.js';
import { isAlive, type Usage, watchTree } from '../support/processes/process-tree.js';
import type { TestRepo } from '../support/repositories/repo.js';
import { runHere } from '../support/spies/spy.js';

const REFUSED = /the tree has more than 1,000,000 entries\n {2}A tree this large is refused/;
const TOO_LONG = /the paths of the tree are too long|more than 1,000,000 entries/;
const TOO_LARGE = /is larger than \d+ KiB\n {2}Make it smaller/;
const UNREADABLE = /git-socraticode: .+\n {2}\S/;

interface Case {
  name: string;
  make: (scale: number) => TestRepo;
  /** Commands, each with what it says and ends with: a pattern for a refusal, 0 or 1 for an answer. */
  asks: readonly (readonly [command: string, expected: RegExp | number])[];
  /** Only in the long form. */
  long?: true;
}

const refused = (by: RegExp, commands: readonly string[]) => commands.map((each) => [each, by] as const);
const answered = (...commands: string[]) => commands.map((each) => [each, 0] as const);
const FOUND = `search ${bombs.BESIDE}`;

const CASES: readonly Case[] = [
  // What is asked of the tree beside it is answered.
  {
    name: 'files',
    make: bombs.treeBomb,
    asks: refused(REFUSED, ['diff ok..main']),
  },
  { name: 'blob', make: (scale) => bombs.swollen('blob', 2 ** 30 * scale), asks: answered('index') },
  {
    name: 'rules',
    make: () => bombs.swollenSettings('stars', 0),
    asks: [['search x', /\.socraticodeignore:1: more than \d+ .*\n {2}Correct it/]],
  },
  ...(['attributes', 'ignore', 'settings', 'artifacts'] as const).map((kind) => ({
    name: kind,
    make: (scale: number) => bombs.swollenSettings(kind, 2 ** 26 * scale),
    asks: kind === 'settings' ? refused(TOO_LARGE, ['index', FOUND]) : answered('index', FOUND),
    long: true as const,
  })),
  {
    name: 'everything about files',
    make: bombs.treeBomb,
    asks: [
      ...refused(REFUSED, ['index', FOUND, 'status', 'graph stats', 'index --dry-run']),
      ['context list', 1],
      [`${FOUND} --ref ok`, 0],
    ],
    long: true,
  },
  {
    name: 'everything about directories',
    make: bombs.hollowBomb,
    asks: refused(REFUSED, ['index', 'status', FOUND, 'diff ok..main']),
    long: true,
  },
  { name: 'long paths', make: bombs.longPaths, asks: refused(TOO_LONG, ['index', FOUND, 'status']), long: true },
  {
    name: 'deep',
    make: () => bombs.deepTree(10_000),
    asks: [
      ['index', /./],
      ['status', /./],
    ],
    long: true,
  },
  {
    name: 'flat',
    make: () => bombs.flatTree(999_000),
    asks: [...answered('index', FOUND), ['status', 0], ['diff ok..main --limit 5', 0]],
    long: true,
  },
  {
    name: 'tree of zeros',
    make: (scale) => bombs.swollen('tree', 2 ** 28 * scale),
    asks: refused(UNREADABLE, ['index', 'status']),
    long: true,
  },
  {
    name: 'message',
    make: (scale) => bombs.swollen('message', 2 ** 28 * scale),
    asks: answered('index', FOUND, `history ${bombs.BESIDE}`, 'diff ok..main'),
    long: true,
  },
  {
    name: 'author',
    make: (scale) => bombs.swollen('author', 2 ** 28 * scale),
    asks: answered('index', `history ${bombs.BESIDE}`),
    long: true,
  },
  {
    name: 'refs',
    make: () => bombs.manyRefs(100_000),
    asks: answered('index', FOUND, 'status', `${FOUND} --all-refs`),
    long: true,
  },
  {
    name: 'a million branches and tags each, 100,000 commits',
    make: () => bombs.manyRefs(1_000_000, 100_000),
    asks: answered('index', FOUND, 'status', 'grep ok', `history ${bombs.BESIDE}`, `${FOUND} --all-refs`),
    long: true,
  },
  {
    name: 'parents and tags',
    make: () => bombs.wideHistory(10_000),
    asks: answered('index', 'index --ref chain', `history ${bombs.BESIDE}`),
    long: true,
  },
];

/** What the kernel lets a git have that compares trees, and what it was mapped. */
const MOST_ORPHAN = 2.25 * 2 ** 30;
/** Of all processes at one time; a listing of a million files takes half of it. */
const MOST_MEMORY = 1.25 * 2 ** 30;

campaign(
  'bombs',
  {
    bar: 'S10',
    claim: 'trees, blobs and histories beyond all limits are refused in time, with a message, and are never read',
    short: { scale: 1 / 16, mostCpuMs: 10_000, all: 0 },
    long: { scale: 1, mostCpuMs: 10_000, all: 1 },
  },
  async ({ size, note }) => {
    const worst = { cpuMs: 0, memory: 0 };
    let asked = 0;
    const ask = async (label: string, repo: TestRepo, command: string, expected: RegExp | number) => {
      const result = await measured(command.split(' '), repo.dir, 300_000);
      note(
        `${label}: ${command}: ${Math.round(result.cpuMs)} ms, ${Math.round(result.usage.peakBytes / 2 ** 20)} MB, ${result.code}`,
      );
      check(`${label}: ${command}`, result, expected);
      worst.cpuMs = Math.max(worst.cpuMs, result.cpuMs);
      worst.memory = Math.max(worst.memory, result.usage.peakBytes);
      asked++;
    };
    const check = (label: string, result: Measured, expected: RegExp | number) => {
      const { code, stderr, stdout, late, left, cpuMs, usage } = result;
      assert.ok(!late, `${label} does not end`);
      assert.equal(left, 0, `${label} leaves processes`);
      if (typeof expected === 'number') assert.equal(code, expected, `${label}: ${stderr}`);
      else assert.match(`${stderr}${code}`, expected, `${label}: ${stdout}`);
      assert.ok(cpuMs <= size.mostCpuMs, `${label} took ${cpuMs} ms`);
      assert.ok(usage.peakBytes <= MOST_MEMORY, `${label} took ${usage.peakBytes} bytes`);
      assert.doesNotMatch(stderr, /this is a bug|INTERNAL/i, label);
    };
    for (const { name, make, asks, long } of CASES) {
      if (long && size.all === 0) continue;
      const repo = make(size.scale);
      for (const [command, expected] of asks) await ask(name, repo, command, expected);
    }
    if (size.all === 1) await notes(ask);
    const orphan = await orphaned(size.all === 1);
    return {
      'repositories and commands': asked,
      'most processor time of a command, seconds': (worst.cpuMs / 1_000).toFixed(1),
      'most memory of all processes, MB': Math.round(worst.memory / 2 ** 20),
      ...(orphan === null ? {} : { 'a git whose parent was killed: most memory, MB': orphan }),
    };
  },
);

type Ask = (label: string, repo: TestRepo, command: string, expected: RegExp | number) => Promise<void>;

/** A record store that came with a bomb: what it holds is made anew. */
async function notes(ask: Ask): Promise<void> {
  const forge = new bombs.Forge();
  const repo = forge.branches(null);
  assert.equal((await runHere(['-C', repo.dir, 'index'])).code, 0);
  bombs.notesBomb(forge, repo.notesRef);
  assert.ok(existsSync(repo.state));
  repo.commit({ 'new.ts': 'export const fresh = 1;\n' });
  await ask(
    'notes',
    repo,
    `search ${bombs.BESIDE}`,
    /records that came with this repository are refused.*\n.*git socraticode remove/,
  );
  await ask('notes', repo, 'remove', 0);
  await ask('notes', repo, 'search fresh', 0);
}

const isLinux = process.platform === 'linux';

/** A git that gathers a tree goes on when we are killed, to a bound that the kernel keeps: the memory it took, in MB. */
async function orphaned(isLong: boolean): Promise<number | null> {
  if (!isLinux) return null;
  const repo = bombs.treeBomb();
  // Nobody reads what it says: it waits, and can be looked at.
  const waiting = new Git(repo.dir).spawn(['ls-tree', '-r', '-z', 'main']);
  await new Promise((resolve) => waiting.stdout.once('readable', resolve));
  const limits = readFileSync(`/proc/${waiting.pid}/limits`, 'utf8');
  const [bytes] = /(?<=^Max data size +)\d+/m.exec(limits) ?? [];
  waiting.kill('SIGKILL');
  assert.ok(Number(bytes) <= 2 * 2 ** 30, limits);
  if (!isLong) return null;
  const child = spawn(process.execPath, [CLI, 'status'], { cwd: repo.dir, stdio: 'ignore', detached: true });
  const isStatus = ({ command }: Usage) => / status --porcelain/.test(command);
  const watch = watchTree(child.pid as number, 20);
  const find = () => watch.seen().find(isStatus);
  while (find() === undefined && isAlive(child.pid as number)) await sleep(20);
  assert.ok(find() !== undefined, 'git status was not seen');
  child.kill('SIGKILL');
  const git = find() as Usage;
  const follow = watchTree(git.pid);
  const until = performance.now() + 120_000;
  while (isAlive(git.pid) && performance.now() < until) await sleep(50);
  watch.stop();
  const { peakBytes } = follow.stop();
  const isLeft = isAlive(git.pid);
  if (isLeft) process.kill(git.pid, 'SIGKILL');
  assert.ok(!isLeft && peakBytes <= MOST_ORPHAN, `${peakBytes} bytes`);
  return Math.round(peakBytes / 2 ** 20);
}
