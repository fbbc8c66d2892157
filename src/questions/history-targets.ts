/** Finds the files, symbols and commits that a question about history names. */
import { realpathSync } from 'node:fs';
import { inUtf8 } from '../base/binary.js';
import { isSocraticodeError, SocraticodeError } from '../base/errors.js';
import { groupDigits, shellWord } from '../base/printable.js';
import { nearestPaths, refAdvice } from '../base/spelling.js';
import { spellings } from '../graph/query/node-place.js';
import { type Candidate, looksLikePath, resolveTarget } from '../graph/query/target.js';
import { type ChangeLog, isoDate } from '../history/change-log.js';
import { pathOf, readWorkFile } from '../overlay/worktree-file.js';
import { readChangeLog } from '../session/history/change-log.js';
import { commitOf } from '../session/history/open-history.js';
import { prefixOf, type Session } from '../session/session.js';
import type { Asker } from './asker.js';
import { openGraph } from './graph/snapshot-graph.js';
import type { PastWindow } from './shared-output.js';
import type { WhyValues } from './why/question.js';

/** Commit of a question about the past, with its log. */
export interface Past {
  session: Session;
  /** As requested. */
  ref: string;
  commit: string;
  log: ChangeLog;
  /** Directory that paths begin at. */
  directory: string | undefined;
}

/** Opens the log of a ref. Throws UNKNOWN_REF, and BAD_ARGUMENT where the ref names a tree. */
export async function openPast({ session, directory, signal }: Asker, ref: string | undefined): Promise<Past> {
  const resolved = await session.objects.resolve(ref ?? 'HEAD');
  const commit = commitOf(resolved);
  const log = await readChangeLog(session, { tip: commit, signal });
  return { session, ref: resolved.ref, commit, log, directory };
}

/** Part of the history that an answer counts. */
export function windowOf({ log }: Pick<Past, 'log'>): PastWindow {
  const { commits, end, unknown } = log;
  return { commits: commits.length, end, unknown, oldest: isoDate(commits.at(-1)?.time ?? Number.NaN) };
}

/**
 * Paths that `text` names: a file, or all files below a directory of the log; null for neither. Throws BAD_ARGUMENT for a path outside of
 * the repository.
 */
export async function pathsNamed(past: Past, text: string): Promise<ReadonlySet<string> | null> {
  const { session, commit, log, directory } = past;
  for (const path of spellings(text, prefixOf(session, directory))) {
    const clean = path.replace(/\/+$/, '');
    if (clean === '.' || clean === '') return pathsBelow(log, '');
    const found = await session.objects.info(`${commit}:${clean}`);
    if (found?.type === 'blob') return new Set([clean]);
    if (found?.type === 'tree') return pathsBelow(log, `${clean}/`);
    // The file is gone, or not committed yet.
    if (log.commits.some(({ paths }) => paths.includes(clean))) return new Set([clean]);
  }
  return null;
}

/** All paths that the texts name. Throws BAD_ARGUMENT for a text that names none. */
export async function allPathsNamed(past: Past, paths: readonly string[]): Promise<ReadonlySet<string>> {
  const named = new Set<string>();
  for (const text of paths) {
    const found = await pathsNamed(past, text);
    if (found === null) {
      throw unknownPath(past, text);
    }
    for (const path of found) named.add(path);
  }
  return named;
}

/** Path that a text means: it names a file or a directory, or is the end of one file's path. Null for none. */
async function pathMeant(past: Past, text: string): Promise<string | null> {
  const named = await pathsNamed(past, text).catch((error: unknown) => {
    // The name of a route may begin with a slash, as a path outside of the repository does.
    if (isSocraticodeError(error, 'BAD_ARGUMENT')) return null;
    throw error;
  });
  if (named !== null) return named.size === 1 ? [...named][0] : text;
  for (const { paths } of past.log.commits) {
    const path = paths.find((each) => each.endsWith(`/${text}`));
    if (path !== undefined) return path;
  }
  return null;
}

/** Throws BAD_ARGUMENT with what to ask instead if a question about symbols names a file or a directory. */
export async function refusePath(at: Asker, text: string, ref: string | undefined): Promise<void> {
  const path = looksLikePath(text) ? await pathMeant(await openPast(at, ref), text) : null;
  if (path === null) return;
  const shown = shellWord(path);
  throw new SocraticodeError('BAD_ARGUMENT', `${text} is a path, and history is about symbols or words`, {
    hint: `Its commits: git log --follow -- ${shown}; those of its lines: git socraticode why ${shown}; its symbols: git socraticode graph outline ${shown}.`,
  });
}

export function unknownPath({ ref, log }: Pick<Past, 'ref' | 'log'>, text: string): SocraticodeError {
  const near = nearestPaths(new Set(log.commits.flatMap(({ paths }) => paths)), text);
  return new SocraticodeError('BAD_ARGUMENT', `no file or directory ${text} is known at ${ref}`, {
    hint:
      refAdvice(text) ??
      (near.length > 0
        ? `Did you mean ${near.join(', ')}?`
        : 'Name it from the current directory or from the top of the repository.'),
  });
}

function pathsBelow({ commits }: ChangeLog, directory: string): ReadonlySet<string> {
  const all = commits.flatMap(({ paths }) => paths);
  return new Set(all.filter((path) => path.startsWith(directory)));
}

