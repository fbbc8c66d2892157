/** Answers `graph definition`: reads the name at the given line and column, and follows it in the graph. */
import { SocraticodeError } from '../../../base/errors.js';
import { findPath, placeOf, unknownPath } from '../../../graph/query/node-place.js';
import { definitionAt } from '../../../graph/query/target.js';
import { openFacts } from '../../../session/blob-facts.js';
import type { Asker } from '../../asker.js';
import type { Block } from '../../view.js';
import { definitionBlocks } from '../graph-text.js';
import { askGraph, checkRead, type GraphAndHeader } from '../snapshot-graph.js';
import type { DefinitionValues, GraphDefinitionResponse } from './question.js';

const PLACE = /^(?<path>.+):(?<line>\d+):(?<column>\d+)$/s;
const NAME = /[\p{L}\p{N}_$]+/gu;

/** Throws BAD_ARGUMENT for another form, an unknown file, and a line beyond the file's end. */
export async function answerDefinition(at: Asker, values: DefinitionValues): Promise<GraphDefinitionResponse> {
  const place = parse(values.place);
  return askGraph(at, values, (prepared) => definitionFrom(at, prepared, { ...values, ...place }));
}

async function definitionFrom(
  at: Asker,
  prepared: GraphAndHeader,
  values: DefinitionValues & ReturnType<typeof parse>,
): Promise<GraphDefinitionResponse> {
  const { path, line, column } = values;
  const { graph, header, prefix } = prepared;
  const file = findPath(graph, path, prefix);
  if (file < 0) throw unknownPath(graph, path, prefix);
  checkRead(prepared, file);
  const lines = await linesOf(at, prepared, file);
  if (line < 1 || line > lines.length)
    throw new SocraticodeError('BAD_ARGUMENT', `${path} has no line ${line}`, {
      hint: `It has ${lines.length} lines.`,
    });
  const found = nameAt(lines[line - 1], column - 1);
  const rest = { ...header, place: values.place };
  if (found === null) return { ...rest, name: '', definitions: [], possible: [] };
  const { name, before } = found;
  const has = wordTest(name);
  const firstLine = (from: number, to: number) => {
    for (let each = from; each <= to; each++) if (has(lines[each - 1] ?? '')) return each;
    return null;
  };
  const { resolved, possible } = definitionAt(graph, { file, line, name, before, firstLine });
  const definitions = (resolved?.nodes ?? []).map((node) => ({
    ...placeOf(graph, node),
    ...{ tier: resolved?.tier ?? 'unresolved', confidence: resolved?.confidence ?? 0 },
  }));
  return { ...rest, name, definitions, possible: possible.map((node) => placeOf(graph, node)) };
}

function parse(place: string): { path: string; line: number; column: number } {
  const parts = PLACE.exec(place)?.groups;
  if (parts === undefined)
    throw new SocraticodeError('BAD_ARGUMENT', 'the place has another form', { hint: 'Write PATH:LINE:COLUMN.' });
  return { path: parts.path, line: Number(parts.line), column: Number(parts.column) };
}

/** Lines as the graph counts them; none for a file that can no longer be read. */
async function linesOf({ session, signal }: Asker, prepared: GraphAndHeader, file: number): Promise<string[]> {
  const source = await openFacts(session, prepared, { count: 1, signal });
  try {
    const bytes = await source.bytes(prepared.graph.tables.files[file].oid);
    return bytes === null ? [] : bytes.toString('utf8').split('\n');
  } finally {
    await source.close();
  }
}

/** Name at a column, or right before it: editors also ask at a name's end. */
function nameAt(line: string, column: number): { name: string; before: string } | null {
  for (const { 0: name, index } of line.matchAll(NAME))
    if (index <= column && column <= index + name.length) return { name, before: line.slice(0, index) };
  return null;
}

function wordTest(name: string): (line: string) => boolean {
  return (line) => {
    for (const { 0: word } of line.matchAll(NAME)) if (word === name) return true;
    return false;
  };
}

export function placesBlocks({ name, definitions, possible }: GraphDefinitionResponse): Block[] {
  if (name === '') return [{ say: ['no name stands at that place'] }];
  if (definitions.length > 0) return definitionBlocks(definitions);
  if (possible.length === 0) return [{ say: ['no definition of ', { symbol: name }, ' is known for that place'] }];
  return [{ say: ['the target of this use is not known; definitions of that name:'] }, ...definitionBlocks(possible)];
}
