/** Answers `grep`: every line that matches a pattern of lines or of syntax, below its file as in `rg --heading`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits, signs } from '../../base/printable.js';
import { phase } from '../../base/progress.js';
import type { TreeMatch } from '../../extract/structural-search.js';
import { optionText } from '../../params/param.js';
import { endOfLine, placeInLines, startOfLine } from '../../search/grep/hits.js';
import { compilePattern, type Pattern, type Span } from '../../search/grep/required-texts.js';
import { hasFilters } from '../../search/query-filters.js';
import type { SymbolAt } from '../../session/blob-facts.js';
import { type FoundHit, NOT_PARSED, TOO_SLOW } from '../../session/grep/files.js';
import { type GrepMatch, type GrepResult, grep } from '../../session/grep/grep.js';
import type { StructuralPattern } from '../../session/grep/structural-finder.js';
import { retried } from '../../session/retry.js';
import { targetRef } from '../../session/snapshot/target.js';
import type { Asker } from '../asker.js';
import { answerEachLine } from '../asker.js';
import { dirtyTexts, formatCount, formatCounts } from '../format.js';
import type { Pen, Writing } from '../pen.js';
import {
  type FileDocument,
  type GrepResponse,
  type GrepValues,
  HITS,
  type HitDocument,
  MAX_HITS,
  patternParams,
} from './question.js';

/** Most files named where the pattern took too long; all are counted. */
const MAX_GIVEN_UP = 20;

/** Throws BAD_ARGUMENT for an invalid pattern, and UNKNOWN_REF. */
export async function answerGrep(at: Asker, typed: GrepValues): Promise<GrepResponse> {
  const values = withExpression(typed);
  checkNumber(at, values);
  checkDependencies(values);
  const pattern = patternOf(values);
  if (values.rewrite !== undefined && 'ast' in pattern)
    (await import('../../search/grep/rewrite.js')).checkTemplate(values.rewrite, pattern.ast);
  return retried(at.session, targetRef(values), () => answerOnce(at, values, pattern));
}

/** Explains `-n 2`, a limit for many commands. For git and us, `-n` takes no value, so the 2 would be a path. */
function checkNumber(at: Asker, { lineNumbers, path = [] }: GrepValues): void {
  const number = path.find((each) => /^\d+$/.test(each) && !existsSync(resolve(at.directory ?? '.', each)));
  if (!lineNumbers || number === undefined) return;
  throw new SocraticodeError('BAD_ARGUMENT', `${number} is no path here`, {
    hint: `Lines are always numbered, as with git grep -n. To list ${number} hits write: ${optionText('limit')} ${number}`,
  });
}

/** Options about a snapshot or its history: installed files have neither. */
const OF_SNAPSHOTS = ['ref', 'committed', 'merged', 'in', 'allRefs', 'rewrite'] as const;

/** Throws BAD_ARGUMENT for what cannot be asked of installed dependencies. */
function checkDependencies(values: GrepValues): void {
  if (!values.deps) return;
  const other = OF_SNAPSHOTS.find((name) => values[name] !== undefined && values[name] !== false);
  if (other === undefined && !hasFilters(values)) return;
  throw refused(
    `${other ?? 'a filter by history, class, use or tag'} and deps exclude each other`,
    'Installed dependencies are searched as they are on this machine.',
  );
}

