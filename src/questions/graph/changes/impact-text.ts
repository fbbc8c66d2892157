/** Text of an impact: risk, users hop by hop, tests to run. */
import { groupDigits, visibleLine } from '../../../base/printable.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import {
  at,
  count,
  definitionLines,
  doubt,
  linkedUsesLines,
  mentionedInLines,
  more,
  namedLine,
  othersLine,
  placeText,
  type Some,
  section,
  testSections,
  total,
  VERBS,
} from '../graph-text.js';
import type { GraphImpactResponse } from '../impact/question.js';
import { bothVersionsLines, coupledLines, fleetUsesLines, historyLines } from './text.js';

type Changes = NonNullable<GraphImpactResponse['changes']>;
type Affected = GraphImpactResponse['hops'][number]['affected'][number];

export function impactText(response: GraphImpactResponse, { pen }: { pen: Pen }): string {
  const { definitions, changes, affected, files, risk, possible } = response;
  const lines = changes === undefined ? definitionLines(definitions, pen) : [changedLine(changes, pen)];
  const isFirst = pen.skipped === undefined;
  if (isFirst && changes !== undefined && isUnnoticed(changes))
    return `${[...lines, pen.dim('nothing that others could notice')].join('\n')}\n`;
  lines.push(`risk: ${riskText(risk, pen)}`);
  if (changes !== undefined) lines.push(...bothVersionsLines(changes, pen), '');
  lines.push(
    affected === 0
      ? noUsers(response)
      : `affects ${formatCount(affected, 'symbol')} in ${formatCount(files, 'file')} within ${formatCount(response.depth, 'hop')}`,
  );
  if (possible > 0) {
    const [{ symbol = null, path = 'NAME' } = {}] = definitions;
    const next = pen.words.references(visibleLine(symbol ?? path));
    lines.push(pen.dim(`${formatCount(possible, 'use')} of the same name could not be resolved: ${next}`));
  }
  if (risk.named !== undefined) lines.push(namedLine(risk.named, definitions, pen));
  if (changes !== undefined) lines.push(...changeLines(changes, pen));
  const names = new Set(definitions.map(({ symbol }) => symbol ?? ''));
  for (const { hop, affected: list, leftOut } of response.hops) {
    const shown = { list, leftOut };
    const title = `hop ${hop}: ${groupDigits(count(shown, pen))}`;
    lines.push(...section(title, hopLines(shown, names, pen)));
  }
  lines.push(...testSections(response, pen), ...mentionedInLines(response.mentionedIn, pen));
  lines.push(...othersLine(response, pen));
  if (changes !== undefined) lines.push(...historyLines(changes, pen));
  if (response.coupled !== undefined) lines.push(...coupledLines(response.coupled, pen));
  if (response.linked !== undefined) lines.push(...linkedUsesLines(response.linked, pen));
  if (response.fleet !== undefined) lines.push(...fleetUsesLines(response.fleet, pen));
  return `${lines.join('\n')}\n`;
}

function noUsers({ changes, risk, tests }: GraphImpactResponse): string {
  const isTested = tests.list.some(({ reason }) => reason === 'calls');
  const nothing = `nothing ${changes === undefined ? '' : 'else '}${isTested ? 'but tests ' : ''}is known to use it`;
  return risk.level === 'unknown' ? `${nothing}, but uses may have been missed` : nothing;
}

/** Are all changes without users, and is nothing removed that was used? */
export function isUnnoticed({ symbols, removed, dangling, notRead, further }: Changes): boolean {
  return total(symbols) + total(removed) + total(dangling) + total(notRead) + total(further) === 0;
}

export function riskText({ level, reasons }: GraphImpactResponse['risk'], pen: Pen): string {
  const shown = level === 'high' || level === 'critical' ? pen.match(level) : level;
  return `${shown}  ${pen.dim(`(${reasons.map(visibleLine).join('; ')})`)}`;
}

const SHORT_OID = 9;

