/** The extension: starts the language server, offers the server of agents, and shows search, impact, reviews and the map. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import {
  commandLine,
  type Impact,
  impactRows,
  mapPage,
  nameAround,
  placeOfClick,
  type Review,
  type Row,
  reviewRows,
  rowsOf,
  type SearchAnswer,
  type Status,
  statusItem,
} from './results.js';

/** How the program begins what it says of a failure. */
const NAMED = 'git-socraticode: ';
const MAX_OUTPUT = 64 << 20;
/** Longer lists are closed at first, so that what follows them is seen. */
const MAX_OPEN = 8;
/** Least milliseconds between two looks at the index. */
const STATUS_EVERY = 10_000;
const WALKTHROUGH = 'git-socraticode.git-socraticode-vscode#git-socraticode.start';

/** A symbol at a place, as the server tells it; `detail` says of one that it only may be meant. */
interface Item {
  data: string;
  detail: string;
}

type Symbols = Parameters<typeof nameAround>[0];

const settings = () => vscode.workspace.getConfiguration('git-socraticode');

class Rows implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: Row[] = [];

  constructor(readonly view: string) {}

  async fill(work: () => Promise<Row[] | undefined>): Promise<void> {
    const rows = await vscode.window.withProgress({ location: { viewId: this.view } }, work);
    if (rows === undefined) return;
    this.rows = rows;
    this.changed.fire();
    await vscode.commands.executeCommand(`${this.view}.focus`);
  }

  getChildren(row?: Row): Row[] {
    return row === undefined ? this.rows : (row.children ?? []);
  }

  getTreeItem({ label, description, tooltip, icon, file, line = 0, children, part }: Row): vscode.TreeItem {
    const { None, Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    const state = children === undefined ? None : children.length > MAX_OPEN ? Collapsed : Expanded;
    const item = new vscode.TreeItem(label, state);
    item.description = description;
    item.tooltip = tooltip;
    if (icon !== undefined) item.iconPath = new vscode.ThemeIcon(icon);
    if (part !== undefined) item.contextValue = 'part';
    if (file !== undefined) {
      const selection = new vscode.Range(line, 0, line, 0);
      item.command = { title: 'Open', command: 'vscode.open', arguments: [vscode.Uri.file(file), { selection }] };
    }
    return item;
  }
}

class Extension {
  private client: LanguageClient | undefined;
  private readonly results = new Rows('git-socraticode.results');
  private readonly impact = new Rows('git-socraticode.impact');
  private readonly review = new Rows('git-socraticode.review');
  private readonly status = vscode.window.createStatusBarItem('git-socraticode', vscode.StatusBarAlignment.Left);
  private looked = 0;
  /** Arguments that repeat the review that is shown. */
  private reviewed: readonly string[] = [];

  constructor(private readonly version: string) {}

  register(): vscode.Disposable[] {
    this.status.name = 'git-socraticode';
    return [
      this.status,
      ...[this.results, this.impact, this.review].map((rows) =>
        vscode.window.registerTreeDataProvider(rows.view, rows),
      ),
      ...Object.entries(this.commands).map(([name, run]) =>
        vscode.commands.registerCommand(`git-socraticode.${name}`, (...given: never[]) =>
          this.told(() => run(...given)),
        ),
      ),
      vscode.lm.registerMcpServerDefinitionProvider('git-socraticode.mcp', {
        provideMcpServerDefinitions: () => this.servers(),
      }),
      vscode.window.onDidChangeWindowState(({ focused }) => focused && this.look()),
      vscode.workspace.onDidSaveTextDocument(() => this.look()),
    ];
  }

  private readonly commands: Record<string, (...given: never[]) => Promise<unknown>> = {
    search: () => this.search(),
    impact: () => this.showImpact(),
    review: () => this.showReview(this.branch()),
    reviewChanges: () => this.showReview([]),
    reviewMarkdown: () => this.markdown(),
    approve: (row: Row) => this.approve([row.part ?? '']),
    approveAll: () => this.approve(null),
    map: () => this.map(),
    web: async () => this.terminal(['web']),
    index: async () => this.terminal(['index']),
    start: () => this.start(),
    menu: () => this.menu(),
    references: (uri: string, at: { line: number; character: number }) => references(uri, at),
  };

  /** Starts the server, if the program is there; a missing one is said once, with the way to get it. */
  async start(): Promise<void> {
    await this.client?.stop();
    this.client = undefined;
    this.status.show();
    if (!(await this.isInstalled())) return this.missing();
    this.status.text = '$(sync~spin) git-socraticode';
    this.status.command = 'git-socraticode.menu';
    this.status.backgroundColor = undefined;
    const { command, args } = commandLine(settings().get('command'), ['lsp']);
    const server = { command, args, transport: TransportKind.stdio };
    this.client = new LanguageClient('git-socraticode', server, { documentSelector: [{ scheme: 'file' }] });
    await this.client.start();
    await this.look();
  }

