/** Text that the answers of `graph` share: places, uses, omissions, and the coverage of the answer. */
import { signs } from '../../base/printable.js';
import { coverageTexts, dirtyTexts, formatCount, linkedLines, percent } from '../format.js';
import type { Pen } from '../pen.js';
import type { ShownNotes, ShownSummaries } from '../shown-knowledge.js';
import {
  asides,
  type Block,
  blockLines,
  count,
  type Item,
  type Piece,
  rows,
  type Section,
  type Some,
  sectionOf,
  textOf,
  total,
} from '../view.js';
import type { GraphCandidates, LinkedUse, LinkedUses, MentionedIn, Place, TestToRun, Use } from './output.js';

/** Snapshot and coverage that every answer names. */
export type SnapshotHeader = Pick<GraphCandidates, 'ref' | 'coverage' | 'dirty' | 'overlay'> & {
  parseErrors?: string[];
};
export type { Place };

/** `src/cart.ts:12  Cart.total  method`, or only the path of a file. */
export const placeColumns = ({ path, startLine, symbol, kind }: Place): Piece[] =>
  symbol === null
    ? [{ path, isThere: true }, { aside: 'file' }]
    : [{ path, line: startLine }, { symbol }, { aside: kind }];

/** Columns as a sentence. */
export const spaced = (columns: Item): Item => columns.flatMap((piece, i) => (i === 0 ? [piece] : ['  ', piece]));

export const placeText = (place: Place, pen: Pen): string => textOf(placeColumns(place), pen, '  ');

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
export function definitionBlocks(definitions: readonly Place[], all = definitions.length): Block[] {
  const [first] = definitions;
  const isOne = definitions.every(({ path, symbol }) => path === first.path && symbol === first.symbol);
  const shown =
    isOne && all > 1
      ? [[...placeColumns(first), { aside: `${all} declarations` }]]
      : definitions.slice(0, MAX_DEFINITIONS).map(placeColumns);
  const rest = isOne && all > 1 ? 0 : all - shown.length;
  return [
    ...shown.map((columns) => ({ say: spaced(columns) })),
    ...asides(rest > 0 ? [`and ${formatCount(rest, 'more declaration')}`] : []),
  ];
}

/** Likelihood from which on none is printed: that of three nearly certain steps. */
const CERTAIN = 0.8;

interface Doubtful {
  confidence: number;
  tier?: string;
  likelihood?: number;
  likely?: true;
}

export function doubt(of: Doubtful, pen: Pen): string {
  const text = doubtText(of);
  return text === '' ? '' : pen.dim(`  ${text}`);
}

/** '' for what is nearly certain. */
export function doubtText({ confidence, tier, likelihood, likely }: Doubtful): string {
  if (likelihood !== undefined) return `(right in ${percent(likelihood)} of such uses)`;
  if (confidence >= CERTAIN) return likely ? '(likely)' : '';
  if (confidence === 0 && tier !== undefined) return `(${tier})`;
  return `(${tier === undefined ? '' : `${tier}, `}right in ${percent(confidence)} of such uses)`;
}

export const lineList = (lines: readonly number[]): string => lines.join(', ');

/** Uses below their files. Those that one symbol repeats are one entry, and plain calls written as one of `names` need no description. */
export const usesSection = (
  title: string,
  { list, leftOut }: Some<Use>,
  more: Partial<Section> & { names?: ReadonlySet<string> } = {},
): Section => {
  const { names, ...rest } = more;
  const items = repeated(list).map((same) => {
    const [use] = same;
    const lines = [...new Set(same.map(({ line }) => line))];
    const who = use.symbol === null ? { aside: 'top level' } : { symbol: use.symbol };
    return [{ path: use.path, line: use.line, lines }, who, { aside: useText(use, names) }, { aside: doubtText(use) }];
  });
  return { title, list: items, leftOut, merged: list.length - items.length, isByFile: true, ...rest };
};

