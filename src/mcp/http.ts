/**
 * Serves any number of clients of this machine over Streamable HTTP, on 127.0.0.1 only. All share the same open
 * repositories. Requests of the 2026 protocol need no session; clients of the 2025 protocol have one each.
 */
import { randomUUID } from 'node:crypto';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler, toWebRequest } from '@modelcontextprotocol/node';
import {
  createMcpHandler,
  isInitializeRequest,
  isJsonContentType,
  isLegacyRequest,
  type Server as McpServer,
  type Server,
} from '@modelcontextprotocol/server';
import { SocraticodeError } from '../base/errors.js';
import { log } from '../base/log.js';
import { commandText } from '../params/param.js';
import {
  Admission,
  cutOff,
  foreignHost,
  foreignPage,
  HOST,
  listen,
  MAX_BODY_BYTES,
  type Refusal,
  readBody,
  untilEnd,
  withoutToken,
} from '../serve/loopback.js';
import type { Waits } from '../serve/project.js';
import type { Projects } from '../serve/projects.js';
import { createServer, type ServerOptions } from './server.js';

const DEFAULT_PORT = 7433;
/** Environment variable of the token that requests must carry, if it is set. */
const TOKEN_VARIABLE = 'SOCRATICODE_MCP_TOKEN';

/** Time for the headers of a request. A client on the same machine needs none, so a slow one only occupies a connection. */
const HEADERS_MS = 10_000;
const BODY_MS = 30_000;
/** Time for which a connection stays open between two requests. Node's default is 5 seconds, less than fifty clients may wait. */
const KEEP_ALIVE_MS = 10 * 60_000;
/** Time after which an idle session ends. It outlasts a lunch break, and a client starts a new session without asking its user. */
const IDLE_MS = 30 * 60_000;

/** Longest wait for an answer among many clients: five times what a quiet server takes for a search in a large repository. */
const WAIT_MS = 500;

/** Limits far above the agents on one person's machine, and far below what would use up memory. */
const LIMITS = {
  ...{ requests: 64, alwaysIn: 8, wait: WAIT_MS, subscriptions: 32, sessions: 32, connections: 256 },
  ...{ idle: IDLE_MS, headers: HEADERS_MS, body: BODY_MS, kept: KEEP_ALIVE_MS },
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

/** Opens the repository before the first question. A failure is only logged, since the question will report it. */
function warmUp(projects: Projects): void {
  projects
    .open()
    .then(({ background }) => background.warm())
    .catch((error: Error) => log.debug(`mcp: ${error.message}`));
}

/** Listens; the caller handles signals and stderr. `create` must be cheap: it runs for each request of 2026 and each session of 2025. */
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
  options.waits?.addListener(admission);
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
  // On a busy server the time may be over before it reads a request that came in time, and the client would see a broken
  // connection.
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

/** Token from the environment. An empty one is refused: it is a variable that nobody filled in, and not a wish to be open to all. */
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
  /** Most open requests, and their number now. The number of sessions bounds streams. */
  requests: number;
  open: number;
  /** Admission of questions whose body has arrived: a slow client's body delays nobody. */
  admission: Admission;
}

async function respond(request: IncomingMessage, response: ServerResponse, answer: Answer): Promise<void> {
  // A GET has no body, and only sessions use it.
  if (request.method !== 'POST') return answerInSession(request, response, answer, undefined);
  if (answer.open >= answer.requests) return refuseAll(request, response, busy(1));
  if (!isJsonContentType(request.headers['content-type'] ?? null)) return refuseAll(request, response, NOT_JSON);
  answer.open++;
  response.once('close', () => answer.open--);
  const body = await readBody(request);
  if ('status' in body) return refuseAll(request, response, body);
  const { json } = body;
  if (response.destroyed) return;
  if (isQuestion(json)) {
    const comeAgain = answer.admission.enter();
    if (comeAgain !== null) return refuseAll(request, response, busy(comeAgain));
    response.once('close', () => answer.admission.leave());
    await answer.admission.turn();
  }
  if (!(await isLegacyRequest(await toWebRequest(request, json), json))) return answer.modern(request, response, json);
  return answerInSession(request, response, answer, json);
}

async function answerInSession(
  request: IncomingMessage,
  response: ServerResponse,
  answer: Answer,
  json: unknown,
): Promise<void> {
  const refused = await answer.sessions.handle(request, response, json);
  if (refused !== null) refuse(response, refused, refused.status === 404 ? SESSION_NOT_FOUND : undefined);
}

/** Methods that read a repository. The others cost nothing, and a refused client could not even cancel. */
const QUESTIONS: ReadonlySet<unknown> = new Set(['tools/call', 'resources/read', 'completion/complete']);

/** For one message or a batch. A batch holds no other batch, while hostile bodies are nested without end. */
const isQuestion = (json: unknown): boolean =>
  [json].flat().some((message) => QUESTIONS.has((message as { method?: unknown } | null)?.method));

