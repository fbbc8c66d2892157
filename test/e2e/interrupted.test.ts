/** Commands that are ended in the middle: by Ctrl-C, which git gets as well as this program, and by a kill. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { cli } from '../support/processes/cli.js';
import type { ProcessResult } from '../support/processes/output.js';
import { cpuMsOf, membersOf } from '../support/processes/process-tree.js';
import { until } from '../support/repositories/hooks.js';
import { createRepo } from '../support/repositories/repo.js';
import { PROJECT } from '../support/repositories/samples.js';

/** A git that sends the signal of Ctrl-C to its whole process group when it is asked for `command`. */
function interruptingGit(command: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'interrupting-git-'));
  const script = `#!/bin/sh
case " $* " in *" ${command} "*) mkdir "$0.once" 2>/dev/null && kill -INT 0;; esac
PATH="$REAL_PATH" exec git "$@"
`;
  writeFileSync(join(folder, 'git'), script, { mode: 0o755 });
  return folder;
}

/** As a shell counts the end of a process by a signal. */
const statusOf = ({ code, signal }: ProcessResult): number => code ?? 128 + constants.signals[signal as NodeJS.Signals];

test('Ctrl-C of a search is its end, whichever git it ends, and says so where work had to be finished', async () => {
  const { PATH = '' } = process.env;
  for (const command of ['rev-parse', 'cat-file', 'status', 'ls-tree']) {
    const repo = createRepo();
    repo.commit(PROJECT, 'a project');
    const result = await cli(['search', 'how are tokens remembered', '--json'], {
      cwd: repo.dir,
      detached: true,
      env: { PATH: [interruptingGit(command), PATH].join(delimiter), REAL_PATH: PATH },
    });
    const { code, stdout, stderr } = result;
    assert.equal(statusOf(result), 130, `${command}: ${stderr}`);
    if (code === null) {
      assert.equal(stdout + stderr, '', command);
      continue;
    }
    assert.match(stderr, /^git-socraticode: cancelled\n {2}\S[^\n]*\n$/, command);
    assert.equal(JSON.parse(stdout).error.code, 'CANCELLED', command);
  }
});

/** Questions that read, each of which has to parse or link something, or to merge. */
const READING = [
  ['graph', 'stats'],
  ['history', 'task1'],
  ['grep', 'task[0-9]+'],
  ['conflicts'],
  ['review', 'HEAD~1..HEAD'],
];
const MOMENTS_MS = [40, 150, 300, 500, 800];
/** Processor time that a command may use after the signal: time of the clock also counts what other processes do. */
const MOST_CPU_MS = 300;

/** Runs a command that gets Ctrl-C with its whole group. Adds the processor time that it used afterwards. */
async function interrupted(
  args: readonly string[],
  { cwd, moment }: { cwd: string; moment: number },
): Promise<ProcessResult & { pid: number; cpuMs: number }> {
  let [pid, before, last] = [0, 0, 0];
  const onStart = (child: ChildProcess) => {
    pid = child.pid as number;
    const sending = setTimeout(() => {
      before = last = cpuMsOf(pid);
      process.kill(-pid, 'SIGINT');
      const look = setInterval(() => {
        last = Math.max(last, cpuMsOf(pid));
      }, 5);
      child.once('exit', () => clearInterval(look));
    }, moment);
    child.once('exit', () => clearTimeout(sending));
  };
  const result = await cli(args, { cwd, detached: true, onStart });
  return { ...result, pid, cpuMs: last - before };
}

