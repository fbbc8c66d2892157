/** The directory of the work tree that paths and globs of a question are relative to. */
import { realpathSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { Prefix } from '../graph/query/paths.js';
import type { Session } from './session.js';

/** Path of a directory within the work tree; default: the current directory. The top where it is outside of the work tree. */
export function prefixOf({ repository }: Pick<Session, 'repository'>, directory = '.'): Prefix {
  const { workTree } = repository;
  if (workTree === null) return { directory: '', workTree };
  try {
    const root = realpathSync(workTree);
    const path = relative(root, realpathSync(resolve(directory)));
    const isInside = path !== '..' && !path.startsWith(`..${sep}`);
    return { directory: isInside ? path.split(sep).join('/') : '', workTree: root };
  } catch {
    return { directory: '', workTree };
  }
}
