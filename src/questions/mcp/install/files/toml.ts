/**
 * Edits Codex's configuration. No maintained library edits TOML and keeps its comments, so the only edits are a table
 * of our own, added at the end of the file, and its removal.
 */
import { parse, stringify, TomlError } from 'smol-toml';
import type { Client } from '../clients.js';
import type { Entry } from './entry.js';
import { type Data, endingOf, type Format, plain, refusal } from './format.js';

/** Our table: its name, and a pattern for its header and those of the tables below it. */
interface Table {
  name: string;
  header: RegExp;
}

export function tomlFormat({ section }: Client, name: string): Format {
  const key = `(?:${name}|"${name}"|'${name}')`;
  const table: Table = {
    name: `[${section}.${name}]`,
    header: new RegExp(`^\\s*\\[\\s*${section}\\s*\\.\\s*${key}\\s*(?:\\.[^\\]]*)?\\]\\s*(?:#.*)?$`),
  };
  const write = (entry: Entry) => stringify({ [section]: { [name]: entry } }).trim();
  const create = (entry: Entry) => `${write(entry)}\n`;
  return {
    read: (text) => ({ data: read(text, section), path: [section] }),
    snippet: create,
    create,
    put(text, entry) {
      const eol = endingOf(text);
      const block = write(entry).replaceAll('\n', eol);
      if (Object.hasOwn((read(text, section)[section] ?? {}) as Data, name)) {
        const { before, ours, after } = linesOf(text, table);
        const ending = ours.at(-1)?.endsWith('\r') ? '\r' : '';
        return [...before, block + ending, ...after].join('\n');
      }
      // Our table ends in a line break if the file did, so that `without` can tell how the file ended.
      return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
    },
    without(text) {
      const { before, after } = linesOf(text, table);
      const kept = before.at(-1)?.trim() === '' ? before.slice(0, -1) : before;
      const last = (kept.at(-1) ?? '').replace(/\r$/, '');
      return { certain: [...kept, ...after].join('\n'), likely: [...kept.slice(0, -1), last].join('\n') };
    },
  };
}

/**
 * Lines of our table and the tables below it, and the lines around them. Throws BAD_CONFIG if the entry is no table of
 * its own. A header within a multi-line string also matches; the caller finds that out when it reads its edit again.
 */
function linesOf(text: string, { name, header }: Table): { before: string[]; ours: string[]; after: string[] } {
  const lines = text.split('\n');
  const start = lines.findIndex((line) => header.test(line));
  if (start < 0) throw refusal(`the entry is written in another form than ${name}`);
  let end = start + 1;
  for (let at = end; at < lines.length; at++) {
    if (/^\s*\[/.test(lines[at]) && !header.test(lines[at])) break;
    // Comments and empty lines at the end belong to the table that follows.
    if (!/^\s*(#.*)?$/.test(lines[at])) end = at + 1;
  }
  return { before: lines.slice(0, start), ours: lines.slice(start, end), after: lines.slice(end) };
}

function read(text: string, section: string): Data {
  let data: Data;
  try {
    data = plain(parse(text, { integersAsBigInt: 'asNeeded' })) as Data;
  } catch (error) {
    const where = error instanceof TomlError ? ` at line ${error.line}, column ${error.column}` : '';
    throw refusal(`it is no valid TOML${where}`, error);
  }
  const servers = data[section] ?? {};
  if (typeof servers !== 'object' || Array.isArray(servers)) throw refusal(`"${section}" is not a table`);
  return data;
}
