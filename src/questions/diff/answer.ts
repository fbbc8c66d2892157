/** `diff`: the symbols that differ between two snapshots. Only blobs that differ are read. */

import { SocraticodeError } from '../../base/errors.js';
import { shortOid } from '../../base/printable.js';
import { diffTrees, type TreeChange } from '../../git/diff.js';
import { listMissingObjects } from '../../git/log.js';
import { isPartialClone } from '../../git/repository.js';
import type { SymbolChange } from '../../history/symbol-diff.js';
import { isFile } from '../../history/trace.js';
import { commandText } from '../../params/param.js';
import { pathFilter } from '../../search/filter.js';
import { codeFirst } from '../../search/path-classes.js';
import { BlobFactsSource } from '../../session/blob-facts.js';
import { pathSelector } from '../../session/history/open-history.js';
import { type ComparedFile, compareSymbols, joinMovedSymbols } from '../../session/history/symbol-changes.js';
import { retried } from '../../session/retry.js';
import type { Session } from '../../session/session.js';
import { mergeBase, parseRange } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { formatCount, formatCounts } from '../format.js';
import type { Pen } from '../pen.js';
import { COMMAND_LIMIT, type DiffResponse, type DiffValues, MAX_LIMIT } from './question.js';

interface DiffOptions {
  /** One ref (compared with HEAD), two refs, or one range `A..B` or `A...B`. */
  refs: readonly string[];
  path: readonly string[] | undefined;
  /** Most symbols listed, with files that have none counted as one. */
  limit: number;
  /** Files on earlier pages: they are listed whole, and do not count. */
  skip: number;
  signal: AbortSignal;
}

/** Throws BAD_ARGUMENT, UNKNOWN_REF, GIT_FAILED or CANCELLED. */
export async function answerDiff({ session, signal, server }: Asker, values: DiffValues): Promise<DiffResponse> {
  const { from, to, path } = values;
  const refs = values.refs ?? [from, to].filter((ref) => ref !== undefined);
  // An agent's reply is cut by its budget, between files, unless a limit is given.
  const { limit = server === undefined ? COMMAND_LIMIT : MAX_LIMIT } = values;
  const options = { refs, path, limit, skip: server?.skip ?? 0, signal };
  return retried(session, rangeOf(refs).to, () => diffOnce(session, options));
}

async function diffOnce(session: Session, options: DiffOptions): Promise<DiffResponse> {
  const { git } = session.repository;
  const versions = await resolveComparedRefs(session, options.refs);
  const { from, to } = versions;
  const { config } = await session.configOfOrigin(to.origin);
  const accepts = pathSelector({ config }, to.origin, options.path);
  const changes = await diffTrees(git, from.tree, to.origin.resolved.tree, { renames: true, signal: options.signal });
  const { files, skipped } = selectFiles(changes, accepts, pathFilter({ path: options.path }));
  const missing = isPartialClone(session.gitConfig) ? await missingOf(session, versions, options.signal) : undefined;
  const { languages, maxFileBytes } = config;
  const source = new BlobFactsSource(session, { languages, maxFileBytes, missing, signal: options.signal });
  try {
    await compareSymbols(files, source);
    await joinMovedSymbols(files, source);
    const { limit, skip } = options;
    const unreadable = source.unreadable.size;
    return describeDiff({ versions, files: inOrder(files), limit, skip, skipped, unreadable });
  } finally {
    await source.close();
  }
}

/** Code before its tests, and both before documents and data; of each first the files whose users notice most. */
function inOrder(files: readonly ComparedFile[]): ComparedFile[] {
  const weights = new Map(files.map((file) => [file, weightOf(file)]));
  const sorted = [...files].sort((a, b) => (weights.get(b) ?? 0) - (weights.get(a) ?? 0));
  return codeFirst(sorted, placeOf);
}

/** A symbol that is gone or is called differently counts most, and one that others can see twice. */
function weightOf({ diff }: ComparedFile): number {
  return (diff?.changes ?? []).reduce((sum, { type, parts, symbol }) => {
    const isNoticed = type === 'removed' || parts?.includes('signature');
    const weight = isNoticed ? WEIGHTS.noticed : type === 'changed' ? WEIGHTS.body : WEIGHTS.placed;
    return sum + weight * (symbol.exported ? 2 : 1);
  }, 0);
}

const WEIGHTS = { noticed: 4, placed: 2, body: 1 };

const placeOf = ({ change, before, after }: ComparedFile) => (after ?? before)?.path ?? change.path;

