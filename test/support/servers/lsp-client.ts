/** An editor for tests: starts `git socraticode lsp` and speaks the protocol with it. */
import { spawn } from 'node:child_process';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  type CancellationToken,
  createMessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-jsonrpc/node';
import { CLI } from '../processes/cli.js';

export interface Client {
  // biome-ignore lint/suspicious/noExplicitAny: answers of the protocol are read as a test expects them.
  ask: (method: string, params?: unknown, ...cancel: CancellationToken[]) => Promise<any>;
  tell: (method: string, params?: unknown) => Promise<void>;
  uri: (path: string) => string;
  /** Asks about line and column of a file, both counted from 0. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  at: (method: string, path: string, line: number, character: number, rest?: object) => Promise<any>;
  open: (path: string, text: string) => Promise<void>;
  /** Ends the server as an editor does, or without asking for `shutdown` first; its exit code. The stream stays open. */
  close: (inOrder?: boolean) => Promise<number | null>;
}

export async function connect(root: string, env: NodeJS.ProcessEnv, ...more: string[]): Promise<Client> {
  const child = spawn(process.execPath, [CLI, 'lsp', '--stdio'], {
    cwd: root,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const connection = createMessageConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.onRequest('workspace/codeLens/refresh', () => null);
  connection.listen();
  const uri = (path: string) => pathToFileURL(`${root}/${path}`).href;
  const ask: Client['ask'] = (method, params, ...cancel) => connection.sendRequest(method, params, ...cancel);
  const tell = (method: string, params?: unknown) => connection.sendNotification(method, params);
  const folders = [root, ...more].map((folder) => ({ uri: pathToFileURL(folder).href, name: basename(folder) }));
  await ask('initialize', {
    processId: process.pid,
    rootUri: folders[0].uri,
    workspaceFolders: folders,
    capabilities: {},
  });
  await tell('initialized', {});
  return {
    ...{ ask, tell, uri },
    at: (method, path, line, character, rest = {}) =>
      ask(method, { textDocument: { uri: uri(path) }, position: { line, character }, ...rest }),
    open: (path, text) =>
      tell('textDocument/didOpen', { textDocument: { uri: uri(path), languageId: 'typescript', version: 1, text } }),
    close: async (inOrder = true) => {
      if (inOrder) await ask('shutdown');
      await tell('exit');
      const code = await exited;
      connection.dispose();
      return code;
    },
  };
}
