/** Frequencies of sub-words to one vector: the scratch space of pooling, used for one text after the other. */
import { toInt8 } from '../../base/int8.js';
import type { StaticModel } from './model.js';

export class Pool {
  private readonly frequency: Uint32Array;
  private readonly touched: number[] = [];
  private readonly sum: Float64Array;

  constructor(private readonly model: StaticModel) {
    this.frequency = new Uint32Array(model.words);
    this.sum = new Float64Array(model.dimensions);
  }

  /** Counts a row of the model `times` more. */
  count(row: number, times: number): void {
    if (this.frequency[row] === 0) this.touched.push(row);
    this.frequency[row] += times;
  }

  /** Writes the vector of what was counted at `out[at]` and starts anew; false if nothing was. */
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
