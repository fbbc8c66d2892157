/**
 * Views of changes. Review of a range or of uncommitted ones: what may break, who is affected, tests to run, and the changed
 * code. History of a symbol, or of code about some words; authors who know files, and files that change together.
 */
import { html, nothing, type TemplateResult } from 'lit-html';
import { reviewBlocks } from '../../questions/graph/changes/text.js';
import type { HistoryResponse } from '../../questions/history/question.js';
import type { ReviewDocument } from '../../questions/review/question.js';
import type { ShowDocument, Part as ShownPart } from '../../questions/show/question.js';
import { addressOf, answer, currentRoute, readAddress } from './api.js';
import { codeBlock } from './code.js';
import { changedLines, languageOf } from './read-view.js';
import {
  about,
  answered,
  blocksView,
  commitLink,
  goesTo,
  type InBlocks,
  nameText,
  pathText,
  placeLink,
  plural,
  refInUse,
  short,
  type Template,
  waiting,
  when,
} from './widgets.js';

const LISTED = 30;
const MAX_PARTS = 60;

export function reviewView(): TemplateResult {
  const { params } = currentRoute();
  const range = params.get('range') ?? params.get('in') ?? '';
  const loaded = answer<ReviewDocument>('review', { ...(range === '' ? {} : { range }), limit: LISTED });
  const { document: review } = loaded;
  return html`<section>
    <h1>Review of ${range === '' ? 'uncommitted changes' : range}</h1>
    <form class="tools" role="search" @submit=${goesTo((field) => ({ range: field('range'), in: null }))}>
      <label for="range">Range</label>
      <input id="range" name="range" type="text" .value=${range} placeholder="main...feature; empty: uncommitted changes" autocomplete="off" spellcheck="false" size="34">
      <button type="submit">Review</button>
      ${suggestions(range)}
    </form>
    ${waiting(loaded, 'Comparing both sides')}
    ${review === undefined ? nothing : blocksView(reviewBlocks(review))}
    ${
      review === undefined || review.changes.files === 0
        ? nothing
        : html`<p><a class="tool" href=${addressOf('/', { in: range === '' ? null : range })}>Search in what changed</a></p>
      ${changedCode(range)}`
    }
  </section>`;
}

/** Links to reviews that people ask for most: of the branch that is checked out, if it is known and another one, and of the last commit. */
export function suggestions(range: string, { branch } = about().head): TemplateResult {
  const others = [
    ...(branch === null || branch === 'main' || branch === 'master' ? [] : [`main...${branch}`]),
    'HEAD~1..HEAD',
  ];
  return html`${others
    .filter((other) => other !== range)
    .map((other) => html`<a class="tool" href=${addressOf('/review', { range: other, in: null })}>${other}</a>`)}`;
}

/** The symbols with changed lines, each with its lines marked. */
function changedCode(range: string): TemplateResult {
  const loaded = answer<ShowDocument>('show', { in: range === '' ? 'HEAD' : range });
  const { document: shown } = loaded;
  const parts = shown?.parts ?? [];
  return html`<h2>Changed code</h2>
    ${waiting(loaded, 'Reading')}
    ${shown === undefined ? nothing : deleted(shown)}
    ${parts.slice(0, MAX_PARTS).map((part) => changedPart(part, shown?.commit ?? null))}
    ${parts.length > MAX_PARTS ? html`<p class="quiet">and ${parts.length - MAX_PARTS} more parts</p>` : nothing}`;
}

function deleted({ range }: ShowDocument): Template {
  const gone = range?.deleted;
  if (gone === undefined || gone.count === 0) return nothing;
  return html`<p>Deleted: ${gone.first.join(', ')}${gone.count > gone.first.length ? ` and ${gone.count - gone.first.length} more` : ''}</p>`;
}

function changedPart(
  { path, symbol, startLine, endLine, content, changes = [] }: ShownPart,
  commit: string | null,
): TemplateResult {
  const removed = changes.reduce((sum, change) => sum + change.removed, 0);
  const added = changes.reduce((sum, change) => sum + change.added, 0);
  return html`<section class="result">
    <h3>${placeLink({ path, symbol, startLine, endLine })} <span class="count">+${added} −${removed}</span></h3>
    ${codeBlock({
      ...{ text: content, language: languageOf(path), first: startLine, isChanged: changedLines(changes) },
      address: (line) => readAddress(path, { start: line }),
      label: `Changed code of ${path}:${startLine} ${short(commit)}`,
    })}</section>`;
}

const MAX_PAST = 8;
/** Commits that are read first: a second of work. All of them take half a minute the first time. */
const RECENT = 40;

export function historyView(): TemplateResult {
  const { params } = currentRoute();
  const query = params.get('q') ?? '';
  const isGone = params.get('gone') === 'yes';
  return html`<section>
    <h1>History of code</h1>
    <form class="tools" role="search" @submit=${goesTo((field) => ({ q: field('q'), gone: field('gone') && 'yes' }))}>
      <label class="hidden" for="query">Symbol or words</label>
      <input id="query" name="q" type="search" .value=${query} placeholder="A symbol (Cart.total), or what the code was about" autocomplete="off" spellcheck="false">
      <label><input type="checkbox" name="gone" ?checked=${isGone}> only code that is gone</label>
      <button type="submit">Show</button>
      <a class="tool" href=${addressOf('/', { q: query, what: 'commits' })}>Search commits instead</a>
    </form>
    ${query.trim() === '' ? html`<p class="quiet">Name a symbol for all of its past, or use words to find code that is not there any more.</p>` : found(query, isGone)}
  </section>`;
}

