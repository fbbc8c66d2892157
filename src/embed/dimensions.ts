/**
 * Decides how many numbers a vector has: the model makes some length, the settings may ask for another, and only some
 * models can be shortened to it.
 */
import { SocraticodeError } from '../base/errors.js';
import type { ModelFacts } from './models.js';

const HINT = 'Remove embedder.dimensions, or name another model in embedder.model.';

export class Dimensions {
  /** Length of the model's own vectors; null until it is known. */
  #native: number | null;

  /**
   * `wanted` is the setting embedder.dimensions. Throws BAD_CONFIG if the model is known neither to make nor to be
   * shortenable to that length.
   */
  constructor(
    private readonly model: string,
    private readonly facts: ModelFacts | null,
    private readonly wanted?: number,
  ) {
    this.#native = facts?.native ?? null;
    if (this.#native !== null) this.check(this.#native);
  }

  /** Numbers per vector that callers receive; null until known. */
  get value(): number | null {
    return this.#native === null ? null : (this.wanted ?? this.#native);
  }

  /** Value of the request's `dimensions` parameter; undefined unless the server should shorten the vectors itself. */
  get parameter(): number | undefined {
    return this.facts?.takesDimensions ? this.wanted : undefined;
  }

  /**
   * Takes the length of one answer's vectors and returns the length to cut them to. The first answer of an unknown
   * model fixes that model's length.
   * Throws BAD_CONFIG as the constructor does, and EMBEDDER_BAD_ANSWER if the length differs from earlier answers.
   */
  accept(length: number): number {
    if (this.#native === null) {
      this.check(length);
      this.#native = length;
    }
    // A server that ignores the `dimensions` parameter answers with full-length vectors.
    if (length === this.#native || length === this.parameter) return this.wanted ?? length;
    const expected = this.parameter ?? this.#native;
    const message = `${this.model} gave vectors of ${length} numbers instead of ${expected}`;
    throw new SocraticodeError('EMBEDDER_BAD_ANSWER', message);
  }

  private check(native: number): void {
    const { wanted, model } = this;
    if (wanted === undefined || wanted === native) return;
    const makes = `embedder.dimensions is ${wanted}, but ${model} makes vectors of ${native} numbers`;
    if (wanted > native) throw new SocraticodeError('BAD_CONFIG', makes, { hint: HINT });
    if (this.facts?.isMatryoshka) return;
    const why = this.facts === null ? 'is not known to be' : 'is not';
    const message = `${makes}, and it ${why} a model whose vectors can be shortened (Matryoshka)`;
    throw new SocraticodeError('BAD_CONFIG', message, { hint: HINT });
  }
}
