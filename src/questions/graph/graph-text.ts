/** Text that the answers of `graph` share: places, uses, omissions, and the coverage of the answer. */
import { groupDigits, signs } from '../../base/printable.js';
import { formatCount, linkedLines } from '../format.js';
import type { Pen } from '../pen.js';
import type { GraphCandidates, LinkedUse, LinkedUses, MentionedIn, Place, TestToRun, Use } from './output.js';

/** Snapshot and coverage that every answer names. */
export type SnapshotHeader = Pick<GraphCandidates, 'ref' | 'coverage' | 'dirty' | 'overlay'> & {
  parseErrors?: string[];
};
export type { Place };

export interface Some<T> {
  list: readonly T[];
  leftOut: number;
}

export const total = ({ list, leftOut }: Some<unknown>): number => list.length + leftOut;

/** Number of entries, including those on later pages. A list that ended on an earlier page has none. */
export function count(some: Some<unknown>, { skipped = 0 }: Pen): number {
  const rest = total(some);
  return rest === 0 ? 0 : rest + skipped;
}

export function at(path: string, line: number, pen: Pen): string {
  return `${pen.path(path)}:${pen.line(String(line))}`;
}

/** `src/cart.ts:12  Cart.total`, or only the place at the top level. */
export const inside = (path: string, line: number, symbol: string | null, pen: Pen): string =>
  `${at(path, line, pen)}${symbol === null ? '' : `  ${pen.symbol(symbol)}`}`;

/** `src/cart.ts:12  Cart.total  method`, or only the path of a file. */
export function placeText(place: Place, pen: Pen): string {
  if (place.symbol === null) return `${pen.path(place.path)}  ${pen.dim('file')}`;
  return `${inside(place.path, place.startLine, place.symbol, pen)}  ${pen.dim(place.kind)}`;
}

/** Verbs for a use, before the name of the used definition. */
export const VERBS: Readonly<Record<string, string>> = {
  import: 'imports',
  'type-import': 'imports the types of',
  'dynamic-import': 'imports when it runs',
  require: 'requires',
  reexport: 're-exports',
  'type-reexport': 're-exports the types of',
  include: 'includes',
  module: 'declares the module',
  call: 'calls',
  new: 'makes',
  type: 'has the type',
  extends: 'extends',
  implements: 'implements',
  value: 'uses',
  read: 'reads',
  write: 'writes',
  decorator: 'is decorated with',
  route: 'has the route of',
  request: 'requests',
};

/** Maximum number of lines for definitions of one name. */
const MAX_DEFINITIONS = 3;

/**
 * One line for overloads in one file, with their number, else one for each definition, and one that counts those beyond
 * the first 3.
 */
export function definitionLines(definitions: readonly Place[], pen: Pen, all = definitions.length): string[] {
  const [first] = definitions;
  const isOne = definitions.every(({ path, symbol }) => path === first.path && symbol === first.symbol);
  if (isOne && all > 1) return [`${placeText(first, pen)}  ${pen.dim(`${all} declarations`)}`];
  const shown = definitions.slice(0, MAX_DEFINITIONS);
  const rest = all - shown.length;
  const lines = shown.map((place) => placeText(place, pen));
  return rest > 0 ? [...lines, pen.dim(`and ${formatCount(rest, 'more declaration')}`)] : lines;
}

/** Likelihood from which on none is printed: that of three nearly certain steps. */
const CERTAIN = 0.8;

export function doubt(
  { confidence, tier, likelihood, likely }: { confidence: number; tier?: string; likelihood?: number; likely?: true },
  pen: Pen,
): string {
  if (likelihood !== undefined) return pen.dim(`  (right in ${percent(likelihood)} of such uses)`);
  if (confidence >= CERTAIN) return likely ? pen.dim('  (likely)') : '';
  const why = tier === undefined ? '' : `${tier}, `;
  return pen.dim(
    confidence === 0 && tier !== undefined ? `  (${tier})` : `  (${why}right in ${percent(confidence)} of such uses)`,
  );
}

