/** Arguments of a call as written. */
import { insideBrackets, splitList } from '../../../../graph/sides/parameters.js';
import type { FileText } from './file-texts.js';

/** Null where the text does not show which call of that name is meant. */
export function argumentsOf(
  { text, lexical }: FileText,
  { name, startLine, endLine }: { name: string; startLine: number; endLine: number },
): string[] | null {
  const lines = text.split('\n').slice(startLine - 1, endLine);
  const part = lines.join('\n');
  const first = part.indexOf(`${name}(`);
  if (first < 0 || part.indexOf(`${name}(`, first + 1) >= 0 || /[\w$]/.test(part[first - 1] ?? '')) return null;
  const inside = insideBrackets(part, first + name.length, lexical);
  return inside === null ? null : splitList(inside, lexical);
}
