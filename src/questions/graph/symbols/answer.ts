/** `graph symbols`: what a file defines, or what has such a name. */
import { SocraticodeError } from '../../../base/errors.js';
import { SYMBOL_KINDS } from '../../../extract/facts.js';
import { nearestNames } from '../../../graph/query/suggest.js';
import { listSymbols } from './list-symbols.js';
import { acceptsPath, wordsOf } from '../../../graph/query/target.js';
import { type GraphQuestion, type GraphSource, prepareQuestion } from '../snapshot-graph.js';
import type { Session } from '../../../session/session.js';
import type { GraphSymbolsResponse } from '../../../engine/contract.js';

export interface SymbolsOptions extends GraphQuestion {
  /** A file, or a directory with all files below. */
  file?: string;
  query?: string;
  kind?: readonly string[];
}

const DEFAULT_LIMIT = 100;

/** Throws BAD_ARGUMENT for a file that is not in the snapshot, or an unknown kind. */
export async function runSymbols(
  session: Session,
  options: SymbolsOptions,
  graphs?: GraphSource,
): Promise<GraphSymbolsResponse> {
  const kinds = kindsOf(options.kind);
  const { graph, header, prefix } = await prepareQuestion(session, options, graphs);
  const { file, query, limit = DEFAULT_LIMIT } = options;
  const accepts = file === undefined ? undefined : acceptsPath(graph, file, prefix);
  const { total, symbols } = listSymbols(graph, { limit, accepts, query, kinds });
  const suggestions = total === 0 && query !== undefined ? nearestNames(graph, wordsOf(query)) : [];
  return { ...header, total, symbols, ...(suggestions.length > 0 && { suggestions }) };
}

function kindsOf(kinds: readonly string[] | undefined): ReadonlySet<string> | undefined {
  if (kinds === undefined) return undefined;
  const wanted = kinds.map((kind) => kind.toLowerCase());
  const unknown = wanted.find((kind) => !(SYMBOL_KINDS as readonly string[]).includes(kind));
  if (unknown === undefined) return new Set(wanted);
  throw new SocraticodeError('BAD_ARGUMENT', `unknown kind: ${unknown}`, { hint: `Kinds: ${SYMBOL_KINDS.join(', ')}` });
}
