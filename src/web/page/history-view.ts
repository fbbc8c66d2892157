/** History of a symbol, or of code about some words: when it appeared, changed, moved and disappeared. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { HistoryResponse } from '../../questions/history/output.js';
import { answer } from './api.js';
import { codeBlock } from './code.js';
import { commitLink, nameText, pathText, plural, refInUse, type Template, waiting, when } from './parts.js';
import { addressOf, changedAddress, currentRoute, goTo, readAddress } from './route.js';

const LIMIT = 8;
/** Commits that are read first: a second of work, where all of them take half a minute the first time. */
const RECENT = 40;

export function historyView(): TemplateResult {
  const { params } = currentRoute();
  const query = params.get('q') ?? '';
  const isGone = params.get('gone') === 'yes';
  return html`<section>
    <h1>History of code</h1>
    <form class="tools" role="search" @submit=${submit}>
      <label class="hidden" for="query">Symbol or words</label>
      <input id="query" name="q" type="search" .value=${query} placeholder="A symbol (Cart.total), or what the code was about" autocomplete="off" spellcheck="false">
      <label><input type="checkbox" name="gone" ?checked=${isGone}> only code that is gone</label>
      <button type="submit">Show</button>
      <a class="tool" href=${addressOf('/', { q: query, what: 'commits' })}>Search commits instead</a>
    </form>
    ${query.trim() === '' ? html`<p class="quiet">Name a symbol for all of its past, or use words to find code that is not there any more.</p>` : found(query, isGone)}
  </section>`;
}

function submit(event: SubmitEvent): void {
  event.preventDefault();
  const data = new FormData(event.target as HTMLFormElement);
  goTo(changedAddress({ q: data.get('q') as string, gone: data.get('gone') === null ? null : 'yes' }));
}

function found(query: string, deleted: boolean): TemplateResult {
  const values = { query, ref: refInUse(), limit: LIMIT, events: true, ...(deleted && { deleted }) };
  const recent = answer<HistoryResponse>('history', { ...values, maxCommits: RECENT }, 'recent history');
  const isFirst = recent.isLoading || recent.failure !== undefined;
  const whole = isFirst ? recent : answer<HistoryResponse>('history', values, 'history');
  const document = whole.isLoading ? recent.document : whole.document;
  const results = document?.results ?? [];
  const where = whole.isLoading ? ` in the ${RECENT} newest commits; older ones are being read` : '';
  const count = results.length === 0 ? 'Nothing found' : plural(results.length, 'result');
  return html`${waiting(whole, 'Reading every version of this code: the first time this takes a while, later it is known')}
    ${document === undefined ? nothing : html`<p class="quiet" role="status">${count}${where}.</p>`}
    ${document?.results.map(resultOf) ?? nothing}`;
}

type Result = HistoryResponse['results'][number];
type HistoryEvent = Result['events'][number];

function resultOf(result: Result): TemplateResult {
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
    <p class="facts"><span>${kind}</span> <span class=${present ? '' : 'warn'}>${present ? 'still there' : 'gone'}</span> <span>${plural(result.changes, 'change')}</span></p>
    <ol class="timeline">${events.map((event) => eventItem(event))}</ol>
    ${content === undefined ? nothing : pastCode(content, { path, language: language ?? '', startLine })}
  </section>`;
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
    <a class="tool" href=${addressOf('/read', { path, ref })} aria-label=${`as it was: ${path} at ${commit.slice(0, 9)}`}>as it was</a></li>`;
}
