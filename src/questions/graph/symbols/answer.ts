/** Answers `graph symbols`: definitions of a file, or those with such a name. */
import { SYMBOL_KINDS } from '../../../extract/facts.js';
import { nearestNames, wordsOf } from '../../../graph/query/names.js';
import { acceptsPath } from '../../../graph/query/target.js';
import { kindMeant } from '../../../languages/roles/symbol-kinds.js';
import { unknownKind } from '../../../search/filter-names.js';
import type { Asker } from '../../asker.js';
import { LISTED } from '../limits.js';
import { askGraph } from '../snapshot-graph.js';
import { listSymbols } from './list-symbols.js';
import type { GraphSymbolsResponse } from './output.js';
import type { SymbolsValues } from './question.js';

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
  const unknown = kinds.find((kind) => !known.includes(kindMeant(kind)));
  if (unknown !== undefined) throw unknownKind(unknown, SYMBOL_KINDS);
  return new Set(kinds.map(kindMeant));
}
