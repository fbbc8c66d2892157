/** Chooses the command with which a client starts this program: the user's own, if it works on other machines too. */
import { readFileSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join, sep } from 'node:path';
import { findOnPath } from '../../../base/programs.js';

const PROGRAM = 'git-socraticode';

export interface Launch {
  /** Found on PATH; fetched by npx; installed in the project; or a checkout, by its absolute path. */
  kind: 'path' | 'npx' | 'local' | 'node';
  /** Words before our own arguments. */
  command: readonly string[];
}

interface Running {
  /** The running script, symbolic links resolved. */
  program: string;
  /** The running Node. */
  node: string;
  env: NodeJS.ProcessEnv;
  platform: NodeJS.Platform;
}

/**
 * Returns `git-socraticode`, never `git socraticode`: if the program is missing, git would run an alias of that name
 * from the repository's configuration.
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
  // `--no`: if the project loses the package, npx must not fetch one of this name from the registry.
  if (installed) return { kind: 'local', command: shelled(platform, ['npx', '--no', PROGRAM]) };
  return { kind: 'node', command: [nodeName(running), program] };
}

/** Package that npx fetched: our name, or the source that was given instead of the registry. Null for a local file. */
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

/** Starts npm's commands through `cmd` on Windows, where they are `.cmd` files that only a shell can run. */
function shelled(platform: NodeJS.Platform, command: readonly string[]): readonly string[] {
  return platform === 'win32' ? ['cmd', '/c', ...command] : command;
}

/** Prefers `node` to a path, because the name survives an update of Node; only if PATH finds the same Node. */
function nodeName(running: Running): string {
  const found = findOnPath('node', { ...running, accept: isLasting });
  return found !== null && realPath(found) === realPath(running.node) ? 'node' : running.node;
}

/** Skips relative directories, and those that npm adds to PATH only while it runs us. */
function isLasting(directory: string): boolean {
  return isAbsolute(directory) && basename(directory) !== '.bin' && !directory.split(sep).includes('_npx');
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
