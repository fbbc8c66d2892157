/** Lists the symbols of a file, without their bodies. */
import type { BlobFacts } from '../../../extract/facts.js';
import { firstLine, signatureText } from '../../../graph/query/signatures.js';
import type { OutlineSymbol } from './output.js';
import type { OutlineValues } from './question.js';

type OutlineParts = Pick<OutlineValues, 'signatures' | 'docs'>;

export function outlineOf(facts: BlobFacts, bytes: Buffer, { signatures, docs }: OutlineParts): OutlineSymbol[] {
  const depths: number[] = [];
  return facts.symbols.map((symbol, i) => {
    const { name, kind, exported, container, startLine, endLine, doc } = symbol;
    depths[i] = container < 0 ? 0 : depths[container] + 1;
    const text = doc === null || !docs ? '' : firstLine(bytes.toString('utf8', doc.start, doc.end));
    return {
      ...{ name, kind, exported, depth: depths[i], startLine, endLine },
      ...(signatures && { signature: signatureText(bytes, symbol) }),
      ...(text !== '' && { doc: text }),
    };
  });
}
