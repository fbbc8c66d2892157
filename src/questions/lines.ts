/** Questions on stdin: one document a line, in order; a failed line is answered with an error, and the next one is read. */
import { createInterface } from 'node:readline';
import { SocraticodeError, unexpected } from '../base/errors.js';
import { safeJson } from '../base/hygiene.js';
import type { Params } from '../params/param.js';
import { type Field, readValues } from '../params/read.js';
import type { Asker, CommandSide } from './asker.js';
import { fromHere } from './from-here.js';

/** How the lines of a question are read. */
export interface LineForm {
  /** Parameters of one question: the keys of a line. */
  params: Params;
  /** Key of the parameter that a line without braces is, and that a line with them has for itself. */
  main: string;
}

/** Reads until stdin ends or Ctrl-C; `values` are the defaults of each line. */
export async function answerEachLine<V extends object>(
  at: Asker,
  { values, form, answer }: { values: V; form: LineForm; answer: (values: V) => Promise<object> },
): Promise<void> {
  const { io, write } = at.command as CommandSide;
  const input = createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY, signal: at.signal });
  for await (const line of input) {
    const document = await answerLine(async () => {
      return answer(await fromHere(at, form.params, parseLine(line, values, form)));
    });
    await write(`${safeJson(document)}\n`);
  }
}

async function answerLine(answer: () => Promise<object>): Promise<object> {
  try {
    return await answer();
  } catch (error) {
    const { code, message, hint } = unexpected(error);
    return { schemaVersion: 1, error: { code, message, hint } };
  }
}

/** A line is the main parameter, or a JSON object of parameters. Throws BAD_ARGUMENT. */
export function parseLine<V extends object>(line: string, values: V, { params, main }: LineForm): V {
  if (!line.trimStart().startsWith('{')) return { ...values, [main]: line };
  let given: unknown;
  try {
    given = JSON.parse(line);
  } catch (cause) {
    throw new SocraticodeError('BAD_ARGUMENT', 'the line begins like a JSON object, but is not valid JSON', { cause });
  }
  const keys = Object.keys(params);
  const fields = keys.map((key): Field => {
    const param = key === main ? params[key] : { ...params[key], default: values[key as keyof V] as never };
    return { key, name: key, label: key, param };
  });
  return { ...values, ...readValues(given, { fields, hint: `Keys: ${keys.join(', ')}.` }) };
}
