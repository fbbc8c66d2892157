/**
 * Answers `wiki`: reads cached summaries, extracts the others, and writes the pages. Nothing is sent anywhere. All text
 * of the repository is made visible and escaped; no page has a script or makes a request.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isLink, plainFileAt, refuseLinks, standingAt } from '../../base/atomic.js';
import { SocraticodeError } from '../../base/errors.js';
import { groupDigits, visibleLine } from '../../base/printable.js';
import type { Graph } from '../../graph/graph.js';
import { namesSpaceAlone } from '../../graph/query/file-edges.js';
import { isProduction } from '../../graph/query/node-place.js';
import { isPlain, membersOf, usesOf } from '../../graph/query/uses.js';
import { ownModel, readSummaries } from '../../session/knowledge/summaries.js';
import type { Asker } from '../asker.js';
import { formatBytes, formatCount } from '../format.js';
import { prepareGraph } from '../graph/snapshot-graph.js';
import type { Pen } from '../pen.js';
import { authorOf, gather, summarizeAll, topSymbols } from '../summarize/answer.js';
import type { SummaryItem } from '../summarize/question.js';
import { Writer } from '../summarize/writer.js';
import type { WikiDocument, WikiValues } from './question.js';

/** Throws BAD_ARGUMENT for a directory with other contents than a site. */
export async function answerWiki(at: Asker, values: WikiValues): Promise<WikiDocument> {
  const prepared = await prepareGraph(at, values);
  const { config } = await at.session.configOfOrigin(prepared.origin);
  const stored = await readSummaries(at.session, ownModel(config.summarizer));
  const writer = new Writer(at, stored, { chat: null }, config.summarizer);
  const items = await summarizeAll(at, prepared, await gather(at, prepared, { targets: ['.'] }), writer);
  const directory = resolve(at.directory ?? '.', values.out);
  openSite(directory);
  const site = new Site(prepared.graph, config.projectId ?? projectName(at), items);
  const { ref, commit } = prepared.header;
  const state = prepared.uncommitted.size > 0 ? ', with uncommitted changes' : '';
  const footer = html`${ref} ${commit ?? ''}${state}. Made from the code graph by git socraticode; counts are of uses that the graph knows.`;
  let [pages, bytes] = [0, 0];
  for (const page of site.pages()) {
    at.signal.throwIfAborted();
    const text = pageText(page, footer);
    writePage(directory, page.name, text);
    pages++;
    bytes += Buffer.byteLength(text);
  }
  const byModel = items.filter(({ by }) => by === 'model').length;
  const summaries = { model: byModel, extracted: items.length - byModel };
  return { ...prepared.header, output: join(directory, 'index.html'), pages, bytes, summaries };
}

/** Name of the repository's folder. */
function projectName({ session: { repository } }: Asker): string {
  return basename(repository.workTree ?? dirname(resolve(repository.commonDir))) || 'repository';
}

/** File that marks a directory as such a site, so that the next one may replace it. */
const MARK = '.git-socraticode-wiki';
const FOLDERS = ['files', 'folders'] as const;
const PAGE = /^[0-9a-f]{20}\.html$/;

/** Makes an empty directory, or empties one with such a site. Throws BAD_ARGUMENT for a directory with anything else. */
function openSite(directory: string): void {
  if (standingAt(directory) !== undefined) {
    if (isLink(directory)) refuse(directory, 'is a symbolic link');
    if (plainFileAt(directory) !== null) refuse(directory, 'is a file');
    const names = readdirSync(directory);
    if (names.length > 0 && plainFileAt(join(directory, MARK)) === null) refuse(directory, 'holds other files');
  }
  const folders = FOLDERS.map((name) => join(directory, name));
  refuseLinks(folders);
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(folder)) if (PAGE.test(name)) rmSync(join(folder, name));
  }
  rmSync(join(directory, 'index.html'), { force: true });
  // The mark goes last: a directory that could not be emptied still has it.
  rmSync(join(directory, MARK), { force: true });
  writeFileSync(join(directory, MARK), 'written by git socraticode wiki\n', { flag: 'wx' });
}

