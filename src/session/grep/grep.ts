/**
 * Answers `grep`: every line of a snapshot that matches a pattern. Each file is read as the snapshot has it, so the answer is
 * exhaustive with and without an index.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { phase } from '../../base/phases.js';
import { isBinary, isSecret } from '../../extract/content.js';
import { type Hit, hitsOf } from '../../search/grep/hits.js';
import { mayMatch, type Pattern } from '../../search/grep/pattern.js';
import { type TrigramFilters, trigramsOf } from '../../search/grep/trigrams.js';
import type { Session } from '../session.js';
import { linesBefore } from './changed-lines.js';
import { type FileOptions, type GrepFile, type GrepFiles, listGrepFiles } from './files.js';
import { type Content, readFiles } from './read.js';
import { hasRoom, openTrigrams, saveTrigrams } from './trigram-cache.js';

export interface GrepOptions extends FileOptions {
  /** Hits whose place and text are kept; all are counted. */
  limit: number;
  signal?: AbortSignal;
}

/** A file with hits. */
export interface GrepMatch {
  file: GrepFile;
  /** Number of hits. */
  count: number;
  /** The kept hits, and the text that they are places in; '' if none is kept. */
  hits: Hit[];
  text: string;
}

export interface GrepResult extends GrepFiles {
  /** Text files that were read. */
  covered: number;
  /** Number of hits in all files. */
  count: number;
  matches: GrepMatch[];
}

/** Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function grep(session: Session, pattern: Pattern, options: GrepOptions): Promise<GrepResult> {
  const listed = await phase('files', () => listGrepFiles(session, options));
  const { baseline } = listed;
  const isNew = ({ oid }: GrepFile) => oid === null || baseline === null || !baseline.blobs.has(oid);
  const result: GrepResult = { ...listed, files: listed.files.filter(isNew), covered: 0, count: 0, matches: [] };
  let room = options.limit;
  const filters = openTrigrams(session);
  const trigrams = trigramsOf(pattern);
  const toRead = result.files.filter(({ oid }) => {
    const known = oid === null ? 'read' : filters.judge(oid, trigrams);
    if (known === 'none') result.covered++;
    if (known === 'binary') result.skipped.binary = (result.skipped.binary ?? 0) + 1;
    return known === 'read';
  });
  for await (const [file, content] of readFiles(session, toRead, options.signal)) {
    if (file.oid !== null && 'bytes' in content) learn(filters, file.oid, content.bytes);
    const reason = skipReason(content, pattern);
    if (typeof reason === 'string') {
      result.skipped[reason] = (result.skipped[reason] ?? 0) + 1;
      continue;
    }
    result.covered++;
    if (reason === null) continue;
    const old = baseline === null ? undefined : baseline.at(file.path);
    const before = old === undefined ? null : await linesBefore(session, old);
    const wanted = { most: room, isWanted: before?.isNew(reason.text) };
    const match = await matchIn(reason.text, pattern, wanted, options.signal);
    if (match === null) continue;
    room -= match.hits.length;
    result.count += match.count;
    result.matches.push({ file, ...match });
  }
  saveTrigrams(session, filters);
  return result;
}

function learn(filters: TrigramFilters, oid: string, bytes: Buffer): void {
  if (!filters.isKnown(oid) && hasRoom(filters)) filters.add(oid, bytes, isBinary(bytes));
}

/** The text of a file that may have hits, null for one that has none, or the reason why it is left out. */
function skipReason(content: Content, pattern: Pattern): { text: string } | null | string {
  if ('fault' in content) return content.fault;
  const { bytes } = content;
  if (isBinary(bytes)) return 'binary';
  if (!mayMatch(pattern, bytes)) return null;
  // Searched only where the file may have hits: the search for secrets takes longer than that for a pattern.
  if (isSecret(bytes)) return 'secret';
  return { text: bytes.toString('utf8') };
}

interface Wanted {
  /** Hits that are kept. */
  most: number;
  /** Tells whether a line counts; default: every line does. */
  isWanted?: (line: string) => boolean;
}

/** Longest time without a look at whether the answer is still wanted, in milliseconds. */
const TURN = 50;

async function matchIn(
  text: string,
  pattern: Pattern,
  { most, isWanted }: Wanted,
  signal?: AbortSignal,
): Promise<Omit<GrepMatch, 'file'> | null> {
  const hits: Hit[] = [];
  let count = 0;
  let turn = performance.now();
  for (const hit of hitsOf(text, pattern)) {
    if (performance.now() - turn > TURN) {
      await nextTurn();
      signal?.throwIfAborted();
      turn = performance.now();
    }
    if (hit === null) continue;
    if (isWanted && !text.slice(hit.start, hit.end).split('\n').some(isWanted)) continue;
    if (count++ < most) hits.push(hit);
  }
  return count === 0 ? null : { count, hits, text: hits.length > 0 ? text : '' };
}
