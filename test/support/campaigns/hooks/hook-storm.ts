/** Many processes that commit, rebase and merge at once, in work trees of one repository: one worker is enough for them all. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SearchResponse } from '../../../../src/questions/search/question.js';
import { pick, type Random } from '../../generated/random.js';
import { CLI, cliJson } from '../../processes/cli.js';
import { cleanPath, idle, logLines, pathWith, until } from '../../repositories/hooks.js';
import { cloneRepo, makeDirectory, TestRepo } from '../../repositories/repo.js';
import { repoWithHooks } from './hook-events.js';

export interface Storm {
  processes: number;
  trees: number;
  /** git commands of each process. */
  steps: number;
}

export interface StormSeen {
  commands: number;
  refused: number;
  /** Processes that hooks started, and how many of them served the queue. */
  started: number;
  indexed: number;
  /** Workers alive at one time, the one that holds the lock not counted; a contender lives until it has tried the lock. */
  mostContenders: number;
}

const SETTLE_MS = 1_000;
const STEPS = [
  'commit',
  'commit',
  'commit',
  'amend',
  'checkout',
  'merge',
  'rebase',
  'cherry-pick',
  'am',
  'gc',
] as const;

/** A shell script: whatever git refuses (a lock, a conflict) is part of the storm. */
function script(name: string, steps: number, random: Random): string {
  const lines = ['ok() { "$@" >/dev/null 2>&1 || echo refused; }'];
  for (let i = 0; i < steps; i++) {
    const step = pick(random, STEPS);
    const file = `storm/${name}-${i}.ts`;
    const commit = `echo 'export function ${name}x${i}() { return ${i}; }' >'${file}'; ok git add '${file}'; ok git commit -q -m ${name}${i}`;
    const lines_ = {
      commit,
      amend: `echo '// ${i}' >>'storm/${name}.ts'; ok git commit -qa --amend -m ${name}amended`,
      checkout: `ok git checkout -q -b ${name}-b${i}`,
      merge: 'ok git merge -q --no-edit main || git merge --abort',
      rebase: 'ok git rebase -q main || git rebase --abort',
      'cherry-pick': 'ok git cherry-pick main~0 || git cherry-pick --abort',
      am: `git format-patch -1 --stdout main >'../${name}.patch' 2>/dev/null; ok git am -q -3 '../${name}.patch' || git am --abort`,
      // Not with --prune=now, which may take what a commit beside it has just written.
      gc: 'ok git gc -q',
    };
    lines.push('mkdir -p storm', `{ ${lines_[step]}; } 2>/dev/null`, `echo done`);
  }
  return lines.join('\n');
}

/** Runs a storm and waits for calm; asserts what must hold afterwards. */
export async function storm({ processes, trees, steps }: Storm, random: Random): Promise<StormSeen> {
  const repo = await repoWithHooks();
  const counted = join(makeDirectory('started'), 'count');
  const path = pathWith(
    'git-socraticode',
    `#!/bin/sh\necho "$$" >>'${counted}'\nexec '${process.execPath}' '${CLI}' "$@"\n`,
  );
  const places = [repo.dir];
  for (let i = 1; i < trees; i++) {
    const place = join(makeDirectory('storm tree'), `tree ${i}`);
    repo.git('-c', 'core.hooksPath=/dev/null', 'worktree', 'add', '-q', '-b', `tree${i}`, place);
    places.push(place);
  }
  let [mostContenders, over] = [0, false];
  const watching = (async () => {
    while (!over) {
      const holder = readHolder(repo);
      mostContenders = Math.max(mostContenders, workersOf(repo).filter((pid) => pid !== holder).length);
      await sleep(100);
    }
  })();
  const texts = await Promise.all(
    Array.from({ length: processes }, (_, i) => shell(script(`p${i}`, steps, random), places[i % trees], path)),
  );
  // The last hooks may not have written yet.
  await sleep(SETTLE_MS);
  await idle(repo);
  over = true;
  await watching;
  // A worker gives its lock back a moment before its process ends, and one that found the lock taken has still to leave.
  await until(
    () => workersOf(repo).length === 0,
    () => `a worker is left: ${workersOf(repo)}`,
  );
  const log = readdirSync(repo.state);
  for (const name of ['hook.queue', 'hook.taken', 'hook.lock', 'hook.starting', 'writer.lock'])
    assert.ok(!log.includes(name), `${name} is left`);
  await compareWithClean(repo, places);
  const text = texts.join('');
  return {
    commands: text.split('done').length - 1,
    refused: text.split('refused').length - 1,
    started: existsSync(counted) ? readFileSync(counted, 'utf8').split('\n').length - 1 : 0,
    indexed: logLines(repo).filter((line) => line.includes(' indexed ')).length,
    mostContenders,
  };
}

function shell(text: string, cwd: string, path: string): Promise<string> {
  const file = join(makeDirectory('script'), 'run.sh');
  writeFileSync(file, text);
  const child = spawn('sh', [file], { cwd, env: { ...process.env, PATH: path }, stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk;
  });
  return new Promise((resolve) => child.on('close', () => resolve(said)));
}

function readHolder(repo: TestRepo): number {
  try {
    return Number(/"pid":(\d+)/.exec(readFileSync(join(repo.state, 'hook.lock'), 'utf8'))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

/** Processes that serve this repository's queue, or want to. */
export function workersOf(repo: TestRepo): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
        return words.includes('hooks') && words.includes(join(repo.dir, '.git')) && words[0].includes('node');
      } catch {
        return false;
      }
    });
}

/** What hooks indexed is all there is to index, and answers as an index from nothing does. */
async function compareWithClean(repo: TestRepo, places: readonly string[]): Promise<void> {
  const env = { PATH: cleanPath(), SOCRATICODE_SHARE_FETCH: 'never' };
  for (const place of places) {
    const tree = new TestRepo(place);
    const commit = tree.git('rev-parse', 'HEAD');
    const { wouldParse } = await cliJson<{ wouldParse: number }>(['index', '--dry-run'], { cwd: place, env });
    assert.equal(wouldParse, 0, 'something was not indexed');
    const clone = cloneRepo(repo, '--bare');
    const args = ['search', 'return storm', '--ref', commit, '--limit', '100'];
    const ask = (cwd: string) => cliJson<SearchResponse>(args, { cwd, env });
    assert.deepEqual((await ask(place)).results, (await ask(clone.dir)).results);
  }
}
