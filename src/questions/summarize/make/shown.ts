/** Text that a model is shown of a file or a definition: its hash is the key of the summary, so nothing of a path or a snapshot is in it. */
import type { BlobFacts } from '../../../extract/facts.js';
import { qualifiedName } from '../../../extract/symbols.js';
import { firstLine, signatureText } from '../../../graph/query/signatures.js';

/** UTF-16 units of the text that is shown of a file or symbol, and the lines of its outline. */
const MAX_TEXT = 4_000;
const MAX_OUTLINE = 60;

interface Read {
  facts: BlobFacts;
  bytes: Buffer;
}

export function fileShown(language: string, { facts, bytes }: Read): string {
  const outline = facts.symbols
    .filter(({ container }) => container < 0)
    .sort((a, b) => Number(b.exported) - Number(a.exported) || a.start - b.start)
    .slice(0, MAX_OUTLINE)
    .map((symbol) => {
      const doc = symbol.doc === null ? '' : firstLine(bytes.toString('utf8', symbol.doc.start, symbol.doc.end));
      return `${signatureText(bytes, symbol)}${doc === '' ? '' : ` // ${doc}`}`;
    });
  const text = bytes.toString('utf8', 0, 4 * MAX_TEXT).slice(0, MAX_TEXT);
  return [`language: ${language}`, 'definitions:', ...outline, 'beginning of the text:', text].join('\n');
}

/** `index`: of the symbol, in the facts. */
export function symbolShown(language: string, index: number, { facts, bytes }: Read): string {
  const { doc, start: own, end } = facts.symbols[index];
  const start = doc?.start ?? own;
  const text = bytes.toString('utf8', start, start + 4 * MAX_TEXT).slice(0, end - start);
  const name = qualifiedName(facts.symbols, index);
  return [`language: ${language}`, `name: ${name}`, text.slice(0, MAX_TEXT)].join('\n');
}
