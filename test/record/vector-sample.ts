/** Vectors for tests: one fixed sample (what the golden record holds) and a generator of any valid record. */
import fc from 'fast-check';
import type { ChunkVectors, VectorRecord } from '../../src/record/format.js';
import { textHash } from '../../src/record/vector-codec.js';

/** Chunks as an embedder would leave them: the hash of `<name> <index>` and a row made from the index. */
function sampleVectors(name: string, chunks: number, dimensions: number): ChunkVectors {
  const hashes = new Uint8Array(chunks * 8);
  const rows = new Int8Array(chunks * dimensions);
  for (let chunk = 0; chunk < chunks; chunk++) {
    hashes.set(textHash(`${name} ${chunk}`), chunk * 8);
    for (let i = 0; i < dimensions; i++) rows[chunk * dimensions + i] = ((chunk * 89 + i * 37) % 253) - 126;
    rows[chunk * dimensions + ((chunk * 5) % dimensions)] = chunk % 2 === 0 ? 127 : -127;
  }
  return { hashes, rows };
}

export const VECTOR_SAMPLE: VectorRecord = {
  dimensions: 24,
  languages: {
    cpp: sampleVectors('größe', 4, 24),
    c: sampleVectors('plain', 3, 24),
    'empty-blob': sampleVectors('', 0, 24),
  },
};

const component = fc.integer({ min: -127, max: 127 });

function anyRow(dimensions: number): fc.Arbitrary<number[]> {
  const row = fc.array(component, { minLength: dimensions, maxLength: dimensions });
  return fc.tuple(row, fc.nat(dimensions - 1), fc.constantFrom(127, -127)).map(([values, at, largest]) => {
    values[at] = largest;
    return values;
  });
}

function anyVectors(dimensions: number): fc.Arbitrary<ChunkVectors> {
  const chunk = fc.tuple(fc.uint8Array({ minLength: 8, maxLength: 8 }), anyRow(dimensions));
  return fc.array(chunk, { maxLength: 5 }).map((chunks) => ({
    hashes: new Uint8Array(chunks.flatMap(([hash]) => [...hash])),
    rows: Int8Array.from(chunks.flatMap(([, row]) => row)),
  }));
}

export const anyVectorRecord: fc.Arbitrary<VectorRecord> = fc.constantFrom(16, 17, 40).chain((dimensions) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom('c', 'cpp', 'c#', 'php', 'constructor'), anyVectors(dimensions)), {
      ...{ minLength: 1, maxLength: 3, selector: ([id]) => id },
    })
    .map((entries) => ({ dimensions, languages: Object.fromEntries(entries) })),
);