  async stop(): Promise<void> {
    await this.client?.stop();
  }

  /** Git exits with 1 where the program is missing, and so does the program with an answer: only its words tell. */
  private async isInstalled(): Promise<boolean> {
    const said = await this.run(['--version']).catch(() => '');
    return /^\d+\.\d+/.test(said.trim());
  }

  private async missing(): Promise<void> {
    this.status.text = '$(warning) git-socraticode is not installed';
    this.status.command = 'git-socraticode.start';
    this.status.tooltip = 'Install it with npm i -g git-socraticode, then click here';
    this.status.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
    const asked = await vscode.window.showWarningMessage(
      'git-socraticode is not on the PATH of this editor. Install it with: npm i -g git-socraticode',
      ...['How to Install', 'Try Again'],
    );
    if (asked === 'Try Again') await this.start();
    if (asked === 'How to Install')
      await vscode.commands.executeCommand('workbench.action.openWalkthrough', WALKTHROUGH, false);
  }

  /** One server for each open folder, since it answers about the repository that it is started in. */
  private servers(): vscode.McpServerDefinition[] {
    const folders = vscode.workspace.workspaceFolders ?? [];
    const { command, args } = commandLine(settings().get('command'), ['mcp']);
    return folders.map(({ name, uri }) => {
      const label = folders.length === 1 ? 'git-socraticode' : `git-socraticode (${name})`;
      const server = new vscode.McpStdioServerDefinition(label, command, args, {}, this.version);
      server.cwd = uri;
      return server;
    });
  }

  private async look(): Promise<void> {
    if (this.client === undefined || Date.now() - this.looked < STATUS_EVERY) return;
    this.looked = Date.now();
    const status = await this.json<Status>(['status']).catch(() => null);
    Object.assign(this.status, status === null ? { text: '$(search-view-icon) git-socraticode' } : statusItem(status));
  }

  private async menu(): Promise<void> {
    const offered = {
      Search: 'search',
      'Impact of the Symbol at the Cursor': 'impact',
      'Review This Branch': 'review',
    };
    const further = {
      'Review Uncommitted Changes': 'reviewChanges',
      Map: 'map',
      'Web Page': 'web',
      'Index Now': 'index',
    };
    const all: Record<string, string> = { ...offered, ...further };
    const chosen = await vscode.window.showQuickPick(Object.keys(all), { title: this.status.tooltip?.toString() });
    if (chosen !== undefined) await vscode.commands.executeCommand(`git-socraticode.${all[chosen]}`);
  }

  private async search(): Promise<void> {
    const query = await vscode.window.showInputBox({ prompt: 'A question, words, or the name of a symbol' });
    if (!query) return;
    await this.results.fill(async () =>
      rowsOf(await this.running().sendRequest<SearchAnswer[]>('git-socraticode/search', { query })),
    );
  }

  /** Of the name that the cursor is on, else of the symbol around it. Without one, of a name that is asked for. */
  private async showImpact(): Promise<void> {
    const target =
      (await this.symbolAtCursor()) ?? (await vscode.window.showInputBox({ prompt: 'A symbol or a file' }));
    if (!target) return;
    await this.impact.fill(async () =>
      impactRows(await this.root(), await this.json<Impact>(['graph', 'impact', '--', target])),
    );
  }

  private async symbolAtCursor(): Promise<string | undefined> {
    const { document, selection } = vscode.window.activeTextEditor ?? {};
    if (document?.uri.scheme !== 'file' || selection === undefined) return undefined;
    const textDocument = { uri: document.uri.toString() };
    const symbolAt = async (position: { line: number; character: number }) => {
      const at = { textDocument, position };
      const items = await this.running().sendRequest<Item[] | null>('textDocument/prepareCallHierarchy', at);
      return items?.find(({ detail }) => !detail.startsWith('may be meant'))?.data;
    };
    const { line, character } = selection.active;
    const found = await symbolAt({ line, character });
    if (found !== undefined) return found;
    const symbols = await this.running().sendRequest<Symbols | null>('textDocument/documentSymbol', { textDocument });
    const name = nameAround(symbols ?? [], line);
    return name === null ? undefined : symbolAt(name);
  }

  /** Arguments for the review of this branch; without the setting, the program finds where the branch began. */
  private branch(): string[] {
    const base = settings().get<string>('base', '');
    return base === '' ? ['--unseen'] : ['--unseen', '--', `${base}...HEAD`];
  }

  private async showReview(rest: readonly string[]): Promise<void> {
    this.reviewed = rest;
    await this.review.fill(async () => {
      const answer = await this.json<Review>(['review', ...rest]).catch((error: Error) => {
        if (!/nothing tells what this branch began at/.test(error.message)) throw error;
        throw new Error('nothing tells what this branch began at: name its base in the setting git-socraticode.base');
      });
      return reviewRows(await this.root(), answer);
    });
  }

