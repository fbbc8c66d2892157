/** Finds what `scip lint` would, and places that are outside of the text. */
import {
  isLocalSymbol,
  isSymbol,
  SCIP_ROLES,
  type ScipDocument,
  type ScipPart,
  type ScipRange,
  type ScipSymbol,
} from '../../src/scip/index-file.js';

/** Faults of an index, none for a sound one. `textOf` gives the text of a document by its path. */
export function lintScip(parts: readonly ScipPart[], textOf: (path: string) => string): string[] {
  const faults: string[] = [];
  if (parts[0]?.kind !== 'metadata') faults.push('metadata are not the first part');
  const documents = parts.flatMap((part) => (part.kind === 'document' ? [part.document] : []));
  const symbols = [
    ...documents.flatMap((document) => document.symbols),
    ...parts.flatMap((part) => (part.kind === 'external' ? [part.symbol] : [])),
  ];
  const known = new Set(symbols.map(({ symbol }) => symbol));
  const paths = new Set<string>();
  for (const document of documents) {
    if (paths.has(document.path)) faults.push(`${document.path}: twice`);
    if (/^\/|(?:^|\/)\.{0,2}(?:\/|$)/.test(document.path)) faults.push(`${document.path}: not a canonical path`);
    paths.add(document.path);
    const fault = (what: string) => faults.push(`${document.path}: ${what}`);
    lintOccurrences(document, known, textOf(document.path).split('\n'), fault);
    lintSymbols(document.symbols, known, fault);
  }
  return faults;
}

type Fault = (what: string) => void;

function lintOccurrences(
  { occurrences }: ScipDocument,
  known: ReadonlySet<string>,
  lines: string[],
  fault: Fault,
): void {
  const seen = new Set<string>();
  let last: ScipRange = [0, 0, 0, 0];
  for (const { range, symbol, roles, enclosing } of occurrences) {
    const place = `${range.join(':')} ${symbol}`;
    if (!isSymbol(symbol)) fault(`${place}: no symbol`);
    else if (!isLocalSymbol(symbol) && !known.has(symbol)) fault(`${place}: nothing describes the symbol`);
    if (!isWithin(range, lines)) fault(`${place}: outside of the text`);
    if (enclosing !== undefined && !(isWithin(enclosing, lines) && encloses(enclosing, range)))
      fault(`${place}: not within ${enclosing.join(':')}`);
    if (compare(range, last) < 0) fault(`${place}: out of order`);
    if (seen.has(place)) fault(`${place}: twice`);
    if (roles >= 128) fault(`${place}: roles ${roles}`);
    if (roles & SCIP_ROLES.definition && roles & (SCIP_ROLES.forwardDefinition | SCIP_ROLES.import))
      fault(`${place}: a definition is nothing else`);
    seen.add(place);
    last = range;
  }
}

function lintSymbols(symbols: readonly ScipSymbol[], known: ReadonlySet<string>, fault: Fault): void {
  const seen = new Set<string>();
  for (const { symbol, relationships } of symbols) {
    if (seen.has(symbol)) fault(`${symbol}: described twice`);
    seen.add(symbol);
    for (const { symbol: other, ...flags } of relationships) {
      if (!known.has(other)) fault(`${symbol}: a relationship to the unknown ${other}`);
      if (!Object.values(flags).includes(true)) fault(`${symbol}: an empty relationship to ${other}`);
    }
    if (new Set(relationships.map((it) => it.symbol)).size < relationships.length) fault(`${symbol}: related twice`);
  }
}

function compare(a: ScipRange, b: ScipRange): number {
  return a[0] - b[0] || a[1] - b[1];
}

function encloses([startLine, startColumn, endLine, endColumn]: ScipRange, range: ScipRange): boolean {
  const [line, column, lastLine, lastColumn] = range;
  return (
    (startLine < line || (startLine === line && startColumn <= column)) &&
    (lastLine < endLine || (lastLine === endLine && lastColumn <= endColumn))
  );
}

function isWithin([startLine, startColumn, endLine, endColumn]: ScipRange, lines: readonly string[]): boolean {
  return endLine < lines.length && startColumn <= lines[startLine].length && endColumn <= lines[endLine].length;
}
