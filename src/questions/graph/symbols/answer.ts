/** Answers `graph symbols`: definitions of a file, or those with such a name; and completes paths and names for agents. */
import { SYMBOL_KINDS } from '../../../extract/facts.js';
import { type Completed, completeName, completePath, listSymbols } from '../../../graph/query/describe-symbol.js';
import { acceptsPath, nearestNames, wordsOf } from '../../../graph/query/target.js';
import { resolveKind } from '../../../languages/roles/definitions.js';
import { unknownKind } from '../../../search/typed-filters.js';
import type { GraphOptions } from '../../../session/graph/graphs.js';
import type { Session } from '../../../session/session.js';
import type { Asker } from '../../asker.js';
import { formatCount } from '../../format.js';
import type { Pen } from '../../pen.js';
import { more } from '../../view.js';
import { LISTED } from '../graph-question.js';
import { askGraph } from '../snapshot-graph.js';
import type { GraphSymbolsResponse, SymbolsValues } from './question.js';

/** Throws BAD_ARGUMENT for a file that is not in the snapshot, or an unknown kind. */
export async function answerSymbols(at: Asker, values: SymbolsValues): Promise<GraphSymbolsResponse> {
  const { file, limit = LISTED.symbols } = values;
  const query = values.queryOption ?? values.query;
  const kinds = kindsOf(values.kind);
  return askGraph(at, values, async ({ graph, header, prefix }) => {
    const accepts = file === undefined ? undefined : acceptsPath(graph, file, prefix);
    const { total, symbols } = listSymbols(graph, { limit, accepts, query, kinds });
    const suggestions = total === 0 && query !== undefined ? nearestNames(graph, wordsOf(query)) : [];
    return { ...header, total, symbols, ...(suggestions.length > 0 && { suggestions }) };
  });
}

function kindsOf(kinds: readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (kinds === undefined) return undefined;
  const known: readonly string[] = SYMBOL_KINDS;
  const unknown = kinds.find((kind) => !known.includes(resolveKind(kind)));
  if (unknown !== undefined) throw unknownKind(unknown, SYMBOL_KINDS);
  return new Set(kinds.map(resolveKind));
}

export function symbolsText({ total, symbols, suggestions = [] }: GraphSymbolsResponse, { pen }: { pen: Pen }): string {
  if (total === 0) {
    const hint = suggestions.length === 0 ? [] : [`did you mean ${suggestions.join(', ')}?`];
    return `${['no symbols', ...hint].map((line) => pen.dim(line)).join('\n')}\n`;
  }
  const lines: string[] = [];
  let path = '';
  for (const { path: file, symbol, kind, exported, startLine, endLine, uses } of symbols.list) {
    if (file !== path) lines.push(pen.path(file));
    path = file;
    const range = pen.line(endLine > startLine ? `${startLine}-${endLine}` : String(startLine));
    const details = [kind, ...(exported ? ['exported'] : []), ...(uses > 0 ? [formatCount(uses, 'use')] : [])];
    lines.push(`  ${range} ${pen.symbol(symbol ?? '')}  ${pen.dim(details.join(', '))}`);
  }
  return `${[...lines, ...more(symbols.leftOut, pen)].join('\n')}\n`;
}

interface CompleteOptions extends GraphOptions {
  what: 'path' | 'name';
  text: string;
  limit?: number;
}

const DEFAULT_LIMIT = 100;

export async function runComplete(
  session: Session,
  { what, text, limit = DEFAULT_LIMIT, ...question }: CompleteOptions,
): Promise<Completed> {
  const { graphsOf } = await import('../../../session/graph/graphs.js');
  const { graph } = await graphsOf(session).prepare(question);
  return (what === 'path' ? completePath : completeName)(graph, text, limit);
}