export function changedLine(changes: Changes, pen: Pen): string {
  const { from, to, symbols, removed } = changes;
  const name = ({ ref, commit }: Changes['from']) =>
    commit === null ? visibleLine(ref) : `${visibleLine(ref)} (${commit.slice(0, SHORT_OID)})`;
  const where = `${name(from)} to ${to === null ? 'the work tree' : name(to)}`;
  if (pen.skipped !== undefined) return pen.dim(where);
  const gone = total(removed) === 0 ? '' : `, ${groupDigits(total(removed))} removed`;
  return pen.dim(`${where}: ${filesText(changes)}, ${formatCount(total(symbols), 'symbol')} changed${gone}`);
}

/** `3 files`, or `3 files (2 of them not indexed)`. */
export function filesText({ files, notIndexed }: Pick<Changes, 'files' | 'notIndexed'>): string {
  const all = formatCount(files + notIndexed, 'file');
  if (notIndexed === 0) return all;
  if (files === 0) return `${all} (not indexed)`;
  return `${all} (${groupDigits(notIndexed)} of them not indexed)`;
}

const MARKS: Record<Changes['symbols']['list'][number]['change'], string> = {
  added: '+',
  changed: '~',
  moved: '>',
  renamed: '>',
};

export function changeLines({ symbols, removed }: Changes, pen: Pen): string[] {
  const each = symbols.list.map((change) => {
    const direct = change.hops[0];
    const users = direct === undefined ? 0 : direct.affected.length + direct.leftOut;
    const details = [
      ...(change.was === undefined ? [] : [`was ${visibleLine(change.was)}`]),
      ...(change.ownBody ? ['its own body alone, users not drawn in'] : []),
      users === 0 ? 'no users' : formatCount(users, 'direct user'),
      ...(change.affected > users ? [`${groupDigits(change.affected)} in all`] : []),
      ...(total(change.tests) > 0 ? [formatCount(total(change.tests), 'test file')] : []),
      ...(change.risk.level === 'low' ? [] : [`${change.risk.level} risk`]),
    ];
    return `  ${MARKS[change.change]} ${placeText(change, pen)}  ${pen.dim(details.join(', '))}`;
  });
  const gone = removed.list.flatMap(({ path, symbol, kind, uses }) => [
    `  - ${pen.path(visibleLine(path))}  ${pen.symbol(visibleLine(symbol))}  ${pen.dim(kind)}`,
    ...uses.list.map((use) => `      still named at ${at(use.path, use.line, pen)}`),
    ...more(uses.leftOut, pen),
  ]);
  return section('changes, largest effect first', [
    ...each,
    ...more(symbols.leftOut, pen),
    ...gone,
    ...more(removed.leftOut, pen),
  ]);
}

/** Verbs of edges, and of steps without an edge. */
const STEP_VERBS: Readonly<Record<string, string>> = {
  ...VERBS,
  overrides: 'calls what is overridden by',
  contains: 'contains',
  named: 'reaches by name',
};
/** Verbs for uses by a whole file, not by code at its top level. */
const WHOLE_FILE: ReadonlySet<string> = new Set([
  ...['import', 'type-import', 'dynamic-import', 'require', 'reexport', 'type-reexport', 'include', 'module'],
]);

/** Lines of a hop. A direct call of one of `names` is not described. */
function hopLines(hop: Some<Affected>, names: ReadonlySet<string>, pen: Pen): string[] {
  const groups: { path: string; line: number; how: string; who: string[] }[] = [];
  for (const one of hop.list) {
    const who =
      one.symbol === null
        ? pen.dim(WHOLE_FILE.has(one.use) ? 'file' : 'top level')
        : pen.symbol(visibleLine(one.symbol));
    const isPlain = one.use === 'call' && names.has(one.via);
    const verb = isPlain ? '' : `  ${pen.dim(`${STEP_VERBS[one.use] ?? one.use} ${visibleLine(one.via)}`)}`;
    const how = verb + doubt(one, pen);
    const last = groups.at(-1);
    if (last?.path === one.path && last.how === how) last.who.push(`${pen.line(String(one.line))} ${who}`);
    else groups.push({ path: one.path, line: one.line, how, who: [who] });
  }
  // Users in one file that use the same definition share a line.
  const lines = groups.map(({ path, line, how, who }) => `  ${at(path, line, pen)}  ${who.join(', ')}${how}`);
  return [...lines, ...more(hop.leftOut, pen)];
}
