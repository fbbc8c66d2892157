/** How a client shall start this program: the way the user starts it, where others can do the same. */
import { readFileSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join, sep } from 'node:path';
import { findOnPath } from '../../base/programs.js';

const PROGRAM = 'git-socraticode';

export interface Launch {
  /** Found on PATH; fetched by npx; installed beside the project; or a checkout, by its absolute path. */
  kind: 'path' | 'npx' | 'local' | 'node';
  /** What comes before our own arguments. */
  command: readonly string[];
}

export interface Running {
  /** The script that runs, symbolic links resolved. */
  program: string;
  /** The Node that runs it. */
  node: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/**
 * `git-socraticode`, not `git socraticode`: where the program is missing, git would look for an alias of that name in
 * the repository's configuration, and run it.
 */
export function chooseLaunch(running: Running): Launch {
  const { program, platform } = running;
  const parts = program.split(sep);
  const installed = parts.includes('node_modules');
  if (parts.some((part) => part === '_npx' || /^dlx(-|$)/.test(part))) {
    const source = fetchedFrom(program);
    if (source !== null) return { kind: 'npx', command: shelled(platform, ['npx', '-y', source]) };
    return { kind: 'node', command: [nodeName(running), program] };
  }
  const found = findOnPath(PROGRAM, { ...running, accept: isLasting });
  if (found !== null && (installed || realPath(found) === program)) {
    return { kind: 'path', command: shelled(platform, [PROGRAM]) };
  }
  // Never fetched: a project that lacks it again must not start whatever the registry has under this name.
  if (installed) return { kind: 'local', command: shelled(platform, ['npx', '--no', PROGRAM]) };
  return { kind: 'node', command: [nodeName(running), program] };
}

/** What npx was told to fetch: another source than the registry's package of our name has to be named again. Null for a file. */
function fetchedFrom(program: string): string | null {
  const root = program.slice(0, program.lastIndexOf(`${sep}node_modules${sep}`));
  try {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    const source: unknown = dependencies?.[PROGRAM];
    if (typeof source !== 'string' || /^[\^~]?\d/.test(source)) return PROGRAM;
    return source.startsWith('file:') ? null : source;
  } catch {
    return PROGRAM;
  }
}

/** npm's commands are `.cmd` files on Windows, which only a shell can start. */
function shelled(platform: NodeJS.Platform, command: readonly string[]): readonly string[] {
  return platform === 'win32' ? ['cmd', '/c', ...command] : command;
}

/** The name survives an update of Node, the path does not; but PATH may have another Node first. */
function nodeName(running: Running): string {
  const found = findOnPath('node', { ...running, accept: isLasting });
  return found !== null && realPath(found) === realPath(running.node) ? 'node' : running.node;
}

/** Directories that only npm put there, while it runs us, are passed over, and so are relative ones. */
function isLasting(directory: string): boolean {
  return isAbsolute(directory) && basename(directory) !== '.bin' && !directory.split(sep).includes('_npx');
}

export function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
