/** Programs that stay, each asked or shown what it is there for, under faults: what they say is right, or says why not. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type WatchEvent, watchEventSchema } from '../../../src/questions/watch/question.js';
import { check } from '../check.js';
import { CLI } from '../processes/cli.js';
import type { TestRepo } from '../repositories/repo.js';
import { startServer, type TestServer } from '../servers/mcp.js';
import { type Answer, answerOf, processesIn, type Question } from './aftermath.js';

/** What its processes are told, and what is done to them from outside. */
export interface Trouble {
  env: NodeJS.ProcessEnv;
  /** SIGKILL, so long after it was started, for a process whose command has this in it. */
  kill?: { process: string; afterMs: number };
}

export interface Life {
  /** Answers in full that were compared. */
  right: number;
  /** Answers that say what is missing, or why there is none. */
  said: number;
  /** Was any of it killed from outside, or did it end before its time? */
  died: boolean;
}

export interface Expected {
  questions: readonly Question[];
  answers: readonly Answer[];
}

/** A program that stays, from its start to its end. */
export type Lasting = (t: TestContext, repo: TestRepo, trouble: Trouble, expected: Expected) => Promise<Life>;

const FOUND_WITHIN_MS = 10_000;

/** Resolves when the process was killed, or is not needed any more. */
async function killOne(repo: TestRepo, { kill }: Trouble, isOver: () => boolean): Promise<boolean> {
  if (kill === undefined) return false;
  const until = performance.now() + FOUND_WITHIN_MS;
  for (; performance.now() < until && !isOver(); await sleep(5)) {
    const [found] = processesIn(repo).filter((each) => each.includes(kill.process));
    if (found === undefined) continue;
    await sleep(kill.afterMs);
    try {
      process.kill(Number.parseInt(found, 10), 'SIGKILL');
      return true;
    } catch {
      // It has just ended; there may be another.
    }
  }
  return false;
}

/** Each question twice, with a run asked for in between. */
async function interview(server: TestServer, { questions, answers }: Expected, life: Life): Promise<void> {
  for (let round = 0; round < 2; round++) {
    for (const [i, { query, ref }] of questions.entries()) {
      const { structured, text, isError } = await server.call('codebase_search', { query, ref, limit: 5 });
      const isWhole = !isError && structured.coverage.covered === structured.coverage.total;
      if (isError) assert.match(text, /\S/);
      if (isWhole) assert.deepEqual(answerOf(structured), answers[i], query);
      life[isWhole ? 'right' : 'said']++;
    }
    if (round === 0) await server.call('codebase_update');
  }
}

/** A server is asked; it may end, but then at once and for all questions. */
export const server: Lasting = async (t, repo, trouble, expected) => {
  const life: Life = { right: 0, said: 0, died: false };
  let isOver = false;
  const killed = killOne(repo, trouble, () => isOver);
  const running = await startServer(t, repo.dir, { env: trouble.env, cwd: repo.dir }).catch(() => null);
  try {
    if (running !== null) await interview(running, expected, life);
    else life.died = true;
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
    // Whoever asks is told that nobody is there any more.
    life.died = true;
  }
  isOver = true;
  await running?.close();
  life.died = (await killed) || life.died;
  return life;
};

const PATIENCE_MS = 30_000;

/** A watcher sees an edit and a commit, and is ended when it has seen the commit. */
export const watcher: Lasting = async (_, repo, trouble) => {
  const child = spawn(process.execPath, [CLI, 'watch', '--json'], {
    cwd: repo.dir,
    env: { ...process.env, ...trouble.env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const life: Life = { right: 0, said: 0, died: false };
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const killed = killOne(repo, trouble, () => child.exitCode !== null);
  const stderr = textOf(child);
  let commit = '';
  const events: WatchEvent[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    events.push(JSON.parse(line));
    if (events.at(-1)?.commit === commit) child.kill('SIGTERM');
  });
  await Promise.race([sleep(300), ended]);
  const seen = `Seen${repo.git('rev-list', '--count', 'HEAD')}`;
  repo.write({ [`src/${seen}.ts`]: `export class ${seen} {}\n` });
  await Promise.race([sleep(700), ended]);
  commit = repo.commit();
  const code = await Promise.race([ended, sleep(PATIENCE_MS, 'too late' as const, { ref: false })]);
  child.kill('SIGKILL');
  life.died = (await killed) || child.signalCode === 'SIGKILL' || code === 2;
  if (code === 2) assert.match(stderr(), /^git-socraticode: \S/m);
  else assert.ok(life.died || code === 0, `${code}: ${stderr()}`);
  for (const { event, error } of events.map((each) => check(watchEventSchema, each))) {
    life[event === 'failed' ? 'said' : 'right']++;
    if (event === 'failed') assert.match(error ?? '', /\S/);
  }
  return life;
};

function textOf(child: ChildProcess): () => string {
  let text = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  return () => text;
}
