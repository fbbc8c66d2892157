/** Submodules named in the work tree's `.gitmodules`. */
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Repository } from './repository.js';

const FILE = '.gitmodules';
const MAX_BYTES = 256 * 1024;

/** Reads the paths from the file, relative to the work tree; untrusted, they may lead anywhere. Empty without the file. */
export async function readSubmodulePaths({ git, workTree }: Repository): Promise<string[]> {
  if (workTree === null) return [];
  const file = join(workTree, FILE);
  const stat = lstatSync(file, { throwIfNoEntry: false });
  // A link could name any file of the user.
  if (stat === undefined || !stat.isFile() || stat.size > MAX_BYTES) return [];
  const args = ['config', '--file', file, '--no-includes', '-z', '--get-regexp', '^submodule\\..*\\.path$'];
  // 1: no such key; 3 and 128: not a configuration file.
  const { stdout } = await git.run(args, { allow: [1, 3, 128] });
  const values = stdout.toString('utf8').split('\0');
  return values.flatMap((pair) => {
    const newline = pair.indexOf('\n');
    return newline < 0 ? [] : [pair.slice(newline + 1)];
  });
}
