/** Finds the traced code in one version of a file: definitions of a name, or a text that belongs to no definition. */
import { createHash } from 'node:crypto';
import type { BlobFacts, CodeSymbol } from '../extract/facts.js';
import { nameWithOwner } from '../extract/symbols.js';
import type { BlobSource, FileVersion } from './source.js';

/** Definition of a name in one version of a file. Overloads of a name are one definition with several ranges. */
export interface Definition {
  /** Identifies the definition in all versions of the file. */
  key: string;
  name: string;
  /** Name with those of its containers before it. */
  symbol: string;
  kind: string;
  exported: boolean;
  startLine: number;
  endLine: number;
  /** Byte range of each part, and its first line. */
  ranges: { start: number; end: number; line: number }[];
  /** Hash of all bytes (`raw`), and hashes without white space of everything (`text`) and of the signatures. */
  raw: string;
  text: string;
  signature: string;
}

/** Code that is traced through the versions of files. */
export interface Traced {
  /** Finds its definitions in a version. `near` is another version of the file whose definitions are known already. */
  at(version: FileVersion, near?: FileVersion): Promise<Definition[]>;
}

export function definitionKey(symbol: string, kind: string): string {
  return `${kind} ${symbol}`;
}

/** All definitions whose names `wanted` accepts, in order of appearance. */
function definitionsOf(bytes: Buffer, facts: BlobFacts, wanted: (name: string) => boolean = () => true): Definition[] {
  const groups = new Map<string, { symbol: string; parts: CodeSymbol[] }>();
  for (const [i, part] of facts.symbols.entries()) {
    if (!wanted(part.name)) continue;
    const symbol = nameWithOwner(bytes, facts.symbols, i);
    const key = definitionKey(symbol, part.kind);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { symbol, parts: [part] });
    else group.parts.push(part);
  }
  return [...groups].map(([key, { symbol, parts }]) => {
    const pieces = parts.map(({ start, end }) => bytes.subarray(start, end));
    const signatures = parts.map(({ signature }) => bytes.subarray(signature.start, signature.end));
    return {
      ...{ key, symbol, name: parts[0].name, kind: parts[0].kind, exported: parts[0].exported },
      ...{ startLine: parts[0].startLine, endLine: parts[parts.length - 1].endLine },
      ranges: parts.map(({ start, end, startLine }) => ({ start, end, line: startLine })),
      raw: hashOf(pieces.map((piece) => piece.toString('latin1'))),
      text: hashOf(pieces.map(condense)),
      signature: hashOf(signatures.map(condense)),
    };
  });
}

export function hashOf(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('base64').slice(0, 16);
}

/** Removes white space, which is all that a formatter changes. */
export function condense(bytes: Buffer): string {
  return bytes.toString('latin1').replace(/\s+/g, '');
}

/** Keywords that make a definition out of what looks like a use: `def self.find(`, `function M.find(`. */
const DEFINERS = /\b(?:defp?|func?|fun|fn|function|sub|proc|method)\b/;

/**
 * Might this text define the name? Checks each line with the name, so that files that only use it are not parsed. A
 * line only uses the name if it is part of a longer name, or follows a dot without being assigned.
 */
export function mayDefine(bytes: Buffer, name: string, ignoreCase = false): boolean {
  if (ignoreCase) return mayDefine(Buffer.from(bytes.toString('utf8').toLowerCase()), name.toLowerCase());
  const latin = Buffer.from(name).toString('latin1');
  const literal = latin.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const word = new RegExp(`(?<![\\w$\\x80-\\xff])${literal}(?![\\w$\\x80-\\xff])`, 'g');
  return linesWith(bytes, name)
    .split('\n')
    .some((line) => {
      for (const { index } of line.matchAll(word)) {
        const isMember = /(?:\.|->)\s*$/.test(line.slice(0, index));
        const isAssigned = /^\s*[=:]/.test(line.slice(index + latin.length));
        if (!isMember || isAssigned || DEFINERS.test(line.slice(0, index))) return true;
      }
      return false;
    });
}

/** Minimum size of a text that proves a definition unchanged. Shorter texts can occur by chance. */
const TELLING_BYTES = 24;

/** Traces the definitions of one name. Parses a version only if its text does not show that they are unchanged. */
export class TracedName implements Traced {
  private readonly known = new Map<string, Definition[]>();

