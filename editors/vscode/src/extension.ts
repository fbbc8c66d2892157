/** The extension: starts the language server, and adds a view for searches, the review of a branch and the graph. */
import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { LanguageClient, TransportKind } from 'vscode-languageclient/node';
import { commandLine, type Row, rowsOf, type SearchAnswer } from './results.js';

const MAX_OUTPUT = 64 << 20;
let client: LanguageClient | undefined;

class Results implements vscode.TreeDataProvider<Row> {
  private readonly changed = new vscode.EventEmitter<void>();
  readonly onDidChangeTreeData = this.changed.event;
  private rows: Row[] = [];

  show(rows: Row[]): void {
    this.rows = rows;
    this.changed.fire();
  }

  getChildren(row?: Row): Row[] {
    return row === undefined ? this.rows : [];
  }

  getTreeItem({ label, description, file, line }: Row): vscode.TreeItem {
    const item = new vscode.TreeItem(label);
    const uri = vscode.Uri.file(file);
    const selection = new vscode.Range(line, 0, line, 0);
    item.description = description;
    item.command = { title: 'Open', command: 'vscode.open', arguments: [uri, { selection }] };
    return item;
  }
}

const settings = () => vscode.workspace.getConfiguration('git-socraticode');

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const { command, args } = commandLine(settings().get('command'), ['lsp']);
  const server = { command, args, transport: TransportKind.stdio };
  client = new LanguageClient('git-socraticode', server, { documentSelector: [{ scheme: 'file' }] });
  const results = new Results();
  context.subscriptions.push(
    vscode.window.registerTreeDataProvider('git-socraticode.results', results),
    vscode.commands.registerCommand('git-socraticode.search', () => told(() => search(results))),
    vscode.commands.registerCommand('git-socraticode.review', () => told(review)),
    vscode.commands.registerCommand('git-socraticode.graph', () => told(graph)),
    vscode.commands.registerCommand('git-socraticode.references', references),
  );
  await client.start();
}

export function deactivate(): Promise<void> | undefined {
  return client?.stop();
}

async function told(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    void vscode.window.showErrorMessage(`git-socraticode: ${(error as Error).message}`);
  }
}

async function search(results: Results): Promise<void> {
  const query = await vscode.window.showInputBox({ prompt: 'A question, words, or the name of a symbol' });
  if (!query) return;
  const answers = await client?.sendRequest<SearchAnswer[]>('git-socraticode/search', { query });
  results.show(rowsOf(answers ?? []));
  await vscode.commands.executeCommand('git-socraticode.results.focus');
}

/** The command of a lens. */
async function references(uri: string, at: { line: number; character: number }): Promise<void> {
  const where = [vscode.Uri.parse(uri), new vscode.Position(at.line, at.character)] as const;
  const found = await vscode.commands.executeCommand<vscode.Location[]>('vscode.executeReferenceProvider', ...where);
  await vscode.commands.executeCommand('editor.action.showReferences', ...where, found ?? []);
}

async function review(): Promise<void> {
  const base = settings().get<string>('base', 'main');
  const content = await run(['review', '--format', 'markdown', '--', `${base}..`]);
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document);
}

/** The page has scripts of its own: it opens in a browser, not in a window that may reach the editor. */
async function graph(): Promise<void> {
  const page = join(await mkdtemp(join(tmpdir(), 'git-socraticode-')), 'graph.html');
  await run(['graph', 'visualize', '--output', page]);
  await vscode.env.openExternal(vscode.Uri.file(page));
}

function run(rest: readonly string[]): Promise<string> {
  const cwd = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  const { command, args } = commandLine(settings().get('command'), rest);
  return new Promise((resolve, reject) => {
    execFile(command, args, { cwd, maxBuffer: MAX_OUTPUT }, (error, stdout, stderr) => {
      // 1 says that something was found, or nothing: an answer all the same.
      if (error !== null && error.code !== 1) reject(new Error(stderr.trim() || error.message));
      else resolve(stdout);
    });
  });
}
