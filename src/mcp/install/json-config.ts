/** Configurations in JSON, comments and trailing commas allowed, as most clients read them. */
import jsonc, { type Node, type ParseError } from 'jsonc-parser';
import type { Client } from './clients.js';
import { type ConfigText, checkEdit, endingOf, equal, plain, refusal, splitMark } from './config.js';
import type { Entry } from './entry.js';
import { format, insertMember, removeMember, styleOf } from './json-edit.js';

/** What a file holds. */
interface Parsed {
  root: Node;
  /** Plain data. */
  value: Record<string, unknown>;
  /** Keys that lead to the servers. */
  path: readonly string[];
  /** The object of servers; undefined where the file has none yet. */
  section: Node | undefined;
  property: Node | undefined;
  wanted: Entry;
}

export class JsonConfig implements ConfigText {
  constructor(
    private readonly client: Client,
    private readonly name: string,
    /** `nested`: in the client's newer shape. */
    private readonly entry: (nested: boolean) => Entry,
  ) {}

  look(text: string): { existing: unknown; wanted: Entry } {
    const parsed = this.parse(splitMark(text)[1]);
    if (parsed === null) return { existing: undefined, wanted: this.entry(false) };
    return { existing: dataOf(parsed.property?.children?.[1]), wanted: parsed.wanted };
  }

  /** What to add to a file by hand. */
  snippet(entry: Entry): string {
    return `${format({ [this.client.section]: { [this.name]: entry } }, '', { eol: '\n', unit: '  ' })}\n`;
  }

  /** The text of a new file. */
  fresh(entry: Entry, eol = '\n'): string {
    const value = { [this.client.section]: { [this.name]: entry }, ...this.client.besides };
    return `${format(value, '', { eol, unit: '  ' })}${eol}`;
  }

  add(text: string): string {
    return this.put(text, undefined);
  }

  remove(text: string): string | null {
    const [mark, rest] = splitMark(text);
    const parsed = this.parse(rest);
    if (parsed?.property === undefined || parsed.section === undefined) return text;
    const entry = dataOf(parsed.property.children?.[1]) as Entry;
    if (text === this.fresh(entry)) return null;
    const { entryOnly, likely } = this.without(rest, parsed);
    const before = likely.find((candidate) => this.undoes(candidate, rest, entry)) ?? entryOnly;
    this.checkRemoved(before, parsed);
    return mark + before;
  }

  /** What the file may have been before `add`, the likeliest first; and what is right whatever was edited since. */
  private without(text: string, { root, section, property }: Parsed): { entryOnly: string; likely: string[] } {
    if (section === undefined || property === undefined) return { entryOnly: text, likely: [] };
    const style = styleOf(text, root, endingOf(text));
    const rests = ['inserted', 'nothing', 'all'] as const;
    const entry = rests.map((rest) => removeMember(text, section, property, rest, style));
    // A section that `add` never makes itself is never taken out either.
    const own = section.children?.length === 1 && section.parent?.parent === root;
    const whole = own ? rests.map((rest) => removeMember(text, root, section.parent as Node, rest, style)) : [];
    const others = (root.children?.length ?? 0) > 1;
    return { entryOnly: entry[1], likely: others ? [...whole, ...entry] : [...entry, ...whole] };
  }

  private undoes(candidate: string, text: string, entry: Entry): boolean {
    try {
      return this.put(candidate, entry) === text;
    } catch {
      return false;
    }
  }

  private put(text: string, given: Entry | undefined): string {
    const [mark, rest] = splitMark(text);
    const parsed = this.parse(rest);
    if (parsed === null) return mark + this.fresh(given ?? this.entry(false));
    const entry = given ?? parsed.wanted;
    if (equal(dataOf(parsed.property?.children?.[1]), entry)) return text;
    const after = this.edit(rest, parsed, entry);
    const expected = structuredClone(parsed.value);
    let servers = expected;
    for (const key of parsed.path) {
      servers[key] ??= {};
      servers = servers[key] as Record<string, unknown>;
    }
    servers[this.name] = entry;
    checkEdit(this.parse(after)?.value, expected);
    return mark + after;
  }

  private edit(text: string, { root, path, section, property }: Parsed, entry: Entry): string {
    const style = styleOf(text, root, endingOf(text));
    if (section === undefined) return insertMember(text, root, path[0], { [this.name]: entry }, style);
    const old = property?.children?.[1];
    if (old === undefined) return insertMember(text, section, this.name, entry, style);
    const line = text.lastIndexOf('\n', old.offset) + 1;
    const indent = /^[ \t]*/.exec(text.slice(line))?.[0] ?? '';
    return text.slice(0, old.offset) + format(entry, indent, style) + text.slice(old.offset + old.length);
  }

  private checkRemoved(after: string, { value, path }: Parsed): void {
    const expected = structuredClone(value);
    const servers = path.reduce((object, key) => object[key] as Record<string, unknown>, expected);
    delete servers[this.name];
    const left = this.parse(after)?.value ?? {};
    if (Object.keys(servers).length === 0 && !(path[0] in left)) delete expected[path[0]];
    checkEdit(left, expected);
  }

  /** Null for a text that says nothing. Throws BAD_CONFIG. */
  private parse(text: string): Parsed | null {
    if (text.trim() === '') return null;
    const root = parseTree(text);
    if (root.type !== 'object') throw refusal('it is not a JSON object');
    const value = dataOf(root) as Record<string, unknown>;
    const path = this.pathIn(value);
    let section: Node | undefined = root;
    for (const key of path) section = section && memberOf(section, key)?.children?.[1];
    if (section !== undefined && section.type !== 'object') throw refusal(`"${path.join('.')}" is not an object`);
    const property = section && memberOf(section, this.name);
    const nested = path.length > 1;
    return { root, value, path, section, property, wanted: this.entry(nested) };
  }

  /** The newer place only where it is an object of servers, and not a server of that name. */
  private pathIn(value: Record<string, unknown>): readonly string[] {
    const { nested, section } = this.client;
    const outer = value[section];
    const inner = nested && isObject(outer) ? outer[nested[1]] : undefined;
    const servers = isObject(inner) && Object.values(inner).every(isObject);
    return nested !== undefined && servers ? nested : [section];
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Throws BAD_CONFIG for a key that is there twice: clients differ in which of the two they take. */
function memberOf(object: Node, key: string): Node | undefined {
  if (object.type !== 'object') return undefined;
  const found = (object.children ?? []).filter(({ children }) => children?.[0].value === key);
  if (found.length > 1) throw refusal(`"${key}" is there twice`);
  return found[0];
}

function parseTree(text: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = jsonc.parseTree(text, errors, { allowTrailingComma: true });
    plain(root && jsonc.getNodeValue(root));
  } catch (error) {
    // Thousands of nested brackets, which end the stack.
    throw refusal('it is no JSON that can be read', error);
  }
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const before = text.slice(0, error?.offset ?? 0).split('\n');
    throw refusal(`it is no valid JSON at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`);
  }
  return root;
}

function dataOf(node: Node | undefined): unknown {
  return node === undefined ? undefined : plain(jsonc.getNodeValue(node));
}
