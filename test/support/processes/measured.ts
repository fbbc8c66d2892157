/** The built command line with what it and all that it starts cost, ended as a group where it does not end by itself. */
import { spawn } from 'node:child_process';
import { CLI, type CliResult } from './cli.js';
import { isAlive, type TreeUsage, watchTree } from './process-tree.js';

export interface Measured extends CliResult {
  args: readonly string[];
  usage: TreeUsage;
  /** Processor time of all processes together. */
  cpuMs: number;
  wallMs: number;
  /** It was ended: it took longer than it may. */
  late: boolean;
  /** Processes that were still there some time after it had ended. */
  left: number;
}

const SETTLE_MS = 1_000;

export async function measured(args: readonly string[], cwd: string, mostMs: number): Promise<Measured> {
  const started = performance.now();
  const child = spawn(process.execPath, [CLI, ...args], { cwd, stdio: 'pipe', detached: true });
  const watch = watchTree(child.pid as number);
  let [stdout, stderr, late] = ['', '', false];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end();
  const timer = setTimeout(() => {
    late = true;
    process.kill(-(child.pid as number), 'SIGKILL');
  }, mostMs);
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (...end) => resolve(end));
  });
  clearTimeout(timer);
  const wallMs = performance.now() - started;
  const usage = watch.stop();
  const left = await remaining(usage.processes.map(({ pid }) => pid));
  const cpuMs = usage.processes.reduce((sum, each) => sum + each.cpuMs, 0);
  return { args, code, signal, stdout, stderr, usage, cpuMs, wallMs, late, left };
}

async function remaining(pids: readonly number[]): Promise<number> {
  const until = performance.now() + SETTLE_MS;
  for (;;) {
    const left = pids.filter(isAlive).length;
    if (left === 0 || performance.now() > until) return left;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
