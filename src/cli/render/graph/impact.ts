/** What `graph impact` says. */
import { visibleLine } from '../../../base/hygiene.js';
import type { GraphImpactResponse } from '../../../engine/contract.js';
import type { Colors } from '../colors.js';
import { formatCount } from '../format.js';
import { at, definitionLines, doubt, more, othersLine, placeText, section, total, VERBS } from './parts.js';
import { testLines } from './symbol.js';

type Changes = NonNullable<GraphImpactResponse['changes']>;
type Hop = GraphImpactResponse['hops'][number];

export function renderImpact(response: GraphImpactResponse, colors: Colors): string {
  const { definitions, changes, affected, files, risk, tests, possible } = response;
  const lines = changes === undefined ? definitionLines(definitions, colors) : changed(changes, colors);
  if (changes !== undefined && total(changes.symbols) + total(changes.removed) === 0)
    return `${[...lines, colors.dim('nothing that others could notice')].join('\n')}\n`;
  lines.push(`risk: ${riskText(risk, colors)}`);
  lines.push(
    affected === 0
      ? 'nothing is known to use it'
      : `affects ${formatCount(affected, 'symbol')} in ${formatCount(files, 'file')} within ${formatCount(response.depth, 'hop')}`,
  );
  if (possible > 0)
    lines.push(
      colors.dim(`${formatCount(possible, 'use')} of the same name could not be resolved: graph references NAME`),
    );
  if (changes !== undefined) lines.push(...changeLines(changes, colors));
  lines.push(...response.hops.flatMap((hop) => ['', `hop ${hop.hop}: ${hopCount(hop)}`, ...hopLines(hop, colors)]));
  const title = `tests to run: ${formatCount(total(tests), 'file')}`;
  lines.push(...section(title, testLines(tests, colors)), ...othersLine(response.others, colors));
  return `${lines.join('\n')}\n`;
}

function riskText({ level, reasons }: GraphImpactResponse['risk'], colors: Colors): string {
  const shown = level === 'high' || level === 'critical' ? colors.match(level) : level;
  return `${shown}  ${colors.dim(`(${reasons.map(visibleLine).join('; ')})`)}`;
}

const SHORT_OID = 9;

function changed({ from, to, files, symbols, removed }: Changes, colors: Colors): string[] {
  const name = ({ ref, commit }: Changes['from']) =>
    commit === null ? visibleLine(ref) : `${visibleLine(ref)} (${commit.slice(0, SHORT_OID)})`;
  const sides = `${name(from)} to ${to === null ? 'the work tree' : name(to)}`;
  const gone = total(removed) === 0 ? '' : `, ${total(removed).toLocaleString('en')} removed`;
  return [
    colors.dim(`${sides}: ${formatCount(files, 'file')}, ${formatCount(total(symbols), 'symbol')} changed${gone}`),
  ];
}

const MARKS: Record<Changes['symbols']['list'][number]['change'], string> = { added: '+', changed: '~', moved: '>' };

function changeLines({ symbols, removed }: Changes, colors: Colors): string[] {
  const each = symbols.list.map((change) => {
    const direct = change.hops[0];
    const users = direct === undefined ? 0 : direct.affected.length + direct.leftOut;
    const told = [
      users === 0 ? 'no users' : formatCount(users, 'direct user'),
      ...(change.affected > users ? [`${change.affected.toLocaleString('en')} in all`] : []),
      ...(total(change.tests) > 0 ? [formatCount(total(change.tests), 'test file')] : []),
      ...(change.risk.level === 'low' ? [] : [`${change.risk.level} risk`]),
    ];
    return `  ${MARKS[change.change]} ${placeText(change, colors)}  ${colors.dim(told.join(', '))}`;
  });
  const gone = removed.list.flatMap(({ path, symbol, kind, uses }) => [
    `  - ${colors.path(visibleLine(path))}  ${colors.symbol(visibleLine(symbol))}  ${colors.dim(kind)}`,
    ...uses.list.map((use) => `      still named at ${at(use.path, use.line, colors)}`),
    ...more(uses.leftOut, colors),
  ]);
  return section('changes, those that affect most first', [
    ...each,
    ...more(symbols.leftOut, colors),
    ...gone,
    ...more(removed.leftOut, colors),
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

function hopLines(hop: Hop, colors: Colors): string[] {
  const lines = hop.affected.map((one) => {
    const who =
      one.symbol === null
        ? colors.dim(WHOLE_FILE.has(one.use) ? 'file' : 'top level')
        : colors.symbol(visibleLine(one.symbol));
    const how = `${STEP_VERBS[one.use] ?? one.use} ${visibleLine(one.via)}`;
    return `  ${at(one.path, one.line, colors)}  ${who}  ${colors.dim(how)}${doubt(one, colors)}`;
  });
  return [...lines, ...more(hop.leftOut, colors)];
}
