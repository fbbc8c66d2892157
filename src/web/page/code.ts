/** Lines of code with their numbers, colours and marks. A worker makes the colours, so that a text with a slow grammar blocks nothing. */
import { html, nothing, render, type TemplateResult } from 'lit-html';
import { STOP_WORDS, stem } from '../../extract/terms.js';
import { afterFrame, type Template } from './widgets.js';

interface CodeBlock {
  text: string;
  language: string;
  /** Number of its first line. */
  first: number;
  /** Address of a line, to which its number links. */
  address: (line: number) => string;
  /** Words to mark. */
  words?: readonly string[];
  /** Lines that the reader chose, or that a change touched. */
  chosen?: { start: number; end: number };
  isChanged?: (line: number) => boolean;
  /** The part before a line's number, such as its author. */
  before?: (line: number) => Template;
  /** Name of the block, for readers who cannot see it. */
  label: string;
  /** Numbers of lines that do not follow each other, parts of them to mark, and a heading above one. */
  lines?: readonly ListedLine[];
  /** Gives its lines ids, to scroll to them: one block of a page. */
  isMain?: boolean;
}

interface ListedLine {
  line: number;
  spans: readonly Span[];
  above: string | null;
}

/** From a column to another one, counted from 0. */
type Span = readonly [start: number, end: number];

/** Lines drawn as one block. A long file has rows only near the visible part. */
const CHUNK = 200;
/** Lines of a file that has all rows at once. */
const SHORT = 1_000;
/** Longest line that is shown whole: minified code has lines of megabytes. */
const MAX_LINE = 2_000;

export function codeBlock(block: CodeBlock): TemplateResult {
  const lines = block.text.replace(/\r?\n$/, '').split('\n');
  const colours = coloursOf(block.text, block.language, block.lines !== undefined);
  const marker = markerOf(block.words ?? []);
  const isPlain = block.chosen === undefined && block.isChanged === undefined && block.before === undefined;
  const chunks: TemplateResult[] = [];
  for (let at = 0; at < lines.length; at += CHUNK) {
    const own = lines.slice(at, at + CHUNK);
    const chunk: Chunk = {
      text: own.map(shortened).join('\n'),
      rows: () => own.map((line, i) => row(block, at + i, { line, colours, marker })),
      isNear: lines.length <= SHORT || holds(block, at),
      ...(isPlain && {
        look: [colours, marker?.pattern.source, block.address(block.first + at), JSON.stringify(block.lines)],
      }),
    };
    chunks.push(html`<code-chunk class="chunk" .chunk=${chunk}></code-chunk>`);
  }
  return html`<div class="code" role="group" aria-label=${block.label} tabindex="0">${chunks}</div>`;
}

/** True if the first of the chosen lines is in the chunk that begins at `at`. */
function holds({ chosen, first }: CodeBlock, at: number): boolean {
  return chosen !== undefined && chosen.start >= first + at && chosen.start < first + at + CHUNK;
}

const shortened = (line: string): string => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line);

function row(
  block: CodeBlock,
  at: number,
  { line, colours, marker }: { line: string; colours: Coloured | null; marker: Marker | null },
): TemplateResult {
  const { first, address, chosen, isChanged, before, isMain } = block;
  const { line: number = first + at, spans, above = null } = block.lines?.[at] ?? {};
  const isChosen = chosen !== undefined && number >= chosen.start && number <= chosen.end;
  const classes = `row${isChosen ? ' chosen' : ''}${isChanged?.(number) ? ' changed' : ''}`;
  const shown = shortened(line);
  const runs = line.length > MAX_LINE ? [['', shown] as const] : (colours?.[at] ?? [['', shown] as const]);
  const heading = above === null ? nothing : html`<div class="above">${above}</div>`;
  let column = 0;
  const parts = ([, text]: Run): string[] => {
    column += text.length;
    if (spans !== undefined) return splitAtSpans(text, column - text.length, spans);
    return marker === null ? [text] : splitAtMarks(text, marker);
  };
  return html`${heading}<div class=${classes} id=${isMain ? `L${number}` : nothing}
    >${before?.(number) ?? nothing}<a class="no" href=${address(number)} data-line=${number} tabindex="-1" aria-label=${`Line ${number}`}
      >${number}</a><span class="text">${runs.map((run) => piece(run, parts(run)))}</span></div>`;
}

function piece([kind, text]: Run, parts: readonly string[]): TemplateResult | string {
  const shown = parts.length === 1 ? text : parts.map((part, i) => (i % 2 === 1 ? html`<mark>${part}</mark>` : part));
  return kind === '' && typeof shown === 'string' ? shown : html`<span class=${`c-${kind}`}>${shown}</span>`;
}

/**
 * A part of a long file. Far from the visible part it is plain text, so that a file of 30,000 lines opens at once and the
 * browser still finds text in it; near it, it has rows with numbers, links and colours.
 */
interface Chunk {
  text: string;
  rows: () => readonly TemplateResult[];
  /** True if it has rows wherever it is: in a short file, or for a line to scroll to. */
  isNear: boolean;
  /** Equal for chunks that look alike, which are not drawn again. Without it, a chunk is drawn each time. */
  look?: readonly unknown[];
}

