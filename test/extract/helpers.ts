/** Shared by the tests of `extract`: running it on strings and reading its facts as text. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type BlobFacts,
  type Extraction,
  type ExtractOptions,
  extract,
  loadAllRules,
  qualifiedName,
} from '../../src/extract/extract.js';
import { SIZES } from '../../src/extract/version.js';

await loadAllRules();

export const CAP = SIZES.cap;

/** The hand-written sample of a language; the compiled tests run from `build/`. */
export function sample(language: string): string {
  const folder = import.meta.url.includes('/build/') ? '../../../test/extract/samples/' : './samples/';
  return readFileSync(fileURLToPath(new URL(`${folder}${language}.txt`, import.meta.url)), 'utf8');
}

export function factsOf(source: string | Uint8Array, language: string, options?: ExtractOptions): BlobFacts {
  const result: Extraction = extract(bytesOf(source), language, options);
  assert.ok('facts' in result, `skipped: ${JSON.stringify(result)}`);
  return result.facts;
}

export function bytesOf(source: string | Uint8Array): Uint8Array {
  return typeof source === 'string' ? Buffer.from(source, 'utf8') : source;
}

/** One line per symbol: `+` exported or `-`, kind, name with its containers. */
export function symbolLines(facts: BlobFacts): string[] {
  return facts.symbols.map((s, i) => `${s.exported ? '+' : '-'} ${s.kind} ${qualifiedName(facts.symbols, i)}`);
}

/** The text of every chunk, in order. */
export function chunkTexts(source: string | Uint8Array, facts: BlobFacts): string[] {
  const bytes = bytesOf(source);
  return facts.chunks.map((chunk) => Buffer.from(bytes.subarray(chunk.start, chunk.end)).toString('utf8'));
}

/** Everything that must hold for any blob: chunks tile it, symbols are ordered and inside it. */
export function assertSound(source: string | Uint8Array, facts: BlobFacts): void {
  const bytes = Buffer.from(bytesOf(source));
  let at = 0;
  for (const chunk of facts.chunks) {
    assert.equal(chunk.start, at, 'chunks neither overlap nor leave a gap');
    assert.ok(chunk.end > chunk.start, 'no empty chunk');
    assert.ok(bytes.subarray(chunk.start, chunk.end).toString('utf8').length <= CAP + 1, 'no chunk above the cap');
    assert.equal(chunk.startLine, lineOf(bytes, chunk.start));
    assert.equal(chunk.endLine, lineOf(bytes, chunk.end - 1));
    assert.ok(chunk.symbol >= -1 && chunk.symbol < facts.symbols.length);
    at = chunk.end;
  }
  assert.equal(at, bytes.length, 'chunks reach the end');
  facts.symbols.forEach((symbol, index) => {
    assert.ok(symbol.container < index, 'a container stands before its members');
    assert.ok(symbol.start <= symbol.nameStart && symbol.nameStart <= symbol.end && symbol.end <= bytes.length);
    assert.ok(symbol.signature.start <= symbol.signature.end && symbol.signature.end <= bytes.length);
    const previous = facts.symbols[index - 1];
    assert.ok(previous === undefined || previous.start <= symbol.start, 'symbols are ordered by start');
  });
}

function lineOf(bytes: Uint8Array, offset: number): number {
  let line = 1;
  for (let i = 0; i < offset; i++) if (bytes[i] === 10) line++;
  return line;
}
