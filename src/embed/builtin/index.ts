/** The model that comes with the package, loaded on first use. */
import { existsSync } from 'node:fs';
import { SocraticodeError } from '../../base/errors.js';
import { textTerms } from '../../extract/terms.js';
import type { Embedder } from '../embedder.js';
import { StaticModel } from './model.js';
import { Pool } from './pool.js';

/** The model file, found from wherever the code was compiled to. */
const PLACES = ['../../../model/builtin.bin', '../../../../model/builtin.bin'];

let loaded: StaticModel | null = null;

export function builtinModel(): StaticModel {
  if (loaded === null) {
    const place = PLACES.map((up) => new URL(up, import.meta.url)).find((url) => existsSync(url));
    if (place === undefined)
      throw new SocraticodeError('BROKEN_INSTALLATION', 'model/builtin.bin is missing from the package');
    loaded = StaticModel.read(place);
  }
  return loaded;
}

/** Sum of the vectors of weighted terms; for terms that the model does not know, zeros. Not of length 1. */
export function sumOfTerms(model: StaticModel, terms: Iterable<readonly [term: string, weight: number]>): Float32Array {
  const sum = new Float64Array(model.dimensions);
  for (const [term, weight] of terms) for (const row of model.rowsOf(term)) model.addWeighted(sum, row, weight);
  return Float32Array.from(sum);
}

/**
 * The built-in model in the role of an embedder. Indexing does not come this way: it makes the same vectors from the
 * postings of a lexical shard (`indexer/static-vectors`).
 */
export class BuiltinEmbedder implements Embedder {
  readonly maxCharacters = Number.POSITIVE_INFINITY;
  readonly costly = false;
  private readonly pool: Pool;

  constructor(private readonly model = builtinModel()) {
    this.pool = new Pool(model);
  }

  get id(): string {
    return `builtin:${this.model.version}`;
  }

  get dimensions(): number {
    return this.model.dimensions;
  }

  async prepare(): Promise<void> {}

  async embedDocuments(texts: readonly string[]): Promise<Float32Array[]> {
    return texts.map((text) => this.embed(text));
  }

  async embedQuery(text: string): Promise<Float32Array> {
    return this.embed(text);
  }

  private embed(text: string): Float32Array {
    const row = new Int8Array(this.dimensions);
    for (const term of textTerms(text)) for (const at of this.model.rowsOf(term)) this.pool.count(at, 1);
    this.pool.finish(row);
    const length = Math.hypot(...row) || 1;
    return Float32Array.from(row, (x) => x / length);
  }
}
