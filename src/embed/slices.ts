/** Cuts texts to the length that a model sees, and lists of texts to the size of one request. */

/** About 20,000 tokens: half a minute for a small model on a slow machine, and well below the limits of any server. */
const MAX_BATCH_CHARACTERS = 65_536;

/** Returns the first `length` UTF-16 code units of `text`, or one fewer if the cut would split a surrogate pair. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/**
 * Collects texts into batches of at most `size` texts and MAX_BATCH_CHARACTERS code units. A single text may be longer.
 */
export class BatchMaker {
  #texts: string[] = [];
  #characters = 0;

  /** A text counts with at most `perText` code units, because the model sees no more of it. */
  constructor(
    private readonly size: number,
    private readonly perText: number,
  ) {}

  /** Adds a text. Returns the batch before it if the text no longer fits into that batch, else null. */
  add(text: string): string[] | null {
    const characters = Math.min(text.length, this.perText);
    const isFull = this.#texts.length >= this.size || this.#characters + characters > MAX_BATCH_CHARACTERS;
    const full = isFull ? this.take() : null;
    this.#texts.push(text);
    this.#characters += characters;
    return full;
  }

  /** Returns the texts collected so far and starts a new batch; null if there are none. */
  take(): string[] | null {
    const texts = this.#texts;
    this.#texts = [];
    this.#characters = 0;
    return texts.length === 0 ? null : texts;
  }
}

/** Yields `texts` in order, in batches of at most `size`. Each text counts with at most `perText` code units. */
export function* sliceBatches(texts: readonly string[], size: number, perText: number): Generator<string[]> {
  const maker = new BatchMaker(size, perText);
  for (const text of texts) {
    const full = maker.add(text);
    if (full !== null) yield full;
  }
  const rest = maker.take();
  if (rest !== null) yield rest;
}
