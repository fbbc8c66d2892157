/** Answers and texts of questions to a fleet. The package `git-socraticode-fleet` computes them. */
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits, shellWord, signs } from '../../base/printable.js';
import { commandText, optionOf } from '../../params/param.js';
import { hasFilters, splitFilters } from '../../search/query-filters.js';
import type { Asker } from '../asker.js';
import { formatBytes, formatCount } from '../format.js';
import type { Pen, Writing } from '../pen.js';
import { viewLine } from '../result-text.js';
import { documentLines, type FleetSearchDocument } from '../search/output.js';
import { params, type SearchValues } from '../search/question.js';
import type { FleetAsking, FleetFileQuery, FleetQuery, FleetReposQuery } from './asking.js';
import { askFleet } from './package.js';
import type {
  FleetFileDocument,
  FleetReport,
  FleetReposDocument,
  FleetTokens,
  PublishReport,
  PublishValues,
} from './question.js';

// `search --fleet` and `codebase_fleet_search`.

export { connected } from './package.js';

/** Options that need the history, the graph or the work tree of one repository. */
const OF_ONE = [
  'in',
  'allRefs',
  'linked',
  'committed',
  'author',
  'since',
  'until',
  'is',
  'uses',
  'tag',
  'commits',
] as const;

/** Throws EMPTY_QUERY, BAD_ARGUMENT, UNKNOWN_REF and the errors of the fleet. */
export async function answerFleetSearch(
  at: Asker,
  fleet: FleetAsking,
  values: SearchValues,
): Promise<FleetSearchDocument> {
  const { query = '', ...options } = values;
  const given = OF_ONE.find((key) => values[key] !== undefined && values[key] !== false);
  const { filters } = splitFilters(query);
  const other = given ?? (hasFilters(filters) ? (Object.keys(filters)[0] as 'is') : undefined);
  if (other !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', `${optionOf(other, params[other])} is about one repository`, {
      hint: 'Search a clone of it, or leave the option out.',
    });
  const { repo, ref, limit, path, lang, kind, mode, minScore, explain, noContent, context } = options;
  const request = { query, repo, ref, limit, path, lang, kind, mode, minScore, explain, noContent, context };
  const response = await fleet.search(request, at.signal);
  const lines = documentLines(at, values);
  if (lines === null) return response;
  const { withExcerpts } = await import('../result-text.js');
  return withExcerpts<FleetSearchDocument['results'][number], FleetSearchDocument>(response, lines, context);
}

/** The tool, which lacks the options for one repository. */
export async function answerFleetTool(at: Asker, values: FleetQuery): Promise<FleetSearchDocument> {
  return askFleet(at, (fleet) => answerFleetSearch(at, fleet, { ...values } as SearchValues));
}

// `codebase_fleet_repos`: a line for each repository.

/** Throws BAD_ARGUMENT and the errors of the fleet. Does not send parameters of the reply, such as its budget. */
export const answerFleetRepos = (at: Asker, { repo, limit }: FleetReposQuery): Promise<FleetReposDocument> =>
  askFleet(at, (fleet) => fleet.repos({ repo, limit }, at.signal));

/** Refs named in a line. */
const SHOWN = 6;

export function fleetReposText(
  { results, resultsLeftOut, damaged }: FleetReposDocument,
  { pen }: { pen: Pen },
): string {
  const lines = results.map((each) => {
    const others = each.refs.filter((ref) => ref !== each.ref);
    const more = others.length - SHOWN + each.refsLeftOut;
    const rest = others.length > SHOWN ? `${others.slice(0, SHOWN).join(', ')} and ${more} more` : others.join(', ');
    return `${viewLine(each)}, ${formatCount(each.files, 'path')}${others.length > 0 ? `; also ${rest}` : ''}`;
  });
  if (results.length === 0) lines.push('the fleet has no repository that you may read');
  if (resultsLeftOut > 0)
    lines.push(pen.dim(`${signs.cut} ${formatCount(resultsLeftOut, 'more repository', 'more repositories')}`));
  if (damaged > 0) lines.push(pen.dim(`${damaged} damaged until they publish again`));
  return `${lines.join('\n')}\n`;
}

// `codebase_fleet_file`: a heading, then the file's lines with their numbers, or its definitions.

/** Throws BAD_ARGUMENT, UNKNOWN_REF and the errors of the fleet. Does not send parameters of the reply, such as its budget. */
export const answerFleetFile = (
  at: Asker,
  { repo, ref, path, from, to, outline }: FleetFileQuery,
): Promise<FleetFileDocument> => askFleet(at, (fleet) => fleet.file({ repo, ref, path, from, to, outline }, at.signal));

export function fleetFileText(document: FleetFileDocument, { pen }: { pen: Pen }): string {
  const { repo, path, startLine = 1, endLine, lines, content, symbols } = document;
  const range = endLine === undefined ? '' : `:${startLine}-${endLine} of ${lines}`;
  const heading = `${pen.path(`${repo}:${path}${range}`)}\n${pen.dim(viewLine(document))}\n`;
  const shown =
    symbols?.map(
      (each) => `${pen.line(`${each.startLine}-${each.endLine}`)} ${pen.symbol(each.symbol)} ${each.kind}`,
    ) ?? (content ?? '').split('\n').map((line, i) => `${pen.line(String(startLine + i))}:${line}`);
  return `${heading}${shown.join('\n')}\n`;
}