/** Keeps entries that are files of the commit, in their order. */
export async function presentPaths<T extends { path: string }>(
  { session, commit }: Pick<Past, 'session' | 'commit'>,
  all: readonly T[],
): Promise<T[]> {
  const infos = await Promise.all(all.map(({ path }) => session.objects.info(`${commit}:${path}`)));
  return all.filter((_, i) => infos[i]?.type === 'blob');
}

/** Most candidates listed for an ambiguous name. */
const MAX_NAMED = 5;

export interface SymbolPlace {
  path: string;
  /** Qualified name; null for a name that is the end of a file's path. */
  symbol: string | null;
  startLine: number;
  endLine: number;
}

const LINES = /:\d+-\d+$/;

/**
 * Place of a symbol as committed. The caller repeats the whole question if files change. Throws BAD_ARGUMENT for an unknown or ambiguous
 * name.
 */
export async function findSymbol(at: Asker, name: string, ref: string | undefined): Promise<SymbolPlace> {
  if (LINES.test(name))
    throw new SocraticodeError('BAD_ARGUMENT', `${name} names lines, and this question is about files and symbols`, {
      hint: `Who wrote them, and why: git socraticode why ${shellWord(name)}`,
    });
  const { graph, prefix } = await openGraph(at, { ref, committed: true });
  const found = resolveTarget(graph, name, { prefix });
  if ('candidates' in found) throw ambiguousName(name, found.candidates);
  const [node] = found.nodes;
  const lines = { startLine: graph.startLine(node), endLine: graph.endLine(node) };
  return { path: graph.path(node), symbol: found.isFile ? null : graph.qualifiedName(node), ...lines };
}

function ambiguousName(name: string, candidates: readonly Candidate[]): SocraticodeError {
  const picks = candidates.slice(0, MAX_NAMED).map(({ pick }) => pick);
  return new SocraticodeError('BAD_ARGUMENT', `${name} means ${candidates.length} things`, {
    hint: `Name one of them: ${picks.join(', ')}`,
  });
}

export interface LinesPlace extends SymbolPlace {
  /** Text of the work tree's file, if it differs from the committed one. */
  contents?: Buffer;
}

/**
 * Lines of a file, in the work tree or at a ref, or of a symbol. Throws BAD_ARGUMENT for lines that do not exist, and for an unknown or
 * ambiguous name.
 */
export async function findLines(at: Asker, values: WhyValues, commit: string): Promise<LinesPlace> {
  const { place, ref } = values;
  const lines = /^(.+):(\d{1,9})(?:-(\d{1,9}))?$/s.exec(place);
  if (lines === null) return findSymbol(at, place, ref);
  const [, name, start, end = start] = lines;
  const { path, oid } = await findFile(at, name, commit);
  // Read by object id, which exists even if git has removed the commit meanwhile.
  const committed = await at.session.objects.read(oid);
  const edited = ref === undefined ? await editedText(at.session, path) : null;
  const text = edited ?? committed?.content;
  if (text === undefined) throw new SocraticodeError('UNREADABLE_OBJECT', `what ${path} holds is missing: ${oid}`);
  const last = countLines(text);
  const [startLine, endLine] = [Number(start), Number(end)].sort((a, b) => a - b);
  if (startLine < 1 || startLine > last) {
    const hint = last === 0 ? 'It is empty.' : `It has ${groupDigits(last)} lines.`;
    throw new SocraticodeError('BAD_ARGUMENT', `${path} has no line ${startLine}`, { hint });
  }
  const contents = edited === null ? {} : { contents: edited };
  return { path, symbol: null, startLine, endLine: Math.min(endLine, last), ...contents };
}

async function findFile(
  { session, directory }: Asker,
  name: string,
  commit: string,
): Promise<{ path: string; oid: string }> {
  for (const path of spellings(name, prefixOf(session, directory))) {
    const found = await session.objects.info(`${commit}:${path}`);
    if (found?.type === 'blob') return { path, oid: found.oid };
  }
  throw new SocraticodeError('BAD_ARGUMENT', `${name} is no file of this commit`, {
    hint: 'Name it from the current directory or from the top of the repository; only committed files have a past.',
    file: name,
  });
}

const MAX_BYTES = 4 << 20;

/** The work tree's file, if git says that it differs from HEAD. Follows no link, and reads nothing outside of the work tree. */
export async function editedText({ repository, readChanges }: Session, path: string): Promise<Buffer | null> {
  const { workTree } = repository;
  if (workTree === null || readChanges === null) return null;
  const change = (await readChanges([path])).list.find((one) => one.path === path);
  if (change === undefined || !change.isFile) return null;
  const root = realpathSync.native(workTree, { encoding: 'buffer' });
  const file = readWorkFile(pathOf(root, change.name), MAX_BYTES);
  return file === null ? null : inUtf8(file.bytes);
}

const NEWLINE = 0x0a;

function countLines(text: Buffer): number {
  let lines = 0;
  for (let at = text.indexOf(NEWLINE); at >= 0; at = text.indexOf(NEWLINE, at + 1)) lines++;
  return lines + (text.length > 0 && text[text.length - 1] !== NEWLINE ? 1 : 0);
}
