/** Programs on PATH, found without a shell, and running processes. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

interface Where {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Filter for the directories of PATH; all by default. */
  accept?: (directory: string) => boolean;
}

/** Path of the program that a shell would start, or null. */
export function findOnPath(name: string, { env, platform, accept = () => true }: Where = process): string | null {
  const suffixes = platform === 'win32' ? ['.cmd', '.exe', ''] : [''];
  for (const directory of (env.PATH ?? '').split(delimiter).filter(Boolean)) {
    if (!accept(directory)) continue;
    for (const suffix of suffixes) {
      const path = join(directory, name + suffix);
      if (isExecutableFile(path)) return path;
    }
  }
  return null;
}

function isExecutableFile(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** True if a process has this pid. `kill` fails with EPERM for another user's process. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
