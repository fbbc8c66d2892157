/** Texts that wait for their colours. One text at a time is coloured, so that a slow one costs only its own colours. */

/** Runs of a line: class of the highlighter, and text. */
export type Run = readonly [kind: string, text: string];
export type Coloured = readonly (readonly Run[])[];

/** Colours texts apart from the page. */
export interface Painter {
  paint(code: string, language: string): void;
  end(): void;
}

interface Options {
  /** Starts a painter. It calls `done` once for each text, in order; null for a text that it has no colours for. */
  start: (done: (lines: Coloured | null) => void) => Painter;
  /** Called whenever a text has got its colours. */
  changed: () => void;
  /** Milliseconds, rising. */
  now: () => number;
}

/** A text that takes longer stays plain: a grammar can need minutes for a hostile one. */
const MAX_MS = 5_000;
const MAX_KEPT = 300;
/** Drawing after each of ten texts took longer than colouring them. */
const DRAW_MS = 150;

interface Text {
  key: string;
  code: string;
  language: string;
}

export class ColourQueue {
  /** Null for a text without colours. */
  private readonly known = new Map<string, Coloured | null>();
  private readonly waiting = new Map<string, Text>();
  private current: { key: string; timer: number } | null = null;
  private painter: Painter | null = null;
  private drawn = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: Options) {}

  /** Forgets which texts wait. A draw begins with it and asks for what it shows, so that texts that left the page cost nothing. */
  begin(): void {
    this.waiting.clear();
  }

  /** Lines of a text with their colours; null while they are not known, and for a text without any. */
  coloursOf(code: string, language: string): Coloured | null {
    const key = `${language}\0${code}`;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    if (this.current?.key !== key) this.waiting.set(key, { key, code, language });
    return null;
  }

  /** Colours the texts that wait. */
  next(): void {
    if (this.current !== null) return;
    const [text] = this.waiting.values();
    if (text === undefined) return;
    this.waiting.delete(text.key);
    this.painter ??= this.options.start((lines) => this.finish(lines));
    const timer = setTimeout(() => this.giveUp(), MAX_MS) as unknown as number;
    this.current = { key: text.key, timer };
    this.painter.paint(text.code, text.language);
  }

  /** Ends a painter that takes too long; its text stays plain, and another painter goes on with the next one. */
  private giveUp(): void {
    this.painter?.end();
    this.painter = null;
    this.finish(null);
  }

  private finish(lines: Coloured | null): void {
    if (this.current === null) return;
    clearTimeout(this.current.timer);
    this.known.set(this.current.key, lines);
    this.current = null;
    for (const old of this.known.keys()) {
      if (this.known.size <= MAX_KEPT) break;
      this.known.delete(old);
    }
    const now = this.options.now();
    if (this.waiting.size === 0 || now - this.drawn >= DRAW_MS) {
      this.drawn = now;
      this.options.changed();
    }
    this.next();
  }
}
