/**
 * Codex's configuration. No kept-up library edits TOML and keeps comments, so that the only edit is a table of our own,
 * added at the end or cut out again; `smol-toml` reads the text before and after, and nothing but our entry may differ.
 */
import { parse, stringify, TomlError } from 'smol-toml';
import type { Client } from './clients.js';
import { type ConfigText, checkEdit, endingOf, equal, plain, refusal, splitMark } from './config.js';
import type { Entry } from './entry.js';

type Table = Record<string, unknown>;

/** Lines of our table and of those under it. */
interface Block {
  start: number;
  end: number;
}

export class TomlConfig implements ConfigText {
  constructor(
    private readonly client: Client,
    private readonly name: string,
    private readonly entry: () => Entry,
  ) {}

  look(text: string): { existing: unknown; wanted: Entry } {
    return { existing: plain(this.servers(read(splitMark(text)[1]))?.[this.name]), wanted: this.entry() };
  }

  /** What to add to a file by hand, which is also the text of a new one. */
  snippet(entry: Entry): string {
    return `${this.block(entry, '\n')}\n`;
  }

  add(text: string): string {
    return this.put(text, this.entry());
  }

  remove(text: string): string | null {
    const [mark, rest] = splitMark(text);
    const before = read(rest);
    const servers = this.servers(before);
    if (servers?.[this.name] === undefined) return text;
    const entry = servers[this.name] as Entry;
    if (text === this.snippet(entry)) return null;
    const tried = this.without(rest);
    const result = tried.find((candidate) => this.undoes(candidate, rest, entry)) ?? tried[0];
    delete servers[this.name];
    const after = read(result);
    if (Object.keys(servers).length === 0 && !(this.client.section in after)) delete before[this.client.section];
    checkEdit(after, before);
    return mark + result;
  }

  private put(text: string, entry: Entry): string {
    const [mark, rest] = splitMark(text);
    const before = read(rest);
    const there = this.servers(before)?.[this.name];
    if (equal(there, entry)) return text;
    const eol = endingOf(rest);
    const expected = { ...before, [this.client.section]: { ...this.servers(before), [this.name]: entry } };
    const after = this.edit(rest, entry, eol, there !== undefined);
    let result: Table;
    try {
      result = parse(after, OPTIONS);
    } catch (error) {
      throw refusal(`"${this.client.section}" has a form that no table can be added to`, error);
    }
    checkEdit(result, expected);
    return mark + after;
  }

  private edit(text: string, entry: Entry, eol: string, replaces: boolean): string {
    if (text.trim() === '') return this.snippet(entry);
    const block = this.block(entry, eol);
    if (replaces) {
      const lines = text.split('\n');
      const { start, end } = this.blockIn(lines);
      const ending = lines[end - 1].endsWith('\r') ? '\r' : '';
      return [...lines.slice(0, start), block + ending, ...lines.slice(end)].join('\n');
    }
    // Like the file, our table ends with a line break or not: so it can be told afterwards how the file ended.
    return text.endsWith('\n') ? `${text}${eol}${block}${eol}` : `${text}${eol}${eol}${block}`;
  }

  /** What the file may have been before `add`; the first is right whatever was edited since. */
  private without(text: string): string[] {
    const lines = text.split('\n');
    const { start, end } = this.blockIn(lines);
    const separated = start > 0 && lines[start - 1].trim() === '';
    const kept = lines.slice(0, separated ? start - 1 : start);
    const rest = lines.slice(end);
    const last = (kept.at(-1) ?? '').replace(/\r$/, '');
    return [[...kept, ...rest].join('\n'), [...kept.slice(0, -1), last].join('\n')];
  }

  private undoes(candidate: string, text: string, entry: Entry): boolean {
    try {
      return this.put(candidate, entry) === text;
    } catch {
      return false;
    }
  }

  private servers(root: Table): Table | undefined {
    const servers = root[this.client.section];
    if (servers === undefined) return undefined;
    if (typeof servers !== 'object' || servers === null || Array.isArray(servers)) {
      throw refusal(`"${this.client.section}" is not a table`);
    }
    return servers as Table;
  }

  private block(entry: Entry, eol: string): string {
    return stringify({ [this.client.section]: { [this.name]: entry } })
      .trim()
      .replaceAll('\n', eol);
  }

  /** Throws BAD_CONFIG where the entry is no table of its own. Text within strings that looks like one shows when all is read again. */
  private blockIn(lines: readonly string[]): Block {
    const key = `(?:${this.name}|"${this.name}"|'${this.name}')`;
    const ours = new RegExp(`^\\s*\\[\\s*${this.client.section}\\s*\\.\\s*${key}\\s*(?:\\.[^\\]]*)?\\]\\s*(?:#.*)?$`);
    const start = lines.findIndex((line) => ours.test(line));
    if (start < 0) throw refusal(`the entry is written in another form than [${this.client.section}.${this.name}]`);
    let end = start + 1;
    for (let at = end; at < lines.length; at++) {
      if (/^\s*\[/.test(lines[at]) && !ours.test(lines[at])) break;
      // Comments and empty lines at the end are about what follows.
      if (!/^\s*(#.*)?$/.test(lines[at])) end = at + 1;
    }
    return { start, end };
  }
}

const OPTIONS = { integersAsBigInt: 'asNeeded' } as const;

function read(text: string): Table {
  try {
    return parse(text, OPTIONS) as Table;
  } catch (error) {
    const where = error instanceof TomlError ? ` at line ${error.line}, column ${error.column}` : '';
    throw refusal(`it is no valid TOML${where}`, error);
  }
}
