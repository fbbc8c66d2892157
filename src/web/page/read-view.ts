/** The reader: a file at a ref, its lines as links, who wrote them, and what the graph knows about them beside. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { GraphOutlineResponse } from '../../questions/graph/outline/output.js';
import type { ShowDocument } from '../../questions/show/output.js';
import type { Blame, Overview } from '../answers/output.js';
import { answer, type Loaded } from './api.js';
import { codeBlock } from './code.js';
import { crumbs } from './overview.js';
import { commitLink, day, editorLink, forgeLink, plural, refInUse, short, type Template, waiting } from './parts.js';
import { changedAddress, currentRoute, goTo, readAddress } from './route.js';
import { sidePanel } from './side.js';

export interface Lines {
  start: number;
  end: number;
}

/** `10` or `10-20`; undefined for none. */
export function linesOf(text: string | null): Lines | undefined {
  const [, first, last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(text ?? '') ?? [];
  return first === undefined ? undefined : { start: Number(first), end: Math.max(Number(first), Number(last)) };
}

export function readView(): TemplateResult {
  const { params } = currentRoute();
  const path = params.get('path') ?? '';
  const [ref, range] = [params.get('ref') ?? undefined, params.get('in') ?? undefined];
  const loaded = answer<ShowDocument>('show', { targets: [path], ...(range ? { in: range } : { ref }) });
  const part = loaded.document?.parts[0];
  const problem = loaded.document?.problems[0];
  return html`<section class="read">
    <h1 class="hidden">${path}</h1>
    ${crumbs(path)}
    ${waiting(loaded, 'Reading')}
    ${problem === undefined ? nothing : html`<div class="failure" role="alert"><p>${problem.message}</p><p>${problem.hint}</p></div>`}
    ${part === undefined || loaded.document === undefined ? nothing : file(loaded.document, path, params)}
  </section>`;
}

function file(document: ShowDocument, path: string, params: URLSearchParams): TemplateResult {
  const { commit, files } = document;
  const part = document.parts[0];
  const lines = linesOf(params.get('lines'));
  const outline = answer<GraphOutlineResponse>('graph outline', { files: [path], ref: params.get('ref') ?? undefined });
  const known = outline.document?.files.find((each) => each.path === path);
  const isBlamed = params.get('blame') === 'yes';
  const blame = isBlamed ? answer<Blame>('blame', { path, ref: params.get('ref') ?? undefined }) : undefined;
  const info = files[0];
  return html`
    <div class="tools">
      <span>${plural(info?.lines ?? 0, 'line')}${known === undefined ? nothing : `, ${known.language}`}</span>
      ${info?.uncommitted ? html`<span class="warn">uncommitted</span>` : nothing}
      <a class="tool" role="button" href=${changedAddress({ blame: isBlamed ? null : 'yes' })} aria-pressed=${isBlamed}>Blame</a>
      <button type="button" class="tool" @click=${(event: Event) => copyPermalink(event, commit)}>Copy permalink</button>
      ${editorLink(path, lines?.start ?? 1)}
      ${forgeLink(path, commit, lines)}
      ${info?.note === undefined ? nothing : html`<span class="quiet">${info.note}</span>`}
    </div>
    ${blame === undefined ? nothing : waiting(blame, 'Asking who wrote the lines')}
    <div class="columns reader">
      <div class="main" @click=${chooseLines}>${codeBlock({
        ...{
          text: part.content,
          language: known?.language ?? languageOf(path),
          first: part.startLine,
          isMain: true,
          label: `Code of ${path}`,
        },
        address: (line) => readAddress(path, { start: line }),
        ...(lines && { chosen: lines }),
        isChanged: changedLines(part.changes ?? []),
        ...(blame?.document && { before: authorOf(blame) }),
      })}</div>
      ${sidePanel({ path, lines, symbols: known?.symbols ?? [] })}
    </div>`;
}

/** Until the graph says what a file is, its name does: files with such an ending have that language. */
export function languageOf(path: string): string {
  const { document } = answer<Overview>('overview', { ref: refInUse() });
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return document !== undefined && Object.hasOwn(document.endings, ending) ? document.endings[ending] : '';
}

export function changedLines(changes: readonly { line: number; added: number }[]): (line: number) => boolean {
  const changed = new Set(changes.flatMap(({ line, added }) => Array.from({ length: added }, (_, i) => line + i)));
  return (line) => changed.has(line);
}

/** The author before the first of the lines that a commit wrote. */
function authorOf({ document }: Loaded<Blame>): (line: number) => Template {
  const { runs = [], commits = {} } = document ?? {};
  const byLine = new Map<number, { commit: string; isFirst: boolean }>();
  for (const { line, count, commit } of runs)
    for (let i = 0; i < count; i++) byLine.set(line + i, { commit, isFirst: i === 0 });
  return (line) => {
    const found = byLine.get(line);
    if (found === undefined) return html`<span class="blame quiet">not committed</span>`;
    if (!found.isFirst) return html`<span class="blame"></span>`;
    const { subject, author, date } = commits[found.commit];
    return html`<span class="blame" title=${`${short(found.commit)} ${subject}`}>${commitLink(found.commit, day(date))} ${author}</span>`;
  };
}

/** A click on a line's number chooses the line; with shift, all lines from the one chosen before. */
export function chooseLines(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a[data-line]');
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const line = Number(link.getAttribute('data-line'));
  const before = linesOf(currentRoute().params.get('lines'));
  const range = event.shiftKey && before !== undefined ? [before.start, line].sort((a, b) => a - b) : [line, line];
  goTo(changedAddress({ lines: range[0] === range[1] ? range[0] : range.join('-') }), { replace: true });
}

/** An address that shows the same lines of the same commit for ever. */
async function copyPermalink({ target }: Event, commit: string | null): Promise<void> {
  const button = target as HTMLButtonElement;
  const link = new URL(changedAddress({ ref: commit ?? undefined, in: null }), location.origin);
  await navigator.clipboard.writeText(link.href).catch(() => goTo(link.pathname + link.search));
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy permalink';
  }, 1_500);
}

/** Moves the chosen line, or with `isMore` the end of the chosen lines, and keeps it in view. */
export function stepLine(step: number, isMore: boolean): void {
  const { params } = currentRoute();
  const before = linesOf(params.get('lines')) ?? { start: 0, end: 0 };
  const end = Math.max(1, before.end + step);
  const start = isMore ? Math.min(Math.max(1, before.start), end) : end;
  if (document.getElementById(`L${end}`) === null) return;
  goTo(changedAddress({ lines: start === end ? end : `${start}-${end}` }), { replace: true });
  document.getElementById(`L${end}`)?.scrollIntoView({ block: 'nearest' });
}

let scrolled = '';

/** Brings the chosen lines into view, once for each address. */
export function scrollToLines(): void {
  const { view, params } = currentRoute();
  const lines = linesOf(params.get('lines'));
  const address = `${params.get('repo')} ${params.get('path')} ${params.get('at') ?? params.get('ref')} ${view}`;
  if (!view.endsWith('/read') || lines === undefined || scrolled === address) return;
  const row = document.getElementById(`L${lines.start}`);
  if (row === null) return;
  scrolled = address;
  row.scrollIntoView({ block: 'center' });
}

/** Forgets where was scrolled to, when the reader is left. */
export function leaveReader(): void {
  scrolled = '';
}
