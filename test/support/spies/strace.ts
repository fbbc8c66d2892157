/** Every program that a command starts and every connection it makes, from the kernel: for long campaigns, where strace is. */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CLI, type CliResult } from '../processes/cli.js';
import { outputOf } from '../processes/output.js';
import { makeDirectory } from '../repositories/repo.js';

export const hasStrace = spawnSync('strace', ['-f', '-e', 'trace=execve', 'true']).status === 0;

export interface Traced extends CliResult {
  /** Programs that were started, as argument lists that begin with their path; searching PATH in vain is none. */
  executed: string[][];
  /** Connections to anything but this machine's own name service: `AF_INET …`, and the program that made it. */
  connected: string[];
}

/** Runs node with `args`. */
export async function traced(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Traced> {
  const log = join(makeDirectory('strace'), 'log');
  const options = ['-f', '-qq', '-s', '4096', '-e', 'trace=execve,connect,sendto', '-e', 'signal=none', '-o', log];
  const child = spawn('strace', [...options, process.execPath, ...args], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const result = await outputOf(child);
  return { ...result, ...read(readFileSync(log, 'latin1')) };
}

export const tracedCli = (args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}): Promise<Traced> =>
  traced([CLI, ...args], cwd, env);

/** As strace writes what is in quotes. */
const plain = (text: string) => text.replaceAll(/\\(["\\])/g, '$1');

function read(log: string): Pick<Traced, 'executed' | 'connected'> {
  const executed: string[][] = [];
  const connected: string[] = [];
  const programs = new Map<string, string>();
  for (const line of log.split('\n')) {
    const [, pid, call] = /^(\d+) +(.*)$/.exec(line) ?? [];
    if (call === undefined) continue;
    const exec = /^execve\("((?:[^"\\]|\\.)*)", \[(.*)\], 0x/.exec(call);
    if (exec !== null && !/ = -1 ENO/.test(call)) {
      executed.push([
        exec[1],
        ...[...exec[2].matchAll(/"((?:[^"\\]|\\.)*)"/g)].slice(1).map(([, text]) => plain(text)),
      ]);
      programs.set(pid, exec[1]);
    }
    const address = /^(?:connect|sendto)\(.*\{sa_family=(AF_\w+), (.*)\}/.exec(call);
    if (address === null || address[1] === 'AF_NETLINK' || /nscd\/socket/.test(address[2])) continue;
    connected.push(`${address[1]} ${address[2]} by ${programs.get(pid) ?? `a thread or fork ${pid}`}`);
  }
  return { executed, connected };
}