function refuse(directory: string, reason: string): never {
  throw new SocraticodeError('BAD_ARGUMENT', `${directory} ${reason}`, {
    hint: 'Name a new directory, an empty one, or one that holds an earlier wiki.',
  });
}

/** `name` has slashes. Never follows a link that appeared meanwhile. */
function writePage(directory: string, name: string, text: string): void {
  writeFileSync(join(directory, name), text, { flag: 'wx' });
}

export function wikiText({ output, pages, bytes, summaries }: WikiDocument, { pen }: { pen: Pen }): string {
  const { model, extracted } = summaries;
  const by = `${formatCount(model, 'summary', 'summaries')} by a model, ${groupDigits(extracted)} extracted from the code`;
  return `${pen.path(output)}  ${formatCount(pages, 'page')}, ${formatBytes(bytes)}\n${pen.dim(by)}\n`;
}

// The pages: an overview, one for each folder, and one for each file of production code.

/** Most entries in the lists of a page. */
const LISTED = { symbols: 40, uses: 30, rows: 500, parts: 14, ofFile: 200 } as const;

/** File name of a page: a hash, since paths can be too long for a file system or differ in case alone. */
const pageName = (kind: 'file' | 'folder', path: string): string =>
  path === '' ? 'index.html' : `${kind}s/${createHash('sha256').update(path).digest('hex').slice(0, 20)}.html`;

/** Uses of a symbol and its members by other files. */
function usesFromOutside(graph: Graph, node: number): number {
  const file = graph.fileOf(node);
  let uses = 0;
  for (const each of [node, ...membersOf(graph, node)])
    for (const edge of graph.incoming(each)) if (graph.fileOf(graph.source(edge)) !== file) uses++;
  return uses;
}

class Site {
  private readonly summaries = new Map<string, SummaryItem>();
  private readonly folders = new Map<string, { folders: string[]; files: string[]; total: number }>();
  private readonly uses: FolderUses;

  /** `name` is the project's. `items` are summaries of the files and folders that get a page. */
  constructor(
    private readonly graph: Graph,
    private readonly name: string,
    items: readonly SummaryItem[],
  ) {
    this.folders.set('', { folders: [], files: [], total: 0 });
    for (const item of items) this.summaries.set(`${item.kind === 'file' ? 'file' : 'folder'} ${item.path}`, item);
    for (const { kind, path } of items) if (kind === 'file') this.addFile(path);
    for (const { folders, files } of this.folders.values()) for (const list of [folders, files]) list.sort();
    const shown = new Set(items.flatMap(({ kind, path }) => (kind === 'file' ? [path] : [])));
    this.uses = countUses(graph, (file) => shown.has(graph.tables.files[file].path));
  }

  private addFile(path: string): void {
    this.folder(folderOf(path)).files.push(path);
    for (let at = path; at !== ''; ) {
      at = folderOf(at);
      this.folder(at).total++;
    }
  }

  private folder(path: string): { folders: string[]; files: string[]; total: number } {
    const known = this.folders.get(path);
    if (known !== undefined) return known;
    const made = { folders: [], files: [], total: 0 };
    this.folders.set(path, made);
    this.folder(folderOf(path)).folders.push(path);
    return made;
  }

  *pages(): Generator<Page> {
    for (const [path, { files }] of [...this.folders].sort(([a], [b]) => (a < b ? -1 : 1))) {
      yield path === '' ? this.overview() : this.folderPage(path);
      for (const file of files) yield this.filePage(file);
    }
  }

  private overview(): Page {
    const { graph } = this;
    const languages = new Map<string, number>();
    for (const { language } of graph.tables.files) languages.set(language, (languages.get(language) ?? 0) + 1);
    const body = html`${this.summary('folder', '')}
<p>Files by language: ${largest(languages, 12)
      .map(([id, count]) => `${id} ${count}`)
      .join(', ')}. Those of production code have a page: ${this.folder('').total}.</p>
${this.drawing('')}
<h2>What is used most</h2>
${this.keySymbols()}
${this.contents('')}`;
    return { name: 'index.html', title: this.name, trail: [], body };
  }

