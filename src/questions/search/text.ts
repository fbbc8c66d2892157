/** Text of a search: its results with the query's words marked; in a fleet each with its repository, and below them what they are of. */
import { visibleLine } from '../../base/hygiene.js';
import type { FleetSearchDocument } from '../fleet/search/output.js';
import type { CommitsDocument } from '../history/commits/output.js';
import { highlighterOf } from '../results/excerpt.js';
import { commitsText, resultsText } from '../results/text.js';
import { formatCount } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import { TERMINAL_LINES, textLines } from './excerpts.js';
import type { SearchResponse } from './output.js';

interface SearchWriting {
  pen: Pen;
  values: { lines?: number; context?: number };
  isCommand: boolean;
}

export function searchText(
  response: SearchResponse | CommitsDocument | FleetSearchDocument,
  { pen, values, isCommand }: SearchWriting,
): string {
  if ('window' in response) return commitsText(response, { pen });
  if ('fleet' in response) return fleetSearchText(response, { pen, values, isCommand });
  const lines = isCommand ? (values.lines ?? TERMINAL_LINES) : textLines;
  return resultsText(response, {
    pen,
    matches: highlighterOf(response),
    lines,
    context: values.context,
    compact: !isCommand,
  });
}

export function fleetSearchText(response: FleetSearchDocument, { pen, values, isCommand }: SearchWriting): string {
  const results = response.results.map(({ repo, places: _, ...result }) => ({ ...result, project: repo }));
  const lines = isCommand ? (values.lines ?? TERMINAL_LINES) : textLines;
  const shown = { ref: '', coverage: { covered: 0, total: 0 }, dirty: 0, overlay: 0, results };
  const text = resultsText(shown, {
    ...{ pen, matches: highlighterOf(response), lines, context: values.context },
    compact: !isCommand,
  });
  return `${text}${footer(response)
    .map((line) => `${pen.dim(line)}\n`)
    .join('')}`;
}

/** One line for each published commit among the results, and one for the whole. */
function footer({ fleet, results }: FleetSearchDocument): string[] {
  const views = new Map(results.map((result) => [`${result.repo}\0${result.ref}`, result]));
  const lines = [...views.values()].map(viewLine);
  const also = [
    ...(fleet.withoutRef > 0 ? [`${fleet.withoutRef} without this ref`] : []),
    ...(fleet.damaged > 0 ? [`${fleet.damaged} damaged until they publish again`] : []),
  ];
  const searched = formatCount(fleet.searched, 'repository', 'repositories');
  return [...lines, [`${searched} searched`, ...also].join(', ')];
}

const SHORT = 9;

type Published = Pick<FleetSearchDocument['results'][number], 'repo' | 'ref' | 'commit' | 'publishedAt' | 'coverage'>;

export function viewLine(view: Published): string {
  const { repo, ref, commit, publishedAt, coverage } = view;
  const partial = coverage.covered < coverage.total ? `, ${coverage.covered} of ${coverage.total} files` : '';
  const name = ref.replace(/^refs\/(?:heads|tags)\//, '');
  return `${visibleLine(repo)}: ${visibleLine(name)} @ ${commit.slice(0, SHORT)}, published ${ageText(publishedAt)}${partial}`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;

/** Age in the largest unit that it has one of. */
export function ageText(date: string, now = Date.now()): string {
  const seconds = (now - Date.parse(date)) / 1_000;
  for (const [unit, length] of UNITS)
    if (seconds >= length) return `${formatCount(Math.floor(seconds / length), unit)} ago`;
  return 'just now';
}
