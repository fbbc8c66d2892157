/** Speaks the Language Server Protocol over two streams; the questions give the answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  type CancellationToken,
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import type { CallHierarchyItem, CodeLens } from 'vscode-languageserver-types';
import { log } from '../base/log.js';
import type { Project } from '../serve/project.js';
import { Projects } from '../serve/projects.js';
import {
  ask,
  callItems,
  definitions,
  documentSymbols,
  type Editor,
  hover,
  incomingCalls,
  LastChanges,
  type LensData,
  lenses,
  outgoingCalls,
  type Place,
  type Position,
  references,
  resolveLens,
  Workspace,
  workspaceSymbols,
} from './features.js';

interface LspOptions {
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** Directory in which the server was started. */
  directory: string;
  version: string;
  signal: AbortSignal;
}

interface InitializeParams {
  processId?: number | null;
  rootUri?: string | null;
  workspaceFolders?: { uri: string }[] | null;
  capabilities?: {
    window?: { workDoneProgress?: boolean };
    workspace?: { codeLens?: { refreshSupport?: boolean } };
  };
}

interface At {
  textDocument: { uri: string };
  position: { line: number; character: number };
}

/** Milliseconds between checks whether the editor still lives: it may die without a word. */
const PARENT_CHECK = 5_000;
/** Results of a search without a number. */
const SEARCH_LIMIT = 30;

/**
 * Serves one editor until it exits, its end of the stream closes, or `signal` aborts. Returns whether it left in order, with
 * `shutdown` before `exit`.
 */
export async function serveLsp({ input, output, directory, version, signal }: LspOptions): Promise<boolean> {
  const connection = createMessageConnection(new StreamMessageReader(input), new StreamMessageWriter(output));
  let isShutDown = false;
  const ended = new Promise<boolean>((resolve) => {
    connection.onRequest('shutdown', () => {
      isShutDown = true;
      return null;
    });
    connection.onNotification('exit', () => resolve(isShutDown));
    connection.onClose(() => resolve(true));
    input.once('end', () => resolve(true));
    signal.addEventListener('abort', () => resolve(true), { once: true });
  });
  connection.onError(([error]) => log.debug(`lsp: ${error.message}`));
  const server = new Server(connection, directory, version);
  server.register();
  connection.listen();
  const isInOrder = await ended;
  await server.close();
  connection.dispose();
  return isInOrder;
}

class Server {
  private workspace: Workspace;
  private projects: Projects;
  private parent: NodeJS.Timeout | null = null;
  private readonly changes = new LastChanges();

  constructor(
    private readonly connection: MessageConnection,
    private readonly directory: string,
    private readonly version: string,
  ) {
    this.projects = new Projects({ directory });
    this.workspace = new Workspace(this.projects, [directory]);
  }

  register(): void {
    const { connection } = this;
    connection.onRequest('initialize', (params: InitializeParams) => this.initialize(params));
    this.documents();
    this.at('textDocument/definition', definitions);
    this.at('textDocument/hover', (position, editor) => hover(position, this.changes, editor));
    this.at('textDocument/prepareCallHierarchy', callItems);
    this.at('textDocument/references', (position, editor, params) => {
      const { context } = params as At & { context?: { includeDeclaration?: boolean } };
      return references(position, context?.includeDeclaration ?? false, editor);
    });
    this.file('textDocument/documentSymbol', documentSymbols);
    this.file('textDocument/codeLens', lenses);
    this.on('workspace/symbol', ({ query }: { query: string }, editor) => workspaceSymbols(query, editor));
    this.on('codeLens/resolve', async (lens: CodeLens, editor) => {
      const place = await this.workspace.locate((lens.data as LensData).uri);
      return place === null ? lens : resolveLens(lens, place.project, editor);
    });
    for (const [name, answer] of [
      ['incomingCalls', incomingCalls],
      ['outgoingCalls', outgoingCalls],
    ] as const) {
      this.on(`callHierarchy/${name}`, async ({ item }: { item: CallHierarchyItem }, editor) => {
        const place = await this.workspace.locate(item.uri);
        return place === null ? [] : answer(place.project, String(item.data), editor);
      });
    }
    this.on('git-socraticode/search', (values: { query: string; limit?: number }, editor) =>
      this.search(values, editor),
    );
  }

  async close(): Promise<void> {
    if (this.parent !== null) clearInterval(this.parent);
    await this.workspace.close();
    await this.projects.close();
  }

