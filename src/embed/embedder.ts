/** The `Embedder` role: turns text into vectors. The built-in model and every provider implement it. */

export interface Embedder {
  /**
   * Identifies everything that decides the vectors apart from our settings: provider, model, and version of the
   * embedded text. It is part of the vectors profile, so it never contains a server's address: two machines share one
   * index.
   */
  readonly id: string;
  /** Numbers per vector; null until the first answer of a model whose size is not known in advance. */
  readonly dimensions: number | null;
  /** UTF-16 code units that the model sees of one text; longer texts are cut. */
  readonly maxCharacters: number;
  /** True if vectors cost time or money, so that they are worth keeping in notes. */
  readonly costly: boolean;
  /** Checks that the model can be used and learns its dimensions. Throws EMBEDDER_* errors with the next step. */
  prepare(signal?: AbortSignal): Promise<void>;
  /** One vector per text, in order, each of `dimensions` numbers and of length 1. */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** The vector of a query, of length 1. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
}
