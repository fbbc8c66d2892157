/** The VS Code extension without VS Code: its source runs with a stand-in for the editor. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import typescript from 'typescript-api';
import { ROOT } from '../house/root.js';
import { cli, cliJson } from '../support/in-process/cli.js';
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

interface Item {
  label: string;
  collapsibleState: number;
  description?: string;
  contextValue?: string;
  command?: { arguments: [string, { selection: { line: number } }] };
}

interface Tree {
  getChildren: (row?: unknown) => unknown[];
  getTreeItem: (row: unknown) => Item;
}

interface Given {
  input?: string;
  answers?: Record<string, unknown>;
  failure?: string;
}

/**
 * The parts of the editor that the extension uses. `answers` are what the program prints, by a word of its arguments; `ran` collects
 * the arguments, `asked` what the server is asked.
 */
function fakeEditor({ input = '', answers = {}, failure = 'not a git command' }: Given = {}) {
  const commands = new Map<string, (...args: unknown[]) => Promise<void>>();
  const [told, asked, ran]: unknown[][][] = [[], [], []];
  const trees = new Map<string, Tree>();
  const item = { text: '', tooltip: '', show() {} };
  let servers: { provideMcpServerDefinitions: () => unknown[] } | undefined;
  const panel = { webview: { html: '', onDidReceiveMessage: (hear: (said: unknown) => void) => hears.push(hear) } };
  const hears: ((said: unknown) => void)[] = [];
  class Client {
    constructor(...args: unknown[]) {
      asked.push(['start', (args[1] as { args: string[] }).args]);
    }
    async start() {}
    async stop() {}
    isRunning = () => true;
    async sendRequest(...args: unknown[]) {
      asked.push(args);
      if (args[0] !== 'git-socraticode/search') return [{ data: 'src/cart.ts:Cart.total', detail: 'src/cart.ts' }];
      const result = { path: 'src/cart.ts', startLine: 8, endLine: 9, symbol: 'Cart.total', kind: 'method' };
      return [{ root: '/repo', results: [result] }];
    }
  }
  class Plain {
    readonly given: unknown[];
    constructor(...given: unknown[]) {
      this.given = given;
    }
  }
  const vscode = {
    EventEmitter: class {
      event = () => {};
      fire() {}
    },
    TreeItem: class {
      constructor(
        readonly label: string,
        readonly collapsibleState: number,
      ) {}
    },
    Range: class {
      constructor(readonly line: number) {}
    },
    ...{ Position: Plain, ThemeIcon: Plain, ThemeColor: Plain, McpStdioServerDefinition: Plain },
    ...{
      TreeItemCollapsibleState: { None: 0, Collapsed: 1, Expanded: 2 },
      StatusBarAlignment: {},
      ProgressLocation: {},
      ViewColumn: {},
    },
    Uri: { file: (path: string) => path, parse: (uri: string) => uri },
    lm: {
      registerMcpServerDefinitionProvider: (_: string, given: typeof servers) => {
        servers = given;
      },
    },
    window: {
      registerTreeDataProvider: (view: string, provider: Tree) => trees.set(view, provider),
      createStatusBarItem: () => item,
      createWebviewPanel: () => panel,
      onDidChangeWindowState: () => {},
      showInputBox: async () => input,
      showErrorMessage: (...args: unknown[]) => told.push(args),
      showWarningMessage: async (...args: unknown[]) => void told.push(args),
      showTextDocument: (...args: unknown[]) => told.push(args),
      withProgress: (_: unknown, work: () => Promise<unknown>) => work(),
    },
    workspace: {
      workspaceFolders: [{ name: 'repo', uri: { fsPath: '/repo' } }],
      getConfiguration: () => ({ get: (name: string) => (name === 'base' ? 'main' : ['git', 'socraticode']) }),
      onDidSaveTextDocument: () => {},
    },
    commands: {
      registerCommand: (name: string, run: (...args: unknown[]) => Promise<void>) => commands.set(name, run),
      executeCommand: async (...args: unknown[]) => told.push(args),
    },
  };
  /** In place of the program: no answer is what git says where it is missing. */
  const execFile = (
    _: string,
    args: string[],
    __: object,
    done: (error: unknown, out: string, err: string) => void,
  ) => {
    ran.push(args);
    const word = Object.keys(answers).find((name) => args.includes(name));
    if (args.includes('--show-toplevel')) return done(null, '/repo\n', '');
    if (word === undefined) return done(Object.assign(new Error('failed'), { code: 1 }), '', failure);
    const answer = answers[word];
    done(null, typeof answer === 'string' ? answer : JSON.stringify(answer), '');
  };
  const packages = {
    ...{ vscode, 'node:child_process': { execFile } },
    'vscode-languageclient/node': { LanguageClient: Client, TransportKind: { stdio: 0 } },
  };
  const items = (view: string, row?: unknown): Item[] => {
    const tree = trees.get(`git-socraticode.${view}`);
    return (tree?.getChildren(row) ?? []).flatMap((one) => [
      tree?.getTreeItem(one) as Item,
      ...(row === undefined ? items(view, one) : []),
    ]);
  };
  const run = (name: string, ...args: unknown[]) => commands.get(`git-socraticode.${name}`)?.(...args);
  const say = (said: unknown) => {
    for (const hear of hears) hear(said);
  };
  return {
    packages,
    commands,
    told,
    asked,
    ran,
    item,
    panel,
    say,
    run,
    items,
    servers: () => servers?.provideMcpServerDefinitions() ?? [],
  };
}

