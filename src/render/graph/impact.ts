/** What `graph impact` says. */
import { visibleLine } from '../../base/hygiene.js';
import type { GraphImpactResponse } from '../../engine/contract.js';
import { formatCount } from '../format.js';
import type { Pen } from '../pen.js';
import { at, definitionLines, doubt, more, othersLine, placeText, section, total, VERBS } from './parts.js';
import { testLines } from './symbol.js';

type Changes = NonNullable<GraphImpactResponse['changes']>;
type Hop = GraphImpactResponse['hops'][number];

export function renderImpact(response: GraphImpactResponse, pen: Pen): string {
  const { definitions, changes, affected, files, risk, tests, possible } = response;
  const lines = changes === undefined ? definitionLines(definitions, pen) : changed(changes, pen);
  if (changes !== undefined && total(changes.symbols) + total(changes.removed) === 0)
    return `${[...lines, pen.dim('nothing that others could notice')].join('\n')}\n`;
  lines.push(`risk: ${riskText(risk, pen)}`);
  lines.push(
    affected === 0
      ? 'nothing is known to use it'
      : `affects ${formatCount(affected, 'symbol')} in ${formatCount(files, 'file')} within ${formatCount(response.depth, 'hop')}`,
  );
  if (possible > 0)
    lines.push(
      pen.dim(`${formatCount(possible, 'use')} of the same name could not be resolved: ${pen.words.references}`),
    );
  if (changes !== undefined) lines.push(...changeLines(changes, pen));
  lines.push(...response.hops.flatMap((hop) => ['', `hop ${hop.hop}: ${hopCount(hop)}`, ...hopLines(hop, pen)]));
  const title = `tests to run: ${formatCount(total(tests), 'file')}`;
  lines.push(...section(title, testLines(tests, pen)), ...othersLine(response.others, pen));
  return `${lines.join('\n')}\n`;
}

function riskText({ level, reasons }: GraphImpactResponse['risk'], pen: Pen): string {
  const shown = level === 'high' || level === 'critical' ? pen.match(level) : level;
  return `${shown}  ${pen.dim(`(${reasons.map(visibleLine).join('; ')})`)}`;
}

const SHORT_OID = 9;

function changed({ from, to, files, symbols, removed }: Changes, pen: Pen): string[] {
  const name = ({ ref, commit }: Changes['from']) =>
    commit === null ? visibleLine(ref) : `${visibleLine(ref)} (${commit.slice(0, SHORT_OID)})`;
  const sides = `${name(from)} to ${to === null ? 'the work tree' : name(to)}`;
  const gone = total(removed) === 0 ? '' : `, ${total(removed).toLocaleString('en')} removed`;
  return [pen.dim(`${sides}: ${formatCount(files, 'file')}, ${formatCount(total(symbols), 'symbol')} changed${gone}`)];
}

const MARKS: Record<Changes['symbols']['list'][number]['change'], string> = { added: '+', changed: '~', moved: '>' };

function changeLines({ symbols, removed }: Changes, pen: Pen): string[] {
  const each = symbols.list.map((change) => {
    const direct = change.hops[0];
    const users = direct === undefined ? 0 : direct.affected.length + direct.leftOut;
    const told = [
      users === 0 ? 'no users' : formatCount(users, 'direct user'),
      ...(change.affected > users ? [`${change.affected.toLocaleString('en')} in all`] : []),
      ...(total(change.tests) > 0 ? [formatCount(total(change.tests), 'test file')] : []),
      ...(change.risk.level === 'low' ? [] : [`${change.risk.level} risk`]),
    ];
    return `  ${MARKS[change.change]} ${placeText(change, pen)}  ${pen.dim(told.join(', '))}`;
  });
  const gone = removed.list.flatMap(({ path, symbol, kind, uses }) => [
    `  - ${pen.path(visibleLine(path))}  ${pen.symbol(visibleLine(symbol))}  ${pen.dim(kind)}`,
    ...uses.list.map((use) => `      still named at ${at(use.path, use.line, pen)}`),
    ...more(uses.leftOut, pen),
  ]);
  return section('changes, those that affect most first', [
    ...each,
    ...more(symbols.leftOut, pen),
    ...gone,
    ...more(removed.leftOut, pen),
  ]);
}

const hopCount = ({ affected, leftOut }: Hop): string => (affected.length + leftOut).toLocaleString('en');

/** Those of steps that are no edges, too. */
const STEP_VERBS: Readonly<Record<string, string>> = {
  ...VERBS,
  overrides: 'calls what is overridden by',
  contains: 'contains',
};
/** Uses by a file as a whole, not by code at its top level. */
const WHOLE_FILE: ReadonlySet<string> = new Set([
  ...['import', 'type-import', 'dynamic-import', 'require', 'reexport', 'type-reexport', 'include', 'module'],
]);

function hopLines(hop: Hop, pen: Pen): string[] {
  const lines = hop.affected.map((one) => {
    const who =
      one.symbol === null
        ? pen.dim(WHOLE_FILE.has(one.use) ? 'file' : 'top level')
        : pen.symbol(visibleLine(one.symbol));
    const how = `${STEP_VERBS[one.use] ?? one.use} ${visibleLine(one.via)}`;
    return `  ${at(one.path, one.line, pen)}  ${who}  ${pen.dim(how)}${doubt(one, pen)}`;
  });
  return [...lines, ...more(hop.leftOut, pen)];
}
