/** How many numbers a vector has: what the model makes, what the settings ask for, and whether one can become the other. */
import { SocraticodeError } from '../base/errors.js';
import type { ModelFacts } from './models.js';

const HINT = 'Remove embedder.dimensions, or name another model in embedder.model.';

export class Dimensions {
  /** What the model makes; null until it is known. */
  #native: number | null;

  /** `wanted` is embedder.dimensions. Throws BAD_CONFIG if the model is known not to make or shorten to that. */
  constructor(
    private readonly model: string,
    private readonly facts: ModelFacts | null,
    private readonly wanted?: number,
  ) {
    this.#native = facts?.native ?? null;
    if (this.#native !== null) this.check(this.#native);
  }

  /** Numbers per vector that callers see; null until known. */
  get value(): number | null {
    return this.#native === null ? null : (this.wanted ?? this.#native);
  }

  /** For the request: set if the server should shorten by itself. */
  get parameter(): number | undefined {
    return this.facts?.takesDimensions ? this.wanted : undefined;
  }

  /**
   * Takes the length of the vectors of one answer and returns what they are to be cut to. The first answer of an unknown
   * model teaches it. Throws BAD_CONFIG as the constructor does, EMBEDDER_BAD_ANSWER for vectors of another model.
   */
  accept(length: number): number {
    if (this.#native === null) {
      this.check(length);
      this.#native = length;
    }
    // A server that does not know the parameter answers in full.
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