const SHOP = "import { total } from './cart.js';\n\nexport const pay = () => total();\n";
const INSTALLED = { '--version': '0.1.0\n' };
const NONE = { list: [], leftOut: 0 };
const IMPACT = {
  definitions: [{ path: 'src/cart.ts', symbol: 'Cart.total', kind: 'method', startLine: 8 }],
  risk: { level: 'low', reasons: ['1 direct user'] },
  hops: [
    {
      hop: 1,
      affected: [{ path: 'src/shop.ts', symbol: 'pay', kind: 'function', line: 4, use: 'call', via: 'Cart.total' }],
      leftOut: 2,
    },
  ],
  tests: { list: [{ path: 'test/cart.test.ts', line: 3 }], leftOut: 0 },
};

async function started(given: Parameters<typeof fakeEditor>[0] = {}) {
  const editor = fakeEditor({ ...given, answers: { ...INSTALLED, ...given.answers } });
  load('extension', editor.packages).activate({
    subscriptions: [],
    extension: { packageJSON: MANIFEST },
  } as never);
  await editor.run('start');
  return editor;
}

const labels = (items: Item[]) => items.map(({ label, description = '' }) => `${label} | ${description}`);

test('a search fills the view, and a row opens its line', async () => {
  const editor = await started({ input: 'cart totals' });
  await editor.run('search');
  assert.deepEqual(editor.asked, [
    ['start', ['socraticode', 'lsp']],
    ['git-socraticode/search', { query: 'cart totals' }],
  ]);
  const [row] = editor.items('results');
  assert.deepEqual([row.label, row.description], ['Cart.total', 'method  src/cart.ts:8']);
  assert.deepEqual([row.command?.arguments[0], row.command?.arguments[1].selection.line], ['/repo/src/cart.ts', 7]);
});

test('a failure is told with the name of the program, once, whoever says it', async () => {
  for (const said of ['unknown ref: topic', 'git-socraticode: unknown ref: topic']) {
    const editor = await started({ input: 'Cart.total', failure: said });
    await editor.run('impact');
    assert.deepEqual(editor.told.at(-1), ['git-socraticode: unknown ref: topic']);
  }
});

