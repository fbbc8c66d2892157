// The truth of language servers: gopls and clangd are asked for the references of random definitions, and the answers are kept as JSON.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { shuffled } from './graph-truth-project.mjs';
import { randomOf } from './random.mjs';

/** Definitions asked for, per group. */
const ASKED = 250;

const SERVERS = {
  go: { command: ['gopls'], languageId: 'go' },
  c: {
    command: [
      'clangd',
      '--background-index',

      '-j=2',
      '--limit-references=0',
      '--log=error',
    ],
  },
};

/** Numbers of SymbolKind in the Language Server Protocol. */
const GROUP_OF_KIND = {
  12: 'functions',
  6: 'members',
  7: 'members',
  8: 'members',
  22: 'members',
  5: 'types',
  10: 'types',
  11: 'types',
  23: 'types',
  13: 'variables',
  14: 'variables',
};

export async function indexByServer(project, file, { id, ending }) {
  const paths = [...project.paths].filter((path) => ending.test(path));
  if (id === 'c') writeCompileCommands(project.directory, paths);
  else simplifyModules(project);
  const server = new Server(project.directory, SERVERS[id].command);
  try {
    await server.start();
    const texts = new Map(paths.map((path) => [path, readFileSync(join(project.directory, path), 'utf8')]));
    for (const [path, text] of texts)
      await server.open(path, text, id === 'go' ? 'go' : /\.c$/.test(path) ? 'c' : 'cpp');
    await server.settled();
    const definitions = [];
    for (const [path, text] of texts) definitions.push(...(await definitionsOf(server, path, text)));
    const counts = {};
    const asked = shuffled(definitions, randomOf(7)).filter(({ group }) => {
      counts[group] = (counts[group] ?? 0) + 1;
      return counts[group] <= ASKED;
    });
    for (const definition of asked) await askSites(server, definition);
    writeFileSync(file, JSON.stringify({ paths, definitions: asked }));
  } finally {
    server.stop();
  }
}

/** As `openScip` in graph-truth-symbols.mjs; what is known of a line is not known. */
export function openServerIndex(file) {
  const { paths, definitions } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    paths: new Set(paths),
    definitions,
    sites: async ({ sites }) => sites,
    relatives: async ({ relatives }) => relatives,
    named: () => null,
  };
}

async function definitionsOf(server, path, text) {
  const found = [];
  const lines = text.split('\n');
  const visit = (symbol, isNested) => {
    const { name, kind, range, selectionRange, children = [] } = symbol;
    const [line, column] = [selectionRange.start.line, selectionRange.start.character];
    // `(*Engine).Run` in Go, `Writer::write` in C++.
    const plain = /[\w~]+$/.exec(name)?.[0];
    const isFunction = kind === 12 || kind === 6;
    const body = lines.slice(range.start.line, range.end.line + 1).join('\n');
    const isLocal = isNested === 'function';
    const isPrototype = isFunction && !body.includes('{') && !path.endsWith('.go');
    const group = kind === 12 && plain !== name ? 'members' : GROUP_OF_KIND[kind];
    if (
      group !== undefined &&
      plain !== undefined &&
      !isLocal &&
      !isPrototype &&
      lines[line].slice(column).startsWith(plain)
    )
      found.push({
        id: `${path}:${line}:${column}`,
        name: plain,
        group,
        path,
        line: line + 1,
        column,
        endColumn: column + plain.length,
      });
    for (const child of children) visit(child, isFunction ? 'function' : isNested);
  };
  const symbols = await server.ask('textDocument/documentSymbol', { textDocument: { uri: server.uri(path) } });
  for (const symbol of symbols ?? []) visit(symbol, 'file');
  return found;
}

/** Places that name exactly this definition, and those that reach it through an interface or a parent. */
async function askSites(server, definition) {
  const at = (path, line, column) => ({
    textDocument: { uri: server.uri(path) },
    position: { line: line - 1, character: column },
  });
  const { path, line, column, group } = definition;
  const found = await server.ask('textDocument/references', {
    ...at(path, line, column),
    context: { includeDeclaration: false },
  });
  definition.sites = [{ path, line, column, endColumn: definition.endColumn, isDefinition: true }];
  definition.relatives = [];
  for (const { uri, range } of found ?? []) {
    const site = {
      path: server.pathOf(uri),
      line: range.start.line + 1,
      column: range.start.character,
      endColumn: range.end.character,
    };
    if (site.path.startsWith('..')) continue;
    const targets =
      group !== 'members' ? null : await server.ask('textDocument/definition', at(site.path, site.line, site.column));
    const isOwn =
      targets === null ||
      [targets].flat().some((target) => server.pathOf(target.uri) === path && target.range.start.line + 1 === line);
    (isOwn ? definition.sites : definition.relatives).push({ ...site, isDefinition: false });
  }
}

