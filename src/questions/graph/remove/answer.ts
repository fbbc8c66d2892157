/** Answers `graph remove`: deletes the linked graphs of this repository. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isLink } from '../../../base/atomic.js';
import { StateFiles } from '../../../base/cache.js';
import { STATE_FOLDER } from '../../../base/local-key.js';
import { localStateDirectory } from '../../../git/repository.js';
import { graphsOf } from '../../../session/graph/graphs.js';
import { GRAPH_KINDS } from '../../../session/state-kinds.js';
import type { Asker } from '../../asker.js';
import { formatBytes, formatCount } from '../../format.js';
import type { GraphRemoveReport } from './question.js';

/** Also deletes graphs of other versions of this program. Throws DISK. */
export async function answerGraphRemove(at: Asker): Promise<GraphRemoveReport> {
  const { session } = at;
  graphsOf(session).forget();
  const state = localStateDirectory(session.repository);
  const removed = { files: 0, bytes: 0 };
  for (const folder of foldersIn(state)) {
    const { files, bytes } = new StateFiles(join(state, folder), session.state.isReadOnly).clear(GRAPH_KINDS);
    removed.files += files;
    removed.bytes += bytes;
  }
  return { schemaVersion: 1, removed };
}

function foldersIn(state: string): string[] {
  try {
    return isLink(state) ? [] : readdirSync(state).filter((name) => STATE_FOLDER.test(name));
  } catch {
    return [];
  }
}

export function graphRemoveText({ removed }: GraphRemoveReport): string {
  if (removed.files === 0) return 'no linked graphs are kept here\n';
  const what = formatCount(removed.files, 'file');
  return `deleted the linked graphs: ${what}, ${formatBytes(removed.bytes)}; the next question links again\n`;
}
