/** Runs the built command line as a user would: a process of its own, with everything it says captured. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import '../repositories/repo.js';

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

export interface CliResult {
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

/** Never rejects because of an exit code. */
export function cli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: 'pipe',
    detached: options.detached,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  options.onStart?.(child);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
}

/** A command that must end with exit code 0; returns its parsed JSON. */
export async function cliJson<T>(args: readonly string[], options: CliOptions = {}): Promise<T> {
  const { code, stdout, stderr } = await cli([...args, '--json'], options);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr || stdout.slice(0, 4_000)}`);
  return JSON.parse(stdout) as T;
}