  private keySymbols(): Html {
    const { graph } = this;
    const found: { node: number; uses: number }[] = [];
    for (let file = 0; file < graph.fileCount; file++) {
      if (!isProduction(graph, file) || !this.hasPage('file', graph.tables.files[file].path)) continue;
      for (const node of topSymbols(graph, file))
        if (graph.isExported(node)) found.push({ node, uses: usesFromOutside(graph, node) });
    }
    found.sort((a, b) => b.uses - a.uses || a.node - b.node);
    const rows = found
      .filter(({ uses }) => uses > 0)
      .slice(0, LISTED.symbols)
      .map(
        ({
          node,
          uses,
        }) => html`<tr><td><a href="${this.href('file', graph.path(node), '')}#L${graph.startLine(node)}"><code>${graph.qualifiedName(node)}</code></a></td><td>${graph.kind(node)}</td><td class="n">${uses}</td><td>${this.link('file', graph.path(node), '')}</td></tr>
`,
      );
    return html`<table><tr><th>symbol</th><th>kind</th><th class="n">uses from other files</th><th>file</th></tr>
${rows}</table>`;
  }

  private folderPage(path: string): Page {
    const body = html`${this.summary('folder', path)}
${this.drawing(path)}
${this.contents(path)}
${this.neighbours('Uses', 'folder', this.uses.uses.get(path), path)}
${this.neighbours('Used by', 'folder', this.uses.usedBy.get(path), path)}`;
    return { name: pageName('folder', path), title: path, trail: this.trail(path), body };
  }

  private filePage(path: string): Page {
    const { graph } = this;
    const file = graph.findFile(path);
    const rows: Html[] = [];
    const first = graph.fileNode(file);
    for (let node = first + 1; node < graph.tables.nodeBase[file + 1] && rows.length < LISTED.ofFile; node++) {
      if (isPlain(graph, node)) continue;
      const lines = `${graph.startLine(node)}-${graph.endLine(node)}`;
      rows.push(html`<tr id="L${graph.startLine(node)}"><td><code>${graph.qualifiedName(node)}</code></td><td>${graph.kind(node)}${graph.isExported(node) ? ', exported' : ''}</td><td class="n">${lines}</td><td class="n">${usesOf(graph, node)}</td></tr>
`);
    }
    const symbols =
      rows.length === 0
        ? ''
        : html`<h2>Definitions</h2>
<table><tr><th>name</th><th>kind</th><th class="n">lines</th><th class="n">calls</th></tr>
${rows}</table>${rows.length === LISTED.ofFile ? html`<p class="note">The first ${LISTED.ofFile} are listed.</p>` : ''}`;
    const body = html`${this.summary('file', path)}
<p class="note">${graph.tables.files[file].language}, ${formatCount(graph.endLine(first), 'line')}</p>
${symbols}
${this.neighbours('Uses', 'file', this.uses.fileUses.get(path), path)}
${this.neighbours('Used by', 'file', this.uses.fileUsedBy.get(path), path)}`;
    return { name: pageName('file', path), title: path, trail: this.trail(path), body };
  }

  private summary(kind: 'file' | 'folder', path: string): Html {
    const item = this.summaries.get(`${kind} ${path}`);
    if (item === undefined) return html``;
    if (item.by === 'extracted') return html`<p>${item.text}</p>`;
    return html`<blockquote>${item.text}<br><span class="by">${authorOf(item)}; not checked by anybody</span></blockquote>`;
  }

  private contents(path: string): Html {
    const { folders, files } = this.folder(path);
    const row = (
      kind: 'file' | 'folder',
      each: string,
    ) => html`<tr><td>${this.link(kind, each, path)}</td><td>${this.summaries.get(`${kind} ${each}`)?.text ?? ''}</td></tr>
`;
    const rows = [...folders.map((each) => row('folder', each)), ...files.map((each) => row('file', each))];
    const rest = rows.length - LISTED.rows;
    return html`<h2>Contents</h2>
<table>${rows.slice(0, LISTED.rows)}</table>${rest > 0 ? html`<p class="note">${rest} more are not listed.</p>` : ''}`;
  }

