/**
 * Commands as `processes/cli.ts` runs them, answered by this process: for tests of what a command does, where a process of its own
 * for each would cost more than the answers. Tests of environments, signals, killed commands and what stays in memory use processes.
 */
import { answer } from './answer.js';

export interface CliOptions {
  cwd: string;
  input?: string;
}

/** Never rejects because of an exit code. */
export function cli(args: readonly string[], { cwd, input }: CliOptions) {
  return answer(['-C', cwd, ...args], input);
}

/** A command that must end with exit code 0; returns its parsed JSON. */
export async function cliJson<T>(args: readonly string[], options: CliOptions): Promise<T> {
  const { code, stdout, stderr } = await cli([...args, '--json'], options);
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr || stdout.slice(0, 4_000)}`);
  return JSON.parse(stdout) as T;
}
