/**
 * Serves any number of clients of this machine over Streamable HTTP, on 127.0.0.1 only. All share the same open
 * repositories. Requests of the 2026 protocol need no session; clients of the 2025 protocol have one each.
 */

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isJsonContentType,
  isLegacyRequest,
  type Server as McpServer,
} from '@modelcontextprotocol/server';
import { SocraticodeError } from '../../base/errors.js';
import { log } from '../../base/log.js';
import { commandText } from '../../params/command-line.js';
import type { Waits } from '../../serve/grace.js';
import { Admission } from '../../serve/loopback/admission.js';
import { MAX_BODY_BYTES, readBody } from '../../serve/loopback/body.js';
import type { Refusal } from '../../serve/loopback/guard.js';
import { untilEnd } from '../../serve/loopback/life.js';
import { cutOff, HOST, listen } from '../../serve/loopback/listen.js';
import type { Projects } from '../../serve/projects.js';
import { createServer, type ServerOptions } from '../server.js';
import { type Guard, MCP_PATH, refusal } from './guard.js';
import { refuse } from './refuse.js';
import { SESSION_NOT_FOUND, Sessions } from './sessions.js';

const DEFAULT_PORT = 7433;
/** Environment variable of the token; if it is set, requests must carry it. */
const TOKEN_VARIABLE = 'SOCRATICODE_MCP_TOKEN';

/** Time for the headers of a request. A client on the same machine needs none, so a slow one only occupies a connection. */
const HEADERS_MS = 10_000;
const BODY_MS = 30_000;
/** Time for which a connection is kept between two requests; 5 seconds unless told, less than fifty clients may wait. */
const KEPT_MS = 10 * 60_000;
/** Time after which an idle session ends. It outlasts a lunch break, and a client starts a new session without asking its user. */
const IDLE_MS = 30 * 60_000;

/** Longest wait for an answer among many clients: five times what a quiet server takes for a search in a large repository. */
const WAIT_MS = 500;

/** Limits far above the agents on one person's machine, and far below what would use up memory. */
const LIMITS = {
  ...{ requests: 64, alwaysIn: 8, wait: WAIT_MS, subscriptions: 32, sessions: 32, connections: 256 },
  ...{ idle: IDLE_MS, headers: HEADERS_MS, body: BODY_MS, kept: KEPT_MS },
};

const NOT_JSON: Refusal = { status: 415, message: 'Content-Type must be application/json' };
const busy = (seconds: number): Refusal => ({
  status: 503,
  message: `too many requests at once; come again in ${seconds} s`,
  headers: { 'Retry-After': String(seconds) },
});

export interface HttpOptions {
  /** 0 takes a free one. Default: 7433. */
  port?: number;
  /** Default: the environment of this process. */
  env?: NodeJS.ProcessEnv;
  /** Lets tests set smaller limits. */
  limits?: Partial<typeof LIMITS>;
  /** Questions that wait for a background process. */
  waits?: Waits;
}

export interface HttpServing {
  url: string;
  /** Ends all connections. */
  close: () => Promise<void>;
}

/** Serves until `signal` aborts, or until the process's signals without one. Writes its URL to stderr. Throws BAD_ARGUMENT if the port is not available. */
export async function serveOverHttp(options: HttpOptions & ServerOptions & { signal?: AbortSignal }): Promise<void> {
  const ending = untilEnd(options.signal);
  const { url, close } = await listenOverHttp(() => createServer(options), {
    ...options,
    waits: options.projects.waits,
  });
  process.stderr.write(`git-socraticode: listening on ${url}\n`);
  warmUp(options.projects);
  await ending;
  await close();
  await options.projects.close();
}

/** Opens the repository before the first question. A failure is only logged, as the question will report it. */
function warmUp(projects: Projects): void {
  projects
    .open()
    .then(({ background }) => background.warm())
    .catch((error: Error) => log.debug(`mcp: ${error.message}`));
}