  private neighbours(
    title: string,
    kind: 'file' | 'folder',
    row: ReadonlyMap<string, number> | undefined,
    from: string,
  ): Html {
    if (row === undefined) return html``;
    const rows = largest(row, LISTED.uses).map(
      ([path, count]) => html`<tr><td>${this.link(kind, path, from, true)}</td><td class="n">${count}</td></tr>
`,
    );
    const rest = row.size - rows.length;
    return html`<h2>${title}</h2>
<table>${rows}</table>${rest > 0 ? html`<p class="note">and ${rest} more</p>` : ''}`;
  }

  /** Draws the parts of a folder that use each other most. */
  private drawing(path: string): Html {
    const counts = this.uses.inside.get(path);
    if (counts === undefined) return html``;
    const weights = new Map<string, number>();
    for (const [from, row] of counts)
      for (const [to, count] of row) for (const part of [from, to]) weights.set(part, (weights.get(part) ?? 0) + count);
    const parts = largest(weights, LISTED.parts)
      .map(([part]) => part)
      .sort();
    const index = new Map(parts.map((part, i) => [part, i]));
    const uses = [...counts].flatMap(([from, row]) =>
      [...row].flatMap(([to, count]) => {
        const [a, b] = [index.get(from), index.get(to)];
        return a === undefined || b === undefined ? [] : [{ from: a, to: b, count }];
      }),
    );
    const start = path === '' ? 0 : path.length + 1;
    const boxes = parts.map((part) => ({ label: part.slice(start), href: this.href(this.kindOf(part), part, path) }));
    return html`<h2>How its parts use each other</h2>
${diagram(boxes, uses)}`;
  }

  private kindOf(path: string): 'file' | 'folder' {
    return this.folders.has(path) ? 'folder' : 'file';
  }

  private hasPage(kind: 'file' | 'folder', path: string): boolean {
    return kind === 'folder' ? this.folders.has(path) : this.summaries.has(`file ${path}`);
  }

  /** Address of a page. All but the overview are one folder down. */
  private href(kind: 'file' | 'folder', path: string, from: string): string {
    return `${from === '' ? '' : '../'}${pageName(kind, path)}`;
  }

  /** `from`: path of the page with the link; '' for the overview. */
  private link(kind: 'file' | 'folder', path: string, from: string, isWhole = from === ''): Html {
    const name = isWhole ? path : path.slice(from.length + 1);
    const text = kind === 'folder' ? `${name}/` : name;
    return this.hasPage(kind, path) ? html`<a href="${this.href(kind, path, from)}">${text}</a>` : html`${text}`;
  }

  private trail(path: string): Html[] {
    const above: string[] = [];
    for (let at = folderOf(path); at !== ''; at = folderOf(at)) above.unshift(at);
    const home = html`<a href="../index.html">${this.name}</a>`;
    return [
      home,
      ...above.map(
        (each) => html`<a href="../${pageName('folder', each)}">${each.slice(each.lastIndexOf('/') + 1)}</a>`,
      ),
    ];
  }
}

// Counts uses between the parts of each folder, and between a folder and the rest, in one pass over the graph's edges.

/** Uses by path of the user, then by path of the used. */
type Counts = Map<string, Map<string, number>>;

interface FolderUses {
  /** By folder: uses between its direct children, files and folders, by path. */
  inside: Map<string, Counts>;
  /** By folder: outside folders that it uses, and those that use it. */
  uses: Counts;
  usedBy: Counts;
  /** By path of a file, even one without a page. */
  fileUses: Counts;
  fileUsedBy: Counts;
}

export const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');

/** Counts uses between files that `accepts` accepts. */
function countUses(graph: Graph, accepts: (file: number) => boolean): FolderUses {
  const found: FolderUses = {
    inside: new Map(),
    uses: new Map(),
    usedBy: new Map(),
    fileUses: new Map(),
    fileUsedBy: new Map(),
  };
  for (let file = 0; file < graph.fileCount; file++) {
    if (!accepts(file)) continue;
    const { path } = graph.tables.files[file];
    for (const [to, count] of usesOfFile(graph, file)) {
      if (!accepts(to)) continue;
      const other = graph.tables.files[to].path;
      add(found.fileUses, path, other, count);
      add(found.fileUsedBy, other, path, count);
      countFolders(found, path, other, count);
    }
  }
  return found;
}

