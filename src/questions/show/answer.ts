/** Answers `show`: reads each target, and tells of each that cannot be read why. */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { type FoundFile, TreeFiles } from '../../session/files/tree-file.js';
import { prefixOf } from '../../session/prefix.js';
import { FileChanged, retried } from '../../session/retry.js';
import { workTreeUse } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { readPiped } from '../pack/piped.js';
import { type Located, type Reader, readerOf } from './locate.js';
import type { Problem, ShowDocument } from './output.js';
import { noteOf, partsOf, TextLines } from './parts.js';
import type { ShowValues } from './question.js';

/** Throws BAD_ARGUMENT, for a single target also the reason why it cannot be read, UNKNOWN_REF and the errors of indexing. */
export async function answerShow(at: Asker, values: ShowValues): Promise<ShowDocument> {
  const targets = await targetsOf(at, values);
  return retried(at.session, values.ref, () => showOnce(at, values, targets));
}

async function targetsOf({ command, signal }: Asker, { targets = [], stdin }: ShowValues): Promise<string[]> {
  const piped = stdin && command !== undefined ? await readPiped(command.io.stdin, signal) : '';
  const all = [...targets, ...piped.split(/\r?\n/)].map((target) => target.trim()).filter((target) => target !== '');
  if (all.length > 0) return all;
  throw new SocraticodeError('BAD_ARGUMENT', 'nothing is named to be shown', {
    hint: 'Name a file, lines of it, or a symbol: src/cart.ts:10-40, Cart.total.',
  });
}

async function showOnce(at: Asker, values: ShowValues, targets: readonly string[]): Promise<ShowDocument> {
  const { session, directory } = at;
  const use = workTreeUse(values);
  const origin = await session.origin(values.ref, { unborn: use === 'included' });
  const files = new TreeFiles(session, origin, use === 'included');
  const reader = readerOf(at, values, { files, prefix: prefixOf(session, directory) });
  const located: Located[] = [];
  const problems: Problem[] = [];
  try {
    for (const target of targets) {
      const found = await locate(reader, target, targets.length === 1);
      if ('code' in found) problems.push(found);
      else located.push(found);
    }
    // Loaded here: most targets are shown as they are.
    const shown = values.skeleton
      ? await (await import('./skeleton.js')).skeletons(located, (path) => reader.facts(path))
      : located;
    const graph = reader.graph();
    // HEAD moved between the reading of files and that of the graph.
    if (graph !== null && graph.origin.resolved.tree !== origin.resolved.tree) throw new FileChanged();
    const { ref, commit } = origin.resolved;
    const coverage = graph === null ? {} : { coverage: graph.coverage };
    return { schemaVersion: 1, ref, commit, ...coverage, ...textOf(at, values, shown), partsLeftOut: 0, problems };
  } finally {
    await reader.close();
  }
}

/** `isOnly`: the reason why it cannot be read is thrown, not told. */
async function locate(reader: Reader, target: string, isOnly: boolean): Promise<Located | Problem> {
  try {
    return await reader.locate(target);
  } catch (error) {
    if (isOnly || !isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
    return { target, code: error.code, message: error.message, hint: error.hint };
  }
}

function textOf(
  { server }: Asker,
  { context = 0 }: ShowValues,
  located: readonly Located[],
): Pick<ShowDocument, 'files' | 'parts'> {
  const files = new Map<string, { file: FoundFile; text: TextLines }>();
  for (const { file } of located)
    if (!files.has(file.path)) files.set(file.path, { file, text: new TextLines(file.bytes) });
  const parts = located.flatMap((each) => {
    const { text } = files.get(each.file.path) as { text: TextLines };
    return partsOf(each, text, { context, isPaged: server !== undefined });
  });
  const told = [...files.values()].map(({ file, text }) => {
    const note = noteOf(file, text);
    return {
      ...{ path: file.path, blob: file.oid, lines: text.count, bytes: file.bytes.length },
      ...(file.isUncommitted && { uncommitted: true as const }),
      ...(note !== '' && { note }),
    };
  });
  return { files: told, parts };
}
