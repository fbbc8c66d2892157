/** Texts cut to what a model sees, and lists of them to what a request should hold. */

/** About 20,000 tokens: half a minute for a small model on a slow machine, well below the limits of any server. */
export const MAX_BATCH_CHARACTERS = 65_536;

/** The first `length` UTF-16 code units of `text`, or one less where that would halve a character. */
export function cutText(text: string, length: number): string {
  if (text.length <= length) return text;
  const last = text.charCodeAt(length - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? length - 1 : length);
}

/** Collects texts into batches of at most `size` texts and MAX_BATCH_CHARACTERS; one text alone may have more. */
export class BatchMaker {
  #texts: string[] = [];
  #characters = 0;

  /** `perText` bounds what of one text counts. */
  constructor(
    private readonly size: number,
    private readonly perText: number,
  ) {}

  /** Adds a text and returns the batch that is complete without it, if there is one. */
  add(text: string): string[] | null {
    const characters = Math.min(text.length, this.perText);
    const isFull = this.#texts.length >= this.size || this.#characters + characters > MAX_BATCH_CHARACTERS;
    const full = isFull ? this.take() : null;
    this.#texts.push(text);
    this.#characters += characters;
    return full;
  }

  /** What there is; null for nothing. */
  take(): string[] | null {
    const texts = this.#texts;
    this.#texts = [];
    this.#characters = 0;
    return texts.length === 0 ? null : texts;
  }
}

/** `texts` in order, in batches of at most `size`; of each text `perText` code units count. */
export function* sliceBatches(texts: readonly string[], size: number, perText: number): Generator<string[]> {
  const maker = new BatchMaker(size, perText);
  for (const text of texts) {
    const full = maker.add(text);
    if (full !== null) yield full;
  }
  const rest = maker.take();
  if (rest !== null) yield rest;
}