function usesOfFile(graph: Graph, file: number): Map<number, number> {
  const counts = new Map<number, number>();
  const [start] = graph.edgeRange(graph.fileNode(file));
  const [, end] = graph.edgeRange(graph.tables.nodeBase[file + 1] - 1);
  for (let edge = start; edge < end; edge++) {
    const target = graph.target(edge);
    const to = target < 0 || namesSpaceAlone(graph, edge) ? file : graph.fileOf(target);
    if (to !== file) counts.set(to, (counts.get(to) ?? 0) + 1);
  }
  return counts;
}

/** Adds to the deepest folder that holds both paths: in every folder above, both are in the same part. */
function countFolders(found: FolderUses, path: string, other: string, count: number): void {
  const common = commonFolder(path, other);
  const inside = found.inside.get(common) ?? new Map();
  found.inside.set(common, inside);
  add(inside, partIn(common, path), partIn(common, other), count);
  for (let at = folderOf(path); at !== common && at !== ''; at = folderOf(at))
    add(found.uses, at, folderOf(other), count);
  for (let at = folderOf(other); at !== common && at !== ''; at = folderOf(at))
    add(found.usedBy, at, folderOf(path), count);
}

function commonFolder(path: string, other: string): string {
  let common = folderOf(path);
  while (common !== '' && !other.startsWith(`${common}/`)) common = folderOf(common);
  return common;
}

/** The file or folder directly in `folder` that holds a path. */
function partIn(folder: string, path: string): string {
  const next = path.indexOf('/', folder === '' ? 0 : folder.length + 1);
  return next < 0 ? path : path.slice(0, next);
}

function add(counts: Counts, from: string, to: string, count: number): void {
  const row = counts.get(from) ?? new Map<string, number>();
  counts.set(from, row);
  row.set(to, (row.get(to) ?? 0) + count);
}

/** The largest counts first, equal ones by name. */
export function largest(row: ReadonlyMap<string, number> | undefined, most: number): [string, number][] {
  return [...(row ?? [])].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1)).slice(0, most);
}

/** Markup that is safe to put into a page. */
export class Html {
  constructor(readonly text: string) {}
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const escaped = (text: string): string => visibleLine(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign]);

type Content = Html | string | number | readonly Content[];

const markup = (part: Content): string => {
  if (part instanceof Html) return part.text;
  return Array.isArray(part) ? part.map(markup).join('') : escaped(String(part));
};

/** A template whose values are escaped, unless they are markup. */
export function html(strings: TemplateStringsArray, ...values: Content[]): Html {
  return new Html(strings.map((text, i) => (i === 0 ? text : `${markup(values[i - 1])}${text}`)).join(''));
}

const STYLE = `
:root{color-scheme:light dark}
body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1rem 1.5rem 4rem}
nav,footer,.note,.by{color:GrayText;font-size:.875rem}
h1{font-size:1.5rem;overflow-wrap:anywhere}h2{font-size:1.125rem;margin-top:2rem}
table{border-collapse:collapse;width:100%}
td,th{border-bottom:1px solid color-mix(in srgb,GrayText 30%,transparent);padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top;overflow-wrap:anywhere}
td.n,th.n{text-align:right;white-space:nowrap}
code{font:.875rem ui-monospace,monospace}
blockquote{border-left:3px solid GrayText;margin:1rem 0;padding:0 0 0 1rem}
svg{height:auto;max-width:100%}
svg rect{fill:Canvas;stroke:GrayText}svg text{fill:CanvasText;font:13px system-ui,sans-serif}svg line{stroke:GrayText}
`;

const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; form-action 'none'`;

interface Page {
  /** Path from the top of the site, with slashes. */
  name: string;
  title: string;
  /** Links to the pages above. */
  trail: readonly Html[];
  body: Html;
}

function pageText({ title, trail, body }: Page, footer: Html): string {
  const head = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${new Html(STYLE)}</style>
</head>
<body>
${trail.length === 0 ? '' : html`<nav>${trail.flatMap((link, i) => (i === 0 ? [link] : [' / ', link]))}</nav>`}
<main>
<h1>${title}</h1>
${body}
</main>
<footer>${footer}</footer>
</body>
</html>
`;
  return head.text;
}

