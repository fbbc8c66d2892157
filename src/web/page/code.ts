/** Lines of code with their numbers, colours and marks. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { Chunk } from './chunk.js';
import type { Coloured, Run } from './colour-queue.js';
import { coloursOf } from './highlight.js';
import { type Marker, markerOf, splitAtMarks } from './marks.js';
import type { Template } from './parts.js';

export interface CodeBlock {
  text: string;
  language: string;
  /** Number of its first line. */
  first: number;
  /** Address of a line, which its number leads to. */
  address: (line: number) => string;
  /** Words to mark. */
  words?: readonly string[];
  /** Lines that are chosen, or that a change touched. */
  chosen?: { start: number; end: number };
  isChanged?: (line: number) => boolean;
  /** The part before a line's number, such as its author. */
  before?: (line: number) => Template;
  /** Name of the block, for readers who cannot see it. */
  label: string;
  /** Ids for its lines, so that they can be scrolled to: once on a page. */
  isMain?: boolean;
}

/** Lines drawn as one block; those of a longer file have rows only near to what is seen. */
const CHUNK = 200;
/** Lines of a file that has all of its rows at once. */
const SHORT = 1_000;
/** Longest line that is shown whole: minified code has lines of megabytes. */
const MAX_LINE = 2_000;

export function codeBlock(block: CodeBlock): TemplateResult {
  const lines = block.text.replace(/\r?\n$/, '').split('\n');
  const colours = coloursOf(block.text, block.language);
  const marker = markerOf(block.words ?? []);
  const isPlain = block.chosen === undefined && block.isChanged === undefined && block.before === undefined;
  const chunks: TemplateResult[] = [];
  for (let at = 0; at < lines.length; at += CHUNK) {
    const own = lines.slice(at, at + CHUNK);
    const chunk: Chunk = {
      text: own.map(shortened).join('\n'),
      rows: () => own.map((line, i) => row(block, at + i, { line, colours, marker })),
      isNear: lines.length <= SHORT || holds(block, at),
      ...(isPlain && { look: [colours, marker?.pattern.source, block.address(block.first + at)] }),
    };
    chunks.push(html`<code-chunk class="chunk" .chunk=${chunk}></code-chunk>`);
  }
  return html`<div class="code" role="group" aria-label=${block.label} tabindex="0">${chunks}</div>`;
}

/** Is the first of the chosen lines among those of the chunk that begins there? */
function holds({ chosen, first }: CodeBlock, at: number): boolean {
  return chosen !== undefined && chosen.start >= first + at && chosen.start < first + at + CHUNK;
}

const shortened = (line: string): string => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line);

interface Drawn {
  line: string;
  colours: Coloured | null;
  marker: Marker | null;
}

function row(block: CodeBlock, at: number, { line, colours, marker }: Drawn): TemplateResult {
  const { first, address, chosen, isChanged, before, isMain } = block;
  const number = first + at;
  const isChosen = chosen !== undefined && number >= chosen.start && number <= chosen.end;
  const classes = `row${isChosen ? ' chosen' : ''}${isChanged?.(number) ? ' changed' : ''}`;
  const shown = shortened(line);
  const runs = line.length > MAX_LINE ? [['', shown] as const] : (colours?.[at] ?? [['', shown] as const]);
  return html`<div class=${classes} id=${isMain ? `L${number}` : nothing}
    >${before?.(number) ?? nothing}<a class="no" href=${address(number)} data-line=${number} tabindex="-1" aria-label=${`Line ${number}`}
      >${number}</a><span class="text">${runs.map((run) => piece(run, marker))}</span></div>`;
}

function piece([kind, text]: Run, marker: Marker | null): TemplateResult | string {
  const parts = marker === null ? [text] : splitAtMarks(text, marker);
  const shown = parts.length === 1 ? text : parts.map((part, i) => (i % 2 === 1 ? html`<mark>${part}</mark>` : part));
  return kind === '' && typeof shown === 'string' ? shown : html`<span class=${`c-${kind}`}>${shown}</span>`;
}
