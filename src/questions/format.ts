/** Numbers, lists and quoted texts in answers for people. */
import { groupDigits, shortOid, signs } from '../base/printable.js';
import type { Pen } from './pen.js';
import type { LinkedAnswer, ParseError, PastWindow } from './shared-output.js';

export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${groupDigits(count)} ${count === 1 ? one : many}`;
}

/** ` (12 chunks have no word that the model knows)`: the reason for missing vectors of the built-in model; '' for none. */
export function withoutWords(chunks: number): string {
  if (chunks === 0) return '';
  return ` (${formatCount(chunks, 'chunk')} ${chunks === 1 ? 'has' : 'have'} no word that the model knows)`;
}

/** `39%`; `<1%` for what is more than nothing. */
export function percent(share: number): string {
  return share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`;
}

export function formatSeconds(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** `12 binary, 3 secret`, largest first; '' for nothing. */
export function formatCounts(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).filter(([, n]) => n > 0);
  entries.sort((a, b) => b[1] - a[1] || a[0].localeCompare(b[0]));
  return entries.map(([name, n]) => `${groupDigits(n)} ${name}`).join(', ');
}

/** `12 binary, 3 generated or vendored`: counts of files that are not indexed, by reason. */
export function formatSkipped({ builtin = 0, ...skipped }: Readonly<Record<string, number>>): string {
  return formatCounts({ ...skipped, 'generated or vendored': builtin });
}

/** Characters shown of a section's name, which joins all headings above it: the end counts. */
const MAX_SECTION = 72;
const DOCUMENT = /\.(?:md|mdx|markdown|rst|adoc|asciidoc|txt)$/i;

/** Name beside its path: the end of a long section's, and of code without namespaces that the folders say already, but two names at least. */
export function shortName(symbol: string, path: string): string {
  if (DOCUMENT.test(path)) return symbol.length <= MAX_SECTION ? symbol : `${signs.cut}${symbol.slice(-MAX_SECTION)}`;
  const parts = symbol.split('.');
  const said = new Set(path.split(/[/.]/));
  let first = 0;
  while (parts.length - first > 2 && said.has(parts[first])) first++;
  return parts.slice(first).join('.');
}

/** `partial: 3 of 10 files are known`; nothing for an answer about all files. */
export const coverageTexts = ({ covered, total }: { covered: number; total: number }, known: string): string[] =>
  covered < total ? [`partial: ${groupDigits(covered)} of ${formatCount(total, 'file')} ${known}`] : [];

/** Says whether uncommitted files are a part of the answer. `seen`: what did not happen to those that are not. */
export function dirtyTexts(
  { dirty, overlay, ref }: { dirty: number; overlay: number; ref: string },
  seen: 'searched' | 'looked at',
): string[] {
  if (dirty === 0) return [];
  if (overlay === 0) return [`${formatCount(dirty, 'uncommitted file')} not ${seen}: this is ${ref} as committed`];
  const rest = dirty - overlay;
  const left = rest === 0 ? '' : `, ${groupDigits(rest)} left out: not indexed, too many, or not readable`;
  return [`${formatCount(overlay, 'uncommitted file')} included${left}`];
}

/** Quotes text of the repository in lines that begin with a space, so that none can pass for our heading or next step. */
export const quoted = (text: string): string => text.replace(/^/gm, ' ');

/** Regions of lines that are named. */
const MAX_REGIONS = 10;

/** `parse errors: lines 2-4, 9 could not be read, and declarations may be missing there; small parse errors: lines 12`; of at least one error. */
export function parseErrorsText(errors: readonly ParseError[]): string {
  const lost = linesOf(errors.filter((error) => error.lost));
  const small = linesOf(errors.filter((error) => !error.lost));
  return [
    ...(lost === '' ? [] : [`parse errors: ${lost} could not be read, and declarations may be missing there`]),
    ...(small === '' ? [] : [`small parse errors: ${small}`]),
  ].join('; ');
}

function linesOf(errors: readonly ParseError[]): string {
  if (errors.length === 0) return '';
  const listed = errors.slice(0, MAX_REGIONS).map(({ startLine, endLine }) => {
    return endLine > startLine ? `${startLine}-${endLine}` : String(startLine);
  });
  return `lines ${listed.join(', ')}${errors.length > MAX_REGIONS ? ` and ${errors.length - MAX_REGIONS} more` : ''}`;
}

const DATE_LENGTH = 10;

/** `2024-05-31`, or `no date`. */
export const dateText = (date: string | null): string => date?.slice(0, DATE_LENGTH) ?? 'no date';

/** Lines that say how far back the answer looked, and how many commits have unknown changes. */
export function windowLines({ commits, end, unknown, oldest }: PastWindow, { words }: Pen, isWeighed = true): string[] {
  const since = oldest === null ? '' : ` since ${dateText(oldest)}`;
  const all = end === 'root' ? 'all' : 'the last';
  const lines = [`from ${all} ${formatCount(commits, 'commit')}${since}${isWeighed ? '; newer ones weigh more' : ''}`];
  if (end === 'shallow') lines.push(`this is a shallow clone, its history ends there: ${words.unshallow}`);
  const missing = formatCount(unknown, 'commit');
  if (unknown > 0) lines.push(`the changes of ${missing} are not known: this clone lacks their files`);
  return lines;
}

/** Lines about linked repositories: one for all that were searched, and one for each that was not. */
export function linkedLines(linked: readonly Omit<LinkedAnswer, 'results'>[], verb = 'searched'): string[] {
  if (linked.length === 0) return ['no linked repositories: linkedProjects in .socraticode.json names them'];
  const isSearched = ({ commit, coverage }: Omit<LinkedAnswer, 'results'>) => commit !== null || coverage !== null;
  const searched = linked.filter(isSearched).map(describe);
  const others = linked.filter((each) => !isSearched(each) && each.state !== 'same');
  return [
    ...(searched.length > 0 ? [`also ${verb}: ${searched.join(', ')}`] : []),
    ...others.map(({ path, state, reason }) => `${path}: ${WORDS[state] ?? state}: ${reason ?? ''}`),
  ];
}

const WORDS: Readonly<Record<string, string>> = {
  'not-allowed': 'not allowed',
  'not-a-repository': 'not a repository',
  'left-out': 'left out',
};

function describe({ project, path, commit, coverage, state }: Omit<LinkedAnswer, 'results'>): string {
  const at = commit === null ? '' : ` @ ${shortOid(commit)}`;
  const partial = coverage !== null && coverage.covered < coverage.total;
  const covered = partial
    ? ` (${coverage.covered} of ${coverage.total} files${state === 'indexing' ? ', indexing' : ''})`
    : '';
  return `${project}${path === project ? '' : ` (${path})`}${at}${covered}`;
}

/** Profiles that this installation cannot use. */
export function formatOthers(names: readonly string[], what: string): string[] {
  return names.length === 0 ? [] : [`${what}: ${names.join(', ')}`];
}
