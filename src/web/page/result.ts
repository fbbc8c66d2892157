/** A result of a search with its code, and how keys move among results. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ResultDocument } from '../../questions/results/output.js';
import { codeBlock } from './code.js';
import { nameText, pathText, plural, type Template } from './parts.js';

/** Lines of a result that are shown: as many as tell what it is. */
const LINES = 9;

export type Result = Pick<ResultDocument, 'path' | 'startLine' | 'endLine' | 'symbol' | 'kind' | 'language'> &
  Partial<Pick<ResultDocument, 'places' | 'also' | 'content' | 'contentLine' | 'uncommitted'>>;

interface Shown {
  /** Words to mark. */
  words: readonly string[];
  /** Address of lines of the result's file. */
  address: (lines: { start: number; end?: number }) => string;
  /** Further facts, before the kind. */
  facts?: Template;
}

export function resultItem(result: Result, { words, address, facts = nothing }: Shown): TemplateResult {
  const {
    path,
    startLine,
    endLine,
    symbol,
    kind,
    language,
    content,
    contentLine = startLine,
    uncommitted,
    places = [],
    also = [],
  } = result;
  const shown = bestLines(content ?? '', words);
  const others = new Set([path, ...places.map((place) => place.path)]).size - 1;
  return html`<li class="result">
    <h2><a href=${address({ start: startLine, end: endLine })}>${symbol === null ? nothing : html`<b>${nameText(symbol)}</b> `}<span>${pathText(path)}:${startLine}</span></a></h2>
    <p class="facts">${facts}<span>${kind}</span> <span>${language}</span>${uncommitted ? html` <span class="warn">uncommitted</span>` : nothing}
      ${others > 0 ? html` <span>the same text in ${plural(others, 'other file')}</span>` : nothing}</p>
    ${
      content === undefined
        ? nothing
        : codeBlock({
            ...{
              text: shown.text,
              language,
              first: contentLine + shown.skipped,
              words,
              label: `Code of ${path}:${startLine}`,
            },
            address: (line) => address({ start: line }),
          })
    }
    ${also.length === 0 ? nothing : alsoLine(also, address)}
  </li>`;
}

function alsoLine(also: NonNullable<Result['also']>, address: Shown['address']): TemplateResult {
  const links = also.map(
    ({ symbol, startLine, endLine }, i) =>
      html`${i === 0 ? '' : ', '}<a href=${address({ start: startLine, end: endLine })}>${nameText(symbol)}</a>`,
  );
  return html`<p class="facts">also in this file: ${links}</p>`;
}

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

/** Enter leads to the first result. */
export function toResults(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('.result a')?.focus();
}

/** So does the arrow key down. */
export function fromQuery(event: KeyboardEvent): void {
  if (event.key === 'ArrowDown') toResults(event);
}

/** Arrow keys, j and k move among the results; up from the first one leads back to the query. */
export function moveAmongResults(event: KeyboardEvent): void {
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  const links = [...document.querySelectorAll<HTMLElement>('.result h2 a')];
  const at = links.indexOf(event.target as HTMLElement);
  if (step === undefined || at < 0 || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  if (at + step < 0) document.getElementById('query')?.focus();
  else links[Math.min(at + step, links.length - 1)].focus();
}
