/** Runs a program that is killed, or fails, at a chosen one of its fault points (`fault-shim.cjs`). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Random } from '../generated/random.js';
import { makeDirectory } from '../repositories/repo.js';

const SHIM = fileURLToPath(new URL('../../../../test/support/faults/fault-shim.cjs', import.meta.url));

/** What a disk can answer. */
export type DiskError = 'ENOSPC' | 'EIO' | 'EROFS' | 'EDQUOT' | 'EFBIG' | 'EMFILE' | 'EACCES';

export interface FaultPlan {
  /** Which of the processes that node runs: a pattern over script and arguments. Default: all of them. */
  process?: string;
  /** The point, counted from 1; none is only counted. */
  at?: number;
  /** SIGKILL to the process, or to its whole group with the git processes in it. */
  kill?: 'process' | 'group';
  /** A write is half done when the process is killed. */
  torn?: boolean;
  /** What the call fails with; points that such a disk still serves don't count. Half of a write is done. */
  error?: DiskError;
  /** It goes on like that. */
  persistent?: boolean;
  /** Reading counts, and nothing else. */
  reads?: boolean;
  /** Only paths with one of these in them count. */
  under?: readonly string[];
  /** A file that takes a line of JSON for each point. */
  log?: string;
}

export interface FaultPoint {
  n: number;
  op: string;
  path: string;
}

/** The environment of a process with faults. */
export function faulty(plan: FaultPlan): NodeJS.ProcessEnv {
  return { NODE_OPTIONS: `--require=${SHIM}`, SOCRATICODE_TEST_FAULT: JSON.stringify(plan) };
}

/** The points that a run reaches under a plan without `at`. */
export async function countPoints(
  plan: FaultPlan,
  run: (env: NodeJS.ProcessEnv) => Promise<unknown>,
): Promise<FaultPoint[]> {
  const log = join(makeDirectory('points'), 'log');
  await run(faulty({ ...plan, log }));
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as FaultPoint);
}

/** `count` of them, spread over all. */
export function spread<T>(all: readonly T[], count: number, random: Random): T[] {
  if (count >= all.length) return [...all];
  const step = all.length / count;
  const start = random(Math.max(1, Math.floor(step)));
  return Array.from({ length: count }, (_, i) => all[Math.min(all.length - 1, start + Math.floor(i * step))]);
}
