/**
 * One client's configuration as text, with and without our entry. The formats (`json.ts`, `toml.ts`) edit;
 * this file reads the text again after each edit, and refuses an edit that changed anything but our entry.
 */
import type { Client } from '../clients.js';
import type { Entry } from './entry.js';
import { type Data, equal, type Format, refusal } from './format.js';
import { jsonFormat } from './json.js';
import { tomlFormat } from './toml.js';

export class ClientConfig {
  private readonly format: Format;

  /** `entry`: our entry in place of `existing`; `nested` asks for the client's newer shape. */
  constructor(
    client: Client,
    private readonly name: string,
    private readonly entry: (nested: boolean, existing?: unknown) => Entry,
  ) {
    this.format = client.format === 'json' ? jsonFormat(client, name) : tomlFormat(client, name);
  }

  /** The entry of our name (undefined without one), and the entry that `add` writes. Throws BAD_CONFIG. */
  look(text: string): { existing: unknown; wanted: Entry } {
    const { data, path } = this.format.read(withoutMark(text));
    const existing = this.entryIn(serversIn(data, path));
    return { existing, wanted: this.entry(path.length > 1, existing) };
  }

  snippet(): string {
    return this.format.snippet(this.entry(false));
  }

  /** The text with our entry, in place of another of that name. Throws BAD_CONFIG. */
  add(text: string): string {
    return this.put(text, this.look(text).wanted);
  }

  /** The text without the entry of our name, as it was before `add`; null if `add` made the file. Throws BAD_CONFIG. */
  remove(text: string): string | null {
    const { existing } = this.look(text);
    if (existing === undefined) return text;
    const entry = existing as Entry;
    if (text === this.format.create(entry)) return null;
    const rest = withoutMark(text);
    const { certain, likely } = this.format.without(rest);
    const result = likely !== null && this.undoes(likely, rest, entry) ? likely : certain;
    const { data: expected, path } = this.format.read(rest);
    const { data: after } = this.format.read(result);
    const servers = serversIn(expected, path);
    delete servers[this.name];
    if (Object.keys(servers).length === 0 && !(path[0] in after)) delete expected[path[0]];
    if (!equal(after, expected)) throw unsafe();
    return markOf(text) + result;
  }

  private put(text: string, entry: Entry): string {
    const rest = withoutMark(text);
    if (rest.trim() === '') return markOf(text) + this.format.create(entry);
    const { data: expected, path } = this.format.read(rest);
    const servers = serversIn(expected, path);
    if (equal(this.entryIn(servers), entry)) return text;
    servers[this.name] = entry;
    const after = this.format.put(rest, entry);
    if (!this.says(after, expected)) throw unsafe();
    return markOf(text) + after;
  }

  private entryIn(servers: Data): unknown {
    return Object.hasOwn(servers, this.name) ? servers[this.name] : undefined;
  }

  private undoes(before: string, text: string, entry: Entry): boolean {
    try {
      return this.put(before, entry) === text;
    } catch {
      return false;
    }
  }

  private says(text: string, expected: Data): boolean {
    try {
      return equal(this.format.read(text).data, expected);
    } catch {
      return false;
    }
  }
}

/** The object of servers, created within `data` if it lacks. */
function serversIn(data: Data, path: readonly string[]): Data {
  return path.reduce((object, key) => {
    object[key] ??= {};
    return object[key] as Data;
  }, data);
}

const unsafe = () => refusal('it cannot be edited safely in the form it has');

/** Byte order mark of Windows editors: no parser takes it, and every edit keeps it. */
const markOf = (text: string): string => (text.startsWith('\ufeff') ? '\ufeff' : '');
const withoutMark = (text: string): string => text.slice(markOf(text).length);