  private initialize({ processId, rootUri, workspaceFolders, capabilities }: InitializeParams): object {
    const uris = workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : []);
    const folders = uris.flatMap((uri) => (uri.startsWith('file:') ? [fileURLToPath(uri)] : []));
    const roots = folders.length > 0 ? folders : [this.directory];
    this.projects = new Projects({ directory: roots[0], allow: roots });
    this.workspace = new Workspace(this.projects, roots);
    if (typeof processId === 'number') this.watchParent(processId);
    const wants = {
      progress: capabilities?.window?.workDoneProgress === true,
      refresh: capabilities?.workspace?.codeLens?.refreshSupport === true,
    };
    this.connection.onNotification('initialized', () => {
      void reportIndexing(this.connection, this.workspace, wants);
    });
    return { capabilities: CAPABILITIES, serverInfo: { name: 'git-socraticode', version: this.version } };
  }

  private watchParent(pid: number): void {
    this.parent = setInterval(() => {
      try {
        process.kill(pid, 0);
      } catch (error) {
        // Another user's process is alive, too.
        if ((error as NodeJS.ErrnoException).code === 'ESRCH') this.connection.end();
      }
    }, PARENT_CHECK);
    this.parent.unref();
  }

  /** The editor's text counts, saved or not. */
  private documents(): void {
    const { connection } = this;
    const texts = new Map<string, string>();
    const show = (uri: string, text: string) => {
      texts.set(uri, text);
      void this.workspace.update(uri, text);
    };
    connection.onNotification('textDocument/didOpen', ({ textDocument: { uri, text } }) => show(uri, text));
    connection.onNotification('textDocument/didChange', ({ textDocument: { uri }, contentChanges }) => {
      const last = contentChanges.at(-1);
      if (last !== undefined) show(uri, last.text);
    });
    connection.onNotification('textDocument/didSave', ({ textDocument: { uri } }) => {
      const text = texts.get(uri);
      if (text !== undefined) void this.workspace.update(uri, text);
    });
    connection.onNotification('textDocument/didClose', ({ textDocument: { uri } }) => {
      texts.delete(uri);
      void this.workspace.update(uri, null);
    });
  }

  private async search({ query, limit = SEARCH_LIMIT }: { query: string; limit?: number }, { signal }: Editor) {
    const answers = [];
    for (const project of await this.workspace.opened()) {
      const found = await ask({ project, signal }, 'search', { query, limit });
      if (found !== null) answers.push({ root: project.root, ...found });
    }
    return answers;
  }

  private at(method: string, answer: (position: Position, editor: Editor, params: At) => Promise<unknown>): void {
    this.on(method, async (params: At, editor) => {
      const place = await this.workspace.locate(params.textDocument.uri);
      return place === null ? null : answer({ ...place, ...params.position }, editor, params);
    });
  }

  private file(method: string, answer: (place: Place, editor: Editor) => Promise<unknown>): void {
    this.on(method, async ({ textDocument }: Pick<At, 'textDocument'>, editor) => {
      const place = await this.workspace.locate(textDocument.uri);
      return place === null ? null : answer(place, editor);
    });
  }

  /** A cancelled answer is null, whatever ended it: an editor shows failures to its user. The connection reports those. */
  private on<P>(method: string, answer: (params: P, editor: Editor) => Promise<unknown>): void {
    this.connection.onRequest(method, async (params: P, token: CancellationToken) => {
      const cancel = new AbortController();
      token.onCancellationRequested(() => cancel.abort());
      try {
        return await answer(params, { workspace: this.workspace, signal: cancel.signal });
      } catch (error) {
        if (cancel.signal.aborted) return null;
        log.debug(`lsp: ${method}: ${(error as Error).message}`);
        throw error;
      }
    });
  }
}

/** The editor sends whole texts: they are stored whole, and sending one is cheap compared with parsing it. */
const FULL_TEXT = 1;

const CAPABILITIES = {
  positionEncoding: 'utf-16',
  textDocumentSync: { openClose: true, change: FULL_TEXT, save: {} },
  definitionProvider: true,
  referencesProvider: true,
  hoverProvider: true,
  documentSymbolProvider: true,
  workspaceSymbolProvider: true,
  callHierarchyProvider: true,
  codeLensProvider: { resolveProvider: true },
} as const;

/** Time between two looks at a running index, in ms. */
const LOOK_EVERY = 500;
const TOKEN = 'git-socraticode/index';

/** Starts indexing each repository of the workspace, shows the progress of a first index, and has the editor ask again when it is done. */
async function reportIndexing(
  connection: MessageConnection,
  workspace: Workspace,
  wants: { progress: boolean; refresh: boolean },
): Promise<void> {
  try {
    const projects = await workspace.opened();
    await Promise.all(projects.map((project) => project.background.warm()));
    if (!projects.some(isBusy)) return;
    const token = wants.progress ? TOKEN : null;
    if (token !== null) {
      await connection.sendRequest('window/workDoneProgress/create', { token });
      await notify(connection, { kind: 'begin', title: 'Indexing', cancellable: false });
    }
    for (let busy = projects.filter(isBusy); busy.length > 0; busy = busy.filter(isBusy)) {
      if (token !== null) await notify(connection, { kind: 'report', message: stateOf(busy[0]) });
      await sleep(LOOK_EVERY, undefined, { ref: false });
    }
    if (token !== null) await notify(connection, { kind: 'end' });
    if (wants.refresh) await connection.sendRequest('workspace/codeLens/refresh');
  } catch (error) {
    log.debug(`lsp: progress: ${(error as Error).message}`);
  }
}

const isBusy = ({ background }: Project): boolean => background.isBusy;

const notify = (connection: MessageConnection, value: object): Promise<void> =>
  connection.sendNotification('$/progress', { token: TOKEN, value });

function stateOf({ indexing }: Project): string {
  if (indexing === null) return 'linking';
  const { done, total } = indexing;
  return total === null ? `${done} files` : `${done} of ${total} files`;
}
