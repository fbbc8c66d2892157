/**
 * Answers `grep`: every line of a snapshot that matches a pattern, or every piece of syntax that does. Each file is read as the snapshot
 * has it, so the answer is complete with and without an index.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Memory, type StateFile } from '../../base/cache.js';
import { phase } from '../../base/progress.js';
import { isBinary, isSecret } from '../../extract/content.js';
import type { Pattern } from '../../search/grep/required-texts.js';
import { type KnownBlob, TrigramFilters } from '../../search/grep/trigrams.js';
import type { Session } from '../session.js';
import { TRIGRAMS } from '../state-kinds.js';
import {
  type FileOptions,
  type Finder,
  type FoundHit,
  type GrepFile,
  type GrepFiles,
  lineFinder,
  listGrepFiles,
  readFiles,
  TOO_SLOW,
} from './files.js';
import type { StructuralPattern } from './structural-finder.js';

interface GrepOptions extends FileOptions {
  /** Hits returned with place and text; all are counted. */
  limit: number;
  /** Restricts hits to lines that it accepts. */
  hasTag?: (path: string, startLine: number, endLine: number) => boolean;
  signal?: AbortSignal;
}

export interface GrepMatch {
  file: GrepFile;
  /** Number of hits. */
  count: number;
  /** Hits up to the limit, and the text that they are places in; '' if there are none. */
  hits: FoundHit[];
  text: string;
  /** The file is stored in another encoding than UTF-8, which the text is in. */
  isConverted?: boolean;
}

export interface GrepResult extends GrepFiles {
  /** Text files that were read. */
  covered: number;
  /** Number of hits in all files. */
  count: number;
  matches: GrepMatch[];
  /** Files with matches whose version before the requested range cannot be read: each of their lines counts as new. */
  oldUnread: number;
  /** Files in which the pattern took too long. */
  givenUp: string[];
}

/** Limit on files that parser children are searching, and on their bytes. */
const AHEAD = 64;
const AHEAD_BYTES = 8 << 20;

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function grep(
  session: Session,
  pattern: Pattern | StructuralPattern,
  options: GrepOptions,
): Promise<GrepResult> {
  const listed = await phase('files', () => listGrepFiles(session, options));
  const { baseline } = listed;
  const isNew = ({ oid }: GrepFile) => oid === null || !baseline?.blobs.has(oid);
  const result: GrepResult = {
    ...listed,
    files: baseline === null ? listed.files : listed.files.filter(isNew),
    covered: 0,
    count: 0,
    matches: [],
    oldUnread: 0,
    givenUp: [],
  };
  // Parsers are loaded only for questions about syntax.
  const finder =
    'ast' in pattern
      ? await (await import('./structural-finder.js')).structuralFinder(session, pattern, listed)
      : lineFinder(pattern, options.signal);
  try {
    await search(session, finder, { result, options });
  } finally {
    finder.close();
  }
  return result;
}

/** Time for reading installed dependencies, of which there may be any number. */
const DEPENDENCIES_MS = 30_000;

/** Searches the files with the finder and adds the hits to the result. */
async function search(
  session: Session,
  finder: Finder,
  { result, options }: { result: GrepResult; options: GrepOptions },
): Promise<void> {
  const { baseline } = result;
  let room = options.limit;
  const filters = openTrigrams(session);
  const toRead = filesToRead(result, filters, finder);
  const until = result.dependencies === undefined ? Number.POSITIVE_INFINITY : performance.now() + DEPENDENCIES_MS;
  let done = 0;
  for await (const [file, searched] of searchFiles(session, finder, {
    files: toRead,
    filters,
    contents: result.contents,
    signal: options.signal,
  })) {
    if (performance.now() > until) {
      result.skipped['beyond-limits'] = (result.skipped['beyond-limits'] ?? 0) + toRead.length - done;
      break;
    }
    done++;
    if (typeof searched === 'string') {
      options.signal?.throwIfAborted();
      skip(result, searched);
      if (searched === TOO_SLOW) result.givenUp.push(file.path);
      continue;
    }
    result.covered++;
    if (searched === null) continue;
    const old = baseline === null ? undefined : baseline.at(file.path);
    const before = old === undefined ? null : await (await import('./files.js')).linesBefore(session, old);
    const { hasTag } = options;
    const isThere = hasTag && (({ line, endLine }: FoundHit) => hasTag(file.path, line, endLine));
    const wanted = { most: room, isWanted: before?.isNew(searched.text), isThere };
    const match = await matchIn(searched, wanted, options.signal);
    if (match === null) continue;
    if (old !== undefined && before === null) result.oldUnread++;
    room -= match.hits.length;
    result.count += match.count;
    result.matches.push({ file, ...match });
  }
  saveTrigrams(session, filters);
}

function skip({ skipped }: GrepResult, reason: string): void {
  skipped[reason] = (skipped[reason] ?? 0) + 1;
}

/** Returns the files that may have hits; the others are counted. */
function filesToRead(result: GrepResult, filters: TrigramFilters, { skips, trigrams }: Finder): GrepFile[] {
  return result.files.filter((file) => {
    const reason = skips(file);
    if (reason !== null) {
      skip(result, reason);
      return false;
    }
    const known = file.oid === null ? 'read' : filters.judge(file.oid, trigrams);
    if (known === 'none') result.covered++;
    if (known === 'binary') skip(result, 'binary');
    return known === 'read';
  });
}