/** Distance from the visible part at which rows are made: a screen or two, so that scrolling meets rows. */
const MARGIN = '1600px';

const isAlike = (one: Chunk | undefined, { look, text }: Chunk): boolean =>
  look !== undefined && one?.text === text && look.every((part, i) => part === one.look?.[i]);

/** Defines `<code-chunk>`, which draws its property `chunk`. */
export function defineChunks(): void {
  const observer = new IntersectionObserver(
    (seen) => {
      for (const { target, isIntersecting } of seen) if (isIntersecting) (target as CodeChunk).showRows();
    },
    { rootMargin: MARGIN },
  );

  class CodeChunk extends HTMLElement {
    private drawn: Chunk | undefined;
    private hasRows = false;

    set chunk(chunk: Chunk) {
      const before = this.drawn;
      this.drawn = chunk;
      if (chunk.isNear) this.hasRows = true;
      if (isAlike(before, chunk)) return;
      if (this.hasRows) this.showRows();
      else if (before?.text !== chunk.text) render(chunk.text, this);
    }

    connectedCallback(): void {
      observer.observe(this);
    }

    disconnectedCallback(): void {
      observer.unobserve(this);
    }

    showRows(): void {
      this.hasRows = true;
      render(this.drawn?.rows() ?? [], this);
    }
  }
  customElements.define('code-chunk', CodeChunk);
}

/** Lines of a result: enough to recognize it. */
const LINES = 9;

/** The lines of a text that hold most of the words, together with those around them. */
export function bestLines(text: string, words: readonly string[]): { text: string; skipped: number } {
  const lines = text.replace(/\n$/, '').split('\n');
  if (lines.length <= LINES) return { text, skipped: 0 };
  const lower = words.map((word) => word.toLowerCase());
  const hits = lines.map((line) => lower.filter((word) => line.toLowerCase().includes(word)).length);
  let sum = hits.slice(0, LINES).reduce((all, one) => all + one, 0);
  let [best, skipped] = [sum, 0];
  for (let at = 1; at + LINES <= lines.length; at++) {
    sum += hits[at + LINES - 1] - hits[at - 1];
    if (sum > best) [best, skipped] = [sum, at];
  }
  return { text: lines.slice(skipped, skipped + LINES).join('\n'), skipped };
}

// Marks of a query's words in a text: the words as written, and other forms of them.

export interface Marker {
  /** Finds a word as written, and the stem of one with its ending. */
  pattern: RegExp;
  /** The words as written, in lower case. */
  literal: ReadonlySet<string>;
}

const MIN_WORD = 2;
/** Shorter stems, such as `us` of `use`, begin too many other words. */
const MIN_STEM = 3;
/** Words up to this length are marked only where a word begins: `not` stands inside of `another`. */
const MAX_SHORT = 3;
const MAX_WORDS = 12;
/** Endings that may follow a stem: `parse`, `parses`, `parsed`, `parsing`, `parser`. */
const ENDING = '(?:e?s|ed|ing|er|e|y|ies|ied)?';

/** Words of a query that may occur in code: without filters, and without words that a search ignores. */
export function wordsOf(query: string): string[] {
  const plain = query.replace(/\b(?:author|since|until|is|uses|lang|path|kind):\S+/g, ' ');
  const words = plain.split(/[^\p{L}\p{N}_$]+/u).filter((word) => word.length > 2 || /^[A-Z]/.test(word));
  const telling = words.filter((word) => !STOP_WORDS.has(word.toLowerCase()));
  return telling.length > 0 ? telling : words;
}

/** Null if no word is long enough to be marked. */
export function markerOf(words: readonly string[]): Marker | null {
  const wanted = words.filter((word) => word.length >= MIN_WORD).slice(0, MAX_WORDS);
  if (wanted.length === 0) return null;
  const literal = wanted.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  const stems = wanted.filter((word) => /^[a-z]+$/i.test(word)).map((word) => stem(word.toLowerCase()));
  const forms = stems.filter((each) => each.length >= MIN_STEM).map((each) => each + ENDING);
  // Whole words come first: in `rolled`, not just `roll` is marked.
  const pattern = new RegExp([...literal, ...forms].join('|'), 'giu');
  return { pattern, literal: new Set(wanted.map((word) => word.toLowerCase())) };
}

/** A text that begins at a column, cut into parts; those at odd indexes are marked. */
export function splitAtSpans(text: string, column: number, spans: readonly Span[]): string[] {
  const parts: string[] = [];
  let end = 0;
  for (const [first, last] of spans) {
    const [start, to] = [Math.max(end, first - column), Math.min(text.length, last - column)];
    if (to <= start) continue;
    parts.push(text.slice(end, start), text.slice(start, to));
    end = to;
  }
  return [...parts, text.slice(end)];
}

