/** Lines of code with their numbers, colours and marks. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { type Coloured, coloursOf, type Run } from './highlight.js';
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

/** Lines drawn as one block, which the browser leaves out while it is not seen. */
const CHUNK = 200;
/** Longest line that is shown whole: minified code has lines of megabytes. */
const MAX_LINE = 2_000;

export function codeBlock(block: CodeBlock): TemplateResult {
  const lines = block.text.replace(/\r?\n$/, '').split('\n');
  const colours = coloursOf(block.text, block.language);
  const marker = markerOf(block.words ?? []);
  const chunks: TemplateResult[] = [];
  for (let at = 0; at < lines.length; at += CHUNK) {
    const rows = lines.slice(at, at + CHUNK).map((line, i) => row(block, at + i, { line, colours, marker }));
    chunks.push(html`<div class="chunk">${rows}</div>`);
  }
  return html`<div class="code" role="group" aria-label=${block.label} tabindex="0">${chunks}</div>`;
}

interface Drawn {
  line: string;
  colours: Coloured | null;
  marker: RegExp | null;
}

function row(block: CodeBlock, at: number, { line, colours, marker }: Drawn): TemplateResult {
  const { first, address, chosen, isChanged, before, isMain } = block;
  const number = first + at;
  const isChosen = chosen !== undefined && number >= chosen.start && number <= chosen.end;
  const classes = `row${isChosen ? ' chosen' : ''}${isChanged?.(number) ? ' changed' : ''}`;
  const shown = line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line;
  const runs = line.length > MAX_LINE ? [['', shown] as const] : (colours?.[at] ?? [['', shown] as const]);
  return html`<div class=${classes} id=${isMain ? `L${number}` : nothing}
    >${before?.(number) ?? nothing}<a class="no" href=${address(number)} data-line=${number} tabindex="-1" aria-label=${`Line ${number}`}
      >${number}</a><span class="text">${runs.map((run) => piece(run, marker))}</span></div>`;
}

function piece([kind, text]: Run, marker: RegExp | null): TemplateResult | string {
  const parts = marker === null ? [text] : text.split(marker);
  const shown = parts.length === 1 ? text : parts.map((part, i) => (i % 2 === 1 ? html`<mark>${part}</mark>` : part));
  return kind === '' && typeof shown === 'string' ? shown : html`<span class=${`c-${kind}`}>${shown}</span>`;
}

const MIN_WORD = 2;
const MAX_WORDS = 12;

/** Splits a text at the words, which are then its parts at odd places; null for none. */
function markerOf(words: readonly string[]): RegExp | null {
  const wanted = words.filter((word) => word.length >= MIN_WORD).slice(0, MAX_WORDS);
  const escaped = wanted.map((word) => word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return escaped.length === 0 ? null : new RegExp(`(${escaped.join('|')})`, 'giu');
}
