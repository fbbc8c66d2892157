/** Answers `show`: reads each target, or says why it cannot be read. */
import { isSocraticodeError, SocraticodeError } from '../../base/errors.js';
import { shortOid, signs } from '../../base/printable.js';
import type { WorkTreeChange } from '../../git/status.js';
import { FileChanged, retried } from '../../session/retry.js';
import { prefixOf } from '../../session/session.js';
import type { SnapshotOrigin } from '../../session/snapshot/snapshot.js';
import { targetRef, workTreeUse } from '../../session/snapshot/target.js';
import { type FoundFile, TreeFiles } from '../../session/tree-files.js';
import type { Asker } from '../asker.js';
import { readPiped } from '../asker.js';
import { formatCount, shortName } from '../format.js';
import { footText, noteBlocks, problemBlocks, summaryBlocks } from '../graph/graph-text.js';
import type { Pen, Writing } from '../pen.js';
import { notesOn, summariesOn } from '../shown-knowledge.js';
import { type Located, noteOf, partsOf, type Reader, readerOf, TextLines } from './locate.js';
import { type Part, type Problem, RANGE_PLACES, type ShowDocument, type ShowValues } from './question.js';
import type { FileChanges, Sources as PlaceSources, RangeChanges } from './range.js';

/** Most deleted files that are named; all are counted. */
const MAX_DELETED = 20;

/** Throws BAD_ARGUMENT (also for a single unreadable target), UNKNOWN_REF and the errors of indexing. */
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
    // Loaded late: most targets are shown in full.
    const shown = values.skeleton
      ? await (await import('./range.js')).skeletons(located, (path) => reader.facts(path))
      : located;
    const graph = reader.graph();
    // HEAD moved after the files were read and before the graph was.
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

/** Asks git once for all uncommitted changes. */
async function allChanges({ session }: Asker): Promise<Map<string, WorkTreeChange>> {
  const { list } = (await session.readChanges?.()) ?? { list: [] };
  return new Map(list.map((change) => [change.path, change]));
}

/** Loaded late: most questions have no range. */
async function rangeOf(at: Asker, values: ShowValues, { resolved }: SnapshotOrigin): Promise<RangeChanges | null> {
  if (values.in === undefined) return null;
  return (await import('./range.js')).openChanges(at, values.in, resolved.tree);
}

