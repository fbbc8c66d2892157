/** Stores pages that were requested without a path in the git directory, where they disturb no work tree. */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  makeDirectory,
  plainFileAt,
  refuseLinks,
  removeStaleTemporaries,
  writeFileAtomic,
} from '../../../base/atomic.js';
import { isSocraticodeError } from '../../../base/errors.js';
import { log } from '../../../base/log.js';
import { localStateDirectory } from '../../../git/repository.js';
import { cacheKey } from '../../../session/graph/cache.js';
import type { Session } from '../../../session/session.js';

const NAME = /^graph-[0-9a-f]{24}\.html$/;
const MAX_CACHED_PAGES = 8;

/**
 * Writes a page and returns its absolute path, which is the same for the same question. If the git directory is not
 * writable, the page goes to a new directory among the temporary files of the system. Throws DISK.
 */
export function keepPage(session: Session, page: string, question: unknown): string {
  const name = `graph-${cacheKey(question)}.html`;
  const state = localStateDirectory(session.repository);
  const directory = join(state, 'pages');
  try {
    refuseLinks([state]);
    makeDirectory(directory);
    writeFileAtomic(join(directory, name), page);
    prune(directory);
    return join(directory, name);
  } catch (error) {
    if (!isSocraticodeError(error, 'DISK')) throw error;
    log.debug(`a page is written elsewhere: ${error.message}`);
    const path = join(mkdtempSync(join(tmpdir(), 'socraticode-')), name);
    writeFileAtomic(path, page);
    return path;
  }
}

function prune(directory: string): void {
  removeStaleTemporaries(directory);
  const pages = readdirSync(directory).flatMap((name) => {
    const stat = NAME.test(name) ? plainFileAt(join(directory, name)) : null;
    return stat === null ? [] : [{ name, at: stat.mtimeMs }];
  });
  pages.sort((a, b) => b.at - a.at || (a.name < b.name ? -1 : 1));
  for (const { name } of pages.slice(MAX_CACHED_PAGES)) rmSync(join(directory, name), { force: true });
}