/** A new token stands in the first line, for scripts. */
export function fleetTokensText({ token, tokens, action }: FleetTokens, { pen }: { pen: Pen }): string {
  const globs = (list: readonly string[]) => (list.length === 0 ? 'nothing' : list.join(', '));
  const lines = tokens.map(
    ({ name, read, publish }) => `${pen.symbol(name)}  reads ${globs(read)}; publishes ${globs(publish)}`,
  );
  if (token === undefined)
    return `${[...(action === 'revoke' ? ['revoked; left:'] : []), ...lines, ...(lines.length === 0 ? ['no token'] : [])].join('\n')}\n`;
  const kept = 'The file has only its hash: give it to the client as SOCRATICODE_FLEET_TOKEN now.';
  return `${token}\n${lines.at(-1)}\n${pen.dim(kept)}\n`;
}

export const fleetText = (report: FleetReport): string => `${LINES[report.action](report).join('\n')}\n`;

const LINES: Readonly<Record<FleetReport['action'], (report: FleetReport) => string[]>> = {
  status: ({ at, profile, repositories = 0, refs = 0, tables = {}, maintainer }) => [
    `${at}, profile ${profile}`,
    `${formatCount(repositories, 'repository', 'repositories')}, ${formatCount(refs, 'ref', 'refs')}`,
    ...Object.entries(tables).map(([name, { rows, bytes, unindexed }]) => {
      const size = bytes === null ? '' : `, ${formatBytes(bytes)}`;
      return `${name.padEnd(7)} ${groupDigits(rows)} rows${size}${unindexed > 0 ? `, ${groupDigits(unindexed)} not indexed yet` : ''}`;
    }),
    maintainer ? `maintained by ${maintainer.holder} until ${maintainer.until}` : 'maintained by nobody now',
  ],
  init: ({ at, profile, created }) => [
    `${at}: ${created ? 'made the tables' : 'the tables are there'} of profile ${profile}`,
  ],
  rebuild: ({ rebuilt }) => rebuiltLines(rebuilt),
  fsck: (report) => [
    ...(report.faults ?? []),
    ...(report.damaged ?? []).map(({ repo, ref, problem }) => `${repo} ${ref}: ${problem}`),
    nextStep(report),
  ],
  maintain: ({ maintained }) => {
    if (!maintained) return ['another process maintains this store'];
    return [
      `removed ${formatCount(maintained.orphans, 'unused content', 'unused contents')}, ${formatCount(maintained.duplicates, 'surplus row', 'surplus rows')}, ${formatCount(maintained.tombstones, 'deleted ref', 'deleted refs')}`,
      `${maintained.optimized ? 'optimized; ' : ''}${formatBytes(maintained.freedBytes)} freed`,
    ];
  },
  drop: ({ dropped }) => [`removed ${dropped?.repo ?? ''}: ${formatCount(dropped?.refs ?? 0, 'ref', 'refs')}`],
};

function rebuiltLines(rebuilt: FleetReport['rebuilt']): string[] {
  if (rebuilt === undefined) return [];
  const { copied, published, left, unreadable, switched } = rebuilt;
  const made = `copied ${formatCount(copied, 'ref', 'refs')}, published ${formatCount(published, 'ref', 'refs')} from clones`;
  return [
    ...(unreadable === null ? [] : [`the old tables cannot be opened: ${unreadable}`]),
    ...left.map(({ repo, ref, problem }) => `${repo} ${ref}: ${problem}`),
    switched
      ? `${made}; the store uses the new tables`
      : `${made}; the old tables stay in use, since refs are left: name clones that have them, or force it`,
  ];
}

function nextStep({
  checked = 0,
  damaged = [],
  faults = [],
}: Pick<FleetReport, 'checked' | 'damaged' | 'faults'>): string {
  if (faults.length > 0) return `The store needs new tables: ${commandText('fleet rebuild')}`;
  if (damaged.length > 0) return 'Publish these refs again.';
  return `checked ${formatCount(checked, 'content', 'contents')}: nothing is wrong`;
}

// Text of `publish`.

const SHORT = 10;

/** `main 1234567890: published, 12 files sent, 40 kB` */
export function publishText(
  { repo, to, refs }: PublishReport,
  { values }: Pick<Writing<PublishValues>, 'values'>,
): string {
  const lines = refs.map((each) => `${each.ref} ${each.commit.slice(0, SHORT)}: ${outcomeOf(each)}\n`);
  const none = refs.length === 0 ? 'nothing to publish: no branch matches\n' : '';
  // The setting gives the address to a search as well; a named one is known to this command alone.
  const isNamed = values.to !== undefined && refs.some(({ outcome }) => outcome === 'published');
  const next = isNamed
    ? `ask it: SOCRATICODE_FLEET_URL=${shellWord(to)} ${commandText('search', { fleet: true })} WORDS\n`
    : '';
  return `${repo} -> ${to}\n${lines.join('')}${none}${next}`;
}

function outcomeOf({ outcome, missing, sentBytes, covered, total }: PublishReport['refs'][number]): string {
  const files = formatCount(missing, 'file', 'files');
  switch (outcome) {
    case 'published': {
      const sent = missing === 0 ? 'every file was there' : `${files} sent, ${formatBytes(sentBytes)}`;
      return covered < total
        ? `published, ${sent}; ${total - covered} of ${total} files are left out`
        : `published, ${sent}`;
    }
    case 'planned':
      return `${files} would be sent`;
    case 'superseded':
      return 'superseded: the fleet has a newer commit';
    case 'deleted':
      return 'removed from the fleet';
    case 'unchanged':
      return 'up to date';
  }
}