/** An old compiler refuses modules that ask for a newer one or for what isn't here, although it can read nearly all of their code. */
function simplifyModules({ directory, paths }) {
  for (const path of paths) {
    if (!/(?:^|\/)go\.mod$/.test(path)) continue;
    const [module] = /^module .*$/m.exec(readFileSync(join(directory, path), 'utf8')) ?? [''];
    writeFileSync(join(directory, path), `${module}\n\ngo 1.19\n`);
  }
}

/** One command for each file, with every folder that holds headers, and those above it. */
function writeCompileCommands(directory, paths) {
  const folders = new Set(['.']);
  for (const path of paths)
    if (/\.(?:h|hh|hpp)$/.test(path))
      for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.add(folder);
  const includes = [...folders].slice(0, 200).map((folder) => `-I${join(directory, folder)}`);
  const commands = paths
    .filter((path) => /\.(?:c|cc|cpp|cxx)$/.test(path))
    .map((file) => ({
      ...{ directory, file: join(directory, file) },
      arguments: [
        ...(/\.c$/.test(file) ? ['cc', '-D_GNU_SOURCE'] : ['c++', '-std=c++20']),
        ...includes,
        '-c',
        join(directory, file),
      ],
    }));
  writeFileSync(join(directory, 'compile_commands.json'), JSON.stringify(commands));
}

/** A language server that talks JSON-RPC on its standard streams. */
class Server {
  next = 1;
  waiting = new Map();
  received = Buffer.alloc(0);
  running = new Set();
  lastReport = Date.now();

  constructor(directory, [program, ...args]) {
    this.directory = directory;
    this.child = spawn(program, args, {
      cwd: directory,
      stdio: ['pipe', 'pipe', 'ignore'],
      env: { ...process.env, GOPROXY: 'off' },
    });
    this.child.stdout.on('data', (data) => this.receive(data));
  }

  uri = (path) => pathToFileURL(join(this.directory, path)).href;
  pathOf = (uri) => {
    const path = fileURLToPath(uri);
    return path.startsWith(`${this.directory}/`) ? path.slice(this.directory.length + 1) : `../${path}`;
  };

  async start() {
    const capabilities = {
      window: { workDoneProgress: true },
      textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
    };
    const rootUri = pathToFileURL(this.directory).href;
    await this.ask('initialize', {
      processId: process.pid,
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: 'it' }],
      capabilities,
    });
    this.tell('initialized', {});
  }

  async open(path, text, languageId) {
    this.tell('textDocument/didOpen', { textDocument: { uri: this.uri(path), languageId, version: 1, text } });
  }

  /** Ends when nothing has been reported as under way for a while. */
  async settled() {
    const from = Date.now();
    this.lastReport = from;
    while ((this.running.size > 0 || Date.now() - this.lastReport < 5_000) && Date.now() - from < 300_000)
      await new Promise((done) => setTimeout(done, 200));
  }

  ask(method, params) {
    const id = this.next++;
    return new Promise((done) => {
      this.waiting.set(id, done);
      this.send({ id, method, params });
    });
  }

  tell(method, params) {
    this.send({ method, params });
  }

  send(message) {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    this.child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }

  receive(data) {
    this.received = Buffer.concat([this.received, data]);
    for (;;) {
      const end = this.received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.received.subarray(0, end).toString())[1]);
      if (this.received.length < end + 4 + length) return;
      const message = JSON.parse(this.received.subarray(end + 4, end + 4 + length).toString());
      this.received = this.received.subarray(end + 4 + length);
      this.take(message);
    }
  }

  take({ id, method, params, result }) {
    if (method === '$/progress') {
      this.lastReport = Date.now();
      if (params.value.kind === 'begin' && !params.value.title.startsWith('Error')) this.running.add(params.token);
      if (params.value.kind === 'end') this.running.delete(params.token);
    } else if (method !== undefined && id !== undefined) {
      const none = method === 'workspace/configuration' ? params.items.map(() => null) : null;
      this.send({ id, result: none });
    } else if (this.waiting.has(id)) {
      this.waiting.get(id)(result);
      this.waiting.delete(id);
    }
  }

  stop() {
    this.child.kill();
  }
}