// A drawing of the uses between parts, as SVG without a script: parts in rows, users above what they use.

interface Part {
  label: string;
  href: string;
}

/** `count` uses of part `to` by part `from`; both are indexes. */
interface Use {
  from: number;
  to: number;
  count: number;
}

const WIDTH = 170;
const HEIGHT = 34;
const GAP = 24;
const ROW = 96;
/** Boxes in a row. */
const IN_ROW = 5;
/** Characters of a label that fit into a box. */
const LABEL = 22;

/** Empty if no part uses another. */
function diagram(parts: readonly Part[], uses: readonly Use[]): Html {
  if (uses.length === 0) return html``;
  const places = placesOf(parts.length, uses);
  const width = Math.max(...places.map(({ x }) => x)) + WIDTH + 1;
  const height = Math.max(...places.map(({ y }) => y)) + HEIGHT + 1;
  const most = Math.max(...uses.map(({ count }) => count));
  const lines = uses.map(({ from, to, count }) => {
    const [a, b] = [places[from], places[to]];
    const isDown = a.y <= b.y;
    const weight = (1 + (3 * Math.log(count + 1)) / Math.log(most + 1)).toFixed(1);
    const at = {
      x1: a.x + WIDTH / 2,
      y1: a.y + (isDown ? HEIGHT : 0),
      x2: b.x + WIDTH / 2,
      y2: b.y + (isDown ? 0 : HEIGHT),
    };
    const dash = isDown ? '' : new Html(' stroke-dasharray="4 3"');
    return html`<line x1="${at.x1}" y1="${at.y1}" x2="${at.x2}" y2="${at.y2}" stroke-width="${weight}"${dash}><title>${parts[from].label} uses ${parts[to].label}: ${count}</title></line>
`;
  });
  const boxes = parts.map(({ label, href }, i) => {
    const { x, y } = places[i];
    const short = label.length > LABEL ? `…${label.slice(1 - LABEL)}` : label;
    return html`<a href="${href}"><rect x="${x}" y="${y}" width="${WIDTH}" height="${HEIGHT}" rx="4"/><text x="${x + WIDTH / 2}" y="${y + 22}" text-anchor="middle">${short}</text><title>${label}</title></a>
`;
  });
  return html`<svg viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="Which parts use which">
${lines}${boxes}</svg>
<p class="note">Users stand above what they use; a dashed line leads upwards. Thicker lines stand for more uses.</p>`;
}

/** A part's row is the length of the longest way to it from a part that nothing uses. A use that would close a circle does not count. */
function placesOf(count: number, uses: readonly Use[]): { x: number; y: number }[] {
  const below = Array.from({ length: count }, () => [] as number[]);
  for (const { from, to } of [...uses].sort((a, b) => b.count - a.count || a.from - b.from || a.to - b.to))
    if (!reaches(below, to, from)) below[from].push(to);
  const row = new Array<number>(count).fill(0);
  for (let round = 0; round < count; round++)
    for (const [from, targets] of below.entries()) for (const to of targets) row[to] = Math.max(row[to], row[from] + 1);
  const places: { x: number; y: number }[] = new Array(count);
  let line = 0;
  for (let level = 0; level <= Math.max(...row); level++) {
    const inRow = row.flatMap((each, i) => (each === level ? [i] : []));
    for (const [i, part] of inRow.entries())
      places[part] = { x: (i % IN_ROW) * (WIDTH + GAP), y: (line + Math.floor(i / IN_ROW)) * ROW };
    line += Math.ceil(inRow.length / IN_ROW);
  }
  return places;
}

function reaches(below: readonly (readonly number[])[], from: number, to: number): boolean {
  const seen = new Set([from]);
  for (const at of seen) {
    if (at === to) return true;
    for (const next of below[at]) seen.add(next);
  }
  return false;
}
