/** Answers `show`: reads each target, and tells of each that cannot be read why. */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import type { WorkTreeChange } from '../../git/changes.js';
import { type FoundFile, TreeFiles } from '../../session/files/tree-file.js';
import { prefixOf } from '../../session/prefix.js';
import { FileChanged, retried } from '../../session/retry.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { targetRef, workTreeUse } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { notesOn } from '../note/mention/mention.js';
import { readPiped } from '../pack/piped.js';
import { summariesOn } from '../summarize/told/told.js';
import { type Located, type Reader, readerOf } from './locate.js';
import type { Problem, ShowDocument } from './output.js';
import { noteOf, partsOf, TextLines } from './parts.js';
import type { ShowValues } from './question.js';
import type { FileChanges, RangeChanges } from './range/changes.js';
import { RANGE_PLACES } from './range/limits.js';
import type { Sources as PlaceSources } from './range/places.js';

/** Most deleted files that are named; all are counted. */
const MAX_DELETED = 20;

/** Throws BAD_ARGUMENT, for a single target also the reason why it cannot be read, UNKNOWN_REF and the errors of indexing. */
export async function answerShow(at: Asker, values: ShowValues): Promise<ShowDocument> {
  const targets = await targetsOf(at, values);
  return retried(at.session, targetRef(values), () => showOnce(at, values, targets));
}

async function targetsOf(
  { command, signal }: Asker,
  { targets = [], stdin, in: inRange }: ShowValues,
): Promise<string[]> {
  const piped = stdin && command !== undefined ? await readPiped(command.io.stdin, signal) : '';
  const all = [...targets, ...piped.split(/\r?\n/)].map((target) => target.trim()).filter((target) => target !== '');
  if (all.length > 0 || (inRange !== undefined && !stdin)) return all;
  throw new SocraticodeError('BAD_ARGUMENT', 'nothing is named to be shown', {
    hint: 'Name a file, lines of it, or a symbol: src/cart.ts:10-40, Cart.total.',
  });
}

async function showOnce(at: Asker, values: ShowValues, targets: readonly string[]): Promise<ShowDocument> {
  const { session, directory } = at;
  const use = workTreeUse(values);
  const ref = targetRef(values);
  const origin = await session.origin(ref, { unborn: use === 'included' });
  const isIncluded = use === 'included';
  const files = new TreeFiles(session, origin, isIncluded, targets.length > 0 ? undefined : await allChanges(at));
  const reader = readerOf(at, { ...values, ref }, { files, prefix: prefixOf(session, directory) });
  try {
    const range = await rangeOf(at, values, origin);
    const { located, problems, leftOut, ...rest } =
      range !== null && targets.length === 0
        ? await changedPlaces(at, values, { range, files, factsOf: (path) => reader.facts(path) })
        : { ...(await locateAll(reader, targets)), leftOut: 0 };
    // Loaded here: most targets are shown as they are.
    const shown = values.skeleton
      ? await (await import('./skeleton.js')).skeletons(located, (path) => reader.facts(path))
      : located;
    const graph = reader.graph();
    // HEAD moved between the reading of files and that of the graph.
    if (graph !== null && graph.origin.resolved.tree !== origin.resolved.tree) throw new FileChanged();
    const { commit } = origin.resolved;
    const text = await textOf(at, values, { located: shown, range });
    const notes = await notesOn(at, values, text.parts);
    const summaries = await summariesOn(at, values, text.parts);
    return {
      ...{ schemaVersion: 1, ref: origin.resolved.ref, commit },
      ...(graph !== null && { coverage: graph.coverage }),
      ...(range !== null && { range: { from: range.baseline.commit, ...rest } }),
      ...text,
      ...notes,
      ...summaries,
      ...{ partsLeftOut: leftOut, problems },
    };
  } finally {
    await reader.close();
  }
}

/** Git is asked once for all uncommitted changes. */
async function allChanges({ session }: Asker): Promise<Map<string, WorkTreeChange>> {
  const { list } = (await session.readChanges?.()) ?? { list: [] };
  return new Map(list.map((change) => [change.path, change]));
}

/** Loaded here: without a range nothing is compared. */
async function rangeOf(at: Asker, values: ShowValues, { resolved }: SnapshotOrigin): Promise<RangeChanges | null> {
  if (values.in === undefined) return null;
  return (await import('./range/changes.js')).openChanges(at, values.in, resolved.tree);
}

async function changedPlaces(at: Asker, values: ShowValues, sources: PlaceSources) {
  const { locateChanges } = await import('./range/places.js');
  const { located: all, deleted, skipped } = await locateChanges(at, values, sources);
  // An agent's reply is cut to pages.
  const located = at.server === undefined ? all.slice(0, values.limit ?? RANGE_PLACES) : all;
  return {
    ...{ located, leftOut: all.length - located.length, problems: [], skipped },
    deleted: { count: deleted.length, first: deleted.slice(0, MAX_DELETED) },
  };
}

async function locateAll(
  reader: Reader,
  targets: readonly string[],
): Promise<{ located: Located[]; problems: Problem[] }> {
  const located: Located[] = [];
  const problems: Problem[] = [];
  for (const target of targets) {
    const found = await locate(reader, target, targets.length === 1);
    if ('code' in found) problems.push(found);
    else located.push(found);
  }
  return { located, problems };
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

interface Shown {
  located: readonly Located[];
  range: RangeChanges | null;
}

async function textOf(
  { server }: Asker,
  { context = 0 }: ShowValues,
  { located, range }: Shown,
): Promise<Pick<ShowDocument, 'files' | 'parts'>> {
  const files = new Map<string, { file: FoundFile; text: TextLines; changed?: FileChanges }>();
  for (const { file } of located)
    if (!files.has(file.path))
      files.set(file.path, { file, text: new TextLines(file.bytes), changed: await range?.of(file) });
  const parts = located.flatMap((each) => {
    const { text, changed } = files.get(each.file.path) as { text: TextLines; changed?: FileChanges };
    return partsOf(each, text, { context, isPaged: server !== undefined, changes: changed?.changes });
  });
  const told = [...files.values()].map(({ file, text, changed }) => {
    const note = [noteOf(file, text), changed?.note ?? ''].filter((each) => each !== '').join('; ');
    return {
      ...{ path: file.path, blob: file.oid, lines: text.count, bytes: file.bytes.length },
      ...(file.isUncommitted && { uncommitted: true as const }),
      ...(note !== '' && { note }),
    };
  });
  return { files: told, parts };
}
