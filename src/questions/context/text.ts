/** Texts of `context`: artifacts with their state, and reports about them. */
import { groupDigits } from '../../base/digits.js';
import { visibleLine } from '../../base/hygiene.js';
import { more } from '../graph/text-parts.js';
import { highlighterOf } from '../results/excerpt.js';
import { resultsText } from '../results/text.js';
import { formatBytes, formatCount, formatCounts, quoted } from '../writing/format.js';
import type { Pen } from '../writing/pen.js';
import type {
  ContextArtifact,
  ContextFiles,
  ContextIndexReport,
  ContextList,
  ContextRemoveReport,
  ContextSearchResponse,
} from './output.js';

const NONE = `no context artifacts; list files or folders in .socraticodecontextartifacts.json:
{"artifacts": [{"name": "decisions", "path": "docs/adr", "description": "why things are as they are"}]}
`;

/** Text of artifacts with their state, and of their files where those were asked for. */
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
    const why = reason === null ? '' : `  ${pen.dim(visibleLine(reason))}`;
    const rest = contentLeftOut === undefined ? '' : pen.dim(`… ${formatBytes(contentLeftOut)} more\n`);
    const text = content === undefined ? '' : `${quoted(content).trimEnd()}\n${rest}`;
    return `\n${pen.path(visibleLine(path))}${why}\n${text}`;
  });
  return [...blocks, ...more(leftOut, pen).map((line) => `${line}\n`)].join('');
}

function renderArtifact(artifact: ContextArtifact, pen: Pen): string {
  const { name, path, description, state, note, skipped } = artifact;
  const where = artifact.outside ? `${visibleLine(path)} (outside)` : visibleLine(path);
  const lines = [`${pen.symbol(visibleLine(name))}  ${pen.path(where)}  ${state}${numbersOf(artifact)}`];
  lines.push(`  ${visibleLine(description)}`);
  const reasons = formatCounts(skipped);
  if (reasons !== '') lines.push(pen.dim(`  left out: ${reasons}`));
  if (note !== null) lines.push(pen.dim(`  ${visibleLine(note)}`));
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

/** Lines of a result in the text for agents, by rank. */
const replyLines = (rank: number): number => (rank < 3 ? 5 : 2);

interface SearchWriting {
  pen: Pen;
  values: { lines: number };
  isCommand: boolean;
}

export function contextSearchText(response: ContextSearchResponse, { pen, values, isCommand }: SearchWriting): string {
  const lines = response.unavailable.map(
    ({ name, state, note }) => `not searched: ${visibleLine(name)}, ${state}: ${visibleLine(note)}\n`,
  );
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
    lines.push(`${formatCount(inside, 'artifact')} inside: part of the index of ${visibleLine(report.ref)}; ${news}`);
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
