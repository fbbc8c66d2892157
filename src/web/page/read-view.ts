/** The reader: what the repository is, a file at a ref, its lines as links, their authors, and beside them what the graph knows. */
import { html, nothing, type TemplateResult } from 'lit-html';
import { shortened } from '../../graph/picture/page/drawn.js';
import type { GraphDepsResponse } from '../../questions/graph/deps/question.js';
import type { GraphMapResponse, GraphOutlineResponse, OutlineSymbol } from '../../questions/graph/outline/question.js';
import type { GraphSymbolResponse } from '../../questions/graph/symbol/question.js';
import type { ShowDocument } from '../../questions/show/question.js';
import type { WhyDocument } from '../../questions/why/question.js';
import type { Blame, Files, Overview } from '../answers.js';
import { addressOf, answer, changedAddress, currentRoute, goTo, type Loaded, readAddress } from './api.js';
import { codeBlock } from './code.js';
import {
  commitLink,
  day,
  editorLink,
  forgeLink,
  type InBlocks,
  listed,
  nameText,
  pathText,
  placeLink,
  plural,
  refInUse,
  sectionView,
  short,
  type Template,
  waiting,
  when,
} from './widgets.js';

export interface Lines {
  start: number;
  end: number;
}

/** `10` or `10-20`; undefined for any other text. */
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
      ${known === undefined ? nothing : parseErrors(known)}
      ${info?.note === undefined ? nothing : html`<span class="quiet">${info.note}</span>`}
    </div>
    ${blame === undefined ? nothing : waiting(blame, 'Asking who wrote the lines')}
    <div class="columns reader">
      <div class="main" @click=${chooseLines}>${codeBlock({
        text: part.content,
        language: known?.language ?? languageOf(path),
        first: part.startLine,
        isMain: true,
        label: `Code of ${path}`,
        address: (line) => readAddress(path, { start: line }),
        ...(lines && { chosen: lines }),
        isChanged: changedLines(part.changes ?? []),
        ...(blame?.document && { before: authorOf(blame) }),
      })}</div>
      ${sidePanel({ path, lines, symbols: known?.symbols ?? [] })}
    </div>`;
}

function parseErrors({ path, parseErrors: errors = [] }: GraphOutlineResponse['files'][number]): Template {
  const first = errors.find(({ lost }) => lost);
  if (first === undefined) return nothing;
  const { startLine: start, endLine: end } = first;
  return html`<a class="warn" href=${readAddress(path, { start, end })}>parse errors may hide declarations</a>`;
}

/** Language of a file by the ending of its name, until the graph says it. */
export function languageOf(path: string): string {
  const { document } = answer<Overview>('overview', { ref: refInUse() });
  const ending = path.slice(path.lastIndexOf('.') + 1);
  return document !== undefined && Object.hasOwn(document.endings, ending) ? document.endings[ending] : '';
}

export function changedLines(changes: readonly { line: number; added: number }[]): (line: number) => boolean {
  const changed = new Set(changes.flatMap(({ line, added }) => Array.from({ length: added }, (_, i) => line + i)));
  return (line) => changed.has(line);
}

/** The author, shown before the first of the lines that a commit wrote. */
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

/** Chooses the clicked line; with shift, all lines from the previously chosen one. */
export function chooseLines(event: MouseEvent): void {
  const link = (event.target as Element).closest?.('a[data-line]');
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const line = Number(link.getAttribute('data-line'));
  const before = linesOf(currentRoute().params.get('lines'));
  const range = event.shiftKey && before !== undefined ? [before.start, line].sort((a, b) => a - b) : [line, line];
  goTo(changedAddress({ lines: range[0] === range[1] ? range[0] : range.join('-') }), { replace: true });
}

/** Copies an address that shows the same lines of the same commit for ever. */
async function copyPermalink({ target }: Event, commit: string | null): Promise<void> {
  const button = target as HTMLButtonElement;
  const link = new URL(changedAddress({ ref: commit ?? undefined, in: null }), location.origin);
  await navigator.clipboard.writeText(link.href).catch(() => goTo(link.pathname + link.search));
  button.textContent = 'Copied';
  setTimeout(() => {
    button.textContent = 'Copy permalink';
  }, 1_500);
}

/** Moves the chosen line, or with `isMore` the end of the chosen lines, and keeps it visible. */
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

/** Scrolls to the chosen lines, once for each address. */
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

/** Forgets the scroll position, when the reader is left. */
export function leaveReader(): void {
  scrolled = '';
}

// Beside the code: who calls it, what it calls, tests, documents and history of the symbol, or of the file.

interface PanelContent {
  path: string;
  lines: Lines | undefined;
  symbols: readonly OutlineSymbol[];
}

const LISTED = 12;
/** Entries of each list that the graph is asked for: only some kinds of them are shown. */
const MANY = 100;
/** Definitions of a file that are listed: nobody reads a list of thousands, which is also slow to draw. */
const MAX_OUTLINE = 500;

function sidePanel(content: PanelContent): TemplateResult {
  const { path, lines, symbols } = content;
  const symbol = lines === undefined ? undefined : chosenSymbol(symbols, lines);
  return html`<aside class="side" aria-label="About this code">
    ${symbol === undefined ? aboutFile(path) : aboutSymbol(path, symbol)}
    ${outline(content, symbol)}
  </aside>`;
}

/** The innermost symbol around the first chosen line, else the first symbol in the chosen lines: a comment may precede it. */
function chosenSymbol(symbols: readonly OutlineSymbol[], { start, end }: Lines): OutlineSymbol | undefined {
  const around = symbols.filter(({ startLine, endLine }) => startLine <= start && start <= endLine).at(-1);
  return around ?? symbols.find(({ startLine }) => startLine > start && startLine <= end);
}

function aboutSymbol(path: string, { name, startLine }: OutlineSymbol): TemplateResult {
  const ref = refInUse();
  const target = `${path}:${startLine}`;
  const loaded = answer<GraphSymbolResponse>('graph symbol', { names: [target], ref, limit: MANY });
  const { document: symbol } = loaded;
  return html`<h2>${nameText(symbol?.definitions?.[0]?.symbol ?? name)}</h2>
    ${symbol?.doc ? html`<p>${symbol.doc}</p>` : nothing}
    ${waiting(loaded, 'Asking the graph')}
    ${symbol?.callers === undefined ? nothing : graphFacts(symbol)}
    ${lists(answer<InBlocks>('docs links', { target, ref, limit: LISTED }))}
    ${past(target)}
    <p class="tools"><a class="tool" href=${addressOf('/history', { q: symbol?.definitions?.[0]?.symbol ?? name })}>Its whole history</a>
      <a class="tool" href=${readAddress(path)}>About the file</a></p>`;
}

/** The first of a list that is kept in part. */
function firstOf<T>(
  { list, leftOut }: { list: readonly T[]; leftOut: number },
  isKept: (one: T) => boolean = () => true,
) {
  const kept = list.filter(isKept);
  return { list: kept.slice(0, LISTED), leftOut: Math.max(0, kept.length - LISTED) + leftOut };
}

const CALLS: ReadonlySet<string> = new Set(['call', 'new', 'request']);
/** Kinds of symbols that hold a value: code that reads one calls nothing. */
const VALUES: ReadonlySet<string> = new Set([
  'field',
  'property',
  'variable',
  'constant',
  'enum-member',
  'parameter',
  'type',
]);

/** Calls outside of the repository. Parameters that are called are inside. */
export function callsOutside({
  callees,
  definitions,
}: Pick<GraphSymbolResponse, 'definitions'> & { callees: Pick<GraphSymbolResponse['callees'], 'external'> }): string[] {
  const signature = definitions.map((definition) => definition.signature).join(' ');
  const names = new Set(signature.slice(signature.indexOf('(') + 1).split(/[^\p{L}\p{N}_$]+/u));
  return callees.external.list.flatMap(({ text, use }) =>
    CALLS.has(use) && !(names.has(text) && /^[\p{Ll}_$]/u.test(text)) ? [text] : [],
  );
}

function graphFacts(symbol: GraphSymbolResponse): TemplateResult {
  const { noCallers, parents } = symbol;
  const [callers, subtypes, tests] = [firstOf(symbol.callers), firstOf(symbol.subtypes), firstOf(symbol.tests)];
  const callees = firstOf(symbol.callees.resolved, ({ use, kind }) => CALLS.has(use) || !VALUES.has(kind));
  const users = callers.list.map((use) => html`<li>${placeLink({ ...use, symbol: use.symbol ?? undefined })}</li>`);
  const resolved = callees.list.map((callee) => html`<li>${placeLink(callee)}</li>`);
  const outside = callsOutside(symbol).slice(0, LISTED);
  const others = outside.map((text, i) => html`${i === 0 ? 'outside: ' : ', '}${nameText(text)}`);
  return html`
    ${listed('Who calls it', callers, users, noCallers?.reason ?? 'No callers in this repository.')}
    ${listed('What it calls', callees, resolved)}
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
      'No test is known to reach it.',
    )}`;
}

/** The lists of an answer alone, beside others. */
const lists = ({ document }: Loaded<InBlocks>): readonly Template[] =>
  document?.blocks.map((block) => ('list' in block ? sectionView(block) : nothing)) ?? [];

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
  const owners = answer<InBlocks>('owners', { paths: [path], ref, limit: 5 });
  const coupled = answer<InBlocks>('coupling', { target: path, ref, limit: 8 });
  const documents = answer<InBlocks>('docs links', { target: path, ref, limit: LISTED });
  const { imports, dependents } = deps.document ?? {};
  const items = (links: GraphDepsResponse['imports']) =>
    links.list.map((link) => html`<li>${placeLink({ path: link.path })}</li>`);
  return html`<h2>About this file</h2>
    ${deps.failure === undefined ? waiting(deps, 'Asking the graph') : nothing}
    ${dependents === undefined ? nothing : listed('Used by', dependents, items(dependents), 'No file of this repository uses it.')}
    ${imports === undefined ? nothing : listed('Uses', imports, items(imports))}
    ${[documents, owners, coupled].map(lists)}`;
}

/** Definitions of the file, as a table of contents. */
function outline({ path, symbols }: PanelContent, chosen: OutlineSymbol | undefined): Template {
  if (symbols.length === 0) return nothing;
  const { params } = currentRoute();
  const item = (symbol: OutlineSymbol) => html`<li class=${`depth-${Math.min(symbol.depth, 4)}`}>
    <a href=${readAddress(path, { start: symbol.startLine, end: symbol.endLine }, params.get('ref'))} aria-current=${symbol === chosen ? 'true' : nothing}
      >${symbol.name}</a> <span class="quiet">${symbol.kind}</span></li>`;
  return html`<details class="section" open><summary><h3>In this file <span class="count">${symbols.length}</span></h3></summary>
    <ul class="plain outline">${symbols.slice(0, MAX_OUTLINE).map(item)}</ul>
    ${symbols.length > MAX_OUTLINE ? html`<p class="quiet">and ${(symbols.length - MAX_OUTLINE).toLocaleString('en')} more</p>` : nothing}</details>`;
}

// First view: what the repository is, and its central files.

const MAX_FOLDERS = 12;
const MAP_TOKENS = 2_500;

export function overview(): TemplateResult {
  const ref = refInUse();
  const folder = currentRoute().params.get('folder');
  if (folder !== null) return folderList(folder, answer<Files>('files', { ref }));
  const loaded = answer<Overview>('overview', { ref });
  const map = answer<GraphMapResponse>('graph outline', { ref, maxTokens: MAP_TOKENS });
  return html`<div class="overview">
    <p class="quiet">Keys: <kbd>/</kbd> search, <kbd>t</kbd> a file by its name, <kbd>r</kbd> another branch, tag or range, <kbd>?</kbd> all keys.</p>
    ${waiting(loaded, 'Listing')}
    ${loaded.document === undefined ? nothing : indexed(loaded.document)}
    <h2>Most central folders</h2>
    ${waiting(map, 'Search, files and the reader answer already; this map follows when it is known who uses what')}
    <div class="cards">${cards(map.document?.folders ?? [])}</div>
  </div>`;
}

const folderAddress = (path: string): string => addressOf('/', { folder: path });

/** Folders and files right below a folder. */
function folderList(folder: string, loaded: Loaded<Files>): TemplateResult {
  const below = `${folder}/`;
  const folders = new Map<string, number>();
  const files: string[] = [];
  for (const path of loaded.document?.paths ?? []) {
    if (!path.startsWith(below)) continue;
    const end = path.indexOf('/', below.length);
    if (end < 0) files.push(path);
    else folders.set(path.slice(0, end), (folders.get(path.slice(0, end)) ?? 0) + 1);
  }
  const name = (path: string) => path.slice(below.length);
  return html`<div class="overview">
    ${crumbs(folder)}
    ${waiting(loaded, 'Listing')}
    <ul class="plain files">${[...folders].map(([path, count]) => html`<li><a href=${folderAddress(path)}>${name(path)}/</a> <span class="count">${count}</span></li>`)}
      ${files.map((path) => html`<li><a href=${readAddress(path)}>${name(path)}</a></li>`)}</ul></div>`;
}

/** The folders of a path as links, and its last name as the heading. */
function crumbs(path: string): TemplateResult {
  const names = path.split('/');
  return html`<nav class="crumbs" aria-label="Folders"><a href=${addressOf('/', {})}>top</a><span aria-hidden="true">/</span>${names.map(
    (name, i) =>
      i === names.length - 1
        ? html`<h2>${nameText(name)}</h2>`
        : html`<a href=${folderAddress(names.slice(0, i + 1).join('/'))}>${name}</a><span aria-hidden="true">/</span>`,
  )}</nav>`;
}

/** Languages and top folders of the index, shown without waiting for the graph. */
export function indexed({ files, isByName = false, languages, folders }: Overview): TemplateResult {
  if (files === 0) return html`<p>No file is indexed yet.</p>`;
  const counted = languages.slice(0, 6).map(({ name, files: own }) => `${name} ${own.toLocaleString('en')}`);
  return html`<p class="indexed">${plural(files, isByName ? 'file' : 'indexed file')}: ${counted.join(', ')}${languages.length > 6 ? ', …' : nothing}</p>
    <ul class="chips">${folders
      .slice(0, MAX_FOLDERS)
      .map(
        ({ name, files: own }) =>
          html`<li><a class="chip" href=${folderAddress(name)}>${name}/ <span class="count">${own.toLocaleString('en')}</span></a></li>`,
      )}</ul>`;
}

type Folder = GraphMapResponse['folders'][number];

/** Longest name of a folder in a card, where most others have no more room either. */
const MAX_NAME = 28;

function cards(folders: readonly Folder[]): readonly TemplateResult[] {
  const paths = [...new Set(folders.flatMap(({ path, uses }) => [path, ...uses]))];
  const short = shortened(paths, MAX_NAME);
  const names = new Map(paths.map((path, i) => [path, path === '' ? 'the top' : short[i]]));
  return folders.slice(0, MAX_FOLDERS).map((folder) => folderCard(folder, (path) => names.get(path) ?? path));
}

function folderCard({ path, files, uses, central }: Folder, nameOf: (path: string) => string): TemplateResult {
  const used = uses
    .slice(0, 4)
    .map((other, i) => html`${i > 0 ? ', ' : ''}<span title=${other}>${nameOf(other)}</span>`);
  const below = (file: string) => (path !== '' && file.startsWith(`${path}/`) ? file.slice(path.length + 1) : file);
  return html`<section class="card">
    <h3><a href=${folderAddress(path)} title=${path}>${pathText(nameOf(path))}</a> <span class="count">${files}</span></h3>
    ${uses.length === 0 ? nothing : html`<p class="quiet">uses ${used}${uses.length > 4 ? ', …' : ''}</p>`}
    <ul class="plain">${central.slice(0, 4).map(
      (
        file,
      ) => html`<li><a class="place" href=${readAddress(file.path)} title=${file.path}><span>${pathText(below(file.path))}</span></a>
        ${file.defines.slice(0, 2).map(({ line, text }) => html`<a class="declares" href=${readAddress(file.path, { start: line })}>${text}</a>`)}</li>`,
    )}</ul></section>`;
}
