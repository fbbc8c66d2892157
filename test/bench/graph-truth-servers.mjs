// The truth of a language server: clangd is asked for the references of random definitions, and the answers are kept as JSON.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { shuffled } from './graph-truth-project.mjs';
import { randomOf } from './random.mjs';

/** Definitions asked for, per group. */
const ASKED = 250;

const COMMAND = ['clangd', '--background-index', '-j=2', '--limit-references=0', '--log=error'];

/** Numbers of SymbolKind in the Language Server Protocol. */
const GROUP_OF_KIND = {
  12: 'functions',
  6: 'members',
  7: 'members',
  8: 'members',
  22: 'members',
  5: 'types',
  9: 'makers',
  10: 'types',
  11: 'types',
  23: 'types',
  13: 'variables',
  14: 'variables',
};

export async function indexByServer(project, file, { ending }) {
  const paths = [...project.paths].filter((path) => ending.test(path));
  writeCompileCommands(project.directory, paths);
  const server = new Server(project.directory, COMMAND);
  try {
    await server.start();
    const texts = new Map(paths.map((path) => [path, readFileSync(join(project.directory, path), 'utf8')]));
    for (const [path, text] of texts) await server.open(path, text, /\.c$/.test(path) ? 'c' : 'cpp');
    await server.settled();
    const definitions = [];
    for (const [path, text] of texts) definitions.push(...(await definitionsOf(server, path, text)));
    const counts = {};
    const makers = new Set(definitions.filter(({ group }) => group === 'makers').map(placeOf));
    const chosen = shuffled(definitions, randomOf(7)).filter(({ group }) => {
      if (group === 'makers') return false;
      counts[group] = (counts[group] ?? 0) + 1;
      return counts[group] <= ASKED;
    });
    const wholes = new Set(chosen.map(({ whole }) => whole));
    const asked = definitions.filter(({ whole }) => wholes.has(whole));
    await askSites(server, asked, makers);
    writeFileSync(file, JSON.stringify({ paths, definitions: chosen, asked }));
  } finally {
    server.stop();
  }
}

/** A definition with the places of the other ones of its whole name in its file. */
function united(definition, all) {
  const same = all.filter(({ whole }) => whole === definition.whole);
  const once = (places) => [...new Map(places.map((place) => [placeOf(place), place])).values()];
  const sites = once(same.flatMap(({ sites }) => sites));
  return { ...definition, sites, relatives: once(same.flatMap(({ relatives }) => relatives)) };
}

/** As `openScip` in graph-truth-symbols.mjs; what is known of a line is not known. Overloads are one symbol, unless they are told apart. */
export function openServerIndex(file, { apart }) {
  const { paths, definitions, asked } = JSON.parse(readFileSync(file, 'utf8'));
  return {
    paths: new Set(paths),
    apart,
    definitions: apart ? definitions : definitions.map((one) => united(one, asked)),
    sites: async ({ sites }) => sites,
    relatives: async ({ relatives }) => relatives,
    named: () => null,
  };
}

async function definitionsOf(server, path, text) {
  const found = [];
  const lines = text.split('\n');
  const visit = (symbol, isNested, around) => {
    const { name, kind, range, selectionRange, children = [] } = symbol;
    const [line, column] = [selectionRange.start.line, selectionRange.start.character];
    // `Writer::write`
    const plain = /[\w~]+$/.exec(name)?.[0];
    const isFunction = kind === 12 || kind === 6 || kind === 9;
    const body = lines.slice(range.start.line, range.end.line + 1).join('\n');
    const isLocal = isNested === 'function';
    const isPrototype = isFunction && kind !== 9 && !body.includes('{');
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
        whole: [group, path, around, name].join(' '),
        name: plain,
        group,
        path,
        line: line + 1,
        column,
        endColumn: column + plain.length,
      });
    for (const child of children) visit(child, isFunction ? 'function' : isNested, `${around}${name}::`);
  };
  const symbols = await server.ask('textDocument/documentSymbol', { textDocument: { uri: server.uri(path) } });
  for (const symbol of symbols ?? []) visit(symbol, 'file', '');
  return found;
}

/**
 * Places that name exactly a definition, and those that reach it through an interface or a parent. Questions go file by file:
 * clangd keeps the trees of three files and makes each other one anew.
 */
async function askSites(server, definitions, makers) {
  const places = [];
  const uses = async (definition, includeDeclaration) => {
    const context = { includeDeclaration };
    const found = await server.ask('textDocument/references', { ...positionOf(server, definition), context });
    return (found ?? []).map(({ uri, range: { start, end } }) => ({
      ...{ path: server.pathOf(uri), line: start.line + 1, column: start.character, endColumn: end.character },
    }));
  };
  for (const definition of byFile(definitions)) {
    const { path, line, column, endColumn } = definition;
    definition.sites = [{ path, line, column, endColumn, isDefinition: true }];
    definition.relatives = [];
    const found = await uses(definition, false);
    for (const site of found) {
      // For clangd the name of a constructor or a destructor is a use of its class.
      if (makers.has(placeOf(site)) || makers.has(placeOf({ ...site, column: site.column - 1 })))
        definition.sites.push({ ...site, isDefinition: true });
      else if (!site.path.startsWith('..')) places.push({ ...site, definition });
    }
    // Declarations are no uses: prototypes, and `class Cart;`.
    const known = new Set(found.map(placeOf));
    for (const site of await uses(definition, true))
      if (!known.has(placeOf(site))) definition.sites.push({ ...site, isDefinition: true });
  }
  const targets = new Map();
  for (const place of byFile(places)) {
    if (place.definition.group !== 'members' || targets.has(placeOf(place))) continue;
    targets.set(placeOf(place), await server.ask('textDocument/definition', positionOf(server, place)));
  }
  for (const { definition, ...site } of places) {
    const { path, line, sites, relatives } = definition;
    const known = [targets.get(placeOf(site)) ?? null].flat();
    const isOwn = ({ uri, range }) => server.pathOf(uri) === path && range.start.line + 1 === line;
    (known[0] === null || known.some(isOwn) ? sites : relatives).push({ ...site, isDefinition: false });
  }
}

const placeOf = ({ path, line, column }) => `${path}:${line}:${column}`;
const byFile = (places) => places.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));

const positionOf = (server, { path, line, column }) => ({
  textDocument: { uri: server.uri(path) },
  position: { line: line - 1, character: column },
});

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
    while ((this.running.size > 0 || Date.now() - this.lastReport < 5_000) && Date.now() - from < 3_600_000)
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
