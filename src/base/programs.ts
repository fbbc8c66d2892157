/** Programs on PATH, found without a shell. */
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Where {
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
  /** Which directories of PATH count; default: all. */
  accept?: (directory: string) => boolean;
}

/** The path of the program that a shell would start, or null. */
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

/** Is there a process of this number? Of other users' it is only told that there is one. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