  private async markdown(): Promise<void> {
    const content = await this.run(['review', '--format', 'markdown', ...this.reviewed]);
    const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
    await vscode.window.showTextDocument(document);
  }

  /** Approves a part of the branch that is shown, or with null everything, in the name of the person who works here. */
  private async approve(parts: readonly string[] | null): Promise<void> {
    const base = settings().get<string>('base', '');
    const range = base === '' ? [] : ['--range', `${base}...HEAD`];
    if (parts === null) {
      const question = 'Approve everything that this branch changes?';
      if ((await vscode.window.showWarningMessage(question, { modal: true }, 'Approve')) !== 'Approve') return;
    }
    await this.run(['review', 'ok', ...range, ...(parts === null ? ['--all'] : ['--', ...parts])]);
    await this.showReview(this.branch());
  }

  /** The page runs its own scripts in a window that can tell this extension one thing: to open a file of the repository. */
  private async map(): Promise<void> {
    const location = { location: vscode.ProgressLocation.Notification, title: 'git-socraticode draws the map' };
    const html = await vscode.window.withProgress(location, () =>
      this.run(['graph', 'visualize', '--format', 'html', '--output', '-']),
    );
    const root = await this.root();
    const options = { enableScripts: true, retainContextWhenHidden: true, localResourceRoots: [] };
    const panel = vscode.window.createWebviewPanel('git-socraticode.map', 'Map', vscode.ViewColumn.Active, options);
    panel.webview.onDidReceiveMessage((message: unknown) => {
      const place = placeOfClick(message);
      if (place === null) return;
      const selection = new vscode.Range(place.line, 0, place.line, 0);
      void vscode.window.showTextDocument(vscode.Uri.file(join(root, place.path)), {
        ...{ selection, viewColumn: vscode.ViewColumn.Beside },
      });
    });
    panel.webview.html = mapPage(html);
  }

  /** Runs the program where a person sees what it prints and can end it, and where a remote editor forwards its port. */
  private terminal(rest: readonly string[]): void {
    const { command, args } = commandLine(settings().get('command'), rest);
    const options = { name: `git-socraticode ${rest[0]}`, shellPath: command, shellArgs: args, cwd: this.directory() };
    vscode.window.createTerminal(options).show();
  }

  private running(): LanguageClient {
    if (this.client?.isRunning()) return this.client;
    throw new Error('the server is not running; the item in the status bar says why');
  }

  private async told(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const { message } = error as Error;
      void vscode.window.showErrorMessage(message.startsWith(NAMED) ? message : `${NAMED}${message}`);
    }
  }

  /** The folder of the file that is edited, else the first open one. */
  private directory(): string | undefined {
    const { activeTextEditor: editor } = vscode.window;
    const folder = editor && vscode.workspace.getWorkspaceFolder(editor.document.uri);
    return (folder ?? vscode.workspace.workspaceFolders?.[0])?.uri.fsPath;
  }

  /** Top of the work tree, from which paths of answers count. */
  private async root(): Promise<string> {
    return (await execute('git', ['rev-parse', '--show-toplevel'], this.directory())).replace(/\r?\n$/, '');
  }

  private run(rest: readonly string[]): Promise<string> {
    const { command, args } = commandLine(settings().get('command'), rest);
    return execute(command, args, this.directory());
  }

  private async json<T>([name, ...rest]: readonly string[]): Promise<T> {
    return JSON.parse(await this.run([name, ...withJson(rest)])) as T;
  }
}

/** Options stand before `--`. */
function withJson(rest: readonly string[]): string[] {
  const end = rest.indexOf('--');
  return end < 0 ? [...rest, '--json'] : [...rest.slice(0, end), '--json', ...rest.slice(end)];
}

/** The command of a lens. */
async function references(uri: string, at: { line: number; character: number }): Promise<void> {
  const where = [vscode.Uri.parse(uri), new vscode.Position(at.line, at.character)] as const;
  const found = await vscode.commands.executeCommand<vscode.Location[]>('vscode.executeReferenceProvider', ...where);
  await vscode.commands.executeCommand('editor.action.showReferences', ...where, found ?? []);
}

function execute(command: string, args: readonly string[], cwd: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(command, [...args], { cwd, maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
      // 1 says that something was found, or nothing: an answer all the same.
      if (error !== null && (error.code !== 1 || stdout === '')) reject(new Error(stderr.trim() || error.message));
      else resolve(stdout);
    });
  });
}

let extension: Extension | undefined;

export function activate(context: vscode.ExtensionContext): void {
  extension = new Extension(context.extension.packageJSON.version);
  context.subscriptions.push(...extension.register());
  // The first start may index, and a missing program asks the person: neither holds the editor up.
  void vscode.commands.executeCommand('git-socraticode.start');
}

export function deactivate(): Promise<void> | undefined {
  return extension?.stop();
}