test('Ctrl-C ends questions at any moment, and leaves nothing that runs or is damaged', async (t) => {
  const repo = createRepo();
  const source = (i: number) => `export function task${i}(input: number): number {\n  return input + ${i};\n}\n`;
  repo.commit(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`src/task${i}.ts`, source(i)])), 'many');
  repo.git('branch', 'other');
  repo.commit({ 'src/task1.ts': 'export const task1 = 1;\n' }, 'one more');
  for (const args of READING) {
    await t.test(args.join(' '), async () => {
      rmSync(repo.state, { recursive: true, force: true });
      for (const moment of MOMENTS_MS) {
        const ended = await interrupted(args, { cwd: repo.dir, moment });
        const about = `after ${moment} ms: ${ended.code} ${ended.signal}, ${ended.cpuMs} ms, ${ended.stderr}`;
        assert.ok([0, 1, 130].includes(statusOf(ended)), about);
        assert.ok(ended.cpuMs <= MOST_CPU_MS, about);
        const left = () => `${membersOf(ended.pid)} ${about}`;
        await until(() => membersOf(ended.pid).length === 0, left);
      }
      assert.equal(repo.fsck(), '');
      const whole = await cli(args, { cwd: repo.dir });
      assert.ok(whole.code === 0 || whole.code === 1, whole.stderr);
      rmSync(repo.state, { recursive: true, force: true });
      assert.equal((await cli(args, { cwd: repo.dir })).stdout, whole.stdout);
    });
  }
});

/** Files of a repository, and how many of them one publication takes. */
const FILES = 1_000;
const BATCH = 250;

/** A repository of that many files, and a count of those that have a record. */
function manyFiles(): { repo: ReturnType<typeof createRepo>; recorded: () => number } {
  const repo = createRepo();
  const source = (i: number) => `export function task${i}(input: number): number {\n  return input + ${i};\n}\n`;
  repo.commit(
    Object.fromEntries(Array.from({ length: FILES }, (_, i) => [`src/task${i}.ts`, source(i)])),
    'many files',
  );
  const recorded = (): number => {
    const [ref] = repo.git('for-each-ref', '--format=%(refname)', 'refs/notes/socraticode/syntax').split('\n');
    return ref === '' ? 0 : repo.git('ls-tree', '-r', '--name-only', ref).split('\n').filter(Boolean).length;
  };
  return { repo, recorded };
}

test('Ctrl-C of a first index keeps also the files whose records git was writing, and status says so', async () => {
  const { PATH = '' } = process.env;
  const { repo, recorded } = manyFiles();
  const { code, stderr } = await cli(['index'], {
    cwd: repo.dir,
    detached: true,
    env: { PATH: [interruptingGit('fast-import'), PATH].join(delimiter), REAL_PATH: PATH },
  });
  assert.equal(code, 130, stderr);
  assert.match(stderr, /git-socraticode: cancelled\n {2}Run the command again to continue; finished work is kept\.\n$/);
  const kept = recorded();
  assert.ok(kept >= BATCH && kept < FILES, `${kept} files`);

  const status = await cli(['status'], { cwd: repo.dir });
  assert.match(
    status.stdout,
    new RegExp(`^coverage +0 of 1,000 files, 0 chunks; ${kept} more are parsed, and are not parsed again$`, 'm'),
  );
});

test('a first index that is killed keeps what it parsed, but for at most 250 files', async () => {
  const { repo, recorded } = manyFiles();
  const counts = [0];
  const { code } = await cli(['index'], {
    cwd: repo.dir,
    onStart: (child) => {
      const look = setInterval(() => {
        const count = recorded();
        if (count !== counts.at(-1)) counts.push(count);
        if (count < 2 * BATCH) return;
        clearInterval(look);
        child.kill('SIGKILL');
      }, 20);
      child.once('exit', () => clearInterval(look));
    },
  });
  assert.equal(code, null, 'it was killed before it was done');
  const kept = recorded();
  assert.ok(kept >= 2 * BATCH && kept < FILES, `${kept} files`);
  // Whatever the moment of the kill, only a publication that was not finished is lost.
  for (const [i, count] of counts.slice(1).entries()) assert.ok(count - counts[i] <= BATCH, counts.join(', '));

  const again = await cli(['index'], { cwd: repo.dir });
  assert.equal(again.code, 0, again.stderr);
  assert.match(again.stdout + again.stderr, new RegExp(`${FILES - kept} new`));
});