export function percent(share: number): string {
  return share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`;
}

/** Line with the number of entries left out; no line if there are none. */
export function more(leftOut: number, pen: Pen): string[] {
  if (leftOut === 0) return [];
  const how = pen.words.more === '' ? '' : `: ${pen.words.more}`;
  return [pen.dim(`  ${signs.cut} ${groupDigits(leftOut)} more${how}`)];
}

/** Lines of a list, and the number of entries that it leaves out. */
export function rows<T>({ list, leftOut }: Some<T>, lineOf: (one: T) => string | string[], pen: Pen): string[] {
  return [...list.flatMap(lineOf), ...more(leftOut, pen)];
}

export const lineList = (lines: readonly number[]): string => lines.join(', ');

/** Number of uses on a line. */
const RUN = 4;

/**
 * Uses below their files. Uses that one symbol repeats share a line, and so do plain calls written as one of `names`,
 * which need no description.
 */
export function useLines(uses: Some<Use>, pen: Pen, names: ReadonlySet<string> = new Set()): string[] {
  const lines: string[] = [];
  let path = '';
  let run: string[] = [];
  let isNew = false;
  const endRun = () => {
    // The first lines of a file are next to its name.
    if (run.length > 0 && isNew) lines.push(`${lines.pop()}:${run.join('; ')}`);
    else if (run.length > 0) lines.push(`    ${run.join('; ')}`);
    if (run.length > 0) isNew = false;
    run = [];
  };
  for (const same of repeated(uses.list)) {
    const [use] = same;
    if (use.path !== path) {
      endRun();
      lines.push(`  ${pen.path(use.path)}`);
      isNew = true;
    }
    path = use.path;
    const who = use.symbol === null ? pen.dim('top level') : pen.symbol(use.symbol);
    const where = pen.line(lineList([...new Set(same.map(({ line }) => line))]));
    const details = useDetails(use, pen, names);
    if (details !== '' || run.length === RUN) endRun();
    if (details === '') run.push(`${where} ${who}`);
    else {
      lines.push(`    ${where} ${who}  ${details}`);
      isNew = false;
    }
  }
  endRun();
  return [...lines, ...more(uses.leftOut, pen)];
}

/** Verb for a use; '' for a call of one of `names` on any receiver. */
function useDetails(use: Use, pen: Pen, names: ReadonlySet<string>): string {
  const how = use.kind === 'call' ? '' : `${use.kind} `;
  const through = use.through === undefined ? '' : `  (through ${use.through})`;
  const isPlain = how === '' && names.has(use.text.slice(use.text.lastIndexOf('.') + 1));
  const text = isPlain && doubt(use, pen) === '' ? '' : `${how}${use.text}`;
  return `${text + through === '' ? '' : pen.dim(text + through)}${doubt(use, pen)}`;
}

/** Groups neighbours that differ only in their line. */
function repeated(uses: readonly Use[]): [Use, ...Use[]][] {
  const groups: [Use, ...Use[]][] = [];
  const key = ({ path, symbol, kind, text, through, tier }: Use) =>
    JSON.stringify([path, symbol, kind, text, through, tier]);
  for (const use of uses) {
    const last = groups.at(-1);
    if (last !== undefined && key(last[0]) === key(use)) last.push(use);
    else groups.push([use]);
  }
  return groups;
}

export function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines];
}

/** A section with a line for each entry. */
export const listing = <T>(title: string, all: Some<T>, lineOf: (one: T) => string | string[], pen: Pen): string[] =>
  section(title, rows(all, lineOf, pen));

/** Test files, with their distance from the tested code. */
export function testLines(tests: Some<TestToRun>, pen: Pen): string[] {
  return rows(tests, (one) => `  ${inside(one.path, one.line, one.symbol, pen)}  ${pen.dim(testReason(one))}`, pen);
}

export function testReason({ reason, hops, likely, ran }: TestToRun): string {
  if (ran !== undefined) return `ran it, ${ran}`;
  if (reason === 'reaches') return 'reaches it by what it makes and calls';
  if (reason === 'imports')
    return hops === 1 ? 'imports its file' : `imports its file through ${formatCount(hops - 1, 'other')}`;
  if (reason === 'named') return 'has the name of its file';
  const near = hops === 0 ? 'changes itself' : hops === 1 ? 'directly' : `${hops} hops`;
  return likely ? `${near} (likely)` : near;
}

/** Sections of tests that will and that may run what changes. */
export function testSections(
  { tests, mayRun = { list: [], leftOut: 0 } }: { tests: Some<TestToRun>; mayRun?: Some<TestToRun> },
  pen: Pen,
): string[] {
  return [
    ...section(`tests to run: ${formatCount(count(tests, pen), 'file')}`, testLines(tests, pen)),
    ...section(`may run it: ${formatCount(count(mayRun, pen), 'more test file')}`, testLines(likeliest(mayRun), pen)),
  ];
}

/** The first of those that may run something, for an answer that is not about tests. */
export function likeliest({ list, leftOut }: Some<TestToRun>): Some<TestToRun> {
  return { list: list.slice(0, FIRST_MAY), leftOut: leftOut + Math.max(0, list.length - FIRST_MAY) };
}

/** Tests that may run something: shown in an answer that is not about tests. */
const FIRST_MAY = 5;

/** Lines for documents and for comments, after a blank one. */
export function mentionedInLines(mentioned: MentionedIn | undefined, pen: Pen): string[] {
  if (mentioned === undefined || pen.skipped !== undefined) return [];
  const { mentions, documents, first, comments } = mentioned;
  const mentionLine = (what: string, all: { mentions: number; files: number; first: MentionedIn['first'] }) => {
    const places = all.first.map(({ path, line }) => at(path, line, pen)).join(', ');
    const often = all.mentions > all.files ? `, ${all.mentions} times` : '';
    return `mentioned in ${what}${often}: ${places}${all.files > all.first.length ? `, ${signs.cut}` : ''}`;
  };
  return [
    '',
    ...(documents === 0
      ? []
      : [mentionLine(formatCount(documents, 'document'), { mentions, files: documents, first })]),
    ...(comments === undefined ? [] : [mentionLine(`comments of ${formatCount(comments.files, 'file')}`, comments)]),
  ];
}

/** `parse errors may hide declarations and uses in src/a.dart`; '' where nothing is hidden. */
export function parseErrorLine({ parseErrors = [] }: SnapshotHeader, pen: Pen): string {
  if (parseErrors.length === 0) return '';
  return `\n${pen.dim(`parse errors may hide declarations and uses in ${parseErrors.join(', ')}`)}\n`;
}

/** Names the files that an answer does not cover, and the state of the snapshot. */
export function renderFooter({ coverage, dirty, overlay, ref }: SnapshotHeader, pen: Pen): string {
  const lines: string[] = [];
  const { covered, total: all } = coverage;
  if (covered < all) lines.push(`partial: ${groupDigits(covered)} of ${formatCount(all, 'file')} are known`);
  if (dirty > 0 && overlay === 0)
    lines.push(`${formatCount(dirty, 'uncommitted file')} not looked at: this is ${ref} as committed`);
  else if (dirty > 0) {
    const rest = dirty - overlay;
    const left = rest === 0 ? '' : `, ${groupDigits(rest)} left out: not indexed, too many, or not readable`;
    lines.push(`${formatCount(overlay, 'uncommitted file')} included${left}`);
  }
  return lines.length === 0 ? '' : `\n${lines.map((line) => `${pen.dim(line)}\n`).join('')}`;
}

export function othersLine(
  { others, alternatives = [] }: { others: number; alternatives?: readonly string[] },
  pen: Pen,
): string[] {
  const lines: string[] = [];
  if (alternatives.length > 0) {
    const listed = alternatives.slice(0, MAX_ALTERNATIVES).join(', ');
    const rest = alternatives.length > MAX_ALTERNATIVES ? ` and ${alternatives.length - MAX_ALTERNATIVES} more` : '';
    lines.push(`not meant, since nothing uses it: ${listed}${rest}`);
  }
  const what = formatCount(others, 'more definition of this name', 'more definitions of this name');
  if (others > 0) lines.push(`${what} in tests, examples or copies: name one as PATH:NAME`);
  return lines.length === 0 ? [] : ['', ...lines.map((line) => pen.dim(line))];
}

const MAX_ALTERNATIVES = 3;

/** Candidates of an ambiguous name, and how to pick one. */
export function candidatesText({ target, candidates }: GraphCandidates, { pen }: { pen: Pen }): string {
  const files = candidates.list.every(({ symbol }) => symbol === null);
  const linesOf = (each: GraphCandidates['candidates']['list'][number]) => {
    const uses = each.uses === 0 ? 'no known uses' : formatCount(each.uses, 'use');
    const sites = (each.sites ?? []).map((site) => `    ${site}`);
    const rest =
      each.sites !== undefined && each.uses > sites.length ? [`    ${signs.cut} ${each.uses - sites.length} more`] : [];
    return [`  ${placeText(each, pen)}  ${pen.dim(`${each.exported ? 'exported, ' : ''}${uses}`)}`, ...sites, ...rest];
  };
  const head = `${target} is ambiguous: ${formatCount(count(candidates, pen), files ? 'file' : 'definition')}`;
  const [first] = candidates.list;
  const pick = first === undefined ? [] : ['', pen.dim(`pick one with its place: ${first.pick}`)];
  const byFile = first === undefined || files ? [] : [pen.dim(pen.words.byFile)];
  return `${[head, ...rows(candidates, linesOf, pen), ...pick, ...byFile].join('\n')}\n`;
}

/** Uses by linked repositories, then the repositories that were searched. */
export function linkedUsesLines({ repositories, packages, uses }: LinkedUses, pen: Pen): string[] {
  if (pen.skipped !== undefined && uses.list.length === 0) return [];
  const files = repositories.reduce((sum, repository) => sum + repository.files, 0);
  const all = count(uses, pen);
  const title =
    all === 0
      ? `linked repositories: ${nothingText(packages)}`
      : `linked repositories: ${formatCount(all, 'use')} in ${formatCount(files, 'file')}`;
  const projects = [...new Set(uses.list.map(({ project }) => project))];
  const list = projects.flatMap((project) => uses.list.filter((use) => use.project === project));
  const lines = rows({ ...uses, list }, (use) => useLine(use, pen), pen);
  return ['', title, ...lines, ...linkedLines(repositories, 'asked').map((line) => pen.dim(line))];
}

function nothingText(packages: readonly string[]): string {
  if (packages.length === 0) return 'no known uses (no package here exports it)';
  const names = packages.slice(0, 3).join(', ');
  return `no known uses (exported by ${names}${packages.length > 3 ? `, ${signs.cut}` : ''})`;
}

export function useLine(use: LinkedUse, pen: Pen): string {
  const { project, path, line, symbol, kind, name, uses, hop, version, evidence } = use;
  const who = symbol === null ? pen.dim('top level') : pen.symbol(symbol);
  const verb = kind === 'route' ? 'requests' : uses === 0 ? 'imports' : 'uses';
  const notes = [
    ...(hop > 1 ? [`hop ${hop}`] : []),
    ...(version === null || version === '' ? [] : [version]),
    ...(evidence === 'module' ? ['which names it uses is not known'] : []),
  ];
  const rest = notes.length === 0 ? '' : pen.dim(`  ${notes.join(', ')}`);
  const place = `${pen.path(project)}:${at(path, line, pen)}`;
  return `  ${place}  ${who}  ${pen.dim(verb)} ${name}${doubt(use, pen)}${rest}`;
}

/** Says of a module or type that only what is in it is used. */
export const memberUsesText = (uses: number): string =>
  `nothing is known to use its own name; what is in it has ${formatCount(uses, 'use')}`;

/**
 * Lines that name what was asked for, and the question that lists them all. No line: too many files have the name. `isUsed`: they are in
 * pages whose code is not read.
 */
export function namedLine(
  named: readonly string[],
  definitions: readonly { symbol: string | null }[],
  pen: Pen,
  isUsed = false,
): string {
  const name = (definitions[0]?.symbol ?? '').split(/[.#:/]+/).at(-1) ?? '';
  const places = named.map((place) => pen.path(place)).join(', ') || 'very many files';
  const start = isUsed ? 'code of pages is not read, and its name stands in' : 'its name stands in';
  return `${pen.dim(start)} ${places}${pen.dim(`: ${pen.words.grep(name)}`)}`;
}
