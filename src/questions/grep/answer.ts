/** Answers `grep`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { SocraticodeError } from '../../base/errors.js';
import { phase } from '../../base/phases.js';
import type { TreeMatch } from '../../extract/structural.js';
import { optionText } from '../../params/command-line.js';
import { endOfLine, placeInLines, startOfLine } from '../../search/grep/hits.js';
import type { Pattern } from '../../search/grep/pattern.js';
import { hasFilters } from '../../search/query-filters.js';
import { type FoundHit, NOT_PARSED, TOO_SLOW } from '../../session/grep/finder.js';
import { type GrepMatch, type GrepResult, grep } from '../../session/grep/grep.js';
import type { StructuralPattern } from '../../session/grep/structural.js';
import type { SymbolAt } from '../../session/grep/symbols.js';
import { retried } from '../../session/retry.js';
import { targetRef } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import type { FileDocument, GrepResponse, HitDocument } from './output.js';
import { type GrepValues, HITS, MAX_HITS } from './params.js';
import { givenPattern, patternOf, withExpression } from './pattern.js';

/** Most files that are named where the pattern takes too long; all are counted. */
const MAX_GIVEN_UP = 20;

/** Throws BAD_ARGUMENT for a pattern that is none, and UNKNOWN_REF. */
export async function answerGrep(at: Asker, typed: GrepValues): Promise<GrepResponse> {
  const values = withExpression(typed);
  checkNumber(at, values);
  const pattern = patternOf(values);
  if (values.rewrite !== undefined && 'ast' in pattern)
    (await import('../../search/grep/rewrite.js')).checkTemplate(values.rewrite, pattern.ast);
  return retried(at.session, targetRef(values), () => answerOnce(at, values, pattern));
}

/** `-n 2` is a limit for many commands; git's `-n` and ours take no value, so that the 2 would be a path. */
function checkNumber(at: Asker, { lineNumbers, path = [] }: GrepValues): void {
  const number = path.find((each) => /^\d+$/.test(each) && !existsSync(resolve(at.directory ?? '.', each)));
  if (!lineNumbers || number === undefined) return;
  throw new SocraticodeError('BAD_ARGUMENT', `${number} is no path here`, {
    hint: `Lines are always numbered, as with git grep -n. To list ${number} hits write: ${optionText('limit')} ${number}`,
  });
}

async function answerOnce(at: Asker, values: GrepValues, pattern: Pattern | StructuralPattern): Promise<GrepResponse> {
  const { session, signal } = at;
  const { rewrite, context } = values;
  const isList = values.files === true || values.count === true;
  const limit = values.limit ?? (isList || rewrite !== undefined ? MAX_HITS : HITS);
  const kept = isList ? 0 : limit;
  // A patch is of all matches of its file.
  const { within, hasTag } = hasFilters(values)
    ? await (await import('../file-filters.js')).narrow(at, { ...values, isRetried: true })
    : {};
  const options = { ...values, within, hasTag, limit: rewrite === undefined ? kept : Number.POSITIVE_INFINITY, signal };
  const found = await phase('lines', () => grep(session, pattern, options));
  const listed = await phase('text', async () => {
    if (rewrite !== undefined) return (await import('./patches.js')).listPatches(found, rewrite, limit);
    return isList
      ? listFiles(at, found, limit)
      : listHits(at, found, { pattern, context, until: performance.now() + PLACES_MS });
  });
  const { resolved } = found.origin;
  const {
    unreadable = 0,
    'too-large': tooLarge = 0,
    [NOT_PARSED]: notParsed = 0,
    [TOO_SLOW]: slow = 0,
  } = found.skipped;
  return {
    schemaVersion: 1,
    pattern: givenPattern(values),
    ref: resolved.ref,
    commit: resolved.commit,
    coverage: { covered: found.covered, total: found.covered + unreadable + tooLarge + notParsed + slow },
    dirty: found.dirty,
    overlay: found.overlay,
    ...(found.baseline && { range: { from: found.baseline.commit, unread: found.oldUnread } }),
    ...(found.all && { branches: { searched: found.all.branches.length, leftOut: found.all.leftOut } }),
    total: { hits: found.count, files: found.matches.length },
    skipped: found.skipped,
    ...(found.givenUp.length > 0 && { givenUp: found.givenUp.slice(0, MAX_GIVEN_UP) }),
    ...listed,
  };
}