/** Listens, without signals and stderr. `create` must be cheap: it is called for each request of 2026 and each session of 2025. */
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
  const admission = new Admission(limits);
  options.waits?.tell(admission);
  const answer: Answer = {
    ...{ sessions, modern: toNodeHandler(modern) },
    ...{ requests: limits.requests, open: 0, admission },
  };
  const guard: Guard = { port: 0, ...(token !== undefined && { token }) };
  const server = createHttpServer(cutOff(limits), (request, response) => {
    request.on('error', () => {});
    const refused = refusal(request, guard);
    if (refused !== null) return refuseAll(request, response, refused);
    respond(request, response, answer).catch((error: Error) => {
      log.debug(`mcp: ${error.message}`);
      refuse(response, { status: 500, message: 'internal error' });
    });
  });
  server.maxConnections = limits.connections;
  // Of a busy server the time may be over before it reads the request that came in time, and the client sees a broken connection.
  server.keepAliveTimeout = limits.kept;
  const otherPort = `Name another port, or 0 for any that is free: ${commandText('mcp', { http: 0 })}`;
  guard.port = await listen(server, options.port ?? DEFAULT_PORT, otherPort);
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    await Promise.allSettled([modern.close(), sessions.close()]);
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://${HOST}:${guard.port}${MCP_PATH}`, close };
}

/** Token from the environment. An empty one is refused: it is a variable that was not filled in, no wish to be open to all. */
function tokenOf(env: NodeJS.ProcessEnv): string | undefined {
  const token = env[TOKEN_VARIABLE];
  if (token === undefined || /^[\x21-\x7e]+$/.test(token)) return token;
  throw new SocraticodeError('BAD_ARGUMENT', `${TOKEN_VARIABLE} is ${token === '' ? 'empty' : 'no token'}`, {
    hint: `Set it to letters, digits and punctuation without spaces, or unset ${TOKEN_VARIABLE}.`,
  });
}

interface Answer {
  sessions: Sessions;
  modern: ReturnType<typeof toNodeHandler>;
  /** Most requests that may be open at once, and those that are. Streams are bounded by the number of sessions. */
  requests: number;
  open: number;
  /** Of questions that have come whole: a slow client's body keeps nobody waiting. */
  admission: Admission;
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  const isPost = request.method === 'POST';
  if (isPost && answer.open >= answer.requests) return refuseAll(request, response, busy(1));
  if (isPost && !isJsonContentType(request.headers['content-type'] ?? null))
    return refuseAll(request, response, NOT_JSON);
  if (isPost) {
    answer.open++;
    response.once('close', () => answer.open--);
  }
  const body = isPost ? await readBody(request) : { json: undefined };
  if ('status' in body) return refuseAll(request, response, body);
  const { json } = body;
  if (response.destroyed) return;
  if (isPost && isQuestion(json)) {
    const comeAgain = answer.admission.enter();
    if (comeAgain !== null) return refuseAll(request, response, busy(comeAgain));
    response.once('close', () => answer.admission.leave());
    await answer.admission.turn();
  }
  // A GET has no body, and only sessions use it.
  if (isPost && !(await isLegacyRequest(await toWebRequest(request, json), json)))
    return answer.modern(request, response, json);
  const refused = await answer.sessions.handle(request, response, json);
  if (refused !== null) refuse(response, refused, refused.status === 404 ? SESSION_NOT_FOUND : undefined);
}

/** Methods that read a repository. Others cost nothing, and a client that is refused could not even cancel. */
const QUESTIONS: ReadonlySet<unknown> = new Set(['tools/call', 'resources/read', 'completion/complete']);

/** Of one message or of a batch. A batch holds no other one, and hostile bodies are nested without end. */
const isQuestion = (json: unknown): boolean =>
  [json].flat().some((message) => QUESTIONS.has((message as { method?: unknown } | null)?.method));

/** Refuses a request, and closes the connection if its body was not read. */
function refuseAll(request: IncomingMessage, response: ServerResponse, refused: Refusal): void {
  const headers = request.complete ? refused.headers : { ...refused.headers, Connection: 'close' };
  refuse(response, { ...refused, ...(headers !== undefined && { headers }) });
}