function found(query: string, deleted: boolean): TemplateResult {
  const values = { query, ref: refInUse(), limit: MAX_PAST, events: true, ...(deleted && { deleted }) };
  const recent = answer<HistoryResponse>('history', { ...values, maxCommits: RECENT }, 'recent history');
  const isFirst = recent.isLoading || recent.failure !== undefined;
  const whole = isFirst ? recent : answer<HistoryResponse>('history', values, 'history');
  const document = whole.isLoading ? recent.document : whole.document;
  const results = document?.results ?? [];
  const where = whole.isLoading ? ` in the ${RECENT} newest commits; older ones are being read` : '';
  const count = results.length === 0 ? 'Nothing found' : plural(results.length, 'result');
  return html`${waiting(whole, 'Reading every version of this code: the first time this takes a while, later it is known')}
    ${document === undefined ? nothing : html`<p class="quiet" role="status">${count}${where}.</p>`}
    ${document?.results.map((result) => resultOf(result, whole.isLoading)) ?? nothing}`;
}

type Result = HistoryResponse['results'][number];
type HistoryEvent = Result['events'][number];

/** `isReading`: older commits are still being read, so that its changes so far are no count. */
function resultOf(result: Result, isReading: boolean): TemplateResult {
  const { path, startLine, endLine, symbol, kind, present, events, content, language, disappeared } =
    result as Result & {
      content?: string;
      language?: string;
    };
  const before = disappeared === null ? null : `${disappeared.commit}^`;
  const address = present
    ? readAddress(path, { start: startLine, end: endLine })
    : addressOf('/read', { path, ref: before });
  return html`<section class="result">
    <h2><a href=${address}>${symbol === null ? nothing : html`<b>${nameText(symbol)}</b> `}<span>${pathText(path)}:${startLine}</span></a></h2>
    <p class="facts"><span>${kind}</span> <span class=${present ? '' : 'warn'}>${present ? 'still there' : 'gone'}</span> <span>${changesText(result.changes, isReading)}</span></p>
    <ol class="timeline">${events.map((event) => eventItem(event))}</ol>
    ${content === undefined ? nothing : pastCode(content, { path, language: language ?? '', startLine })}
  </section>`;
}

function changesText(changes: number, isReading: boolean): string {
  if (isReading) return 'reading its changes';
  return changes === 0 ? 'never changed' : plural(changes, 'change');
}

function pastCode(
  text: string,
  { path, language, startLine }: { path: string; language: string; startLine: number },
): Template {
  return html`<details><summary>Its code</summary>${codeBlock({
    ...{ text, language, first: startLine, label: `Code of ${path}` },
    address: (line) => readAddress(path, { start: line }),
  })}</details>`;
}

function eventItem({ type, commit, date, author, subject, path, from, parts = [] }: HistoryEvent): TemplateResult {
  const ref = type === 'disappeared' ? `${commit}^` : commit;
  return html`<li class=${type}><span class="tag">${type}</span> ${when(date)}
    ${commitLink(commit, subject || commit)} <span class="quiet">${author}</span>
    ${from !== undefined && from !== path ? html`<span class="quiet">from ${from}</span>` : nothing}
    ${parts.length > 0 ? html`<span class="quiet">${parts.join(', ')}</span>` : nothing}
    <a class="tool" href=${addressOf('/read', { path, ref })} aria-label=${`as it was: ${path} at ${short(commit)}`}>as it was</a></li>`;
}

// Authors who know files, and files that change together.

const MAX_PEOPLE = 25;

export function peopleView(): TemplateResult {
  const { params } = currentRoute();
  const path = params.get('path') ?? '';
  return html`<section>
    <h1>Who knows ${path === '' ? 'this repository' : path}</h1>
    <form class="tools" role="search" @submit=${goesTo((field) => ({ path: field('path') }))}>
      <label for="of">File, folder or symbol</label>
      <input id="of" name="path" type="text" .value=${path} placeholder="empty: all of it" autocomplete="off" spellcheck="false" size="34">
      <button type="submit">Show</button>
    </form>
    <div class="halves">${owners(path)}${path === '' ? nothing : coupled(path)}</div>
  </section>`;
}

function owners(path: string): TemplateResult {
  const values = { ref: refInUse(), limit: MAX_PEOPLE, ...(path !== '' && { paths: [path] }) };
  return html`<div>${answered(answer<InBlocks>('owners', values), 'Counting commits')}</div>`;
}

function coupled(target: string): TemplateResult {
  const loaded = answer<InBlocks>('coupling', { target, ref: refInUse(), limit: MAX_PEOPLE });
  return html`<div>${answered(loaded, 'Reading which files changed together')}</div>`;
}
