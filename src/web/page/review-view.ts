/** Review of a range or of uncommitted changes: what may break, who is affected, tests to run, and the changed code. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { ReviewDocument } from '../../questions/review/question.js';
import type { Part, ShowDocument } from '../../questions/show/question.js';
import { addressOf, answer, changedAddress, currentRoute, goTo, readAddress } from './api.js';
import { codeBlock } from './code.js';
import { changedLines, languageOf } from './read-view.js';
import { about, listed, placeLink, plural, short, type Template, waiting, when } from './widgets.js';

const LISTED = 30;
const MAX_PARTS = 60;

export function reviewView(): TemplateResult {
  const { params } = currentRoute();
  const range = params.get('range') ?? params.get('in') ?? '';
  const loaded = answer<ReviewDocument>('review', { ...(range === '' ? {} : { range }), limit: LISTED });
  const { document: review } = loaded;
  return html`<section>
    <h1>Review of ${range === '' ? 'uncommitted changes' : range}</h1>
    <form class="tools" role="search" @submit=${submit}>
      <label for="range">Range</label>
      <input id="range" name="range" type="text" .value=${range} placeholder="main...feature; empty: uncommitted changes" autocomplete="off" spellcheck="false" size="34">
      <button type="submit">Review</button>
      ${suggestions(range)}
    </form>
    ${waiting(loaded, 'Comparing both sides')}
    ${review === undefined ? nothing : summary(review, range)}
    ${review === undefined || review.changes.files === 0 ? nothing : changedCode(range)}
  </section>`;
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const range = new FormData(event.target as HTMLFormElement).get('range') as string;
  goTo(changedAddress({ range: range.trim() || null, in: null }));
}

function suggestions(range: string): Template {
  const { branch } = about().head;
  const others = [
    ...(branch === null || branch === 'main' || branch === 'master' ? [] : [`main...${branch}`]),
    'HEAD~1..HEAD',
  ];
  return html`${others
    .filter((other) => other !== range)
    .map((other) => html`<a class="tool" href=${addressOf('/review', { range: other, in: null })}>${other}</a>`)}`;
}

function summary(review: ReviewDocument, range: string): TemplateResult {
  const { risk, changes, affected, files, tests } = review;
  const { dangling, mismatches, api, coupled, owners, symbols, removed, users } = changes;
  const { notIndexed } = changes;
  const others =
    notIndexed === 0 ? '' : `${plural(notIndexed, 'changed file')} that ${notIndexed === 1 ? 'is' : 'are'} not indexed`;
  if (changes.files === 0) return html`<p>${others === '' ? 'Nothing differs' : `Only ${others}`}.</p>`;
  return html`<p><b class=${`risk ${risk.level}`}>Risk: ${risk.level}</b> ${risk.reasons.join('; ')}</p>
    <p>${plural(changes.files, 'changed file')}${others && ` and ${others}`}; affects ${affected.toLocaleString('en')} symbols and files in ${plural(files, 'file')};
      used by ${users.before.toLocaleString('en')} before and ${users.after.toLocaleString('en')} now.
      </p>
    <p><a class="tool" href=${addressOf('/', { in: range === '' ? null : range })}>Search in what changed</a></p>
    <h2 class="hidden">Findings</h2>
    <div class="cards">${[
      listed('Dangling uses', dangling, dangling.list.map(danglingItem)),
      listed('Calls that do not fit', mismatches, mismatches.list.map(misfitItem)),
      listed(
        'Tests to run',
        tests,
        tests.list.map(({ path, line }) => html`<li>${placeLink({ path, line })}</li>`),
        'No test reaches what changed.',
      ),
      listed('Changed along with these in the past, not now', coupled, coupled.list.map(forgottenItem)),
      listed(
        'Exported symbols',
        api,
        api.list.map((one) => html`<li><span class="tag">${one.change}</span> ${placeLink(one)}</li>`),
      ),
      listed(
        'Removed',
        removed,
        removed.list.map(
          ({ symbol, path, kind }) => html`<li><b>${symbol}</b> <span class="quiet">${kind} of ${path}</span></li>`,
        ),
      ),
      listed('Changed symbols, largest effect first', symbols, symbols.list.map(changedItem)),
      listed(
        'Who knows these files',
        owners,
        owners.list.map(
          ({ author, commits, last }) =>
            html`<li>${author} <span class="quiet">${plural(commits, 'commit')}, ${when(last)}</span></li>`,
        ),
      ),
    ].map((part) => (part === nothing ? nothing : html`<div class="card">${part}</div>`))}</div>`;
}

type Changes = ReviewDocument['changes'];

const danglingItem = (use: Changes['dangling']['list'][number]): TemplateResult =>
  html`<li>${placeLink({ path: use.path, line: use.line, symbol: use.symbol })} <span class="quiet">${use.certainty}: ${use.was.symbol ?? use.was.path} was ${use.how}</span></li>`;

const misfitItem = (call: Changes['mismatches']['list'][number]): TemplateResult =>
  html`<li>${placeLink({ path: call.path, line: call.line, symbol: call.symbol })} <span class=${call.level === 'error' ? 'warn' : 'quiet'}>${call.detail}</span></li>`;

const forgottenItem = ({ path, together, of }: Changes['coupled']['list'][number]): TemplateResult =>
  html`<li>${placeLink({ path })} <span class="quiet">${together} of ${of} commits</span></li>`;

const changedItem = (one: Changes['symbols']['list'][number]): TemplateResult =>
  html`<li><span class="tag">${one.change}</span> ${placeLink(one)} <span class="quiet">affects ${one.affected.toLocaleString('en')}</span></li>`;

/** The symbols with changed lines, each with its lines marked. */
function changedCode(range: string): TemplateResult {
  const loaded = answer<ShowDocument>('show', { in: range === '' ? 'HEAD' : range });
  const { document: shown } = loaded;
  const parts = shown?.parts ?? [];
  return html`<h2>Changed code</h2>
    ${waiting(loaded, 'Reading')}
    ${shown === undefined ? nothing : deleted(shown)}
    ${parts.slice(0, MAX_PARTS).map((part) => partOf(part, shown?.commit ?? null))}
    ${parts.length > MAX_PARTS ? html`<p class="quiet">and ${parts.length - MAX_PARTS} more parts</p>` : nothing}`;
}

function deleted({ range }: ShowDocument): Template {
  const gone = range?.deleted;
  if (gone === undefined || gone.count === 0) return nothing;
  return html`<p>Deleted: ${gone.first.join(', ')}${gone.count > gone.first.length ? ` and ${gone.count - gone.first.length} more` : ''}</p>`;
}

function partOf(
  { path, symbol, startLine, endLine, content, changes = [] }: Part,
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