/** The text cut into parts; those at odd indexes are marked. */
export function splitAtMarks(text: string, { pattern, literal }: Marker): string[] {
  const parts: string[] = [];
  let end = 0;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: found, index } = match;
    const isLiteral = literal.has(found.toLowerCase());
    const isTelling = isLiteral && found.length > MAX_SHORT;
    if (!isTelling && !beginsWord(text, index)) continue;
    // The R of `parseRequest` is no ending of `parse`.
    const length = isLiteral ? found.length : (/\p{Ll}(?=\p{Lu})/u.exec(found)?.index ?? found.length - 1) + 1;
    parts.push(text.slice(end, index), found.slice(0, length));
    end = index + length;
    pattern.lastIndex = end;
  }
  return [...parts, text.slice(end)];
}

/** True if a word of an identifier begins at `at`: `Roll` in `beforeRollback`, but not `pars` in `sparse`. */
function beginsWord(text: string, at: number): boolean {
  const before = text[at - 1] ?? '';
  return !/\p{L}/u.test(before) || (/\p{Ll}/u.test(before) && /\p{Lu}/u.test(text[at]));
}

/** Part of a line: class of the highlighter, and text. */
export type Run = readonly [kind: string, text: string];
export type Coloured = readonly (readonly Run[])[];

/** Colours texts apart from the page. */
interface Painter {
  /** `isApart`: each line stands for itself, so that a comment which one opens does not reach into the next. */
  paint(code: string, language: string, isApart: boolean): void;
  end(): void;
}

interface Options {
  /** Starts a painter. It calls `done` once for each text, in order; null if it has no colours for one. */
  start: (done: (lines: Coloured | null) => void) => Painter;
  /** Called whenever a text has received its colours. */
  changed: () => void;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/** A text that takes longer stays plain: a grammar can need minutes for a hostile one. */
const MAX_MS = 5_000;
const MAX_CACHED = 300;
/** Milliseconds between two draws: drawing after each of ten texts took longer than colouring them. */
const DRAW_MS = 150;

interface Text {
  key: string;
  code: string;
  language: string;
  isApart: boolean;
}

/** Texts that wait for their colours. One text at a time is coloured, so that a slow one delays only its own colours. */
export class ColourQueue {
  /** Null for a text without colours. */
  private readonly known = new Map<string, Coloured | null>();
  private readonly waiting = new Map<string, Text>();
  private current: { key: string; timer: number } | null = null;
  private painter: Painter | null = null;
  private drawn = Number.NEGATIVE_INFINITY;

  constructor(private readonly options: Options) {}

  /** Empties the queue. A draw begins with it and requests colours for what it shows, so that texts that left the page cost nothing. */
  begin(): void {
    this.waiting.clear();
  }

  /** Lines of a text with their colours; null while they are unknown, and for a text without colours. */
  coloursOf(code: string, language: string, isApart = false): Coloured | null {
    const key = `${language}\0${isApart}\0${code}`;
    const found = this.known.get(key);
    if (found !== undefined) return found;
    if (this.current?.key !== key) this.waiting.set(key, { key, code, language, isApart });
    return null;
  }

  /** Colours the waiting texts. */
  next(): void {
    if (this.current !== null) return;
    const [text] = this.waiting.values();
    if (text === undefined) return;
    this.waiting.delete(text.key);
    this.painter ??= this.options.start((lines) => this.finish(lines));
    const timer = setTimeout(() => this.giveUp(), MAX_MS) as unknown as number;
    this.current = { key: text.key, timer };
    this.painter.paint(text.code, text.language, text.isApart);
  }

  /** Ends a painter that takes too long; its text stays plain, and another painter goes on with the next text. */
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
      if (this.known.size <= MAX_CACHED) break;
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

/** A longer text is no file of the index, which takes files up to 1 MiB. */
const MAX_LENGTH = 1_048_576;

let coloured: () => void = () => {};

/** `draw` is called whenever colours arrive. */
export function onColours(draw: () => void): void {
  coloured = draw;
}

interface TrustedFactory {
  createPolicy: (
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ) => {
    createScriptURL: (url: string) => string;
  };
}

let policy: ReturnType<TrustedFactory['createPolicy']> | undefined;

function start(done: (lines: Coloured | null) => void): Painter {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedFactory };
  policy ??= trustedTypes?.createPolicy('worker', { createScriptURL: (url) => url });
  const url = new URL('../highlighter.js', import.meta.url).href;
  const worker = new Worker(policy?.createScriptURL(url) ?? url);
  worker.onmessage = ({ data }: MessageEvent<string>) => done(JSON.parse(data) as Coloured | null);
  worker.onerror = () => done(null);
  return {
    paint: (code, language, isApart) => worker.postMessage({ code, language, isApart }),
    end: () => worker.terminate(),
  };
}

const queue = new ColourQueue({ start, changed: () => coloured(), now: () => performance.now() });

/** Begins a draw: texts that it does not request are no longer coloured. */
export const beginColours = (): void => queue.begin();

/** Starts colouring once the draw is on the screen: in parallel, the worker took half of a processor from drawing. */
export const finishColours = (): void => afterFrame(() => queue.next());

/** Lines of a text with their colours; null while they are unknown, and for a text without colours. */
function coloursOf(code: string, language: string, isApart: boolean): Coloured | null {
  return code.length > MAX_LENGTH || language === '' ? null : queue.coloursOf(code, language, isApart);
}