/** A text with its hits, perhaps none; null for a file without hits; or the reason why it was left out. */
type Searched = { text: string; hits: Iterable<FoundHit | null>; isConverted?: boolean } | null | string;

interface Reading {
  files: readonly GrepFile[];
  filters: TrigramFilters;
  contents: GrepFiles['contents'];
  signal?: AbortSignal;
}

/** Yields the files in order, while later ones are being searched. */
async function* searchFiles(
  session: Session,
  finder: Finder,
  { files, filters, contents, signal }: Reading,
): AsyncGenerator<[GrepFile, Searched]> {
  const flying: { file: GrepFile; searched: Promise<Searched>; size: number }[] = [];
  let bytes = 0;
  const next = async (): Promise<[GrepFile, Searched]> => {
    const { file, searched, size } = flying.shift() as (typeof flying)[number];
    bytes -= size;
    return [file, await searched];
  };
  const from = { contents, sizeOf: (oid: string) => filters.known(oid)?.size, signal };
  for await (const [file, content] of readFiles(session, files, from)) {
    const searched =
      'fault' in content
        ? Promise.resolve(content.fault)
        : searchFile(finder, file, { ...content, known: learn(filters, file, content) });
    // Awaited in order; until then a rejection must not count as unhandled.
    searched.catch(() => {});
    const size = 'bytes' in content ? content.bytes.length : 0;
    bytes += size;
    flying.push({ file, searched, size });
    while (flying.length >= AHEAD || bytes > AHEAD_BYTES) yield await next();
  }
  while (flying.length > 0) yield await next();
}

/** Returns null for a file of the work tree, which may change soon. */
function learn(filters: TrigramFilters, { oid }: GrepFile, { bytes }: { bytes: Buffer }): KnownBlob | null {
  if (oid === null) return null;
  return filters.known(oid) ?? (filters.bytes < MAX_BYTES ? filters.add(oid, bytes, { isBinary, isSecret }) : null);
}

async function searchFile(
  finder: Finder,
  file: GrepFile,
  { bytes, known, isConverted }: { bytes: Buffer; known: KnownBlob | null; isConverted?: boolean },
): Promise<Searched> {
  if (known === null ? isBinary(bytes) : known.isBinary) return 'binary';
  if (!finder.mayMatch(bytes)) return null;
  const text = bytes.toString('utf8');
  const hits = await finder.hits(text, file, bytes);
  if (typeof hits === 'string') return hits;
  if (Array.isArray(hits) && hits.length === 0) return null;
  // Secrets are looked for only in files with possible hits, since that takes longer than a pattern.
  return known?.isClean !== true && isSecret(bytes) ? 'secret' : { text, hits, isConverted };
}

interface Wanted {
  /** Hits returned; the rest are only counted. */
  most: number;
  /** Accepts lines; default: every line. */
  isWanted?: (line: string) => boolean;
  /** Accepts hits by their place. */
  isThere?: (hit: FoundHit) => boolean;
}

/** Longest time without a look at whether the answer is still wanted, in milliseconds. */
const TURN = 50;

async function matchIn(
  { text, hits: all, isConverted }: Exclude<Searched, string | null>,
  { most, isWanted, isThere }: Wanted,
  signal?: AbortSignal,
): Promise<Omit<GrepMatch, 'file'> | null> {
  const hits: FoundHit[] = [];
  let count = 0;
  let turn = performance.now();
  for (const hit of all) {
    if (performance.now() - turn > TURN) {
      await nextTurn();
      signal?.throwIfAborted();
      turn = performance.now();
    }
    if (hit === null || isThere?.(hit) === false) continue;
    if (isWanted && !text.slice(hit.start, hit.end).split('\n').some(isWanted)) continue;
    if (count++ < most) hits.push(hit);
  }
  return count === 0 ? null : { count, hits, text: hits.length > 0 ? text : '', isConverted };
}

/** Limit on the filters' size, enough for 2 GB of text. Beyond it no filter is added. */
const MAX_BYTES = 256 << 20;
/** New blobs below which the file is not written again: writing takes as long as reading some hundred blobs. */
const FEWEST = 200;

/** Filters of a long-lived process. */
const OPEN = new Memory<TrigramFilters>(1);

const decoded = ({ content, path }: Pick<StateFile, 'content' | 'path'>) => TrigramFilters.of(content, path);

function openTrigrams(session: Session): TrigramFilters {
  const empty = () => TrigramFilters.empty(session.oidBytes);
  return OPEN.find(session, '', () => session.state.read(TRIGRAMS, '', decoded) ?? empty()) as TrigramFilters;
}

/** Without the file the next process takes longer. */
function saveTrigrams(session: Session, filters: TrigramFilters): void {
  if (filters.added < FEWEST) return;
  const content = filters.encode();
  session.state.write(TRIGRAMS, '', content);
  OPEN.set(session, '', decoded({ content, path: TRIGRAMS.name }));
}