async function listFiles(at: Asker, found: GrepResult, limit: number): Promise<Partial<GrepResponse>> {
  const shown = found.matches.slice(0, limit);
  const files = await Promise.all(
    shown.map(
      async (match): Promise<FileDocument> => ({
        path: match.file.path,
        hits: match.count,
        ...(await placeOf(at, found, match)),
      }),
    ),
  );
  return { files, filesLeftOut: found.matches.length - files.length };
}

interface Shown {
  pattern: Pattern | StructuralPattern;
  context: number;
  /** Time after which no place of a match in its line is looked for. */
  until: number;
}

/** Time for the places of all matches in their lines, in milliseconds. */
const PLACES_MS = 2_000;

async function listHits(at: Asker, found: GrepResult, shown: Shown): Promise<Partial<GrepResponse>> {
  if (!found.matches.some(({ hits }) => hits.length > 0)) return { hits: [], hitsLeftOut: found.count };
  // Names of symbols take the parsers along.
  const { symbolsOf } = await import('../../session/grep/symbols.js');
  const symbols = await symbolsOf(at.session, found, at.signal);
  const hits: HitDocument[] = [];
  for (const match of found.matches) {
    if (match.hits.length === 0) continue;
    const place = await placeOf(at, found, match);
    const symbolAt = symbols.get(match) as SymbolAt;
    for (const hit of match.hits) hits.push({ path: match.file.path, ...hitOf(match, hit, shown, symbolAt), ...place });
  }
  return { hits, hitsLeftOut: found.count - hits.length };
}

/** State of the file that a hit is in. */
async function placeOf({ session }: Asker, { all }: GrepResult, { file }: GrepMatch) {
  if (file.oid === null) return { uncommitted: true as const };
  if (all === null) return {};
  const { branchesWith } = await import('../../session/snapshot/all-refs.js');
  return { refs: await branchesWith({ path: file.path, blob: file.oid }, all.branches, session.objects) };
}

function hitOf({ text }: GrepMatch, hit: FoundHit, { pattern, context, until }: Shown, symbolAt: SymbolAt) {
  const lines = text.slice(hit.start, hit.end);
  const start =
    hit.match || 'ast' in pattern ? (hit.match?.start ?? hit.start) - hit.start : placeInLines(lines, pattern, until);
  const inLine = start - startOfLine(lines, start);
  return {
    line: hit.line,
    ...(hit.endLine > hit.line && { endLine: hit.endLine }),
    column: inLine + 1,
    ...(hit.match && structureOf(text, hit.match)),
    symbol: symbolAt(hit.line),
    text: excerpt(lines, start),
    ...(context > 0 && { before: linesBefore(text, hit.start, context), after: linesAfter(text, hit.end, context) }),
  };
}

function structureOf(text: string, { end, captures }: TreeMatch) {
  const list = captures.map(({ name, start, end: to }) => [name, excerpt(text.slice(start, to), 0)]);
  return { endColumn: end - startOfLine(text, end) + 1, captures: Object.fromEntries(list) as Record<string, string> };
}

/** Longest line that is given whole, in UTF-16 units, and how much of a longer one stands before the match. */
const MAX_TEXT = 500;
const LEAD = 100;

function excerpt(lines: string, at: number): string {
  if (lines.length <= MAX_TEXT) return lines;
  const from = Math.max(0, Math.min(at - LEAD, lines.length - MAX_TEXT));
  const end = from + MAX_TEXT;
  return `${from > 0 ? '…' : ''}${lines.slice(from, end)}${end < lines.length ? '…' : ''}`;
}

function linesBefore(text: string, start: number, count: number): string[] {
  const lines: string[] = [];
  for (let end = start - 1; lines.length < count && end >= 0; ) {
    const from = startOfLine(text, end);
    lines.unshift(excerpt(text.slice(from, end), 0));
    end = from - 1;
  }
  return lines;
}

function linesAfter(text: string, end: number, count: number): string[] {
  const lines: string[] = [];
  for (let from = end + 1; lines.length < count && from < text.length; ) {
    const to = endOfLine(text, from);
    lines.push(excerpt(text.slice(from, to), 0));
    from = to + 1;
  }
  return lines;
}
