/** Reads the requests that a snapshot sends, from the text of the files that seem to send some. */
import { clientRule, requestsIn } from '../../graph/across/calls.js';
import type { ClientCall } from '../../graph/across/facts.js';
import type { Snapshot } from '../../graph/link/symbol-table.js';
import type { PreparedGraph } from '../graph/prepare.js';

/** Requests of one repository: more are made to be slow. */
const MAX_CALLS = 50_000;
const MAX_LEVELS = 64;

export async function listCalls(
  { graph, objects }: PreparedGraph,
  snapshot: Snapshot,
  signal?: AbortSignal,
): Promise<ClientCall[]> {
  const found: ClientCall[] = [];
  for (const [file, { path, oid }] of graph.tables.files.entries()) {
    const { references } = snapshot.index(file).facts.relations;
    if (found.length >= MAX_CALLS || !references.some((reference) => clientRule(reference) !== null)) continue;
    signal?.throwIfAborted();
    const text = (await objects.read(oid))?.content.toString('utf8');
    if (text === undefined) continue;
    const nameOf = (symbol: number) => qualifiedName(snapshot.index(file).symbols, symbol);
    for (const { symbol, ...call } of requestsIn(text, references))
      found.push({ ...call, path, symbol: symbol < 0 ? null : nameOf(symbol) });
  }
  return found;
}

function qualifiedName(symbols: readonly { name: string; container: number }[], symbol: number): string {
  const names: string[] = [];
  for (let at = symbol; at >= 0 && names.length < MAX_LEVELS; at = symbols[at].container) names.push(symbols[at].name);
  return names.reverse().join('.');
}
