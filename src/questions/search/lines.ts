/** `search --stdin`: one document a line of stdin, in order; a failed line is answered with an error, and the next one is read. */
import { createInterface } from 'node:readline';
import { SocraticodeError, unexpected } from '../../base/errors.js';
import { safeJson } from '../../base/hygiene.js';
import { type Field, readValues } from '../../params/read.js';
import type { Asker, CommandSide } from '../asker.js';
import { fromHere } from '../from-here.js';
import type { CommitsDocument } from '../history/commits/output.js';
import type { ErrorDocument } from '../output-parts.js';
import { SearchAsker } from './answer.js';
import type { SearchResponse } from './output.js';
import { queryParams, type SearchValues } from './params.js';

const KEYS = Object.keys(queryParams) as (keyof typeof queryParams)[];
const HINT = `Keys: ${KEYS.join(', ')}.`;

/** Reads until stdin ends or Ctrl-C; `values` are the defaults of each line. */
export async function answerLines(at: Asker, values: SearchValues): Promise<void> {
  const { io, write } = at.command as CommandSide;
  const asking = new SearchAsker(at);
  const input = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY, signal: at.signal });
  try {
    for await (const line of input) {
      const document = await answerLine(asking, line, (typed) => fromHere(at, queryParams, parseLine(typed, values)));
      await write(`${safeJson(document)}\n`);
    }
  } finally {
    await asking.close();
  }
}

async function answerLine(
  asking: SearchAsker,
  line: string,
  parse: (line: string) => Promise<SearchValues>,
): Promise<SearchResponse | CommitsDocument | ErrorDocument> {
  try {
    return await asking.answer(await parse(line));
  } catch (error) {
    const { code, message, hint } = unexpected(error);
    return { schemaVersion: 1, error: { code, message, hint } };
  }
}

/** A line is a query, or a JSON object of parameters. Throws BAD_ARGUMENT. */
export function parseLine(line: string, values: SearchValues): SearchValues {
  if (!line.trimStart().startsWith('{')) return { ...values, query: line };
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch (cause) {
    throw new SocraticodeError('BAD_ARGUMENT', 'the line begins like a JSON object, but is not valid JSON', { cause });
  }
  const fields = KEYS.map((key): Field => {
    // The query is the line's own.
    const param = key === 'query' ? queryParams.query : { ...queryParams[key], default: values[key] };
    return { key, name: key, label: key, param };
  });
  return { ...values, ...readValues(given, { fields, hint: HINT }) };
}
