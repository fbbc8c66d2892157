/** The model that comes with the package, loaded on first use. */
import { textTerms } from '../../extract/terms.js';
import type { Embedder } from '../provider.js';
import { modelFile, StaticModel, SubwordPool } from './model.js';

let loaded: StaticModel | null = null;

export function builtinModel(): StaticModel {
  loaded ??= StaticModel.read(modelFile());
  return loaded;
}

/**
 * The built-in model as an `Embedder`. Indexing does not use this class: it makes the same vectors from the postings of
 * a lexical shard (`indexer/static-vectors`).
 */
export class BuiltinEmbedder implements Embedder {
  readonly maxCharacters = Number.POSITIVE_INFINITY;
  readonly costly = false;
  private readonly pool: SubwordPool;

  constructor(private readonly model = builtinModel()) {
    this.pool = new SubwordPool(model);
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