interface ComparedRefs {
  from: { ref: string; commit: string | null; tree: string };
  to: { origin: Awaited<ReturnType<Session['origin']>> };
  symmetric: boolean;
}

/** Without `to`, HEAD. */
function rangeOf(refs: readonly string[]): { from: string; to?: string; symmetric: boolean } {
  if (refs.length > 2 || refs.length === 0) {
    throw new SocraticodeError('BAD_ARGUMENT', 'diff takes one or two refs, or one range', {
      hint: `${commandText('diff')} main..feature`,
    });
  }
  const isRange = refs.length === 1 && refs[0].includes('..');
  return isRange ? parseRange(refs[0]) : { from: refs[0], to: refs[1], symmetric: false };
}

async function resolveComparedRefs(session: Session, refs: readonly string[]): Promise<ComparedRefs> {
  const range = rangeOf(refs);
  const to = { origin: await session.origin(range.to ?? 'HEAD') };
  const base = range.symmetric ? await mergeBase(session, range.from, range.to ?? 'HEAD') : range.from;
  const { commit, tree } = await session.objects.resolve(base);
  return { from: { ref: range.from, commit, tree }, to, symmetric: range.symmetric };
}

async function missingOf(session: Session, { from, to }: ComparedRefs, signal?: AbortSignal): Promise<Set<string>> {
  const { tree } = to.origin.resolved;
  const { git } = session.repository;
  const [a, b] = await Promise.all([listMissingObjects(git, from.tree, signal), listMissingObjects(git, tree, signal)]);
  return new Set([...a, ...b]);
}

/** `wanted` selects requested files, `accepts` those that are indexed. */
function selectFiles(
  changes: readonly TreeChange[],
  accepts: (path: string) => boolean,
  wanted: (path: string) => boolean,
) {
  const files: ComparedFile[] = [];
  const indexed = (oid: string | null, path: string, type: string | null | undefined) =>
    oid !== null && isFile(type ?? '') && accepts(path) ? { oid, path } : null;
  let skipped = 0;
  for (const change of changes) {
    const { path, oldPath = path, oldOid, newOid, oldType, newType } = change;
    const before = indexed(oldOid, oldPath, oldType);
    const after = indexed(newOid, path, newType);
    // A change of mode alone changes no text.
    if (before !== null && after !== null && oldOid === newOid && path === oldPath) continue;
    if (before === null && after === null) skipped += wanted(path) || wanted(oldPath) ? 1 : 0;
    else files.push({ change, before, after, diff: null });
  }
  return { files, skipped };
}

type FileChange = DiffResponse['files'][number];
type Change = FileChange['symbols'][number];

interface Compared {
  versions: ComparedRefs;
  files: readonly ComparedFile[];
  /** Most symbols listed, with files that have none counted as one. */
  limit: number;
  /** Files before those that the limit counts. */
  skip: number;
  skipped: number;
  unreadable: number;
}

function describeDiff({ versions, files, limit, skip, skipped, unreadable }: Compared): DiffResponse {
  const { from, to, symmetric } = versions;
  const { ref, commit, tree } = to.origin.resolved;
  const counts: DiffResponse['counts'] = {
    files: { added: 0, removed: 0, changed: 0, renamed: 0 },
    symbols: { added: 0, removed: 0, changed: 0, moved: 0 },
  };
  const listed: FileChange[] = [];
  const leftOut = { files: 0, symbols: 0, skipped, unreadable };
  let room = limit;
  for (const [i, file] of files.entries()) {
    const described = describeFile(file);
    counts.files[described.status]++;
    for (const { change } of described.symbols) counts.symbols[change]++;
    if (room <= 0) {
      leftOut.files++;
      leftOut.symbols += described.symbols.length;
      continue;
    }
    const shown = i < skip ? described.symbols : described.symbols.slice(0, room);
    leftOut.symbols += described.symbols.length - shown.length;
    if (i >= skip) room -= Math.max(1, shown.length);
    listed.push({ ...described, symbols: shown });
  }
  return { schemaVersion: 1, from, to: { ref, commit, tree }, symmetric, counts, files: listed, leftOut };
}

function describeFile({ change, before, after, diff }: ComparedFile): FileChange {
  const status =
    before === null ? 'added' : after === null ? 'removed' : before.path === after.path ? 'changed' : 'renamed';
  const symbols = (diff?.changes ?? []).map(describeSymbol);
  symbols.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
  return {
    path: (after ?? before)?.path ?? change.path,
    ...(status === 'renamed' && before !== null ? { oldPath: before.path } : {}),
    status,
    symbols,
    unchanged: diff?.unchanged ?? 0,
    outside: diff?.outside ?? false,
    compared: diff !== null,
  };
}