/** Refuses a request, and closes the connection if its body was not read. */
function refuseAll(request: IncomingMessage, response: ServerResponse, refused: Refusal): void {
  const headers = request.complete ? refused.headers : { ...refused.headers, Connection: 'close' };
  refuse(response, { ...refused, ...(headers !== undefined && { headers }) });
}

// Sessions of clients of the 2025 protocol: a server object each, found by a random id, so that progress and cancellation reach
// the right request.

interface SessionLimits {
  /** Most sessions; a further one ends the one that was idle longest. */
  sessions: number;
  /** Milliseconds without a request or an open stream after which a session ends. */
  idle: number;
}

/** Error code of the specification for an unknown or ended session. */
const SESSION_NOT_FOUND = -32_001;

const NOT_FOUND: Refusal = { status: 404, message: 'Session not found' };
const NEEDED: Refusal = { status: 400, message: 'Mcp-Session-Id is required; initialize first' };
const BUSY: Refusal = { status: 503, message: 'too many sessions are in use', headers: { 'Retry-After': '5' } };
/** Checks for idle sessions during the time after which they end. */
const LOOKS = 4;

interface Session {
  transport: NodeStreamableHTTPServerTransport;
  /** Open requests and streams. */
  open: number;
  lastUsed: number;
}

export class Sessions {
  private readonly sessions = new Map<string, Session>();
  private readonly sweeper: NodeJS.Timeout;

  constructor(
    private readonly createServer: () => Server,
    private readonly limits: SessionLimits,
    private readonly now = () => performance.now(),
  ) {
    this.sweeper = setInterval(() => this.sweep(), limits.idle / LOOKS);
    this.sweeper.unref();
  }

  /** Answers a request; `json` is the body of a POST. Returns a refusal if it did not answer. */
  async handle(request: IncomingMessage, response: ServerResponse, json: unknown): Promise<Refusal | null> {
    const id = request.headers['mcp-session-id'];
    if (id === undefined && !isInitializeRequest(json)) return NEEDED;
    const session = id === undefined ? await this.begin() : this.sessions.get(String(id));
    if (session === null) return BUSY;
    if (session === undefined) return NOT_FOUND;
    const { transport } = session;
    session.open++;
    response.once('close', () => {
      session.open--;
      session.lastUsed = this.now();
    });
    await transport.handleRequest(request, response, json);
    // The transport refused the first request, so the client never learns the session's id.
    if (transport.sessionId === undefined) await transport.close();
    return null;
  }

  /** Creates a session; null if all are in use. */
  private async begin(): Promise<Session | null> {
    while (this.sessions.size >= this.limits.sessions) {
      const oldest = this.idle()[0];
      if (oldest === undefined) return null;
      await this.end(...oldest);
    }
    const id = randomUUID();
    const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
    const session: Session = { transport, open: 0, lastUsed: this.now() };
    // Added before the wait below, so that sessions that begin at the same time stay within the limit.
    this.sessions.set(id, session);
    transport.onclose = () => void this.sessions.delete(id);
    transport.onerror = (error) => log.debug(`mcp: ${error.message}`);
    await this.createServer().connect(transport);
    return session;
  }

  private end(id: string, { transport }: Session): Promise<void> {
    this.sessions.delete(id);
    return transport.close();
  }

  /** Sessions without an open request, the longest idle first. */
  private idle(): [string, Session][] {
    return [...this.sessions].filter(([, { open }]) => open === 0).sort(([, a], [, b]) => a.lastUsed - b.lastUsed);
  }

  /** Ends the sessions that have been idle for too long; called by itself from time to time. */
  sweep(): void {
    const before = this.now() - this.limits.idle;
    for (const [id, session] of this.idle()) {
      if (session.lastUsed > before) return;
      void this.end(id, session);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.sweeper);
    await Promise.allSettled([...this.sessions].map((each) => this.end(...each)));
  }
}

const MCP_PATH = '/mcp';
const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'DELETE']);

interface Guard {
  port: number;
  /** Bearer token that requests must carry; without one, every program of this machine may ask. */
  token?: string;
}

/** Reason to refuse a request, or null. It reads the headers alone, so that nothing of a refused request is stored. */
export function refusal(request: IncomingMessage, { port, token }: Guard): Refusal | null {
  const foreign = foreignHost(request, port) ?? foreignPage(request, port);
  if (foreign !== null) return foreign;
  if (request.url !== MCP_PATH) return { status: 404, message: `only ${MCP_PATH} is served` };
  const unknown = token === undefined ? null : withoutToken(request, token);
  if (unknown !== null) return unknown;
  if (!METHODS.has(request.method ?? ''))
    return { status: 405, message: 'method not allowed', headers: { Allow: [...METHODS].join(', ') } };
  return null;
}

const INVALID_JSON = -32_700;
/** Error code that the specification gives to refusals at the level of HTTP. */
const REFUSED = -32_000;

export function refuse(response: ServerResponse, { status, message, headers }: Refusal, code?: number): void {
  if (response.headersSent || response.destroyed) return;
  const error = { code: code ?? (status === 400 ? INVALID_JSON : REFUSED), message };
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
  response.end(JSON.stringify({ jsonrpc: '2.0', error, id: null }));
}
