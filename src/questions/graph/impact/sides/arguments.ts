/** Arguments of a call as written. */
import { insideBrackets, splitList } from '../../../../graph/sides/parameters.js';
import type { FileText } from './file-texts.js';

/** A call of `name` that begins and ends in these lines. */
interface WrittenCall {
  name: string;
  startLine: number;
  endLine: number;
}

/** Null where the text does not show which call of that name is meant. */
export function argumentsOf(file: FileText, call: WrittenCall): string[] | null {
  return readCall(file, call)?.args ?? null;
}

/** Arguments, and whether a block stands behind them. Null as above. */
export function readCall(
  { text, lexical }: FileText,
  { name, startLine, endLine }: WrittenCall,
): { args: string[]; hasBlock: boolean } | null {
  const part = text
    .split('\n')
    .slice(startLine - 1, endLine)
    .join('\n');
  const first = part.indexOf(`${name}(`);
  if (first < 0 || part.indexOf(`${name}(`, first + 1) >= 0 || /[\w$]/.test(part[first - 1] ?? '')) return null;
  const inside = insideBrackets(part, first + name.length, lexical);
  if (inside === null) return null;
  const end = first + name.length + inside.length + 2;
  return { args: splitList(inside, lexical), hasBlock: /^\s*\{/.test(part.slice(end)) };
}
