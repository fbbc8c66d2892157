/** Text of symbols: definition, callers, callees, relatives, tests. */
import { visibleLine } from '../../../base/hygiene.js';
import { mentionLines } from '../../note/mention/mention.js';
import { summaryLines } from '../../summarize/told/told.js';
import { formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import {
  count,
  doubt,
  lineList,
  linkedUsesLines,
  mentionedInLines,
  more,
  othersLine,
  type Place,
  placeText,
  type Some,
  section,
  testLines,
  useLines,
} from '../text-parts.js';
import type { GraphSeveralSymbols, GraphSymbolResponse, SymbolAnswer, SymbolProblem } from './output.js';

export function symbolText(response: GraphSymbolResponse | GraphSeveralSymbols, { pen }: { pen: Pen }): string {
  const notes = [...summaryLines(response.summaries, pen), ...mentionLines(response.notes, pen)].map(
    (line) => `${line}\n`,
  );
  const text = 'symbols' in response ? severalText(response, pen) : `${symbolLines(response, pen).join('\n')}\n`;
  return text + (notes.length > 0 ? `\n${notes.join('')}` : '');
}

function severalText({ symbols, problems }: GraphSeveralSymbols, pen: Pen): string {
  // Pages count symbols: every list of a symbol begins at its first entry.
  const inside = { ...pen, skipped: 0 };
  const blocks = symbols.map((symbol) => symbolLines(symbol, inside));
  // Earlier pages have told them.
  const failed = pen.skipped ? [] : problems.map((problem) => problemLines(problem, pen));
  return `${[...blocks, ...failed].map((lines) => `${lines.join('\n')}\n`).join(SEPARATOR)}`;
}

/** Between symbols: lists of one are set apart by empty lines already. */
const SEPARATOR = '\n---\n';

function problemLines({ target, message, hint, candidates }: SymbolProblem, pen: Pen): string[] {
  const told = message.includes(target) ? message : `${target}: ${message}`;
  const listed = (candidates?.list ?? []).map((each) => `  ${placeText(each, pen)}`);
  const rest = more(candidates?.leftOut ?? 0, pen);
  return [visibleLine(told), ...listed, ...rest, ...(hint === '' ? [] : [pen.dim(`  ${visibleLine(hint)}`)])];
}

function symbolLines(response: SymbolAnswer, pen: Pen): string[] {
  const { callers, callees, definitions, noCallers, tests } = response;
  const lines = [...heading(response, pen)];
  if (noCallers === undefined)
    lines.push(
      ...section(`called from ${formatCount(count(callers, pen), 'place')}`, useLines(callers, pen, namesOf(response))),
    );
  else lines.push('', ...reasons(noCallers, pen));
  const { otherUses, possibleCallers } = response;
  if (otherUses > 0) lines.push(pen.dim(`  ${formatCount(otherUses, 'further use')} as a type or by inheritance`));
  if (possibleCallers > 0 && noCallers === undefined)
    lines.push(
      pen.dim(
        `  ${formatCount(possibleCallers, 'use')} of the name could not be resolved: ${pen.words.references(visibleLine(definitions[0].symbol ?? definitions[0].path))}`,
      ),
    );
  lines.push(
    ...section(`calls ${formatCount(count(callees.resolved, pen), 'symbol')}`, calleeLines(callees.resolved, pen)),
    ...outside('outside', callees.external, pen),
    ...outside('not resolved', callees.unresolved, pen),
    ...section('inherits from', parentLines(response, pen)),
    ...relatives(`${formatCount(count(response.subtypes, pen), 'subtype')}`, response.subtypes, pen),
    ...relatives('overrides', response.overrides, pen),
    ...relatives('overridden by', response.overriddenBy, pen),
    ...section(
      `${formatCount(count(tests, pen), 'test file')} reach${count(tests, pen) === 1 ? 'es' : ''} it`,
      testLines(tests, pen),
    ),
    ...(response.linked === undefined ? [] : linkedUsesLines(response.linked, pen)),
    ...mentionedInLines(response.mentionedIn, pen),
    ...othersLine(response, pen),
  );
  return lines;
}

function heading({ definitions, doc, decorators }: SymbolAnswer, pen: Pen): string[] {
  const lines: string[] = [];
  for (const place of definitions) {
    const end = place.endLine > place.startLine ? `-${place.endLine}` : '';
    const where = `${pen.path(visibleLine(place.path))}:${pen.line(`${place.startLine}${end}`)}`;
    const visible = place.exported ? 'exported' : 'not exported';
    lines.push(`${where}  ${pen.symbol(visibleLine(place.symbol ?? ''))}  ${pen.dim(`${place.kind}, ${visible}`)}`);
    if (place.signature !== '') lines.push(`  ${visibleLine(place.signature)}`);
  }
  if (doc !== '') lines.push(pen.dim(`  ${visibleLine(doc)}`));
  if (decorators.length > 0) lines.push(pen.dim(`  decorated with ${decorators.map(visibleLine).join(', ')}`));
  return lines;
}

/** Text of a use without details. */
function namesOf({ definitions }: SymbolAnswer): Set<string> {
  return new Set(definitions.map(({ symbol }) => (symbol ?? '').replace(/^.*\./s, '')));
}

function reasons({ verdict, reason, possible }: NonNullable<SymbolAnswer['noCallers']>, pen: Pen): string[] {
  const sure = { certain: 'no callers, certainly', degraded: 'no callers are known' } as Record<string, string>;
  return [`${sure[verdict] ?? 'no callers in this repository'}: ${visibleLine(reason)}`, ...useLines(possible, pen)];
}

function calleeLines(callees: SymbolAnswer['callees']['resolved'], pen: Pen): string[] {
  const lines = callees.list.map((callee) => {
    const how = callee.use === 'call' ? '' : `${callee.use}, `;
    return `  ${placeText(callee, pen)}  ${pen.dim(`${how}line ${lineList(callee.lines)}`)}${doubt(callee, pen)}`;
  });
  return [...lines, ...more(callees.leftOut, pen)];
}

function outside(title: string, calls: SymbolAnswer['callees']['external'], pen: Pen): string[] {
  if (calls.list.length === 0) return [];
  const names = calls.list.map(({ text, lines }) => `${visibleLine(text)} ${pen.line(String(lines[0]))}`);
  const rest = calls.leftOut > 0 ? ` and ${calls.leftOut} more` : '';
  return ['', `${title}: ${names.join(', ')}${rest}`];
}

function parentLines({ parents }: SymbolAnswer, pen: Pen): string[] {
  return parents.map(({ name, use, place }) => {
    const where = place === null ? `${visibleLine(name)}  ${pen.dim('outside')}` : placeText(place, pen);
    return `  ${where}  ${pen.dim(use)}`;
  });
}

function relatives(title: string, places: Some<Place>, pen: Pen): string[] {
  const lines = places.list.map((place) => `  ${placeText(place, pen)}`);
  return section(title, [...lines, ...more(places.leftOut, pen)]);
}
