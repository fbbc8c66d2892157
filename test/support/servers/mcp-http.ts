/** The built MCP server over HTTP, in a process of its own, and clients of both protocols. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { CLI } from '../processes/cli.js';

export interface HttpProcess {
  url: URL;
  child: ChildProcess;
  stderr: () => string;
  /** Its exit code and signal. */
  ended: Promise<[number | null, NodeJS.Signals | null]>;
}

export interface HttpProcessOptions {
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  /** A pipe that is held open, one that ends before anybody reads it, or /dev/null. */
  stdin?: 'held' | 'ended' | 'none';
}

/** Starts `git socraticode mcp --http 0` on the repository at `directory`; it is ended with the test. */
export async function startHttp(
  t: TestContext,
  directory: string,
  { args = ['--toolsets', 'all'], env = {}, stdin = 'held' }: HttpProcessOptions = {},
): Promise<HttpProcess> {
  const child = spawn(process.execPath, [CLI, '-C', directory, 'mcp', '--structured', '--http', '0', ...args], {
    env: { ...process.env, ...env },
    stdio: [stdin === 'none' ? 'ignore' : 'pipe', 'pipe', 'pipe'],
  });
  if (stdin === 'ended') child.stdin?.end();
  const ended = once(child, 'exit') as HttpProcess['ended'];
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let stderr = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
      const [found] = /http:\/\/\S+/.exec(stderr) ?? [];
      if (found !== undefined) resolve(found);
    });
    child.on('exit', (code) => reject(new Error(`it ended with ${code}: ${stderr}`)));
  });
  return { url: new URL(url), child, stderr: () => stderr, ended };
}

/** A client of 2026, unless `options` says otherwise. */
export async function connectHttp(t: TestContext, url: URL, options: ClientOptions & { token?: string } = {}) {
  const { token, ...rest } = options;
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' }, ...rest });
  t.after(() => client.close());
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  return client;
}