function describeSymbol({ type, symbol, members, parts, from }: SymbolChange): Change {
  return {
    change: type,
    ...{ symbol: symbol.symbol, kind: symbol.kind, exported: symbol.exported },
    ...{ startLine: symbol.startLine, endLine: symbol.endLine },
    ...(parts === undefined || parts.length === 0 ? {} : { parts }),
    ...(members > 0 ? { members } : {}),
    ...(from === undefined
      ? {}
      : {
          from: {
            path: from.path,
            symbol: from.symbol.symbol,
            startLine: from.symbol.startLine,
            endLine: from.symbol.endLine,
          },
        }),
  };
}

// Text: counts, then each file with a line for each symbol.

const MARKS: Record<Change['change'], string> = { added: '+', removed: '-', changed: '~', moved: '>' };
const FILE_MARKS: Record<FileChange['status'], string> = { added: '+', removed: '-', changed: '~', renamed: '>' };

export function diffText(response: DiffResponse, { pen }: { pen: Pen }): string {
  const { counts, files } = response;
  if (files.length === 0) {
    const lines = [comparisonText(response), 'no differences', pen.words.uncommitted, ...footer(response, pen)];
    return `${pen.dim(lines.join('\n'))}\n`;
  }
  const total = `files: ${formatCounts(counts.files)}; symbols: ${formatCounts(counts.symbols) || 'none'}`;
  const head = `${comparisonText(response)}\n${total}\n`;
  const blocks = files.map(
    (file) => `${[heading(file, pen), ...file.symbols.map((change) => symbolLine(change, file, pen))].join('\n')}\n`,
  );
  const foot = footer(response, pen).map((line) => `${pen.dim(line)}\n`);
  return `${pen.dim(head)}\n${blocks.join('')}${foot.length > 0 ? '\n' : ''}${foot.join('')}`;
}

function comparisonText({ from, to, symmetric }: DiffResponse): string {
  const name = ({ ref, commit, tree }: DiffResponse['from']) => `${ref} (${shortOid(commit ?? tree)})`;
  const old = symmetric
    ? `the merge base of ${from.ref} and ${to.ref} (${shortOid(from.commit ?? from.tree)})`
    : name(from);
  return `${old} to ${name(to)}`;
}

function heading(file: FileChange, pen: Pen): string {
  const { status, path, oldPath, symbols, unchanged, outside, compared } = file;
  const notes: string[] = [];
  if (oldPath !== undefined) notes.push(`was ${oldPath}`);
  if (status === 'renamed' && unchanged > 0) notes.push(`${formatCount(unchanged, 'symbol')} moved with it`);
  if (!compared) notes.push('compared as a whole');
  else if (outside && symbols.length + unchanged > 0)
    notes.push(symbols.length === 0 ? 'outside of symbols only' : 'also outside of symbols');
  const note = notes.length === 0 ? '' : pen.dim(`  (${notes.join('; ')})`);
  return `${FILE_MARKS[status]} ${pen.path(path)}${note}`;
}

function symbolLine(change: Change, file: FileChange, pen: Pen): string {
  const { symbol, kind, startLine, parts, members, from } = change;
  const notes: string[] = [];
  if (from !== undefined) {
    const isHere = from.path === file.path;
    notes.push(`from ${isHere ? '' : `${from.path}:`}${isHere ? from.symbol : from.startLine}`);
  }
  if (parts !== undefined) notes.push(parts.join(', '));
  if (members !== undefined) notes.push(`with ${formatCount(members, 'member')}`);
  const note = notes.length === 0 ? '' : `  ${notes.join('; ')}`;
  const line = pen.line(String(startLine));
  return `  ${MARKS[change.change]} ${line} ${pen.symbol(symbol)}  ${pen.dim(`${kind}${note}`)}`;
}

function footer({ leftOut }: DiffResponse, { words }: Pen): string[] {
  const { files, symbols, skipped, unreadable } = leftOut;
  const lines: string[] = [];
  if (files > 0 || symbols > 0)
    lines.push(
      `not listed: ${formatCount(symbols, 'symbol')} in all, ${formatCount(files, 'whole file')}: ${words.narrower}`,
    );
  if (skipped > 0) lines.push(`${formatCount(skipped, 'changed file')} not indexed, by name or type`);
  if (unreadable > 0) lines.push(`${formatCount(unreadable, 'file version')} could not be read`);
  return lines;
}
