/** The VS Code extension without VS Code: its source runs with a stand-in for the editor. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import typescript from 'typescript-api';
import { ROOT } from '../house/root.js';
import { createRepo } from '../support/repositories/repo.js';

const FOLDER = new URL('editors/vscode/', ROOT);
const MANIFEST = JSON.parse(readFileSync(new URL('package.json', FOLDER), 'utf8'));
const nodeRequire = createRequire(import.meta.url);

type Loaded = Record<string, (...args: never[]) => unknown>;

/** Runs a module of the extension; `given` stands in for the packages that it imports. */
function load(name: string, given: Record<string, unknown> = {}): Loaded {
  const source = readFileSync(new URL(`src/${name}.ts`, FOLDER), 'utf8');
  const { ModuleKind, ScriptTarget } = typescript;
  const compilerOptions = { module: ModuleKind.CommonJS, target: ScriptTarget.ES2022 };
  const { outputText } = typescript.transpileModule(source, { compilerOptions });
  const exported: Loaded = {};
  const resolve = (from: string) => given[from] ?? (from.startsWith('./') ? load('results') : nodeRequire(from));
  new Function('require', 'exports', outputText)(resolve, exported);
  return exported;
}

/** The parts of the editor that the extension uses; `asked` collects what it sends to the server. */
function fakeEditor(input: string) {
  const commands = new Map<string, (...args: unknown[]) => Promise<void>>();
  const told: unknown[][] = [];
  const asked: unknown[][] = [];
  let tree: { getChildren: () => unknown[]; getTreeItem: (row: unknown) => Record<string, unknown> } | undefined;
  class Client {
    constructor(...args: unknown[]) {
      asked.push(['start', (args[1] as { args: string[] }).args]);
    }
    async start() {}
    async sendRequest(...args: unknown[]) {
      asked.push(args);
      const result = { path: 'src/cart.ts', startLine: 8, endLine: 9, symbol: 'Cart.total', kind: 'method' };
      return [{ root: '/repo', results: [result] }];
    }
  }
  const vscode = {
    EventEmitter: class {
      event = () => {};
      fire() {}
    },
    TreeItem: class {
      constructor(readonly label: string) {}
    },
    Range: class {
      constructor(readonly line: number) {}
    },
    Position: class {},
    Uri: { file: (path: string) => path, parse: (uri: string) => uri },
    window: {
      registerTreeDataProvider: (_: string, provider: typeof tree) => {
        tree = provider;
      },
      showInputBox: async () => input,
      showErrorMessage: (...args: unknown[]) => told.push(args),
    },
    workspace: { getConfiguration: () => ({ get: () => ['git', 'socraticode'] }) },
    commands: {
      registerCommand: (name: string, run: (...args: unknown[]) => Promise<void>) => commands.set(name, run),
      executeCommand: async (...args: unknown[]) => told.push(args),
    },
  };
  const packages = { vscode, 'vscode-languageclient/node': { LanguageClient: Client, TransportKind: { stdio: 0 } } };
  return { packages, commands, told, asked, rows: () => tree?.getChildren().map((row) => tree?.getTreeItem(row)) };
}

test('a search fills the view, and a row opens its line', async () => {
  const editor = fakeEditor('cart totals');
  const { activate } = load('extension', editor.packages);
  await activate({ subscriptions: [] } as never);
  await editor.commands.get('git-socraticode.search')?.();
  assert.deepEqual(editor.asked, [
    ['start', ['socraticode', 'lsp']],
    ['git-socraticode/search', { query: 'cart totals' }],
  ]);
  const [row] = editor.rows() ?? [];
  assert.deepEqual([row?.label, row?.description], ['Cart.total', 'method  src/cart.ts:8']);
  const { arguments: opened } = (row?.command ?? {}) as { arguments: [string, { selection: { line: number } }] };
  assert.deepEqual([opened[0], opened[1].selection.line], ['/repo/src/cart.ts', 7]);
});

test('every command of the manifest is there, and so is the one of a lens', async () => {
  const editor = fakeEditor('');
  await load('extension', editor.packages).activate({ subscriptions: [] } as never);
  const declared = MANIFEST.contributes.commands.map(({ command }: { command: string }) => command);
  assert.deepEqual([...declared, 'git-socraticode.references'].sort(), [...editor.commands.keys()].sort());
});

test('a workspace cannot name the program that is started, and an empty setting is refused', () => {
  assert.equal(MANIFEST.contributes.configuration.properties['git-socraticode.command'].scope, 'machine');
  const { commandLine } = load('results') as { commandLine: (setting: unknown, rest: string[]) => unknown };
  assert.deepEqual(commandLine(['x', 'y'], ['lsp']), { command: 'x', args: ['y', 'lsp'] });
  assert.throws(() => commandLine([], ['lsp']), /is empty/);
});

test('where the program is missing, no alias of an opened repository runs in its place', () => {
  const repo = createRepo();
  const missing = 'socraticode-that-is-missing';
  repo.git('config', `alias.${missing}`, '!touch alias-has-run');
  const setting: string[] = MANIFEST.contributes.configuration.properties['git-socraticode.command'].default;
  const [command, ...args] = setting.map((word) => word.replace('socraticode', missing));
  assert.notEqual(spawnSync(command, [...args, 'lsp'], { cwd: repo.dir }).status, 0);
  assert.ok(!existsSync(join(repo.dir, 'alias-has-run')));
});
