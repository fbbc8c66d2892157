/** Starts the server of a fleet for benches, as an operator does, and tells what it costs. CPU and memory come from /proc: Linux only. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** `at`: address of the store. Resolves when the server listens. */
export async function startServer(main, at, { env = process.env, args = [] } = {}) {
  const child = spawn(
    process.execPath,
    [main, 'serve', '--fleet', at, '--listen', '127.0.0.1:0', '--maintain', 'off', ...args],
    { stdio: ['ignore', 'ignore', 'pipe'], env },
  );
  let url = '';
  for await (const line of createInterface({ input: child.stderr })) {
    url = /(http:\S+)/.exec(line)?.[1] ?? '';
    if (url !== '') break;
  }
  child.stderr.resume();
  const close = async () => {
    child.kill('SIGTERM');
    await once(child, 'close');
  };
  return { url, pid: child.pid, close };
}

/** CPU of a process in ms; Linux counts ticks of 10 ms. */
export function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

export const memoryMb = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))[1]) / 1_000;

export const middle = (list, share = 0.5) => [...list].sort((a, b) => a - b)[Math.floor(list.length * share)] ?? 0;

/** Bytes of the files below a folder. */
export const sizeOf = (path) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0);
