/**
 * Reads Jupyter notebooks by the nbformat 4 specification: their cells with the places of their lines. Outputs are passed over. The
 * scanner reads tokens one by one, so that memory stays within the size of the longest string, however deep the text is nested.
 */
import { createScanner, type JSONScanner } from 'jsonc-parser';
import type { DocumentPart, DocumentPiece } from '../roles/documents.js';
import { readMarkdown } from './markdown.js';

// Numbers of `SyntaxKind`, a type that leaves no values behind when it is compiled.
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET, COMMA, COLON, STRING, END] = [1, 2, 3, 4, 5, 6, 10, 17];

/** A string of the source of a cell: usually a line. */
interface SourcePart {
  text: string;
  /** Offset of its first character behind the quote, and its line, from 1. */
  start: number;
  line: number;
}

interface Cell {
  kind: string;
  start: number;
  source: SourcePart[];
  /** Offsets of its outputs; null for none. */
  outputs: { start: number; end: number } | null;
}

interface Notebook {
  cells: Cell[];
  /** Language of its code, as the notebook calls it; '' for none. */
  language: string;
}

/** Depth of `notebook.cells[i].source[j]`, with one level for each brace or bracket. Deeper values are outputs and metadata. */
const MAX_DEPTH = 4;

class CellReader {
  readonly notebook: Notebook = { cells: [], language: '' };
  /** The key that the scanner is behind, and whether it is in an array, by depth. */
  private readonly keys: string[] = [];
  private readonly isArray: boolean[] = [];
  private depth = 0;
  private isKey = false;

  constructor(private readonly scanner: JSONScanner) {}

  read(token: number): void {
    if (token === OPEN_BRACE || token === OPEN_BRACKET) this.open(token === OPEN_BRACKET);
    else if (token === CLOSE_BRACE || token === CLOSE_BRACKET) this.close();
    else if (token === COMMA) this.isKey = this.depth > MAX_DEPTH || !this.isArray[this.depth];
    else if (token === COLON) this.isKey = false;
    else if (token === STRING && this.depth <= MAX_DEPTH) {
      if (this.isKey) this.key(this.scanner.getTokenValue());
      else this.value(this.scanner.getTokenValue());
    }
  }

  private open(isArray: boolean): void {
    this.depth++;
    this.isKey = !isArray;
    if (this.depth > MAX_DEPTH) return;
    this.isArray[this.depth] = isArray;
    this.keys[this.depth] = '';
    const start = this.scanner.getTokenOffset();
    if (this.depth === 3 && this.isInCell()) this.notebook.cells.push({ kind: '', start, source: [], outputs: null });
  }

  private close(): void {
    const cell = this.notebook.cells.at(-1);
    const end = this.scanner.getTokenOffset() + 1;
    if (cell?.outputs && this.depth === 4 && this.isInCell() && this.keys[3] === 'outputs') cell.outputs.end = end;
    this.depth = Math.max(0, this.depth - 1);
    this.isKey = false;
  }

  private key(name: string): void {
    this.keys[this.depth] = name;
    const cell = this.notebook.cells.at(-1);
    if (this.depth !== 3 || name !== 'outputs' || cell === undefined || !this.isInCell()) return;
    const start = this.scanner.getTokenOffset();
    cell.outputs = { start, end: start };
  }

  private value(text: string): void {
    const { notebook, keys, depth } = this;
    if (depth === 3 && LANGUAGE_KEYS.has(keys.slice(1, 4).join('.'))) notebook.language ||= text;
    const cell = notebook.cells.at(-1);
    if (cell === undefined || !this.isInCell()) return;
    if (depth === 3 && keys[3] === 'cell_type') cell.kind = text;
    if (keys[3] !== 'source' || (depth === 4 && !this.isArray[4])) return;
    cell.source.push({ text, start: this.scanner.getTokenOffset() + 1, line: this.scanner.getTokenStartLine() + 1 });
  }

  private isInCell(): boolean {
    return this.depth >= 3 && this.keys[1] === 'cells' && this.isArray[2] && !this.isArray[3];
  }
}

const LANGUAGE_KEYS: ReadonlySet<string> = new Set(['metadata.kernelspec.language', 'metadata.language_info.name']);

export function readCells(text: string): Notebook {
  const scanner = createScanner(text, true);
  const reader = new CellReader(scanner);
  for (let token: number = scanner.scan(); token !== END; token = scanner.scan()) reader.read(token);
  return reader.notebook;
}

/** Mentions in the prose of a notebook, and its code as samples. */
export function readNotebook(text: string): DocumentPart[] {
  const { cells, language } = readCells(text);
  return cells.flatMap(({ kind, source }): DocumentPart[] => {
    if (source.length === 0) return [];
    if (kind === 'code')
      return [{ is: 'block', line: source[0].line, language: language.toLowerCase(), text: joined(source) }];
    return kind === 'markdown' ? proseOf(source) : [];
  });
}

const joined = (source: readonly SourcePart[]): string => source.map(({ text }) => text).join('');

/** Parts of a cell of Markdown, at their lines in the notebook's file. */
function proseOf(source: readonly SourcePart[]): DocumentPart[] {
  // The string that each line of the Markdown begins in.
  const owners: SourcePart[] = [];
  let isOpen = false;
  for (const part of source) {
    const breaks = part.text.split('\n').length - 1;
    if (!isOpen) owners.push(part);
    for (let i = 1; i < breaks; i++) owners.push(part);
    isOpen = !part.text.endsWith('\n');
    if (isOpen && breaks > 0) owners.push(part);
  }
  return readMarkdown(joined(source)).map((part) => {
    const { line, start } = owners[part.line - 1] ?? source[source.length - 1];
    return part.is === 'heading' ? { ...part, line, start, nameStart: start } : { ...part, line };
  });
}

/** `"outputs": []` is not worth a piece. */
const MIN_OUTPUTS = 20;

/** A notebook in pieces: its cells, apart from their outputs, which may stand before or behind their source. */
export function piecesOfNotebook(text: string): DocumentPiece[] {
  return readCells(text).cells.flatMap(({ start, outputs }) => {
    const cell = { start, isOutput: false };
    // Half of a notebook ends within an output.
    const end = outputs !== null && outputs.end === outputs.start ? text.length : (outputs?.end ?? 0);
    if (outputs === null || end - outputs.start < MIN_OUTPUTS) return [cell];
    return [cell, { start: outputs.start, isOutput: true }, { start: end, isOutput: false }];
  });
}
