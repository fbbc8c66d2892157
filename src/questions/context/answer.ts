/** `context`: lists, shows, searches, indexes and removes the artifacts of a repository. */
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits, signs } from '../../base/printable.js';
import { hasFilters, splitFilters } from '../../search/query-filters.js';
import type { Asker } from '../asker.js';
import { formatBytes, formatCount, formatSkipped, quoted } from '../format.js';
import type { Pen, Writing } from '../pen.js';
import { highlighterOf, resultsText } from '../result-text.js';
import { more } from '../view.js';
import { artifactsOf } from './artifacts.js';
import type {
  ContextArtifact,
  ContextFiles,
  ContextIndexReport,
  ContextList,
  ContextRemoveReport,
  ContextSearchResponse,
  IndexValues,
  ListValues,
  RemoveValues,
  SearchValues,
  ShowValues,
} from './question.js';

/** Lines of each result in documents for agents: artifacts are prose, whose lines are long. */
const REPLY_LINES = 10;
/** Milliseconds that a call waits for an index in progress. */
const WAIT_MS = 20_000;

/** Throws BAD_CONFIG, UNKNOWN_REF, and BAD_ARGUMENT for an unknown name. */
export async function answerList(at: Asker, { artifact, ref }: ListValues): Promise<ContextList> {
  const artifacts = artifactsOf(at.session);
  // Agents have no tool for one artifact: a name requests the text of its files.
  if (at.server !== undefined && artifact !== undefined)
    return artifacts.read(artifact[0], { ref, from: at.server.skip });
  return artifacts.list({ ref, artifacts: artifact });
}

/** Throws as `answerList` does. */
export async function answerShow(at: Asker, { name, ref }: ShowValues): Promise<ContextList> {
  return artifactsOf(at.session).read(name, { ref });
}

/** Throws what a search throws, and BAD_ARGUMENT without artifacts, or for a filter about code. */
export async function answerSearch(at: Asker, values: SearchValues): Promise<ContextSearchResponse> {
  const {
    query: typed = '',
    artifact,
    ref,
    committed,
    limit,
    minScore,
    noContent,
    path,
    author,
    since,
    until,
  } = values;
  const { query, filters } = splitFilters(typed);
  if (filters.uses !== undefined || filters.tag !== undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'uses: and tag: are about code, and artifacts are none', {
      hint: 'git socraticode search QUERY searches code and artifacts.',
    });
  const is = [...(values.is ?? []), ...(filters.is ?? [])];
  const conditions = { author, since, until, ...filters, is, ref, committed };
  const { within } = hasFilters(conditions) ? await (await import('../file-filters.js')).narrow(at, conditions) : {};
  const request = { query, artifacts: artifact, ref, committed, limit, minScore, noContent, path, signal: at.signal };
  const response = await artifactsOf(at.session).search({ ...request, within });
  if (at.server === undefined) return response;
  const { withExcerpts } = await import('../result-text.js');
  return withExcerpts(response, () => REPLY_LINES);
}

/** Throws what indexing throws. */
export async function answerIndex(at: Asker, { artifact, ref }: IndexValues): Promise<ContextIndexReport> {
  const { server, signal } = at;
  const artifacts = artifactsOf(at.session);
  if (server === undefined) return artifacts.index({ artifacts: artifact, ref, signal });
  const { background } = server.project;
  return artifacts.index({
    ref,
    signal,
    async update(indexed, until) {
      const outcome = await background.update({ ref: indexed }, { waitMs: WAIT_MS, signal: until });
      if (outcome.status === 'failed') throw outcome.error;
      return outcome.status === 'done' ? outcome.report.new : null;
    },
  });
}

/** Throws DISK, and BAD_ARGUMENT for an unknown name. */
export async function answerRemove(at: Asker, { artifact }: RemoveValues): Promise<ContextRemoveReport> {
  return artifactsOf(at.session).remove({ artifacts: artifact });
}

const NONE = `no context artifacts; list files or folders in .socraticodecontextartifacts.json:
{"artifacts": [{"name": "decisions", "path": "docs/adr", "description": "why things are as they are"}]}
`;

