/**
 * Serves any number of clients of this machine over Streamable HTTP, on 127.0.0.1 only. All of them ask the same open
 * repositories. Requests of the protocol of 2026 stand for themselves; clients of 2025 have a session each.
 */
import { createServer as createHttpServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type Server as McpServer,
} from '@modelcontextprotocol/server';
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import type { Projects } from '../../serve/projects.js';
import { createServer, type ServerOptions } from '../server.js';
import { MAX_BODY_BYTES, readBody, refuse } from './body.js';
import { type Guard, MCP_PATH, type Refusal, refusal } from './guard.js';
import { untilEnd } from './life.js';
import { SESSION_NOT_FOUND, Sessions } from './sessions.js';

export const DEFAULT_PORT = 7433;
const HOST = '127.0.0.1';
const MAX_PORT = 65_535;
/** When set, requests must carry it. */
const TOKEN_VARIABLE = 'SOCRATICODE_MCP_TOKEN';

/** A client on the same machine sends a request in no time: one that does not only holds a connection. */
const HEADERS_MS = 10_000;
const BODY_MS = 30_000;
/** People leave editors open over lunch; their client begins a new session without asking when this one is gone. */
const IDLE_MS = 30 * 60_000;

/** Agents of one person's machine: far more than there are, far fewer than would use up memory. */
const LIMITS = {
  ...{ requests: 64, subscriptions: 32, sessions: 32, connections: 256 },
  ...{ idle: IDLE_MS, headers: HEADERS_MS, body: BODY_MS },
};
/** Slow requests are looked for this many times in the time that headers may take. */
const LOOKS = 4;

const NOT_JSON: Refusal = { status: 415, message: 'Content-Type must be application/json' };
const BUSY: Refusal = { status: 503, message: 'too many requests at once', headers: { 'Retry-After': '1' } };

export interface HttpOptions {
  /** 0: any that is free. Default: 7433. */
  port?: number;
  /** Default: that of this process. */
  env?: NodeJS.ProcessEnv;
  /** Smaller ones for tests. */
  limits?: Partial<typeof LIMITS>;
}

export interface HttpServing {
  url: string;
  /** Ends all connections. */
  close: () => Promise<void>;
}

/** Serves until `signal` aborts (the process's signals end it without one); says on stderr where. Throws BAD_ARGUMENT if the port can't be had. */
export async function serveOverHttp(options: HttpOptions & ServerOptions & { signal?: AbortSignal }): Promise<void> {
  const ending = untilEnd(options.signal);
  const { url, close } = await listenOverHttp(() => createServer(options), options);
  process.stderr.write(`git-socraticode: listening on ${url}\n`);
  warmUp(options.projects);
  await ending;
  await close();
  await options.projects.close();
}

/** Whoever started a server is going to ask. What fails is told to who asks: the directory may be no repository. */
function warmUp(projects: Projects): void {
  projects
    .open()
    .then(({ background }) => background.warm())
    .catch((error: Error) => log.debug(`mcp: ${error.message}`));
}

/** The same without the process around it. `create`: called for every request, or session; cheap. */
export async function listenOverHttp(create: () => McpServer, options: HttpOptions): Promise<HttpServing> {
  const limits = { ...LIMITS, ...options.limits };
  const token = tokenOf(options.env ?? process.env);
  const sessions = new Sessions(create, limits);
  const modern = createMcpHandler(create, {
    legacy: 'reject',
    maxSubscriptions: limits.subscriptions,
    maxRequestBodySize: MAX_BODY_BYTES,
    onerror: (error) => log.debug(`mcp: ${error.message}`),
  });
  const answer: Answer = { sessions, modern: toNodeHandler(modern), requests: limits.requests, open: 0 };
  const guard: Guard = { port: 0, ...(token !== undefined && { token }) };
  const timeouts = {
    headersTimeout: limits.headers,
    requestTimeout: limits.body,
    connectionsCheckingInterval: limits.headers / LOOKS,
  };
  const server = createHttpServer(timeouts, (request, response) => {
    request.on('error', () => {});
    const refused = refusal(request, guard);
    if (refused !== null) return refuseAll(request, response, refused);
    respond(request, response, answer).catch((error: Error) => {
      log.debug(`mcp: ${error.message}`);
      refuse(response, { status: 500, message: 'internal error' });
    });
  });
  server.maxConnections = limits.connections;
  guard.port = await listen(server, options.port ?? DEFAULT_PORT);
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.allSettled([modern.close(), sessions.close()]);
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://${HOST}:${guard.port}${MCP_PATH}`, close };
}

/** An empty one is a variable that was not filled in, not a wish to be open to all. */
function tokenOf(env: NodeJS.ProcessEnv): string | undefined {
  const token = env[TOKEN_VARIABLE];
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token;
  throw new SocraticodeError('BAD_ARGUMENT', `${TOKEN_VARIABLE} is ${token === '' ? 'empty' : 'no token'}`, {
    hint: `Set it to letters, digits and punctuation without spaces, or unset ${TOKEN_VARIABLE}.`,
  });
}

/** The port it got. */
function listen(server: Server, port: number): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > MAX_PORT)
    throw new SocraticodeError('BAD_ARGUMENT', `${port} is no port; it takes a number from 0 to ${MAX_PORT}`);
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const why = error.code === 'EADDRINUSE' ? 'is in use' : `can't be had (${error.code})`;
      const hint = 'Name another port, or 0 for any that is free: git socraticode mcp --http 0';
      reject(new SocraticodeError('BAD_ARGUMENT', `port ${port} of ${HOST} ${why}`, { hint, cause: error }));
    });
    server.listen(port, HOST, () => {
      // From now on one is about a connection (too many open files): the next may do better.
      server.on('error', ({ message }) => log.warn(`mcp: ${message}`));
      resolve((server.address() as AddressInfo).port);
    });
  });
}

interface Answer {
  sessions: Sessions;
  modern: ReturnType<typeof toNodeHandler>;
  /** How many requests may be open at once, and how many are. Streams of sessions are bounded by their number. */
  requests: number;
  open: number;
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const isPost = request.method === 'POST';
  if (isPost && answer.open >= answer.requests) return refuseAll(request, response, BUSY);
  if (isPost && !isJsonContentType(request.headers['content-type'] ?? null))
    return refuseAll(request, response, NOT_JSON);
  if (isPost) {
    answer.open++;
    response.once('close', () => answer.open--);
  }
  const body = isPost ? await readBody(request) : { json: undefined };
  if ('status' in body) return refuseAll(request, response, body);
  const { json } = body;
  // Of a GET nothing is read: it is a session's or nobody's.
  if (isPost && !(await isLegacyRequest(await toWebRequest(request, json), json)))
    return answer.modern(request, response, json);
  const refused = await answer.sessions.handle(request, response, json);
  if (refused !== null) refuse(response, refused, refused.status === 404 ? SESSION_NOT_FOUND : undefined);
}

/** A body that nobody will read must not keep the connection. */
function refuseAll(request: IncomingMessage, response: ServerResponse, refused: Refusal): void {
  const headers = request.complete ? refused.headers : { ...refused.headers, Connection: 'close' };
  refuse(response, { ...refused, ...(headers !== undefined && { headers }) });
}