  constructor(
    private readonly source: BlobSource,
    readonly name: string,
    private readonly ignoreCase = false,
  ) {}

  wanted = (name: string): boolean =>
    name === this.name || (this.ignoreCase && name.toLowerCase() === this.name.toLowerCase());

  /** Records the definitions of a version from its facts, so that it is not derived again. */
  learn(version: FileVersion, facts: BlobFacts | null, bytes: Buffer | null): Definition[] {
    const found = facts === null || bytes === null ? [] : definitionsOf(bytes, facts, this.wanted);
    this.known.set(keyOf(version), found);
    return found;
  }

  async at(version: FileVersion, near?: FileVersion): Promise<Definition[]> {
    const known = this.known.get(keyOf(version));
    if (known !== undefined) return known;
    const bytes = await this.source.bytes(version.oid);
    if (bytes === null || !this.mentions(bytes)) return this.learn(version, null, null);
    const same = near === undefined ? null : await this.sameAs(bytes, near);
    if (same === null) return this.learn(version, await this.source.facts(version), bytes);
    this.known.set(keyOf(version), same);
    return same;
  }

  private mentions(bytes: Buffer): boolean {
    return mayDefine(bytes, this.name, this.ignoreCase);
  }

  /**
   * Definitions of the neighbouring version, if this version has the same text of them and no other line with the name.
   */
  private async sameAs(bytes: Buffer, near: FileVersion): Promise<Definition[] | null> {
    const definitions = this.known.get(keyOf(near));
    if (definitions === undefined || this.ignoreCase) return null;
    const other = await this.source.bytes(near.oid);
    if (other === null || linesWith(bytes, this.name) !== linesWith(other, this.name)) return null;
    const moved = definitions.map((definition) => shifted(definition, other, bytes));
    return moved.every((definition) => definition !== null) ? (moved as Definition[]) : null;
  }
}

function keyOf({ oid, path }: FileVersion): string {
  return `${oid} ${path}`;
}

/** All lines that contain the name, without indentation. */
function linesWith(bytes: Buffer, name: string): string {
  const lines: string[] = [];
  for (let at = bytes.indexOf(name); at >= 0; ) {
    const from = bytes.lastIndexOf(NEWLINE, at) + 1;
    const found = bytes.indexOf(NEWLINE, at);
    const end = found < 0 ? bytes.length : found;
    lines.push(bytes.toString('latin1', from, end).trim());
    at = bytes.indexOf(name, end);
  }
  return lines.join('\n');
}

const NEWLINE = 0x0a;

/** Moves a definition to the place of its bytes in another version; null if that version lacks them. */
function shifted(definition: Definition, from: Buffer, to: Buffer): Definition | null {
  const ranges: Definition['ranges'] = [];
  let at = 0;
  for (const { start, end } of definition.ranges) {
    const text = from.subarray(start, end);
    const found = text.length < TELLING_BYTES ? -1 : to.indexOf(text, at);
    if (found < 0) return null;
    ranges.push({ start: found, end: found + text.length, line: lineAt(to, found) });
    at = found;
  }
  const last = ranges[ranges.length - 1];
  const endLine = lineAt(to, Math.max(last.start, last.end - 1));
  return { ...definition, ranges, startLine: ranges[0].line, endLine };
}

/** The line of a byte, counted from 1. */
function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < offset; at = bytes.indexOf(NEWLINE, at + 1)) line++;
  return line;
}

/** Traces a chunk that belongs to no definition. It exists in a version as long as its exact text does. */
export class TracedText implements Traced {
  readonly key: string;

  constructor(
    private readonly source: BlobSource,
    private readonly text: Buffer,
    private readonly kind: string,
  ) {
    this.key = definitionKey(hashOf([text.toString('latin1')]), kind);
  }

  async at({ oid }: FileVersion): Promise<Definition[]> {
    const bytes = await this.source.bytes(oid);
    const start = bytes === null ? -1 : bytes.indexOf(this.text);
    if (bytes === null || start < 0) return [];
    const end = start + this.text.length;
    const ranges = [{ start, end, line: lineAt(bytes, start) }];
    const place = { startLine: ranges[0].line, endLine: lineAt(bytes, end - 1), ranges };
    const hashes = { raw: this.key, text: this.key, signature: this.key };
    return [{ key: this.key, name: '', symbol: '', kind: this.kind, exported: false, ...place, ...hashes }];
  }
}
