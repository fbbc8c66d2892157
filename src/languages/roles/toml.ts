/** As much of TOML as manifests use; what can't be understood is skipped up to the end of its line. */
import type { Json } from './json.js';

type Table = { [key: string]: Json };

/** Nested deeper than this, nothing in a manifest is. */
const MAX_DEPTH = 12;
const SPACE = /[ \t\r\n]*(?:#[^\n]*[ \t\r\n]*)*/y;
const HEADER = /[ \t]*(\[{1,2})([^[\]\n]*)\]{1,2}/y;
const KEY_PART = /[ \t]*(?:"((?:[^"\\\n]|\\.)*)"|'([^'\n]*)'|([\w-]+))[ \t]*/y;
const BARE = /[^\s,#\]}]+/y;

/** Tables have no prototype: any key is just a key. */
export function parseToml(text: string): Table {
  return new TomlReader(text).document();
}

class TomlReader {
  private at = 0;

  constructor(private readonly text: string) {}

  document(): Table {
    const root = newTable();
    let table: Table | null = root;
    for (this.skip(SPACE); this.at < this.text.length; this.skip(SPACE)) {
      const header = this.match(HEADER);
      if (header !== null) table = tableAt(root, keyParts(header[2]), header[1] === '[[');
      else if (!this.pair(table ?? newTable(), 0)) this.skipLine();
    }
    return root;
  }

  /** `a.b = value`. False, with the position anywhere on the line, if there is none. */
  private pair(table: Table, depth: number): boolean {
    const names: string[] = [];
    do {
      const part = this.match(KEY_PART);
      if (part === null) return false;
      names.push(part[1] ?? part[2] ?? part[3]);
    } while (this.take('.'));
    if (!this.take('=') || names.length > MAX_DEPTH) return false;
    const value = this.value(depth);
    const owner = tableAt(table, names.slice(0, -1), false);
    if (value === undefined || owner === null) return false;
    owner[names[names.length - 1]] = value;
    return true;
  }

  private value(depth: number): Json | undefined {
    this.skip(SPACE);
    const first = this.text[this.at];
    if (first === '"' || first === "'") return this.string(first);
    if (depth > MAX_DEPTH) return undefined;
    if (first === '[') return this.array(depth + 1);
    if (first === '{') return this.inlineTable(depth + 1);
    const bare = this.match(BARE)?.[0];
    return bare === 'true' ? true : bare === 'false' ? false : bare;
  }

  private string(quote: string): string {
    const triple = quote.repeat(3);
    const mark = this.text.startsWith(triple, this.at) ? triple : quote;
    const start = this.at + mark.length;
    let end = start;
    while (end < this.text.length && !this.text.startsWith(mark, end)) {
      if (mark.length === 1 && this.text[end] === '\n') break;
      end += quote === '"' && this.text[end] === '\\' ? 2 : 1;
    }
    this.at = Math.min(end + mark.length, this.text.length);
    return this.text.slice(start, end);
  }

  private array(depth: number): Json[] {
    const items: Json[] = [];
    this.at++;
    for (this.skip(SPACE); this.at < this.text.length && !this.take(']'); this.skip(SPACE)) {
      const item = this.value(depth);
      if (item === undefined) break;
      items.push(item);
      this.skip(SPACE);
      this.take(',');
    }
    return items;
  }

  private inlineTable(depth: number): Table {
    const table = newTable();
    this.at++;
    for (this.skip(SPACE); this.at < this.text.length && !this.take('}'); this.skip(SPACE)) {
      if (!this.pair(table, depth)) break;
      this.skip(SPACE);
      this.take(',');
    }
    return table;
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found !== null) this.at = pattern.lastIndex;
    return found;
  }

  private skip(pattern: RegExp): void {
    this.match(pattern);
  }

  private skipLine(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end + 1;
  }
}

function newTable(): Table {
  return Object.create(null) as Table;
}

function keyParts(header: string): string[] {
  return header.split('.').map((part) => part.trim().replace(/^["']|["']$/g, ''));
}

/** The table of that name, made where there is none; null where something else has the name. */
function tableAt(root: Table, names: readonly string[], isItem: boolean): Table | null {
  if (names.length > MAX_DEPTH) return null;
  let table = root;
  for (const [i, name] of names.entries()) {
    let next = table[name];
    if (isItem && i === names.length - 1) {
      if (!Array.isArray(next)) {
        next = [];
        table[name] = next;
      }
      next.push(newTable());
    } else if (next === undefined) {
      next = newTable();
      table[name] = next;
    }
    const inner: Json | undefined = Array.isArray(next) ? next.at(-1) : next;
    if (inner === null || typeof inner !== 'object' || Array.isArray(inner)) return null;
    table = inner as Table;
  }
  return table;
}
