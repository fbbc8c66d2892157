/** `graph outline`: what files define, without their bodies. It stands in for the file, so it is short. */
import { visibleLine } from '../../../base/hygiene.js';
import type { GraphOutlineResponse } from '../../../engine/contract.js';
import { declarationText } from './declaration.js';
import { more } from '../text-parts.js';
import { formatBytes, formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';

type File = GraphOutlineResponse['files'][number];
type OutlineSymbol = File['symbols'][number];

export interface OutlineStyle {
  /** What is not exported on lines of its own, too. */
  all?: boolean;
}

export function renderOutline({ files }: GraphOutlineResponse, pen: Pen, style: OutlineStyle = {}): string {
  return files.map((file) => `${fileLines(file, pen, style).join('\n')}\n`).join('\n');
}

function fileLines(file: File, pen: Pen, style: OutlineStyle): string[] {
  const { path, language, lines, bytes, degraded, symbols, leftOut } = file;
  const state = degraded ? ', could not be parsed as a whole' : '';
  const told = `${language}, ${formatCount(lines, 'line')}, ${formatBytes(bytes)}${state}`;
  const head = `${pen.path(visibleLine(path))}  ${pen.dim(told)}`;
  if (symbols.length === 0) return [head, pen.dim('  no symbols are known')];
  return [head, ...symbolLines(file, pen, style), ...more(leftOut, pen)];
}

/** Deeper ones are moved no further. */
const MAX_INDENT = 10;
/** Small things share lines up to this width. */
const RUN_WIDTH = 100;
/** Told by their type, where they stand in a type: their lines are near its own. */
const FIELD_KINDS: ReadonlySet<string> = new Set(['field', 'property', 'enum-member']);

/** Small things beside each other. */
interface Run {
  depth: number;
  isFields: boolean;
  parts: string[];
}

function symbolLines({ symbols, language }: File, pen: Pen, { all = false }: OutlineStyle): string[] {
  // Where nothing is exported, nothing is private either: scripts, tests, languages without the distinction.
  const isOpen = all || !symbols.some(({ depth, exported }) => depth === 0 && exported);
  const lines: (string | Run)[] = [];
  for (const [i, symbol] of symbols.entries()) {
    const { depth, doc, exported } = symbol;
    const isLeaf = (symbols[i + 1]?.depth ?? 0) <= depth;
    const isFields = FIELD_KINDS.has(symbol.kind) && depth > 0;
    const isShown = isOpen || exported;
    if (!isLeaf || doc !== undefined || (isShown && !isFields && !isBareValue(symbol, language))) {
      lines.push(symbolLine(symbol, language, pen));
      continue;
    }
    const part = isFields ? fieldText(symbol, isShown ? language : null) : nameText(symbol);
    const last = lines.at(-1);
    if (typeof last === 'object' && last.depth === depth && last.isFields === isFields) last.parts.push(part);
    else lines.push({ depth, isFields, parts: [part] });
  }
  return lines.flatMap((line) => (typeof line === 'string' ? [line] : runLines(line, pen)));
}

/** A constant of which nothing but the name is to be said. */
function isBareValue({ name, kind, signature }: OutlineSymbol, language: string): boolean {
  return VALUE_KINDS.has(kind) && (signature === undefined || declarationText(signature, language) === name);
}

const VALUE_KINDS: ReadonlySet<string> = new Set(['constant', 'variable']);

const indentOf = (depth: number): string => ' '.repeat(Math.min(depth, MAX_INDENT) + 1);
const linesOf = ({ startLine, endLine }: OutlineSymbol): string =>
  endLine > startLine ? `${startLine}-${endLine}` : String(startLine);

/** `17-27 parseRange(text: string): Range | null` */
function symbolLine(symbol: OutlineSymbol, language: string, pen: Pen): string {
  const { name, kind, depth, signature, doc } = symbol;
  const told = signature
    ? visibleLine(declarationText(signature, language))
    : `${pen.symbol(visibleLine(name))} ${pen.dim(kind)}`;
  const remark = doc === undefined ? '' : pen.dim(`  # ${visibleLine(doc)}`);
  return `${indentOf(depth)}${pen.line(linesOf(symbol))} ${told}${remark}`;
}

/** `language` null: by its name alone. */
function fieldText({ name, signature }: OutlineSymbol, language: string | null): string {
  return visibleLine(signature && language !== null ? declarationText(signature, language) : name);
}

const nameText = (symbol: OutlineSymbol): string => `${linesOf(symbol)} ${visibleLine(symbol.name)}`;

function runLines({ depth, isFields, parts }: Run, pen: Pen): string[] {
  const lines: string[] = [];
  const between = isFields ? '; ' : ', ';
  let line = '';
  for (const part of parts) {
    if (line !== '' && line.length + part.length > RUN_WIDTH) {
      lines.push(line);
      line = '';
    }
    line += line === '' ? part : `${between}${part}`;
  }
  return [...lines, line].map((text) => `${indentOf(depth)}${pen.dim(text)}`);
}
