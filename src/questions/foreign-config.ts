/**
 * Edits configuration files of other programs, and leaves every byte but our entry as it was. Follows no link that a repository brought.
 */
import { mkdirSync, readFileSync, realpathSync, rmdirSync, rmSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import jsonc, { type Edit, type Node, type ParseError } from 'jsonc-parser';
import { isLink, plainFileAt, standingAt, writeFileAtomic } from '../base/atomic.js';
import { SocraticodeError } from '../base/errors.js';
import { acquireLock } from '../base/lock.js';
import { commandText } from '../params/param.js';
import type { Client, Entry } from './mcp/clients.js';

const MAX_BYTES = 4 << 20;
const LOCK_WAIT_MS = 5_000;

export interface ConfigFile {
  path: string;
  /** The project's root, for a file of a project. */
  root: string | null;
}

/**
 * Null if there is no file. Throws BAD_CONFIG for a directory, a pipe, a link of a project, a file that is too large, and invalid UTF-8.
 */
export function readConfig(file: ConfigFile): string | null {
  return readTarget(targetOf(file));
}

function readTarget(target: string): string | null {
  const stat = plainFileAt(target);
  if (stat === null) {
    if (standingAt(target) !== undefined) throw refusal('it is no regular file');
    return null;
  }
  if (stat.size > MAX_BYTES) throw refusal('it is too large for a configuration');
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(readFileSync(target));
  } catch (error) {
    throw refusal(`it cannot be read: ${(error as Error).message}`, error);
  }
}

/**
 * Replaces the text of a file by the result of `change`; null removes the file. The lock keeps our own processes apart. Other programs take
 * no lock, but reading, changing and replacing take a millisecond.
 */
export async function changeConfig(file: ConfigFile, change: (text: string | null) => string | null): Promise<void> {
  const target = targetOf(file);
  const directory = dirname(target);
  let topmost = makeParents(directory);
  let release = () => {};
  try {
    release = await acquireLock(`${target}.socraticode.lock`, { waitMs: LOCK_WAIT_MS });
    const before = readTarget(target);
    const after = change(before);
    if (after === null) {
      rmSync(target, { force: true });
      if (file.root !== null && directory !== file.root) topmost ??= directory;
    } else if (after !== before) {
      writeFileAtomic(target, after, plainFileAt(target)?.mode);
    }
  } finally {
    release();
    if (topmost !== undefined) removeEmpty(directory, topmost);
  }
}

/** Creates directories, and returns the topmost new one; undefined if all exist. */
function makeParents(directory: string): string | undefined {
  try {
    return mkdirSync(directory, { recursive: true });
  } catch (cause) {
    throw new SocraticodeError('DISK', `cannot create ${directory}: ${(cause as Error).message}`, { cause });
  }
}

/** Removes empty directories from `directory` up to `topmost`. */
function removeEmpty(directory: string, topmost: string): void {
  try {
    for (let at = directory; at.length >= topmost.length; at = dirname(at)) rmdirSync(at);
  } catch {
    // A directory with contents stays, and so do those above it.
  }
}

/**
 * Resolves links. The user's own links in the home directory are followed to files of the same user. Links in a project are refused: they
 * came with the repository, and `.mcp.json` could point to ~/.bashrc.
 */
function targetOf({ path, root }: ConfigFile): string {
  if (root !== null) {
    refuseLinksBelow(root, path);
    return path;
  }
  if (!isLink(path)) return join(realOrSame(dirname(path)), basename(path));
  let target: string;
  let stat: Stats;
  try {
    target = realpathSync(path);
    stat = statSync(target);
  } catch (error) {
    throw refusal('it is a symbolic link that leads nowhere', error);
  }
  if (process.getuid !== undefined && stat.uid !== process.getuid()) {
    throw refusal(`it is a symbolic link to a file of somebody else (${target})`);
  }
  return target;
}

function refuseLinksBelow(root: string, path: string): void {
  let at = root;
  for (const part of relative(root, path).split(sep)) {
    at = join(at, part);
    if (isLink(at)) throw refusal(`${relative(root, at)} is a symbolic link, which is not followed`);
  }
}

function realOrSame(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}

// Interface of a configuration format, and helpers of its implementations.

export type Data = Record<string, unknown>;

export interface Format {
  /** Data of the file as plain objects, and the keys that lead to its servers. Throws BAD_CONFIG. */
  read(text: string): { data: Data; path: readonly string[] };
  /** Text to paste into a file. */
  snippet(entry: Entry): string;
  /** Text of a new file. */
  create(entry: Entry): string;
  /** Adds the entry, or replaces the one of our name. Throws BAD_CONFIG. */
  put(text: string, entry: Entry): string;
  /** Removes the entry. `certain` always does; `likely` also removes a section or a line break that `put` may have added. */
  without(text: string): { certain: string; likely: string | null };
}

