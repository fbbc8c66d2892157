/** The built MCP server over stdio, asked by the SDK's own client as an agent's host would. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type ClientOptions, type RequestOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { CLI } from '../processes/cli.js';

export interface Reply {
  /** All text blocks, joined. */
  text: string;
  /** `structuredContent`; tests know its shape, or parse it with the tool's contract. */
  // biome-ignore lint/suspicious/noExplicitAny: replies of many shapes, read by tests
  structured: any;
  isError: boolean;
}

export interface ServerOptions {
  /** Options of `git socraticode mcp`; every toolset where left out. */
  args?: readonly string[];
  /** False: replies as text alone, which is what agents get. */
  structured?: boolean;
  env?: NodeJS.ProcessEnv;
  cwd?: string;
  client?: ClientOptions;
  /** Runs before the client connects. */
  prepare?: (client: Client) => void;
}

export interface TestServer {
  client: Client;
  pid: number;
  /** What the server has written to stderr so far. */
  stderr: () => string;
  /** Calls a tool; the client checks structuredContent against the output schema that the server listed. */
  call: (name: string, args?: Record<string, unknown>, options?: RequestOptions) => Promise<Reply>;
  /** The same, asked again for as long as the answer is partial or not ready: what a patient agent gets in a fresh clone. */
  ask: TestServer['call'];
  close: () => Promise<void>;
}

/** How often and how long `ask` waits: far longer than any repository of a test takes. */
const ATTEMPTS = 120;
const PAUSE_MS = 250;

const commandLine = (directory: string, { args = ['--toolsets', 'all'], structured = true }: ServerOptions) => [
  ...[CLI, '-C', directory, 'mcp', ...args],
  ...(structured ? ['--structured'] : []),
];

/** Starts a server on the repository at `directory`; it is closed when the test ends. */
export async function startServer(t: TestContext, directory: string, options: ServerOptions = {}): Promise<TestServer> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: commandLine(directory, options),
    env: { ...process.env, ...options.env } as Record<string, string>,
    cwd: options.cwd,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const client = new Client({ name: 'test', version: '1.0.0' }, options.client);
  options.prepare?.(client);
  const close = () => client.close();
  t.after(close);
  await client.connect(transport);
  // Listed first: the client checks replies against schemas that it has seen.
  await client.listTools();
  const call: TestServer['call'] = async (name, args = {}, request) =>
    reply(await client.callTool({ name, arguments: args }, request));
  return {
    client,
    pid: transport.pid ?? 0,
    stderr: () => stderr,
    call,
    ask: async (...question) => {
      for (let i = 1; ; i++) {
        const answer = await call(...question);
        if (isWhole(answer) || i === ATTEMPTS) return answer;
        await sleep(PAUSE_MS);
      }
    },
    close,
  };
}

function isWhole({ structured }: Reply): boolean {
  const { coverage, error } = structured ?? {};
  return error?.code !== 'NOT_READY' && (coverage === undefined || coverage.covered === coverage.total);
}

type Result = Awaited<ReturnType<Client['callTool']>>;

function reply(result: Result): Reply {
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');
  return { text, structured: result.structuredContent, isError: result.isError === true };
}

/** The same process spoken to by hand: for what no client would do. */
export interface RawServer {
  child: ChildProcessWithoutNullStreams;
  /** Every line of stdout so far. */
  lines: string[];
  stderr: () => string;
  send: (message: object) => void;
  request: (id: number, method: string, params?: object) => void;
  /** The answer to a request: a result or an error. */
  // biome-ignore lint/suspicious/noExplicitAny: messages of many shapes, read by tests
  answer: (id: number) => Promise<any>;
  /** Handshake of the 2025 protocol. */
  initialize: () => Promise<void>;
  exited: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

export function startRaw(t: TestContext, directory: string, options: Omit<ServerOptions, 'client'> = {}): RawServer {
  const args = commandLine(directory, options);
  const child = spawn(process.execPath, args, { env: { ...process.env, ...options.env } });
  const lines: string[] = [];
  const waiting = new Map<number, (message: unknown) => void>();
  let [stderr, rest] = ['', ''];
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdin.on('error', () => {});
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const line of parts) {
      lines.push(line);
      const message = JSON.parse(line);
      waiting.get(message.id)?.(message);
    }
  });
  const exited = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  t.after(() => child.kill('SIGKILL'));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const request = (id: number, method: string, params: object = {}) => void send({ id, method, params });
  const answer = (id: number) =>
    new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      void exited.then(() => reject(new Error(`ended before it answered ${id}: ${stderr}`)));
    });
  const initialize = async () => {
    const ready = answer(0);
    const clientInfo = { name: 'raw', version: '1' };
    request(0, 'initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    await ready;
    send({ method: 'notifications/initialized' });
  };
  return { child, lines, stderr: () => stderr, send, request, answer, initialize, exited };
}
