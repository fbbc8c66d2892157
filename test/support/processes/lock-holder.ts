/**
 * A process that takes locks when told to, a line of JSON each on its input, and says what came of it. Whoever is inside writes where it
 * begins and ends into one file.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { acquireLock } from '../../../src/base/lock.js';
import { lifeOf, ownHolder } from '../../../src/base/processes.js';

export interface LockOrder {
  order: number;
  path: string;
  waitMs: number;
  /** Null: until killed. */
  holdMs: number | null;
  /** How often. */
  times: number;
  /** When to begin, by this machine's clock: all in the same instant. */
  at?: number;
}

export interface LockAnswer {
  order: number;
  /** Until it had the lock the first time. */
  ms: number;
  error: string | null;
  /** Whom it found inside, alive. */
  intruded: string | null;
}

export const MARKS = '.marks';

async function obey({ order, path, waitMs, holdMs, times, at = 0 }: LockOrder): Promise<LockAnswer> {
  while (Date.now() < at);
  const from = performance.now();
  let ms = 0;
  for (let i = 0; i < times; i++) {
    let release: () => void;
    try {
      release = await acquireLock(path, { waitMs });
    } catch (error) {
      return { order, ms: performance.now() - from, error: (error as Error).message, intruded: null };
    }
    ms ||= performance.now() - from;
    const intruded = inside(path);
    appendFileSync(path + MARKS, `b ${process.pid}\n`);
    if (intruded !== null) return { order, ms, error: null, intruded };
    await sleep(holdMs ?? 600_000);
    appendFileSync(path + MARKS, `e ${process.pid}\n`);
    release();
  }
  return { order, ms, error: null, intruded: null };
}

/** The one who began last and has not ended, if it still lives. */
function inside(path: string): string | null {
  const [mark, pid] =
    readFileSync(path + MARKS, 'utf8')
      .trim()
      .split('\n')
      .at(-1)
      ?.split(' ') ?? [];
  if (mark !== 'b') return null;
  const holder = { ...ownHolder(), started: '', id: '', pid: Number(pid) };
  return lifeOf(holder) === 'alive' ? pid : null;
}

if (process.argv[2] === 'obey') {
  for await (const line of createInterface({ input: process.stdin }))
    void obey(JSON.parse(line) as LockOrder).then((answer) => process.stdout.write(`${JSON.stringify(answer)}\n`));
}