async function answerOnce(at: Asker, values: GrepValues, pattern: Pattern | StructuralPattern): Promise<GrepResponse> {
  const { session, signal } = at;
  const { rewrite, context } = values;
  const isList = values.files === true || values.count === true;
  const limit = values.limit ?? (isList || rewrite !== undefined ? MAX_HITS : HITS);
  const listedLimit = isList ? 0 : limit;
  // A patch contains all matches of its file.
  const { within, hasTag } = hasFilters(values)
    ? await (await import('../file-filters.js')).narrowOnce(at, values)
    : {};
  const options = {
    ...values,
    within,
    hasTag,
    limit: rewrite === undefined ? listedLimit : Number.POSITIVE_INFINITY,
    signal,
  };
  const found = await phase('lines', () => grep(session, pattern, options));
  const listed = await phase('text', async () => {
    if (rewrite !== undefined) return listPatches(found, rewrite, limit);
    return isList ? listFiles(at, found, limit) : listHits(at, found, { pattern, context });
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
    ...(found.dependencies && { deps: installedIn(found, listed) }),
    total: { hits: found.count, files: found.matches.length },
    skipped: found.skipped,
    ...(found.givenUp.length > 0 && { givenUp: found.givenUp.slice(0, MAX_GIVEN_UP) }),
    ...listed,
  };
}

function installedIn(
  { dependencies, covered }: GrepResult,
  { hits = [], files = [] }: Partial<GrepResponse>,
): GrepResponse['deps'] {
  if (dependencies === undefined) return undefined;
  const { packages, packageOf } = dependencies;
  const found = new Set([...hits, ...files].map(({ path }) => packageOf(path)));
  return { packages, files: covered, found: [...found] };
}

async function listFiles(at: Asker, found: GrepResult, limit: number): Promise<Partial<GrepResponse>> {
  const shown = found.matches.slice(0, limit);
  const files = await Promise.all(
    shown.map(async (match): Promise<FileDocument> => {
      const { refsLeftOut: _, ...place } = await placeOf(at, found, match);
      return { path: match.file.path, hits: match.count, ...place };
    }),
  );
  return { files, filesLeftOut: found.matches.length - files.length };
}

interface Shown {
  pattern: Pattern | StructuralPattern;
  context: number;
  /** Time at which the search for places of matches ends. */
  until: number;
}

/** Time for the places of all matches in their lines, in milliseconds. */
const PLACES_MS = 2_000;

async function listHits(at: Asker, found: GrepResult, options: Omit<Shown, 'until'>): Promise<Partial<GrepResponse>> {
  if (!found.matches.some(({ hits }) => hits.length > 0)) return { hits: [], hitsLeftOut: found.count };
  // Names of symbols need the parsers.
  const { symbolsOf } = await import('../../session/blob-facts.js');
  const symbols = await symbolsOf(at.session, found, at.signal);
  // Parsers of a busy machine may take longer than the places.
  const shown = { ...options, until: performance.now() + PLACES_MS };
  const hits: HitDocument[] = [];
  for (const match of found.matches) {
    if (match.hits.length === 0) continue;
    const place = await placeOf(at, found, match);
    const symbolAt = symbols.get(match) as SymbolAt;
    for (const hit of match.hits) hits.push({ path: match.file.path, ...hitOf(match, hit, shown, symbolAt), ...place });
  }
  return { hits, hitsLeftOut: found.count - hits.length };
}

/** State of a hit's file. */
async function placeOf(
  { session }: Asker,
  { all, dependencies }: GrepResult,
  { file }: GrepMatch,
): Promise<Pick<HitDocument, 'uncommitted' | 'refs' | 'refsLeftOut'>> {
  if (dependencies !== undefined) return {};
  if (file.oid === null) return { uncommitted: true };
  if (all === null) return {};
  const { branchesWith } = await import('../../session/snapshot/snapshot.js');
  return branchesWith({ path: file.path, blob: file.oid }, all, session.objects);
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

/** Longest line that is shown whole, in UTF-16 units, and the part of a longer one that is shown before the match. */
const MAX_TEXT = 500;
const LEAD = 100;

function excerpt(lines: string, at: number): string {
  if (lines.length <= MAX_TEXT) return lines;
  const from = Math.max(0, Math.min(at - LEAD, lines.length - MAX_TEXT));
  const end = from + MAX_TEXT;
  return `${from > 0 ? signs.cut : ''}${lines.slice(from, end)}${end < lines.length ? signs.cut : ''}`;
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

/** `grep --stdin`: lines hold the patterns, so all arguments are paths. */
export async function answerLines(at: Asker, { pattern, path = [], ...values }: GrepValues): Promise<void> {
  const paths = pattern === undefined ? path : [pattern, ...path];
  await answerEachLine(at, {
    values: { ...values, path: paths.length === 0 ? undefined : paths } as GrepValues,
    form: { params: patternParams, main: 'pattern' },
    answer: (line) => answerGrep(at, line),
  });
}

/** Options for patterns of lines. */
const OF_LINES = ['fixed', 'words', 'ignoreCase', 'multiline'] as const;
/** Options for lists of hits and files, which patches do not have. */
const NOT_OF_PATCHES = ['files', 'count', 'context', 'allRefs'] as const;

/** With `-e`, all arguments are paths, as for `git grep`; globs of `-g` join them. */
function withExpression({ expression, glob = [], ...values }: GrepValues): GrepValues {
  const isPath = expression !== undefined && values.pattern !== undefined;
  const paths = [...(isPath ? [values.pattern as string] : []), ...(values.path ?? []), ...glob];
  return { ...values, pattern: expression ?? values.pattern, path: paths.length === 0 ? undefined : paths };
}

/** Throws BAD_ARGUMENT for an invalid pattern, and for options that exclude each other. */
function patternOf(values: GrepValues): Pattern | StructuralPattern {
  const { ast, language, rewrite } = values;
  const pattern = givenPattern(values);
  if (ast) {
    const other = OF_LINES.find((name) => values[name]);
    if (other !== undefined)
      throw refused(`${other} and ast exclude each other`, 'With ast the pattern matches syntax, not letters.');
    const notOfPatches = rewrite === undefined ? undefined : NOT_OF_PATCHES.find((name) => values[name]);
    if (notOfPatches !== undefined)
      throw refused(`${notOfPatches} and rewrite exclude each other`, 'A patch is of whole files of one snapshot.');
    return { ast: pattern, languages: language };
  }
  if (rewrite !== undefined) throw refused('rewrite needs ast', 'Only code that matches by its syntax is rewritten.');
  if (language !== undefined) throw refused('language needs ast', 'Globs select files: "*.ts".');
  return compilePattern({ ...values, pattern });
}

/** Throws BAD_ARGUMENT without a pattern. */
function givenPattern({ pattern }: GrepValues): string {
  if (pattern === undefined)
    throw refused('no pattern is given', 'Say what to look for: a regular expression, or with fixed an exact string.');
  return pattern;
}

const refused = (message: string, hint: string) => new SocraticodeError('BAD_ARGUMENT', message, { hint });

// Text: hits below their files, as in `rg --heading`, and their number.

export function grepText(response: GrepResponse, { pen, values, isCommand }: Writing<GrepValues>): string {
  const { hits, files = [] } = response;
  if (values.rewrite !== undefined) {
    const notes = patchNotes(response, { pen, values, isCommand });
    // git does not read text after the last hunk as part of the patch.
    return [...files.map(({ patch = '' }) => pen.raw(patch)), ...notes.map((note) => `${pen.dim(note)}\n`)].join('');
  }
  if (response.files !== undefined) {
    const names = files.map((file) => fileLine(file, values, pen));
    const isWhole = response.filesLeftOut === 0 && files.length > 0 && isCommand;
    // A complete list holds names alone, so that it can be piped to another program.
    return `${[...names, ...(isWhole ? [] : footer(response, { pen, values, isCommand }))].join('\n')}\n`;
  }
  const style = {
    pen,
    pattern: patternOf(withExpression(values)),
    until: performance.now() + MARKS_MS,
    deps: response.deps ?? {},
  };
  // A path may have other lines on each branch, so each version is shown by itself.
  const blocks = adjacentGroups(hits ?? [], ({ path, refs = [] }) => [path, ...refs].join('\0')).map((group) =>
    fileText(group, style),
  );
  return `${[...blocks, footer(response, { pen, values, isCommand }).join('\n')].join('\n\n')}\n`;
}

interface Style {
  pen: Pen;
  pattern: Pattern | StructuralPattern;
  /** Time at which marking of matches ends. */
  until: number;
  deps: Partial<NonNullable<GrepResponse['deps']>>;
}

function fileLine({ path, hits, uncommitted }: FileDocument, { count }: GrepValues, pen: Pen): string {
  const name = pen.path(path);
  if (!count) return name;
  return `${name}:${pen.line(String(hits))}${uncommitted ? pen.dim('  (uncommitted)') : ''}`;
}

/** `  undici 6.21.0`: the package of an installed file, which has the longest path that the file's begins with. */
function packageText(path: string, { found = [] }: Partial<NonNullable<GrepResponse['deps']>>, pen: Pen): string {
  const around = found.filter((one) => path === one.path || path.startsWith(`${one.path}/`));
  const [inner] = around.sort((a, b) => b.path.length - a.path.length);
  return inner === undefined ? '' : pen.dim(`  ${inner.name}${inner.version === null ? '' : ` ${inner.version}`}`);
}

function fileText(hits: readonly HitDocument[], style: Style): string {
  const [{ path, uncommitted, refs, refsLeftOut }] = hits;
  const { pen } = style;
  const state = uncommitted ? pen.dim('  (uncommitted)') : '';
  const on =
    refs === undefined ? '' : pen.dim(`  on ${namesOf(refs, 'branch', { many: 'branches', leftOut: refsLeftOut })}`);
  const lines = [`${pen.path(path)}${packageText(path, style.deps, pen)}${state}${on}`];
  let symbol: string | null = null;
  let last = 0;
  for (const [i, hit] of hits.entries()) {
    const next = hits[i + 1]?.line ?? Number.POSITIVE_INFINITY;
    const rows = rowsOf(hit, style).filter(({ line, isHit }) => line > last && (isHit || line < next));
    if (last > 0 && hit.before !== undefined && rows[0].line > last + 1) lines.push(pen.dim(signs.cut));
    if (hit.symbol !== symbol) lines.push(` ${pen.symbol(hit.symbol ?? 'top level')}`);
    symbol = hit.symbol;
    for (const { line, isHit, text } of rows) lines.push(`${pen.line(String(line))}${isHit ? ':' : '-'}${text}`);
    last = rows.at(-1)?.line ?? last;
  }
  return lines.join('\n');
}

interface Row {
  line: number;
  isHit: boolean;
  text: string;
}

function rowsOf(hit: HitDocument, style: Style): Row[] {
  const { line, endLine = line, text, before = [], after = [] } = hit;
  const around = (lines: readonly string[], first: number) =>
    lines.map((each, i): Row => ({ line: first + i, isHit: false, text: each }));
  const own = text
    .split('\n')
    .map((each, i): Row => ({ line: line + i, isHit: true, text: marked(each, style, spanIn(hit, each, i)) }));
  return [...around(before, line - before.length), ...own, ...around(after, endLine + 1)];
}

/** Most marks in a line: a pattern such as `.` matches each letter. */
const MAX_MARKS = 20;
/** Milliseconds for all marks: some patterns take 50 ms a line. */
const MARKS_MS = 500;

/** Part of a line that a structural match covers; null if its columns are not known. */
function spanIn({ column, endColumn, line, endLine = line, text }: HitDocument, own: string, i: number): Span | null {
  // Columns refer to whole lines.
  if (endColumn === undefined || text.startsWith(signs.cut)) return null;
  return { start: i === 0 ? column - 1 : 0, end: line + i === endLine ? endColumn - 1 : own.length };
}

function marked(line: string, { pen, pattern, until }: Style, span: Span | null): string {
  const spans = span !== null ? [span] : 'ast' in pattern ? [] : spansIn(line, pattern, until);
  let out = '';
  let at = 0;
  for (const { start, end } of spans) {
    out += line.slice(at, start) + pen.match(line.slice(start, end));
    at = end;
  }
  return out + line.slice(at);
}

/** The first matches in a text; none after the time `until`. */
function spansIn(text: string, { find }: Pattern, until: number): Span[] {
  const spans: Span[] = [];
  for (let at = 0; spans.length < MAX_MARKS && performance.now() < until; ) {
    const span = find(text, at);
    if (span === null || span.end <= span.start) break;
    spans.push(span);
    at = span.end;
  }
  return spans;
}

/** Places of the pattern in the text of each hit: a page cannot run it, since expressions of browsers may take for ever. */
export function marksOf({ hits = [] }: GrepResponse, values: GrepValues): [start: number, end: number][][] {
  const pattern = patternOf(values);
  if ('ast' in pattern) return [];
  const until = performance.now() + MARKS_MS;
  return hits.map(({ text }) => spansIn(text, pattern, until).map(({ start, end }) => [start, end]));
}

/** Most branches or files that are named. */
const MAX_NAMES = 4;

function namesOf(names: readonly string[], one: string, { many = `${one}s`, leftOut = 0 } = {}): string {
  const more = names.length - MAX_NAMES + leftOut;
  const rest = more > 0 ? ` and ${formatCount(more, `more ${one}`, `more ${many}`)}` : '';
  return `${names.slice(0, MAX_NAMES).join(', ')}${rest}`;
}

/** Characters that mean something in an expression, of a pattern that shows no other sign of being one. */
const MAY_BE_TEXT = /^(?!.*(?:\\|\.[*+?])).*[()[\]{}*+?$|]/;

function missLine({ ast, fixed }: GrepValues, pattern: string, { words }: Pen): string {
  if (ast === true) return 'no code matches';
  const asText = fixed !== true && MAY_BE_TEXT.test(pattern) ? [words.asText] : [];
  return ['no line matches', ...asText, ...(words.otherWords === '' ? [] : [words.otherWords])].join('; ');
}

function footer(response: GrepResponse, { pen, values, isCommand }: Writing<GrepValues>): string[] {
  const { total, deps, range, branches, skipped, givenUp = [] } = response;
  const lines = [total.hits > 0 ? countLine(response, pen) : missLine(values, response.pattern, pen)];
  if (deps) {
    const { packages, files } = deps;
    lines.push(`searched: ${formatCount(files, 'file')} of ${formatCount(packages, 'installed package')}`);
  }
  if (range) lines.push(`only lines that are new or changed since ${range.from?.slice(0, 12) ?? 'that tree'}`);
  if (range?.unread)
    lines.push(`all lines of ${formatCount(range.unread, 'file')} count as new: this clone lacks the older version`);
  if (branches) {
    const more = branches.leftOut > 0 ? `; ${formatCount(branches.leftOut, 'older one')} not searched` : '';
    lines.push(`${formatCount(branches.searched, 'branch', 'branches')} searched${more}`);
  }
  const { secret, unreadable, 'too-large': large, 'not-parsed': failed, 'other-language': other, binary } = skipped;
  const { 'beyond-limits': beyond, generated: made } = skipped;
  const left = formatCounts({
    ...(total.hits === 0 && { binary, 'of other languages': other }),
    secret,
    unreadable,
    'too large': large,
    'not parsed': failed,
    'beyond the limits': beyond,
    'minified, or source maps': made,
  });
  if (left !== '') lines.push(`files not searched: ${left}`);
  const { 'too-slow': slow = 0 } = skipped;
  if (slow > 0)
    lines.push(`${formatCount(slow, 'file')} given up, where this pattern takes too long: ${namesOf(givenUp, 'file')}`);
  if (isCommand) lines.push(...dirtyTexts(response, 'searched'));
  return lines.map(pen.dim);
}

/** Facts that a reader of a patch needs; none for a complete patch, so that it can be piped to git. */
function patchNotes(response: GrepResponse, writing: Writing<GrepValues>): string[] {
  const { files = [], filesLeftOut = 0, inner = 0, total, skipped } = response;
  const notes: string[] = [];
  if (total.hits > 0 && files.length === 0) notes.push('no match changes');
  if (filesLeftOut > 0) notes.push(`first ${formatCount(files.length, 'file')}; ${filesLeftOut} more change`);
  if (inner > 0)
    notes.push(`${formatCount(inner, 'match lies', 'matches lie')} inside of others: apply this, then ask again`);
  const notUtf8 = skipped['not-utf8'] ?? 0;
  if (notUtf8 > 0) notes.push(`${formatCount(notUtf8, 'file')} not changed: not UTF-8`);
  return [...notes, ...footer(response, writing).slice(total.hits === 0 ? 0 : 1)];
}

/** `41 hits in 12 files, all shown`; `first 100 of 3,204 hits in 310 files`. */
function countLine({ total, hits, files, filesLeftOut }: GrepResponse, { skipped = 0, words }: Pen): string {
  const all = `${formatCount(total.hits, 'hit')} in ${formatCount(total.files, 'file')}`;
  if (files !== undefined) return filesLeftOut === 0 ? all : `first ${formatCount(files.length, 'file')}; ${all}`;
  const shown = hits?.length ?? 0;
  if (shown === total.hits) return `${all}, all shown`;
  const which = skipped === 0 ? `first ${groupDigits(shown)}` : `${skipped + 1} to ${skipped + shown}`;
  return `${which} of ${all}${words.more === '' ? '' : `; ${words.more}`}`;
}

/** Groups of adjacent items with the same key. */
function adjacentGroups<T>(list: readonly T[], keyOf: (item: T) => string): T[][] {
  const groups: T[][] = [];
  for (const item of list) {
    const last = groups.at(-1);
    if (last !== undefined && keyOf(last[0]) === keyOf(item)) last.push(item);
    else groups.push([item]);
  }
  return groups;
}

/** Stands for bytes that are not UTF-8. A patch that holds it would not apply. */
const NO_UTF8 = '\uFFFD';

/** Patches of the first `limit` changed files. Files that are not UTF-8 join the skipped ones. */
async function listPatches(found: GrepResult, template: string, limit: number): Promise<Partial<GrepResponse>> {
  const { patchOf, rewrite } = await import('../../search/grep/rewrite.js');
  const files: FileDocument[] = [];
  let [inner, left, notUtf8] = [0, 0, 0];
  for (const { file, text, hits, isConverted } of found.matches) {
    if (isConverted || text.includes(NO_UTF8) || file.path.includes(NO_UTF8)) {
      notUtf8++;
      continue;
    }
    const matches = hits.flatMap(({ match }) => match ?? []);
    const result = rewrite(text, matches, template);
    inner += result.inner;
    if (result.edits.length === 0) continue;
    if (files.length === limit) left++;
    else {
      const patch = patchOf(file.path, text, result.edits);
      files.push({
        path: file.path,
        hits: result.edits.length,
        patch,
        ...(file.oid === null && { uncommitted: true }),
      });
    }
  }
  const skipped = { ...found.skipped, ...(notUtf8 > 0 && { 'not-utf8': notUtf8 }) };
  return { files, filesLeftOut: left, inner, skipped };
}
