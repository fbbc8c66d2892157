/** Runs the built command line as a user would: a process of its own, with everything it says captured. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import '../repositories/repo.js';
import { outputOf, type ProcessResult } from './output.js';

export const CLI = fileURLToPath(new URL('../../../src/cli/main.js', import.meta.url));

export interface CliOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  input?: string;
  /** In a process group of its own. */
  detached?: boolean;
  /** Called with the running process. */
  onStart?: (child: ChildProcess) => void;
}

export type CliResult = ProcessResult;

/** Never rejects because of an exit code. */
export function cli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: 'pipe',
    detached: options.detached,
  });
  options.onStart?.(child);
  return outputOf(child, options.input);
}

/** A command that must end with exit code 0; returns its parsed JSON. */
export async function cliJson<T>(args: readonly string[], options: CliOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await cli([...args, '--json'], options);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr || stdout.slice(0, 4_000)}`);
  return JSON.parse(stdout) as T;
}