test('an impact shows users hop by hop and tests, and says how many it leaves out', async () => {
  const editor = await started({ input: 'Cart.total', answers: { impact: IMPACT } });
  await editor.run('impact');
  assert.deepEqual(editor.ran.at(-1), ['socraticode', 'graph', 'impact', '--json', '--', 'Cart.total']);
  assert.deepEqual(labels(editor.items('impact')), [
    'Cart.total | src/cart.ts:8',
    'Risk: low | 1 direct user',
    'Direct users | 3',
    'pay | call of Cart.total  src/shop.ts:4',
    'and 2 more | ',
    'Tests to run | 1',
    'cart.test.ts | test/cart.test.ts',
  ]);
});

test('where the cursor is on no name, the innermost symbol around it counts', () => {
  const { nameAround } = load('results') as { nameAround: (symbols: object[], line: number) => unknown };
  const symbol = (from: number, to: number, children: object[] = []) => ({
    range: { start: { line: from, character: 0 }, end: { line: to, character: 0 } },
    selectionRange: { start: { line: from, character: 6 } },
    children,
  });
  const symbols = [symbol(0, 3), symbol(5, 20, [symbol(8, 12)])];
  assert.deepEqual(nameAround(symbols, 10), { line: 8, character: 6 });
  assert.deepEqual(nameAround(symbols, 15), { line: 5, character: 6 });
  assert.equal(nameAround(symbols, 4), null);
});

test('a review shows what is broken first, and a part that is approved leaves the list', async () => {
  const review = {
    ...{ ...IMPACT, hops: [], tests: NONE },
    changes: {
      dangling: { list: [{ path: 'src/shop.ts', line: 4, text: 'sum', certainty: 'certain' }], leftOut: 0 },
      ...{ mismatches: NONE, symbols: NONE, coupled: NONE },
    },
    approvals: {
      ...{ parts: 1, seen: 0 },
      unseen: {
        list: [{ path: 'src/cart.ts', symbol: 'Cart.total', what: 'symbol', kind: 'method', line: 8 }],
        leftOut: 0,
      },
    },
  };
  const editor = await started({ answers: { review } });
  await editor.run('review');
  const shown = editor.items('review');
  assert.deepEqual(labels(shown).slice(1), [
    ...['Dangling uses | 1', 'sum | certain  src/shop.ts:4'],
    ...['Not approved | 1', 'Cart.total | method  src/cart.ts'],
  ]);
  assert.deepEqual(
    shown.map(({ contextValue }) => contextValue).filter((value) => value !== undefined),
    ['part'],
  );
  await editor.run('approve', { part: 'src/cart.ts#Cart.total' });
  const [approval, again] = editor.ran.filter((args) => args.includes('review')).slice(1);
  assert.deepEqual(approval.slice(1), ['review', 'ok', '--range', 'main...HEAD', '--', 'src/cart.ts#Cart.total']);
  assert.deepEqual(again.slice(1), ['review', '--unseen', '--json', '--', 'main...HEAD']);
});

test('a long list is closed at first, so that what follows it is seen', async () => {
  const list = Array.from({ length: 20 }, (_, i) => ({ path: `test/${i}.test.ts`, line: 1 }));
  const editor = await started({ input: 'x', answers: { impact: { ...IMPACT, tests: { list, leftOut: 0 } } } });
  await editor.run('impact');
  const states = editor.items('impact').map(({ label, collapsibleState }) => [label, collapsibleState]);
  assert.deepEqual(
    states.filter(([, state]) => state !== 0),
    [
      ['Direct users', 2],
      ['Tests to run', 1],
    ],
  );
});

test('the status bar says how much is indexed', async () => {
  const status = { ref: 'HEAD', commit: 'a'.repeat(40), branch: 'main', coverage: { covered: 3, total: 4 }, dirty: 1 };
  const { item } = await started({ answers: { status } });
  assert.match(item.text, /3 of 4 files/);
  assert.match(item.tooltip, /main \(aaaaaaaaa\)/);
});

test('where the program is missing, no server is started, and the status bar says so', async () => {
  const editor = fakeEditor();
  load('extension', editor.packages).activate({ subscriptions: [], extension: { packageJSON: MANIFEST } } as never);
  await editor.run('start');
  assert.deepEqual(editor.asked, []);
  assert.match(editor.item.text, /not installed/);
  assert.match(String(editor.told.at(-1)), /npm i -g git-socraticode/);
});

