/** Text on stdin, questions on stdin (one a line), and globs relative to the current directory. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { addAbortSignal, type Readable } from 'node:stream';
import { SocraticodeError, unexpected } from '../base/errors.js';
import { safeJson } from '../base/printable.js';
import type { Params } from '../params/param.js';
import { type Field, readValues } from '../params/read.js';
import type { Asker, CommandCaller } from './asker.js';

/** Most bytes that are read. A longer text is a log, whose beginning says what failed. */
const MAX_BYTES = 1 << 20;

export async function readPiped(stdin: NodeJS.ReadableStream, signal: AbortSignal): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of addAbortSignal(signal, stdin as Readable)) {
    parts.push(Buffer.from(part));
    bytes += parts[parts.length - 1].length;
    if (bytes >= MAX_BYTES) break;
  }
  return Buffer.concat(parts).toString('utf8', 0, MAX_BYTES);
}

/** Makes globs begin at the top of the work tree: people type them relative to the current directory. */
export async function fromHere<V extends object>(at: Asker, params: Params, values: V): Promise<V> {
  const given = values as Record<string, unknown>;
  const keys = Object.keys(params).filter((key) => params[key].globs && given[key] !== undefined);
  if (keys.length === 0) return values;
  const [{ prefixOf }, { fromTop }] = await Promise.all([
    import('../session/session.js'),
    import('../search/typed-filters.js'),
  ]);
  const { directory, workTree } = prefixOf(at.session, at.directory);
  const exists = (path: string) => workTree !== null && existsSync(join(workTree, path));
  const rooted = keys.map((key) => [key, fromTop(given[key] as string[], directory, exists)]);
  return { ...values, ...Object.fromEntries(rooted) };
}

// Questions on stdin: one document for each line, in order. A line that fails is answered with an error, and reading goes on.

/** Format of a line. */
export interface LineForm {
  /** Parameters that a JSON object on a line may have. */
  params: Params;
  /** Parameter that a line without braces is the value of. */
  main: string;
}

/** Reads until stdin ends or Ctrl-C. `values` are the defaults of each line. */
export async function answerEachLine<V extends object>(
  at: Asker,
  { values, form, answer }: { values: V; form: LineForm; answer: (values: V) => Promise<object> },
): Promise<void> {
  const { io, write } = at.command as CommandCaller;
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

/** Reads a line: the main parameter, or a JSON object of parameters. Throws BAD_ARGUMENT. */
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
