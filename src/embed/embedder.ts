/** What turns text into vectors: the one role that the built-in model and every provider play. */

export interface Embedder {
  /**
   * Names everything about the vectors that is not a setting of ours: provider, model, version of the text that is
   * embedded. Part of the vectors profile, so never the address of a server: two machines share one index.
   */
  readonly id: string;
  /** Numbers per vector; null until the first answer of a model whose size is not known beforehand. */
  readonly dimensions: number | null;
  /** UTF-16 code units of one text that the model sees; longer texts are cut. */
  readonly maxCharacters: number;
  /** Do vectors cost time or money, so that they are worth keeping in notes? */
  readonly costly: boolean;
  /** Checks that the model can be used and learns its dimensions. Throws EMBEDDER_* errors with the next step. */
  prepare(signal?: AbortSignal): Promise<void>;
  /** One vector per text, in order, each of `dimensions` numbers and of length 1. */
  embedDocuments(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** The vector of a query, of length 1. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
}