/** Reports a file that must stay as it is. */
export function refusal(message: string, cause?: unknown): SocraticodeError {
  const hint = `Correct the file, or edit it by hand: \`${commandText('mcp install', { print: true })}\` shows the entry.`;
  return new SocraticodeError('BAD_CONFIG', message, { hint, cause });
}

/** Compares as JSON, since parsers make objects with other prototypes. */
export const equal = (one: unknown, other: unknown): boolean => isDeepStrictEqual(plain(one), plain(other));

/** Converts to plain data; integers beyond JSON's become text. */
export function plain(value: unknown): unknown {
  if (value === undefined) return undefined;
  return JSON.parse(JSON.stringify(value, (_, each: unknown) => (typeof each === 'bigint' ? `${each}n` : each)));
}

/** Line ending that a text uses. */
export const endingOf = (text: string): string => (/\r?\n/.exec(text) ?? ['\n'])[0];

// JSON with comments and trailing commas. `jsonc-parser` parses and applies edits, but its `modify` does not make them: it would reformat
// the neighbour on the same line, and move the comment behind it.

const COMMENT = String.raw`(?:\/\/[^\r\n]*(?![^\r\n])|\/\*(?:[^*]|\*(?!\/))*\*\/)`;
const COMMENTS = new RegExp(`^(?:\\s*${COMMENT})*`);
const COMMENTS_OF_LINE = new RegExp(`^(?:[ \\t]*${COMMENT})*`);
const COMMA = new RegExp(`^(?:\\s|${COMMENT})*,`);

interface Style {
  eol: string;
  /** Indentation of one level. */
  unit: string;
}

export function jsonFormat(client: Client, name: string): Format {
  const { section, otherMembers } = client;
  const fresh: Style = { eol: '\n', unit: '  ' };
  const read = (text: string) => {
    if (text.trim() === '') return { data: {}, path: [section] };
    const root = parse(text);
    const data = plain(jsonc.getNodeValue(root)) as Data;
    const path = pathIn(data, client);
    locate(root, path, name);
    return { data, path };
  };
  const format: Format = {
    read,
    snippet: (entry) => `${write({ [section]: { [name]: entry } }, '', fresh)}\n`,
    create: (entry) => `${write({ [section]: { [name]: entry }, ...otherMembers }, '', fresh)}\n`,
    put: (text, entry) => {
      const { path } = read(text);
      const after = put(text, path, name, entry);
      return after === format.create(entry) ? (compact(text, path, name, entry) ?? after) : after;
    },
    without: (text) => without(text, read(text).path, name),
  };
  return format;
}

/** Uses the client's newer section if it is an object of servers, and not a server of that name. */
function pathIn(data: Data, { nested, section }: Client): readonly string[] {
  const outer = data[section];
  const inner = nested && isObject(outer) ? outer[nested[1]] : undefined;
  return nested && isObject(inner) && Object.values(inner).every(isObject) ? nested : [section];
}

const isObject = (value: unknown): value is Data =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function put(text: string, path: readonly string[], name: string, entry: Entry): string {
  const root = parse(text);
  const { section, property } = locate(root, path, name);
  const style = styleOf(text, root);
  const old = property?.children?.[1];
  if (old !== undefined) {
    const content = write(entry, indentAt(text, old.offset), style);
    return jsonc.applyEdits(text, [{ offset: old.offset, length: old.length, content }]);
  }
  const edits =
    section === undefined
      ? insertion(text, root, path[0], { [name]: entry }, style)
      : insertion(text, section, name, entry, style);
  return jsonc.applyEdits(text, edits);
}

/**
 * Puts our entry on one line of its section, so that the text differs from a file that `create` makes, which a removal would delete as a
 * whole. Null if there is no section, or the entry is in it already.
 */
function compact(text: string, path: readonly string[], name: string, entry: Entry): string | null {
  const { section, property } = locate(parse(text), path, name);
  if (section === undefined || property !== undefined) return null;
  return jsonc.applyEdits(text, [insert(section.offset + 1, inlineMember(name, entry))]);
}

/** Appends a member to an object, in the style of its last member. */
export function insertion(text: string, object: Node, key: string, value: unknown, style: Style): Edit[] {
  const last = object.children?.at(-1);
  if (last === undefined) return [firstInsertion(text, object, key, value, style)];
  const at = endOf(last);
  const rest = text.slice(at, endOf(object) - 1);
  const comma = matched(COMMA, rest);
  if (!text.slice(object.offset, last.offset).includes('\n')) {
    const body = inlineMember(key, value);
    return [comma > 0 ? insert(at + comma, ` ${body},`) : insert(at, `, ${body}`)];
  }
  const body = style.eol + member(key, value, indentAt(text, last.offset), style);
  const behindComments = at + comma + matched(COMMENTS_OF_LINE, rest.slice(comma));
  return comma > 0 ? [insert(behindComments, `${body},`)] : [insert(at, ','), insert(behindComments, body)];
}

