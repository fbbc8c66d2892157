/** Beside the code: who calls it, what it calls, tests, documents and history of the symbol, or of the file. */
import { html, nothing, type TemplateResult } from 'lit-html';
import type { CouplingDocument } from '../../questions/coupling/output.js';
import type { DocsLinksDocument } from '../../questions/docs/links/output.js';
import type { GraphDepsResponse } from '../../questions/graph/deps/output.js';
import type { OutlineSymbol } from '../../questions/graph/outline/output.js';
import type { GraphSymbolResponse } from '../../questions/graph/symbol/output.js';
import type { OwnersDocument } from '../../questions/owners/output.js';
import type { WhyDocument } from '../../questions/why/output.js';
import { answer } from './api.js';
import { commitLink, listed, nameText, placeLink, plural, refInUse, type Template, waiting, when } from './parts.js';
import { addressOf, currentRoute, readAddress } from './route.js';

interface Lines {
  start: number;
  end: number;
}

interface Beside {
  path: string;
  lines: Lines | undefined;
  symbols: readonly OutlineSymbol[];
}

const LISTED = 12;
/** Definitions of a file that are listed: a list of thousands is read by nobody, and is slow to draw. */
const MAX_OUTLINE = 500;

export function sidePanel(beside: Beside): TemplateResult {
  const { path, lines, symbols } = beside;
  const symbol = lines === undefined ? undefined : chosenSymbol(symbols, lines);
  return html`<aside class="side" aria-label="About this code">
    ${symbol === undefined ? aboutFile(path) : aboutSymbol(path, symbol)}
    ${outline(beside, symbol)}
  </aside>`;
}

/** The innermost symbol around the first chosen line, else the first one in the chosen lines: a comment may come before it. */
function chosenSymbol(symbols: readonly OutlineSymbol[], { start, end }: Lines): OutlineSymbol | undefined {
  const around = symbols.filter(({ startLine, endLine }) => startLine <= start && start <= endLine).at(-1);
  return around ?? symbols.find(({ startLine }) => startLine > start && startLine <= end);
}

function aboutSymbol(path: string, { name, startLine }: OutlineSymbol): TemplateResult {
  const ref = refInUse();
  const target = `${path}:${startLine}`;
  const loaded = answer<GraphSymbolResponse>('graph symbol', { names: [target], ref, limit: LISTED });
  const { document: symbol } = loaded;
  return html`<h2>${nameText(symbol?.definitions?.[0]?.symbol ?? name)}</h2>
    ${symbol?.doc ? html`<p>${symbol.doc}</p>` : nothing}
    ${waiting(loaded, 'Asking the graph')}
    ${symbol?.callers === undefined ? nothing : graphFacts(symbol)}
    ${documents(target)}
    ${past(target)}
    <p class="tools"><a class="tool" href=${addressOf('/history', { q: symbol?.definitions?.[0]?.symbol ?? name })}>Its whole history</a>
      <a class="tool" href=${readAddress(path)}>About the file</a></p>`;
}

function graphFacts({ callers, callees, tests, noCallers, parents, subtypes }: GraphSymbolResponse): TemplateResult {
  const users = callers.list.map((use) => html`<li>${placeLink({ ...use, symbol: use.symbol ?? undefined })}</li>`);
  const resolved = callees.resolved.list.map((callee) => html`<li>${placeLink(callee)}</li>`);
  const outside = callees.external.list.map(({ text }) => text).slice(0, LISTED);
  const others = outside.map((text, i) => html`${i === 0 ? 'outside: ' : ', '}${nameText(text)}`);
  return html`
    ${listed('Who calls it', callers, users, noCallers?.reason ?? 'No callers in this repository.')}
    ${listed('What it calls', callees.resolved, resolved)}
    ${others.length === 0 ? nothing : html`<p class="quiet">${others}</p>`}
    ${listed(
      'Inherits from',
      { list: parents, leftOut: 0 },
      parents.map(({ name, place }) => html`<li>${place === null ? name : placeLink(place)}</li>`),
    )}
    ${listed(
      'Derived from it',
      subtypes,
      subtypes.list.map((place) => html`<li>${placeLink(place)}</li>`),
    )}
    ${listed(
      'Tests that reach it',
      tests,
      tests.list.map(
        ({ path, line, hops }) =>
          html`<li>${placeLink({ path, line })} <span class="quiet">${plural(hops, 'hop')}</span></li>`,
      ),
      'No test reaches it.',
    )}`;
}

