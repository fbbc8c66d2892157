/** Draws the part of a long list that fills the window first, and the rest of it after the frame that shows it. */
import { afterFrame } from './frame.js';

let redraw: () => void = () => {};

/** `draw` is called when the rest is due. */
export function onRest(draw: () => void): void {
  redraw = draw;
}

export class FirstScreen<T> {
  /** The list that is drawn to its end, and the one of which only the first screen is drawn. */
  private whole: readonly T[] = [];
  private begun: readonly T[] | undefined;

  /** `least` is the least height of an item, in CSS pixels. */
  constructor(private readonly least: number) {}

  /**
   * Items of a list to draw now. Those that the window cannot show stay as in the list before until the next frame: they cost nothing, as
   * they are drawn already.
   */
  of(list: readonly T[]): readonly T[] {
    const fit = Math.ceil(innerHeight / this.least);
    if (list.length <= fit) this.whole = list;
    if (list === this.whole) return list;
    if (this.begun !== list) {
      this.begun = list;
      afterFrame(() => this.finish(list));
    }
    return [...list.slice(0, fit), ...this.whole.slice(fit)];
  }

  private finish(list: readonly T[]): void {
    if (this.begun !== list) return;
    this.whole = list;
    redraw();
  }
}