/** Adds the first member of an object: behind its comments, or at the brace if there are none. */
function firstInsertion(text: string, object: Node, key: string, value: unknown, style: Style): Edit {
  const at = object.offset + 1;
  const inside = text.slice(at, endOf(object) - 1);
  // At the brace, white space between the braces stays, and a section that is alone in its file is known as ours.
  if (inside.trim() === '' && (object.parent === undefined || inside.includes('\n')))
    return insert(at, inlineMember(key, value));
  const outer = indentAt(text, object.offset);
  const comments = matched(COMMENTS, inside);
  const close = inside.slice(comments).includes('\n') ? '' : style.eol + outer;
  return insert(at + comments, `${style.eol}${member(key, value, outer + style.unit, style)}${close}`);
}

function without(text: string, path: readonly string[], name: string): { certain: string; likely: string | null } {
  const root = parse(text);
  const { section, property } = locate(root, path, name);
  if (section === undefined || property === undefined) return { certain: text, likely: null };
  const isAlone = path.length === 1 && section.children?.length === 1;
  return {
    certain: jsonc.applyEdits(text, removal(text, section, property)),
    likely: isAlone ? jsonc.applyEdits(text, removal(text, root, section.parent as Node)) : null,
  };
}

/** Removes a member with its comma; comments stay. */
export function removal(text: string, object: Node, property: Node): Edit[] {
  const end = endOf(property);
  const before = text.slice(object.offset + 1, property.offset);
  const start = property.offset - matched(/\r?\n?[ \t]*$/, before);
  const lastLine = endingOf(text) + indentAt(text, object.offset);
  const isEmptied = start === object.offset + 1 && before !== '' && text.startsWith(lastLine, end);
  const cut: Edit = { offset: start, length: end - start + (isEmptied ? lastLine.length : 0), content: '' };
  const commaBehind = matched(COMMA, text.slice(end, endOf(object) - 1));
  if (commaBehind > 0) return [cut, { offset: end + commaBehind - 1, length: 1, content: '' }];
  const members = object.children ?? [];
  const neighbour = members[members.indexOf(property) - 1];
  if (neighbour === undefined) return [cut];
  const comma = endOf(neighbour) + matched(COMMA, text.slice(endOf(neighbour), property.offset)) - 1;
  return [{ offset: comma, length: 1, content: '' }, cut];
}

export const endOf = (node: Node): number => node.offset + node.length;
const insert = (offset: number, content: string): Edit => ({ offset, length: 0, content });
const matched = (pattern: RegExp, text: string): number => pattern.exec(text)?.[0].length ?? 0;

/** Indentation of a line, up to `offset`. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', offset - 1) + 1))?.[0] ?? '';
}

export function styleOf(text: string, root: Node): Style {
  const first = root.children?.[0];
  const unit = first === undefined ? '' : indentAt(text, first.offset);
  return { eol: endingOf(text), unit: unit === '' ? '  ' : unit };
}

/** Writes a value that starts on its key's line, and lists on one line. */
function write(value: unknown, indent: string, style: Style): string {
  if (!isObject(value) || Object.keys(value).length === 0) return inline(value);
  const members = Object.entries(value).map(([key, inner]) => member(key, inner, indent + style.unit, style));
  return `{${style.eol}${members.join(`,${style.eol}`)}${style.eol}${indent}}`;
}

const member = (key: string, value: unknown, indent: string, style: Style): string =>
  `${indent}${JSON.stringify(key)}: ${write(value, indent, style)}`;

const inlineMember = (key: string, value: unknown): string => `${JSON.stringify(key)}: ${inline(value)}`;

export function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, inner]) => inlineMember(key, inner));
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}

/** Object of servers and our member of it, each undefined if missing. Throws BAD_CONFIG. */
function locate(root: Node, path: readonly string[], name: string) {
  let section: Node | undefined = root;
  for (const key of path) section = section && memberOf(section, key)?.children?.[1];
  if (section !== undefined && section.type !== 'object') throw refusal(`"${path.join('.')}" is not an object`);
  return { section, property: section && memberOf(section, name) };
}

/** Throws BAD_CONFIG for a duplicate key: clients differ in which of the two they read. */
export function memberOf(object: Node, key: string): Node | undefined {
  if (object.type !== 'object') return undefined;
  const found = (object.children ?? []).filter(({ children }) => children?.[0].value === key);
  if (found.length > 1) throw refusal(`"${key}" is there twice`);
  return found[0];
}

export function parse(text: string): Node {
  const errors: ParseError[] = [];
  let root: Node | undefined;
  try {
    root = jsonc.parseTree(text, errors, { allowTrailingComma: true });
    plain(root && jsonc.getNodeValue(root));
  } catch (error) {
    // Thousands of nested brackets overflow the parser's stack.
    throw refusal('it is no JSON that can be read', error);
  }
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const before = text.slice(0, error?.offset ?? 0).split('\n');
    throw refusal(`it is no valid JSON at line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`);
  }
  if (root.type !== 'object') throw refusal('it is not a JSON object');
  return root;
}