function documents(target: string): Template {
  const { document } = answer<DocsLinksDocument>('docs links', { target, ref: refInUse(), limit: LISTED });
  if (document?.mentionedIn === undefined) return nothing;
  const { mentionedIn } = document;
  const items = mentionedIn.list.map(
    (mention) => html`<li>${placeLink({ path: mention.path, line: mention.line })}</li>`,
  );
  return listed('Documents', mentionedIn, items);
}

function past(place: string): Template {
  const ref = refInUse();
  const loaded = answer<WhyDocument>('why', { place, ref, limit: 8 });
  const { commits } = loaded.document ?? {};
  if (commits === undefined) return loaded.failure === undefined ? waiting(loaded, 'Reading its history') : nothing;
  return listed(
    'Commits that made it',
    commits,
    commits.list.map(
      ({ commit, subject, author, date }) =>
        html`<li>${commitLink(commit, subject || commit)} <span class="quiet">${author}, ${when(date)}</span></li>`,
    ),
  );
}

function aboutFile(path: string): TemplateResult {
  const ref = refInUse();
  const deps = answer<GraphDepsResponse>('graph deps', { file: path, ref, limit: LISTED });
  const owners = answer<OwnersDocument>('owners', { paths: [path], ref, limit: 5 });
  const coupled = answer<CouplingDocument>('coupling', { target: path, ref, limit: 8 });
  const { imports, dependents } = deps.document ?? {};
  const items = (links: GraphDepsResponse['imports']) =>
    links.list.map((link) => html`<li>${placeLink({ path: link.path })}</li>`);
  return html`<h2>About this file</h2>
    ${deps.failure === undefined ? waiting(deps, 'Asking the graph') : nothing}
    ${dependents === undefined ? nothing : listed('Used by', dependents, items(dependents), 'No file of this repository uses it.')}
    ${imports === undefined ? nothing : listed('Uses', imports, items(imports))}
    ${documents(path)}
    ${owners.document === undefined ? nothing : knownBy(owners.document)}
    ${coupled.document === undefined ? nothing : changesWith(coupled.document)}`;
}

function knownBy({ owners }: OwnersDocument): Template {
  return listed(
    'Who knows it',
    owners,
    owners.list.map(
      ({ author, share, commits }) =>
        html`<li><meter min="0" max="1" value=${share} aria-label=${`Share of ${author}`}></meter> ${author}
          <span class="quiet">${plural(commits, 'commit')}</span></li>`,
    ),
  );
}

function changesWith({ coupled }: CouplingDocument): Template {
  return listed(
    'Changes together with',
    coupled,
    coupled.list.map(
      ({ path, together, of }) =>
        html`<li>${placeLink({ path })} <span class="quiet">${together} of ${of} commits</span></li>`,
    ),
  );
}

/** Definitions of the file, as a table of contents. */
function outline({ path, symbols }: Beside, chosen: OutlineSymbol | undefined): Template {
  if (symbols.length === 0) return nothing;
  const { params } = currentRoute();
  const item = (symbol: OutlineSymbol) => html`<li class=${`depth-${Math.min(symbol.depth, 4)}`}>
    <a href=${readAddress(path, { start: symbol.startLine, end: symbol.endLine }, params.get('ref'))} aria-current=${symbol === chosen ? 'true' : nothing}
      >${symbol.name}</a> <span class="quiet">${symbol.kind}</span></li>`;
  return html`<details class="section" open><summary><h3>In this file <span class="count">${symbols.length}</span></h3></summary>
    <ul class="plain outline">${symbols.slice(0, MAX_OUTLINE).map(item)}</ul>
    ${symbols.length > MAX_OUTLINE ? html`<p class="quiet">and ${(symbols.length - MAX_OUTLINE).toLocaleString('en')} more</p>` : nothing}</details>`;
}
