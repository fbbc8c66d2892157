/** Generated source files with their facts, and what every chunk should count as, worked out the slow way. */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import type { BlobFacts, Chunk, CodeSymbol } from '../../../src/extract/facts.js';
import { textTerms } from '../../../src/extract/terms.js';
import { noRelations } from '../../../src/languages/roles/relation-facts.js';
import { LexicalBuilder } from '../../../src/shard/builder.js';
import { encodeLexical } from '../../../src/shard/lexical-format.js';
import { LexicalShard } from '../../../src/shard/lexical-shard.js';
import type { CatalogFile } from '../../../src/shard/live-set.js';

/** A class and its methods; each is one chunk. */
export interface SourceFile {
  path: string;
  className: string;
  methods: { name: string; words: string[] }[];
}

/** The fields of one chunk as terms. */
export interface ExpectedChunk {
  body: string[];
  name: string[];
  enclosing: string[];
}

const WORDS = [
  'parse',
  'parser',
  'getUser',
  'get_user',
  'user',
  'HTTPServer',
  'server2',
  'x',
  'Größe',
  '解析器',
  'running',
];
const word = fc.constantFrom(...WORDS);
const name = fc.constantFrom('Session', 'parseUser', 'run', 'HTTPServer', 'get_user_2', 'Größe', '解析');

export const anyFile: fc.Arbitrary<SourceFile> = fc.record({
  path: fc
    .tuple(
      fc.constantFrom('src', 'src/http', 'lib/userParser', ''),
      fc.constantFrom('user', 'HTTPServer', 'a.b'),
      fc.nat(40),
    )
    .map(([directory, stem, n]) => `${directory === '' ? '' : `${directory}/`}${stem}${n}.ts`),
  className: name,
  methods: fc.array(fc.record({ name, words: fc.array(word, { maxLength: 12 }) }), { maxLength: 4 }),
});

/** Files with paths and contents of their own. */
export const anyFiles = (maxLength = 8): fc.Arbitrary<SourceFile[]> =>
  fc.uniqueArray(anyFile, { minLength: 1, maxLength, selector: (file) => file.path }).map((files) => {
    const seen = new Set<string>();
    return files.filter((file) => {
      const { oid } = materialise(file);
      return seen.has(oid) ? false : seen.add(oid);
    });
  });

export interface Material {
  oid: string;
  bytes: Buffer;
  facts: BlobFacts;
  chunks: ExpectedChunk[];
}

export function materialise(file: SourceFile): Material {
  const texts = [`class ${file.className}\n`, ...file.methods.map((m) => `def ${m.name} ${m.words.join(' ')}\n`)];
  const bytes = Buffer.from(texts.join(''));
  const chunks: Chunk[] = [];
  const symbols: CodeSymbol[] = [];
  let at = 0;
  for (const [i, text] of texts.entries()) {
    const end = at + Buffer.byteLength(text);
    const symbolName = i === 0 ? file.className : file.methods[i - 1].name;
    const kind = i === 0 ? 'class' : 'method';
    chunks.push({ start: at, end, startLine: i + 1, endLine: i + 1, kind, symbol: i });
    symbols.push({
      ...{ name: symbolName, kind, container: i === 0 ? -1 : 0, exported: i % 2 === 0, start: at },
      ...{ end: i === 0 ? bytes.length : end, startLine: i + 1, endLine: i === 0 ? texts.length : i + 1 },
      ...{ nameStart: at + (i === 0 ? 6 : 4), signature: { start: at, end }, doc: null },
    });
    at = end;
  }
  const expected = texts.map((text, i) => ({
    body: textTerms(text),
    name: textTerms(symbols[i].name),
    enclosing: i === 0 ? [] : textTerms(file.className),
  }));
  const facts = { lines: texts.length, chunks, symbols, generated: false, relations: noRelations(), parseErrors: [] };
  return { oid: createHash('sha1').update(bytes).digest('hex'), bytes, facts, chunks: expected };
}

export const catalogFile = (file: SourceFile): CatalogFile => ({
  ...{ path: file.path, oid: materialise(file).oid, language: 'typescript', generated: false, vendored: false },
});

export function buildColumns(files: readonly SourceFile[]) {
  const builder = new LexicalBuilder(20);
  for (const { oid, facts, bytes } of files.map(materialise)) builder.add(oid, 'typescript', facts, bytes);
  return builder.finish();
}

export function buildShard(files: readonly SourceFile[], label = 'test'): LexicalShard {
  return new LexicalShard(encodeLexical(buildColumns(files)), label);
}
