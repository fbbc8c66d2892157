/** Repositories with our hooks in them, and what their workers said. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readHookLog } from '../../../src/hooks/queue.js';
import type { CliResult } from '../processes/cli.js';
import { runHere } from '../spies/spy.js';
import { makeDirectory, type TestRepo } from './repo.js';

/** PATH without directories that have the real program. */
export const cleanPath = (): string =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((directory) => !existsSync(join(directory, 'git-socraticode')))
    .join(delimiter);

/** PATH that begins with a program of that name. */
export function pathWith(name: string, script: string): string {
  const directory = makeDirectory('bin');
  writeFileSync(join(directory, name), script);
  chmodSync(join(directory, name), 0o755);
  return `${directory}${delimiter}${cleanPath()}`;
}

export async function installHooks(repo: TestRepo, ...flags: string[]): Promise<void> {
  const { code, stderr } = await hooksCommand(repo, 'install', ...flags);
  assert.equal(code, 0, stderr);
}

let last: Promise<unknown> = Promise.resolve();

/** A command about hooks, in this process: one after the other, whoever asks. */
export function hooksCommand(repo: TestRepo, ...args: string[]): Promise<CliResult> {
  const result = last.then(() => runHere(['-C', repo.dir, 'hooks', ...args]));
  last = result.catch(() => undefined);
  return result;
}

/** Runs git with its output captured, as editors and test runners do. */
export function capturedGit(
  cwd: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): SpawnSyncReturns<string> & { ms: number } {
  const started = performance.now();
  const result = spawnSync('git', args, { cwd, env: { ...process.env, PATH: cleanPath(), ...env }, encoding: 'utf8' });
  return { ...result, ms: performance.now() - started };
}

/** What workers did, a line each. */
export function logLines(repo: TestRepo): string[] {
  return readHookLog(repo.state, Number.MAX_SAFE_INTEGER).map(({ time, message }) => `${time} ${message}`);
}

/** Waits for a line of the log (after the first `from`), and then for the worker's end. */
export async function logged(repo: TestRepo, wanted: RegExp, from = 0): Promise<string> {
  const find = () =>
    logLines(repo)
      .slice(from)
      .find((line) => wanted.test(line));
  await until(
    () => find() !== undefined,
    () => `no ${wanted} in:\n${logLines(repo).join('\n')}`,
  );
  await idle(repo);
  return find() as string;
}

/** Waits until nothing is queued and no worker runs. */
export async function idle(repo: TestRepo): Promise<void> {
  const busy = () => ['hook.queue', 'hook.lock', 'hook.starting'].filter((name) => existsSync(join(repo.state, name)));
  await until(
    () => busy().length === 0,
    () => `still there: ${busy()}`,
  );
}

export async function until(done: () => boolean, message: () => string): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (done()) return;
    await sleep(50);
  }
  assert.fail(message());
}