test('agents of the editor get a server for each open folder', async () => {
  const editor = await started();
  const [server] = editor.servers() as { given: unknown[]; cwd: { fsPath: string } }[];
  assert.deepEqual(server.given.slice(0, 3), ['git-socraticode', 'git', ['socraticode', 'mcp']]);
  assert.equal(server.cwd.fsPath, '/repo');
  const declared = MANIFEST.contributes.mcpServerDefinitionProviders.map(({ id }: { id: string }) => id);
  assert.deepEqual(declared, ['git-socraticode.mcp']);
});

test('the map opens files of the repository, and nothing else that its page asks for', async () => {
  const page = '<head><meta></head><script id="data">{"places":[{"title":"a"}]}</script>';
  const editor = await started({ answers: { visualize: page } });
  await editor.run('map');
  const { html } = editor.panel.webview;
  assert.ok(html.indexOf('acquireVsCodeApi') < html.indexOf('<meta>'));
  const [, data] = /"places":(\[.*\])/.exec(html) ?? [];
  assert.deepEqual(JSON.parse(data).length, 2);
  const opened = () => editor.told.filter(([first]) => String(first).startsWith('/repo'));
  for (const bad of ['#open=..%2Fx:1', '#open=%2Fetc%2Fpasswd:1', '#open=a:x', '#open=%ff:1', 'x', 3, null])
    editor.say(bad);
  assert.deepEqual(opened(), []);
  editor.say('#open=src/a%20b.ts:3');
  assert.equal(opened()[0][0], '/repo/src/a b.ts');
});

test('what the program really answers gives rows, and its page of the graph gets the link that opens a file', async () => {
  const repo = createRepo();
  repo.commit({ 'cart.ts': 'export const total = () => 1;\n', 'shop.ts': SHOP });
  repo.git('checkout', '-q', '-b', 'topic');
  repo.commit({ 'cart.ts': 'export const total = (vat: number) => vat;\n' });
  const { impactRows, reviewRows, statusItem, mapPage } = load('results') as Record<
    string,
    (...given: unknown[]) => never
  >;
  const ask = (...args: string[]) => cliJson(args, { cwd: repo.dir });
  const names = (rows: { label: string; description?: string }[]) => rows.map(({ label }) => label);
  const impact = await ask('graph', 'impact', 'cart.ts:total');
  assert.deepEqual(names(impactRows('/', impact)).slice(2), ['Direct users']);
  const review = await ask('review', 'main...HEAD', '--unseen');
  const kinds = names(reviewRows('/', review));
  assert.ok(kinds.includes('Calls that do not fit') && kinds.includes('Not approved'), String(kinds));
  assert.match((statusItem(await ask('status')) as { text: string }).text, /indexed/);
  const { stdout } = await cli(['graph', 'visualize', '--format', 'html', '--output', '-'], { cwd: repo.dir });
  assert.match(mapPage(stdout), /"places":\[\{"title":"Open here","address":"#open=\{path\}:\{start\}"\}[\],]/);
});

test('every command of the manifest is there, and so is the one of a lens', async () => {
  const editor = await started();
  const { commands, viewsWelcome, walkthroughs } = MANIFEST.contributes;
  const declared = commands.map(({ command }: { command: string }) => command);
  assert.deepEqual([...declared, 'git-socraticode.references'].sort(), [...editor.commands.keys()].sort());
  const linked = JSON.stringify([viewsWelcome, walkthroughs]).matchAll(/command:(git-socraticode\.\w+)/g);
  for (const [, command] of linked) assert.ok(declared.includes(command), command);
});

test('every file that the manifest names is packed', () => {
  const { walkthroughs, viewsContainers } = MANIFEST.contributes;
  const steps: { media: { markdown: string } }[] = walkthroughs[0].steps;
  for (const file of [...steps.map(({ media }) => media.markdown), viewsContainers.activitybar[0].icon])
    assert.ok(existsSync(new URL(file, FOLDER)), file);
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
