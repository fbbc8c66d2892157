/** Finds the bracket around an offset. */
import { CLOSING, isPlain, MAX_LOOK_BACK_LENGTH, OPENING } from './scan.js';

/** A bracket, and how many commas stand between it and an offset inside: the number of the argument or element. */
interface AroundOffset {
  open: number;
  index: number;
}

/** Finds brackets around offsets of one text. What it found once it finds again without reading the text between. */
export class BracketFinder {
  private readonly found = new Map<number, AroundOffset | null>();
  private readonly starts = new Map<number, number>();

  constructor(
    private readonly text: string,
    private readonly quotes: string,
  ) {}

  /** Remembers a pair of brackets, so that looking back jumps over it. */
  pair(start: number, end: number): void {
    this.starts.set(end, start);
  }

  /** Remembers the bracket around an offset, where the tree tells it: it may be further away than is looked back. */
  inside(at: number, open: number): void {
    this.found.set(at, { open, index: 0 });
  }

  /** The bracket around `at`. Null if there is none, or none nearby. */
  around(at: number): AroundOffset | null {
    let found = this.found.get(at);
    if (found === undefined) {
      found = this.lookBack(at);
      this.found.set(at, found);
    }
    return found;
  }

  private lookBack(at: number): AroundOffset | null {
    const { text, quotes } = this;
    let depth = 0;
    let index = 0;
    let from = at - 1;
    for (let steps = 0; steps < MAX_LOOK_BACK_LENGTH && from >= 0; steps++, from--) {
      if (isPlain(text.charCodeAt(from))) continue;
      const char = text[from];
      if (CLOSING.includes(char)) {
        const start = this.starts.get(from + 1);
        if (start === undefined) depth++;
        else from = start;
      } else if (OPENING.includes(char)) {
        if (depth === 0) return { open: from, index };
        depth--;
      } else if (char === ',' && depth === 0) {
        index++;
        // The element before was asked for already.
        const known = this.found.get(from);
        if (known !== undefined) return known === null ? null : { open: known.open, index: known.index + index };
      } else if (quotes.includes(char)) {
        const open = from === 0 ? -1 : text.lastIndexOf(char, from - 1);
        if (open >= from - MAX_LOOK_BACK_LENGTH && (char === '`' || !text.slice(open, from).includes('\n')))
          from = open;
      }
    }
    return null;
  }
}
