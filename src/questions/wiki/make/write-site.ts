/** Writes a site into a directory of its own. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLink, plainFileAt, refuseLinks, standingAt } from '../../../base/atomic.js';
import { SocraticodeError } from '../../../base/errors.js';

/** Says that the directory holds nothing but such a site, so that the next one may replace it. */
const MARK = '.git-socraticode-wiki';
const FOLDERS = ['files', 'folders'] as const;
const PAGE = /^[0-9a-f]{20}\.html$/;

/** Makes an empty directory, or empties one that holds such a site. Throws BAD_ARGUMENT for a directory with anything else. */
export function openSite(directory: string): void {
  if (standingAt(directory) !== undefined) {
    if (isLink(directory)) refuse(directory, 'is a symbolic link');
    if (plainFileAt(directory) !== null) refuse(directory, 'is a file');
    const names = readdirSync(directory);
    if (names.length > 0 && plainFileAt(join(directory, MARK)) === null) refuse(directory, 'holds other files');
  }
  const folders = FOLDERS.map((name) => join(directory, name));
  refuseLinks(folders);
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (PAGE.test(name)) rmSync(join(folder, name));
  }
  rmSync(join(directory, 'index.html'), { force: true });
  // Last: a directory that cannot be emptied keeps no mark that says so.
  rmSync(join(directory, MARK), { force: true });
  writeFileSync(join(directory, MARK), 'written by git socraticode wiki\n', { flag: 'wx' });
}

function refuse(directory: string, reason: string): never {
  throw new SocraticodeError('BAD_ARGUMENT', `${directory} ${reason}`, {
    hint: 'Name a new directory, an empty one, or one that holds an earlier wiki.',
  });
}

/** `name`: with slashes. Never follows a link that appeared meanwhile. */
export function writePage(directory: string, name: string, text: string): void {
  writeFileSync(join(directory, name), text, { flag: 'wx' });
}