/** How a use is written; '' for a plain call of one of `names` on any receiver. */
function useText(use: Use, names: ReadonlySet<string> = new Set()): string {
  const through = use.through === undefined ? '' : `(through ${use.through})`;
  const isPlain = use.kind === 'call' && names.has(use.text.slice(use.text.lastIndexOf('.') + 1));
  if (isPlain && doubtText(use) === '') return through;
  return `${use.kind === 'call' ? '' : `${use.kind} `}${use.text}${through && `  ${through}`}`;
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

/** A test file, with its distance from the tested code. */
export const testItem = (one: TestToRun): Item => [one, { symbol: one.symbol }, { aside: testReason(one) }];

export function testReason({ reason, hops, likely, ran }: TestToRun): string {
  if (ran !== undefined) return `ran it, ${ran}`;
  if (reason === 'reaches') return 'reaches it by what it makes and calls';
  if (reason === 'imports')
    return hops === 1 ? 'imports its file' : `imports its file through ${formatCount(hops - 1, 'other')}`;
  if (reason === 'named') return 'has the name of its file';
  const near = hops === 0 ? 'changes itself' : hops === 1 ? 'directly' : `${hops} hops`;
  return likely ? `${near} (likely)` : near;
}

/** Tests that will and that may run what changes. */
export function testBlocks({ tests, mayRun }: { tests: Some<TestToRun>; mayRun?: Some<TestToRun> }): Block[] {
  const may = likeliest(mayRun ?? { list: [], leftOut: 0 });
  return [
    sectionOf('tests to run', tests, testItem, { counted: (all) => `tests to run: ${formatCount(all, 'file')}` }),
    sectionOf('may run it', may, testItem, { counted: (all) => `may run it: ${formatCount(all, 'more test file')}` }),
  ];
}

/** The first of those that may run something, for an answer that is not about tests. */
function likeliest({ list, leftOut }: Some<TestToRun>): Some<TestToRun> {
  return { list: list.slice(0, FIRST_MAY), leftOut: leftOut + Math.max(0, list.length - FIRST_MAY) };
}

/** Tests that may run something: shown in an answer that is not about tests. */
const FIRST_MAY = 5;

/** A sentence about documents, and one about comments; none on later pages. */
export function mentionedBlocks(mentioned: MentionedIn | undefined, { skipped }: Partial<Pen> = {}): Block[] {
  if (mentioned === undefined || skipped !== undefined) return [];
  const { mentions, documents, first, comments } = mentioned;
  const sentence = (what: string, all: { mentions: number; files: number; first: MentionedIn['first'] }) => {
    const often = all.mentions > all.files ? `, ${all.mentions} times` : '';
    const places = all.first.flatMap((place, i): Piece[] => [i === 0 ? ': ' : ', ', place]);
    return [`mentioned in ${what}${often}`, ...places, all.files > all.first.length ? `, ${signs.cut}` : ''];
  };
  const all = [
    ...(documents === 0 ? [] : [sentence(formatCount(documents, 'document'), { mentions, files: documents, first })]),
    ...(comments === undefined ? [] : [sentence(`comments of ${formatCount(comments.files, 'file')}`, comments)]),
  ];
  return all.map((say, i) => ({ say, isApart: i === 0 }));
}

/** `parse errors may hide declarations and uses in src/a.dart`; '' where nothing is hidden. */
export const parseErrorBlocks = ({ parseErrors = [] }: SnapshotHeader): Block[] =>
  asides(
    parseErrors.length === 0 ? [] : [`parse errors may hide declarations and uses in ${parseErrors.join(', ')}`],
    true,
  );

/** Names the files that an answer does not cover, and the state of the snapshot. */
export const footerBlocks = (header: SnapshotHeader): Block[] =>
  asides([...coverageTexts(header.coverage, 'are known'), ...dirtyTexts(header, 'looked at')], true);

/** Blocks at the end of a text. */
export const footText = (blocks: readonly Block[], pen: Pen): string =>
  blockLines(blocks, pen)
    .map((line) => `${line}\n`)
    .join('');

export const renderFooter = (header: SnapshotHeader, pen: Pen): string => footText(footerBlocks(header), pen);

export function othersBlocks({
  others,
  alternatives = [],
}: {
  others: number;
  alternatives?: readonly string[];
}): Block[] {
  const texts: string[] = [];
  if (alternatives.length > 0) {
    const listed = alternatives.slice(0, MAX_ALTERNATIVES).join(', ');
    const rest = alternatives.length > MAX_ALTERNATIVES ? ` and ${alternatives.length - MAX_ALTERNATIVES} more` : '';
    texts.push(`not meant, since nothing uses it: ${listed}${rest}`);
  }
  const what = formatCount(others, 'more definition of this name', 'more definitions of this name');
  if (others > 0) texts.push(`${what} in tests, examples or copies: name one as PATH:NAME`);
  return asides(texts, true);
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

interface Problem {
  target: string;
  message: string;
  hint: string;
  candidates?: Some<Place>;
}

/** Why one of several targets has no answer, and what else it may mean. */
export function problemBlocks({ target, message, hint, candidates }: Problem): Block[] {
  return [
    { say: [message.includes(target) ? message : `${target}: ${message}`] },
    ...(candidates === undefined ? [] : [sectionOf('it may be', candidates, placeColumns, { isBare: true })]),
    ...asides(hint === '' ? [] : [`  ${hint}`]),
  ];
}

/** Uses by linked repositories, then the repositories that were searched. */
export function linkedBlocks(linked: LinkedUses | undefined, { skipped }: Partial<Pen> = {}): Block[] {
  if (linked === undefined || (skipped !== undefined && linked.uses.list.length === 0)) return [];
  const { repositories, packages, uses } = linked;
  const projects = [...new Set(uses.list.map(({ project }) => project))];
  const list = projects.flatMap((project) => uses.list.filter((use) => use.project === project));
  const files = formatCount(
    repositories.reduce((sum, repository) => sum + repository.files, 0),
    'file',
  );
  return [
    total(uses) === 0
      ? { say: [`linked repositories: ${nothingText(packages)}`], isApart: true }
      : sectionOf('linked repositories', { ...uses, list }, useItem, {
          counted: (all) => `linked repositories: ${formatCount(all, 'use')} in ${files}`,
        }),
    ...asides(linkedLines(repositories, 'asked')),
  ];
}

function nothingText(packages: readonly string[]): string {
  if (packages.length === 0) return 'no known uses (no package here exports it)';
  const names = packages.slice(0, 3).join(', ');
  return `no known uses (exported by ${names}${packages.length > 3 ? `, ${signs.cut}` : ''})`;
}

export function useItem(use: LinkedUse): Item {
  const { project, path, line, symbol, kind, name, uses, hop, version, evidence } = use;
  const verb = kind === 'route' ? 'requests' : uses === 0 ? 'imports' : 'uses';
  const notes = [
    ...(hop > 1 ? [`hop ${hop}`] : []),
    ...(version === null || version === '' ? [] : [version]),
    ...(evidence === 'module' ? ['which names it uses is not known'] : []),
  ];
  const who = symbol === null ? { aside: 'top level' } : { symbol };
  const place = { path, line, repository: project };
  return [place, who, [`${verb} `, { code: name }], { aside: doubtText(use) }, { aside: notes.join(', ') }];
}

/** `note 3f2a01bc9d on src/cart.ts:10 by Ann Lee, stale: rounds half up`: marked as somebody's claim. */
export function noteBlocks(notes: ShownNotes = { list: [], leftOut: 0 }): Block[] {
  const texts = notes.list.map(({ id, text, by, status, place }) => {
    return `note ${id.slice(0, 10)} on ${place} by ${by}${status === 'current' ? '' : `, ${status}`}: ${text}`;
  });
  if (notes.leftOut > 0) texts.push(`${formatCount(notes.leftOut, 'further note')} on this code`);
  return asides(texts);
}

/** `src/cart.ts Cart.total, by the model ollama:qwen3, 2026-01-02: sums up the goods`: marked as a model's words. */
export function summaryBlocks(summaries: ShownSummaries = { list: [], leftOut: 0 }): Block[] {
  const texts = summaries.list.map(({ place, by, text }) => `${place}, by ${by}: ${text}`);
  if (summaries.leftOut > 0) texts.push(formatCount(summaries.leftOut, 'further summary', 'further summaries'));
  return asides(texts);
}

/** Says of a module or type that only what is in it is used. */
export const memberUsesText = (uses: number): string =>
  `nothing is known to use its own name; what is in it has ${formatCount(uses, 'use')}`;

/**
 * Files that name what was asked for, and the question that lists the lines. No file: too many have the name. `isUsed`: they are pages, whose
 * code is not read.
 */
export function namedPieces(
  named: readonly string[],
  definitions: readonly { symbol: string | null }[],
  { words }: Pen,
  isUsed = false,
): Item {
  const name = (definitions[0]?.symbol ?? '').split(/[.#:/]+/).at(-1) ?? '';
  const places = named.flatMap((path, i): Item => [i === 0 ? '' : ', ', { path }]);
  const start = isUsed ? 'code of pages is not read, and its name stands in' : 'its name stands in';
  return [{ aside: start }, ' ', places.length === 0 ? 'very many files' : places, { aside: `: ${words.grep(name)}` }];
}
