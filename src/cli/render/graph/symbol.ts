/** What `graph symbol` says. */
import { visibleLine } from '../../../base/hygiene.js';
import type { GraphSymbolResponse } from '../../../engine/contract.js';
import type { Colors } from '../colors.js';
import { formatCount } from '../format.js';
import {
  doubt,
  lineList,
  more,
  othersLine,
  type Place,
  placeText,
  type Some,
  section,
  total,
  useLines,
} from './parts.js';

export function renderSymbol(response: GraphSymbolResponse, colors: Colors): string {
  const { callers, callees, noCallers, tests } = response;
  const lines = [...heading(response, colors)];
  if (noCallers === undefined)
    lines.push(...section(`called from ${formatCount(total(callers), 'place')}`, useLines(callers, colors)));
  else lines.push('', ...reasons(noCallers, colors));
  const { otherUses, possibleCallers } = response;
  if (otherUses > 0) lines.push(colors.dim(`  ${formatCount(otherUses, 'further use')} as a type or by inheritance`));
  if (possibleCallers > 0 && noCallers === undefined)
    lines.push(
      colors.dim(`  ${formatCount(possibleCallers, 'use')} of the name could not be resolved: graph references NAME`),
    );
  lines.push(
    ...section(`calls ${formatCount(total(callees.resolved), 'symbol')}`, calleeLines(callees.resolved, colors)),
    ...outside('outside', callees.external, colors),
    ...outside('not resolved', callees.unresolved, colors),
    ...section('inherits from', parentLines(response, colors)),
    ...relatives(`${formatCount(total(response.subtypes), 'subtype')}`, response.subtypes, colors),
    ...relatives('overrides', response.overrides, colors),
    ...relatives('overridden by', response.overriddenBy, colors),
    ...section(
      `${formatCount(total(tests), 'test file')} reach${total(tests) === 1 ? 'es' : ''} it`,
      testLines(tests, colors),
    ),
    ...othersLine(response.others, colors),
  );
  return `${lines.join('\n')}\n`;
}

function heading({ definitions, doc, decorators }: GraphSymbolResponse, colors: Colors): string[] {
  const lines: string[] = [];
  for (const place of definitions) {
    const end = place.endLine > place.startLine ? `-${place.endLine}` : '';
    const where = `${colors.path(visibleLine(place.path))}:${colors.line(`${place.startLine}${end}`)}`;
    const visible = place.exported ? 'exported' : 'not exported';
    lines.push(
      `${where}  ${colors.symbol(visibleLine(place.symbol ?? ''))}  ${colors.dim(`${place.kind}, ${visible}`)}`,
    );
    if (place.signature !== '') lines.push(`  ${visibleLine(place.signature)}`);
  }
  if (doc !== '') lines.push(colors.dim(`  ${visibleLine(doc)}`));
  if (decorators.length > 0) lines.push(colors.dim(`  decorated with ${decorators.map(visibleLine).join(', ')}`));
  return lines;
}

function reasons(
  { verdict, reason, possible }: NonNullable<GraphSymbolResponse['noCallers']>,
  colors: Colors,
): string[] {
  const sure = verdict === 'certain' ? 'no callers, certainly' : 'no callers known';
  return [`${sure}: ${visibleLine(reason)}`, ...useLines(possible, colors)];
}

function calleeLines(callees: GraphSymbolResponse['callees']['resolved'], colors: Colors): string[] {
  const lines = callees.list.map((callee) => {
    const how = callee.use === 'call' ? '' : `${callee.use}, `;
    return `  ${placeText(callee, colors)}  ${colors.dim(`${how}line ${lineList(callee.lines)}`)}${doubt(callee, colors)}`;
  });
  return [...lines, ...more(callees.leftOut, colors)];
}

function outside(title: string, calls: GraphSymbolResponse['callees']['external'], colors: Colors): string[] {
  if (calls.list.length === 0) return [];
  const names = calls.list.map(({ text, lines }) => `${visibleLine(text)} ${colors.line(String(lines[0]))}`);
  const rest = calls.leftOut > 0 ? ` and ${calls.leftOut} more` : '';
  return ['', `${title}: ${names.join(', ')}${rest}`];
}

function parentLines({ parents }: GraphSymbolResponse, colors: Colors): string[] {
  return parents.map(({ name, use, place }) => {
    const where = place === null ? `${visibleLine(name)}  ${colors.dim('outside')}` : placeText(place, colors);
    return `  ${where}  ${colors.dim(use)}`;
  });
}

function relatives(title: string, places: Some<Place>, colors: Colors): string[] {
  const lines = places.list.map((place) => `  ${placeText(place, colors)}`);
  return section(title, [...lines, ...more(places.leftOut, colors)]);
}

export function testLines(tests: GraphSymbolResponse['tests'], colors: Colors): string[] {
  const lines = tests.list.map(({ path, hops, line, symbol }) => {
    const who = symbol === null ? '' : `  ${colors.symbol(visibleLine(symbol))}`;
    const near = hops === 0 ? 'changes itself' : hops === 1 ? 'directly' : `${hops} hops`;
    return `  ${colors.path(visibleLine(path))}:${colors.line(String(line))}${who}  ${colors.dim(near)}`;
  });
  return [...lines, ...more(tests.leftOut, colors)];
}
