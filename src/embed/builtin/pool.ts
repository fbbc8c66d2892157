/** Turns frequencies of sub-words into one vector. The scratch space is reused from one text to the next. */
import { toInt8 } from '../../base/int8.js';
import type { StaticModel } from './model.js';

export class SubwordPool {
  private readonly frequency: Uint32Array;
  private readonly touched: number[] = [];
  private readonly sum: Float64Array;

  constructor(private readonly model: StaticModel) {
    this.frequency = new Uint32Array(model.words);
    this.sum = new Float64Array(model.dimensions);
  }

  /** Counts `times` more occurrences of a row of the model. */
  count(row: number, times: number): void {
    if (this.frequency[row] === 0) this.touched.push(row);
    this.frequency[row] += times;
  }

  /** Writes the vector of the counted rows at `out[at]` and resets the counts. Returns false if nothing was counted. */
  finish(out: Int8Array, at = 0): boolean {
    const { model, sum, frequency } = this;
    sum.fill(0);
    model.addAll(sum, this.touched, frequency);
    for (const row of this.touched) frequency[row] = 0;
    const any = this.touched.length > 0;
    this.touched.length = 0;
    toInt8(sum, out, at);
    return any;
  }
}
