/** Text of an outline, which is read instead of the file and so is short; or of a map. */
import { visibleLine } from '../../../base/hygiene.js';
import { declarationText } from '../../../graph/query/declaration.js';
import { formatBytes, formatCount } from '../../writing/format.js';
import type { Pen } from '../../writing/pen.js';
import { more } from '../text-parts.js';
import type { GraphMapResponse } from './map/output.js';
import { mapText } from './map/text.js';
import type { GraphOutlineResponse, OutlineSymbol } from './output.js';
import type { OutlineValues } from './question.js';

type File = GraphOutlineResponse['files'][number];

type Style = Pick<OutlineValues, 'all'>;

export function outlineText(
  answer: GraphOutlineResponse | GraphMapResponse,
  { pen, values }: { pen: Pen; values: OutlineValues },
): string {
  if ('folders' in answer) return mapText(answer, pen);
  return answer.files.map((file) => `${fileLines(file, pen, values).join('\n')}\n`).join('\n');
}

function fileLines(file: File, pen: Pen, style: Style): string[] {
  const { path, language, lines, bytes, degraded, symbols, leftOut } = file;
  const state = degraded ? ', could not be parsed as a whole' : '';
  const told = `${language}, ${formatCount(lines, 'line')}, ${formatBytes(bytes)}${state}`;
  const head = `${pen.path(visibleLine(path))}  ${pen.dim(told)}`;
  if (symbols.length === 0) return [head, pen.dim('  no symbols are known')];
  return [head, ...symbolLines(file, pen, style), ...more(leftOut, pen)];
}

/** Deeper ones are moved no further. */
const MAX_INDENT = 10;
/** Width up to which small symbols share a line. */
const RUN_WIDTH = 100;
/** Members that the lines of their type locate well enough. */
const FIELD_KINDS: ReadonlySet<string> = new Set(['field', 'property', 'enum-member']);

/** Small symbols that share a line. */
interface Run {
  depth: number;
  isFields: boolean;
  parts: string[];
}

function symbolLines({ symbols, language }: File, pen: Pen, { all = false }: Style): string[] {
  // A file that exports nothing (a script, a test, a language without exports) has no private symbols either.
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

/** True for a constant whose declaration says no more than its name. */
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
