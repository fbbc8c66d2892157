/** The pages of a site: the overview, one for each folder, and one for each file of production code. */
import { createHash } from 'node:crypto';
import type { Graph } from '../../../graph/graph.js';
import { isProduction } from '../../../graph/query/place.js';
import { isPlain, membersOf, usesOf } from '../../../graph/query/uses.js';
import { topSymbols } from '../../summarize/make/extract.js';
import type { SummaryItem } from '../../summarize/output.js';
import { authorOf } from '../../summarize/text.js';
import { formatCount } from '../../writing/format.js';
import { diagram } from './diagram.js';
import { countUses, type FolderUses, folderOf, largest } from './folder-uses.js';
import { type Html, html, type Page } from './html.js';

/** Entries of the lists of a page. */
const LISTED = { symbols: 40, uses: 30, rows: 500, parts: 14, ofFile: 200 } as const;

/** Name of a page: paths can be too long for a file system, and differ in case alone. */
const pageName = (kind: 'file' | 'folder', path: string): string =>
  path === '' ? 'index.html' : `${kind}s/${createHash('sha256').update(path).digest('hex').slice(0, 20)}.html`;

/** Uses of a symbol and of its members by other files. */
function usesFromOutside(graph: Graph, node: number): number {
  const file = graph.fileOf(node);
  let uses = 0;
  for (const each of [node, ...membersOf(graph, node)])
    for (const edge of graph.incoming(each)) if (graph.fileOf(graph.source(edge)) !== file) uses++;
  return uses;
}

export class Site {
  private readonly summaries = new Map<string, SummaryItem>();
  private readonly folders = new Map<string, { folders: string[]; files: string[]; total: number }>();
  private readonly uses: FolderUses;

  /** `name`: of the project. `items`: summaries of the files and folders that get a page. */
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

  /** The parts of a folder that have most to do with each other. */
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

  /** Pages lie in two folders; only the overview is above them. */
  private href(kind: 'file' | 'folder', path: string, from: string): string {
    return `${from === '' ? '' : '../'}${pageName(kind, path)}`;
  }

  /** `from`: path of the page that links; '' for the overview. */
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