/** Text of artifacts with their state, and of their files if requested. */
export function contextListText(
  { artifacts, files }: Pick<ContextList, 'artifacts' | 'files'>,
  { pen }: { pen: Pen },
): string {
  const { list, leftOut } = artifacts;
  if (list.length === 0) return NONE;
  return [
    ...list.map((artifact) => renderArtifact(artifact, pen)),
    ...more(leftOut, pen).map((line) => `${line}\n`),
    files === undefined ? '' : renderFiles(files, pen),
  ].join('');
}

function renderFiles({ list, leftOut }: ContextFiles, pen: Pen): string {
  const blocks = list.map(({ path, reason, content, contentLeftOut }) => {
    const why = reason === null ? '' : `  ${pen.dim(reason)}`;
    const rest = contentLeftOut === undefined ? '' : pen.dim(`${signs.cut} ${formatBytes(contentLeftOut)} more\n`);
    const text = content === undefined ? '' : `${quoted(content).trimEnd()}\n${rest}`;
    return `\n${pen.path(path)}${why}\n${text}`;
  });
  return [...blocks, ...more(leftOut, pen).map((line) => `${line}\n`)].join('');
}

function renderArtifact(artifact: ContextArtifact, pen: Pen): string {
  const { name, path, description, state, note, skipped } = artifact;
  const where = artifact.outside ? `${path} (outside)` : path;
  const lines = [`${pen.symbol(name)}  ${pen.path(where)}  ${state}${numbersOf(artifact)}`];
  lines.push(`  ${description}`);
  const reasons = formatSkipped(skipped);
  if (reasons !== '') lines.push(pen.dim(`  left out: ${reasons}`));
  if (note !== null) lines.push(pen.dim(`  ${note}`));
  return `${lines.join('\n')}\n`;
}

function numbersOf({ files, indexed, uncommitted, bytes, chunks, oid }: ContextArtifact): string {
  if (files === 0) return '';
  const parts = [
    indexed + uncommitted < files
      ? `${groupDigits(indexed)} of ${formatCount(files, 'file')}`
      : formatCount(files, 'file'),
    formatBytes(bytes),
    formatCount(chunks, 'chunk'),
    uncommitted > 0 ? `${groupDigits(uncommitted)} uncommitted` : null,
    oid?.slice(0, 12) ?? null,
  ];
  return `  ${parts.filter((part) => part !== null).join(', ')}`;
}

/** Lines of a result in text for agents, by rank. */
const replyLines = ({ rank }: { rank: number }): number => (rank < 3 ? 5 : 2);

export function contextSearchText(
  response: ContextSearchResponse,
  { pen, values, isCommand }: Writing<{ lines: number }>,
): string {
  const lines = response.unavailable.map(({ name, state, note }) => `not searched: ${name}, ${state}: ${note}\n`);
  const rest = response.unavailableTotal - response.unavailable.length;
  if (rest > 0) lines.push(`${formatCount(rest, 'more artifact')} not searched\n`);
  const shown = isCommand ? values.lines : replyLines;
  const results = resultsText(response, { pen, matches: highlighterOf(response), lines: shown, compact: !isCommand });
  return results + lines.map((line) => pen.dim(line)).join('');
}

export function contextIndexText(report: ContextIndexReport, { pen }: { pen: Pen }): string {
  const { outside } = report;
  const inside = report.artifacts.list.filter((artifact) => !artifact.outside).length;
  const lines: string[] = [];
  if (inside > 0) {
    const news = report.indexing ? 'it is being indexed, ask again' : `${formatCount(report.new, 'file')} parsed now`;
    lines.push(`${formatCount(inside, 'artifact')} inside: part of the index of ${report.ref}; ${news}`);
  }
  if (outside.artifacts > 0)
    lines.push(
      `${formatCount(outside.artifacts, 'artifact')} outside: ${formatCount(outside.files, 'file')}, ${outside.new} parsed now; kept on this machine`,
    );
  return `${lines.map((line) => `${line}\n`).join('')}${contextListText(report, { pen })}`;
}

export function contextRemoveText({ removed, bytes, kept, note }: ContextRemoveReport): string {
  const gone =
    removed === 0
      ? 'nothing is kept of artifacts outside'
      : `${formatCount(removed, 'index', 'indexes')} of artifacts outside deleted, ${formatBytes(bytes)}`;
  const stays = kept.length === 0 ? '' : `${formatCount(kept.length, 'artifact')} inside kept: ${note}\n`;
  return `${gone}\n${stays}`;
}