async function changedPlaces(at: Asker, values: ShowValues, sources: PlaceSources) {
  const { locateChanges } = await import('./range.js');
  const { located: all, deleted, skipped } = await locateChanges(at, values, sources);
  // Agents page through all places.
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

/** `isOnly`: a single target's error is thrown. */
async function locate(reader: Reader, target: string, isOnly: boolean): Promise<Located | Problem> {
  try {
    return await reader.locate(target);
  } catch (error) {
    if (isOnly || !isSocraticodeError(error, 'BAD_ARGUMENT')) throw error;
    return { target, code: error.code, message: error.message, hint: error.hint };
  }
}

async function textOf(
  { server }: Asker,
  { context = 0 }: ShowValues,
  { located, range }: { located: readonly Located[]; range: RangeChanges | null },
): Promise<Pick<ShowDocument, 'files' | 'parts'>> {
  const files = new Map<string, { file: FoundFile; text: TextLines; changed?: FileChanges }>();
  const incomplete = new Set(located.flatMap(({ file, isIncomplete }) => (isIncomplete ? [file.path] : [])));
  for (const { file } of located)
    if (!files.has(file.path))
      files.set(file.path, { file, text: new TextLines(file.bytes), changed: await range?.of(file) });
  const parts = located.flatMap((each) => {
    const { text, changed } = files.get(each.file.path) as { text: TextLines; changed?: FileChanges };
    return partsOf(each, text, { context, isPaged: server !== undefined, changes: changed?.changes });
  });
  const described = [...files.values()].map(({ file, text, changed }) => {
    const errors = incomplete.has(file.path) ? 'parse errors may hide declarations' : '';
    const note = [noteOf(file, text), changed?.note ?? '', errors].filter((each) => each !== '').join('; ');
    return {
      ...{ path: file.path, blob: file.oid, lines: text.count, bytes: file.bytes.length },
      ...(file.isUncommitted && { uncommitted: true as const }),
      ...(note !== '' && { note }),
    };
  });
  return { files: described, parts };
}

// Text: a heading for each place, then its lines with their numbers.

export function showText(document: ShowDocument, { pen, isCommand }: Pick<Writing, 'pen' | 'isCommand'>): string {
  const { parts, problems, ref, commit, range } = document;
  const blocks = parts.map((part, i) => partText(document, part, { pen, before: parts[i - 1] }));
  // Earlier pages have listed the problems.
  const failed = pen.skipped ? '' : footText(problems.flatMap(problemBlocks), pen);
  const annotations = footText([...summaryBlocks(document.summaries), ...noteBlocks(document.notes)], pen);
  const at = commit === null ? '' : ` @ ${shortOid(commit)}`;
  const compared = range === undefined || pen.skipped ? '' : rangeText(document, range, { pen, isCommand });
  const footer = isCommand && parts.length > 0 ? `\n${pen.dim(`${ref}${at}`)}\n` : '';
  return `${blocks.join('')}${annotations}${failed !== '' && blocks.length > 0 ? '\n' : ''}${failed}${compared}${footer}`;
}

type Range = NonNullable<ShowDocument['range']>;

/** Explains the marks, and names changes without text to show. */
function rangeText(
  { parts, partsLeftOut }: ShowDocument,
  { from, deleted, skipped = {} }: Range,
  { pen, isCommand }: Pick<Writing, 'pen' | 'isCommand'>,
): string {
  const older = from === null ? 'the older side' : shortOid(from);
  const isMarked = parts.some(({ changes = [] }) => changes.length > 0);
  const rows = [isMarked ? `+ is new or changed since ${older}` : `nothing here changed since ${older}`];
  // Agents learn this from the page.
  if (isCommand && partsLeftOut > 0) rows.push(`${formatCount(partsLeftOut, 'further place')}: ${pen.words.more}`);
  if (deleted !== undefined && deleted.count > 0) {
    const rest = deleted.count - deleted.first.length;
    const list = deleted.first.join(', ');
    rows.push(`${formatCount(deleted.count, 'deleted file')}: ${list}${rest > 0 ? ` and ${rest} more` : ''}`);
  }
  const kinds = Object.entries(skipped).map(([reason, count]) => `${count} ${reason}`);
  if (kinds.length > 0) rows.push(`changed files without text to show: ${kinds.join(', ')}`);
  return `${parts.length > 0 ? '\n' : ''}${rows.map((row) => `${pen.dim(row)}\n`).join('')}`;
}

function partText(document: ShowDocument, part: Part, { pen, before }: { pen: Pen; before: Part | undefined }): string {
  const isSame = before?.target === part.target && before.path === part.path;
  const lines = linesText(part, pen);
  if (isSame) return part.startLine === before.endLine + 1 ? lines : `${pen.dim(signs.cut)}\n${lines}`;
  return `${before === undefined ? '' : '\n'}${heading(document, part, pen)}\n${alternativesText(part, pen)}${lines}`;
}

/** Most other definitions that are named. */
const MAX_ALTERNATIVES = 3;

function alternativesText({ alternatives = [] }: Part, pen: Pen): string {
  if (alternatives.length === 0) return '';
  const rest = alternatives.length - MAX_ALTERNATIVES;
  const listed = alternatives.slice(0, MAX_ALTERNATIVES).join(', ');
  return `${pen.dim(`  not meant: ${listed}${rest > 0 ? ` and ${rest} more` : ''}`)}\n`;
}

/** `src/cart.ts:12-30  Cart.total  (of 120 lines)` */
function heading({ files }: ShowDocument, part: Part, pen: Pen): string {
  const { path, symbol } = part;
  const file = files.find((each) => each.path === path);
  const name = symbol === null ? '' : `  ${pen.symbol(shortName(symbol, path))}`;
  const details = [
    ...(file === undefined ? [] : [`of ${formatCount(file.lines, 'line')}`]),
    ...(file?.uncommitted ? ['uncommitted'] : []),
    ...(file?.note === undefined ? [] : [file.note]),
  ];
  const first = pen.line(String(part.startLine));
  return `${pen.path(path)}:${first}${name}  ${pen.dim(`(${details.join(', ')})`)}`;
}

function linesText(part: Part, pen: Pen): string {
  const { startLine, content, changes } = part;
  const removals = new Map(changes?.map(({ line, removed }) => [line, removed]));
  const isNew = new Set(changes?.flatMap(({ line, added }) => Array.from({ length: added }, (_, i) => line + i)));
  const rows = content.split('\n').map((text, i) => {
    const line = startLine + i;
    const mark = changes === undefined ? '' : isNew.has(line) ? '+' : ' ';
    const shown = `${mark}${pen.line(String(line))}:${text}\n`;
    return `${removedText(removals.get(line), pen)}${shown}`;
  });
  return `${rows.join('')}${removedText(removals.get(part.endLine + 1), pen)}`;
}

function removedText(count: number | undefined, pen: Pen): string {
  return count ? `${pen.dim(`- ${formatCount(count, 'line')} removed`)}\n` : '';
}
