/**
 * Serves pages on 127.0.0.1. Files of the page are public, since they hold nothing of the repository; answers need the token.
 * Requests change nothing.
 */
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ERROR_CODES, isSocraticodeError, SocraticodeError, unexpected } from '../base/errors.js';
import { log } from '../base/log.js';
import { safeJson, visibleText } from '../base/printable.js';
import { packageFile } from '../base/runtime.js';
import { commandText } from '../params/param.js';
import type { FleetAsking } from '../questions/fleet/asking.js';
import {
  cutOff,
  foreignHost,
  foreignPage,
  HOST,
  isSameSecret,
  listen,
  type Refusal,
  readBody,
  withoutToken,
} from '../serve/loopback.js';
import type { Project } from '../serve/project.js';
import type { Projects } from '../serve/projects.js';
import { answerPage } from './answers.js';

const DEFAULT_PORT = 7434;
/** Path of answers; the name of a question follows. */
const API = '/api/';
/** Path under which a ticket becomes the token. */
const TICKET = '/api/ticket';
const MINUTE = 60_000;

/** Far above the needs of one person's pages, far below the limits of memory. */
const LIMITS = { connections: 64, requests: 32, headers: 10_000, body: 30_000 };

interface WebOptions {
  /** 0 takes a free one. Default: 7434, or a free one where that is in use. */
  port?: number;
  idleMinutes: number;
  /** The fleet that pages may ask. */
  fleet?: FleetAsking | undefined;
  /** Milliseconds for the headers and for a whole request; tests set smaller ones. */
  limits?: Partial<Pick<typeof LIMITS, 'headers' | 'body'>>;
}

export interface PageServing {
  /** Address with the token. */
  url: string;
  /** Address that works once. */
  ticketUrl: () => string;
  /** Resolves when there was no request for long. */
  idle: Promise<void>;
  /** Resolves when a first view is answered and no request is open. */
  rested: Promise<void>;
  close: () => Promise<void>;
}

interface Serving {
  projects: Projects;
  fleet: FleetAsking | undefined;
  assets: ReadonlyMap<string, Asset>;
  keys: Keys;
  idle: Idle;
  port: number;
  open: number;
  rest: () => void;
}

/** Listens. Throws BAD_ARGUMENT for a port that is not available, and BROKEN_INSTALLATION. */
export async function listenForPages(
  projects: Projects,
  { port, idleMinutes, fleet, ...options }: WebOptions,
): Promise<PageServing> {
  let rest: () => void = () => {};
  const rested = new Promise<void>((resolve) => {
    rest = resolve;
  });
  const serving: Serving = {
    ...{ projects, fleet, assets: loadAssets(), keys: new Keys(), idle: new Idle(idleMinutes * MINUTE) },
    ...{ port: 0, open: 0, rest },
  };
  const limits = { ...LIMITS, ...options.limits };
  const server = createServer(cutOff(limits), (request, response) => {
    request.on('error', () => {});
    response.on('error', () => {});
    respond(request, response, serving).catch((error: Error) => {
      log.debug(`web: ${error.message}`);
      refuse(request, response, { status: 500, message: 'internal error' });
    });
  });
  server.maxConnections = limits.connections;
  serving.port = await listenSomewhere(server, port).catch((error) => {
    serving.idle.stop();
    throw error;
  });
  const address = `http://${HOST}:${serving.port}/`;
  return {
    url: `${address}#key=${serving.keys.token}`,
    ticketUrl: () => `${address}#ticket=${serving.keys.issueTicket()}`,
    idle: serving.idle.ended,
    rested,
    close: async () => {
      serving.idle.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

async function listenSomewhere(server: Server, port: number | undefined): Promise<number> {
  const hint = `Name another port, or 0 for any that is free: ${commandText('web', { port: 0 })}`;
  if (port !== undefined) return listen(server, port, hint);
  return listen(server, DEFAULT_PORT, hint).catch(() => listen(server, 0, hint));
}

async function respond(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const foreign = foreignHost(request, serving.port);
  if (foreign !== null) return refuse(request, response, foreign);
  // Search and fragment belong to the page; a path with an escape names none of our files.
  const path = (request.url ?? '').split('?', 1)[0];
  if (!path.startsWith(API)) return respondPage(request, response, { path, serving });
  const refused =
    foreignPage(request, serving.port) ??
    (path === TICKET ? null : withoutToken(request, serving.keys.token)) ??
    wrongForm(request) ??
    (serving.open >= LIMITS.requests ? BUSY : null);
  if (refused !== null) return refuse(request, response, refused);
  serving.open++;
  serving.idle.busy();
  try {
    await answer(request, response, { path, serving });
  } finally {
    serving.open--;
    serving.idle.free();
    if (serving.open === 0 && path !== TICKET) serving.rest();
  }
}

function respondPage(
  request: IncomingMessage,
  response: ServerResponse,
  { path, serving }: { path: string; serving: Serving },
): void {
  const asset = serving.assets.get(path);
  // A person gets the page, which says that there is no such view and where the others are.
  const isPerson = request.method === 'GET' && (request.headers.accept ?? '').includes('text/html');
  if (asset === undefined && isPerson) sendAsset(request, response, serving.assets.get('/') as Asset, 404);
  else if (asset === undefined) refuse(request, response, { status: 404, message: 'there is no such page' });
  else if (request.method === 'GET' || request.method === 'HEAD') sendAsset(request, response, asset);
  else refuse(request, response, { status: 405, message: 'method not allowed', headers: { Allow: 'GET, HEAD' } });
}

const BUSY: Refusal = { status: 503, message: 'too many requests at once', headers: { 'Retry-After': '1' } };

/** Answers need a POST with JSON, which no form and no link of another page can send. */
function wrongForm({ method, headers }: IncomingMessage): Refusal | null {
  if (method !== 'POST') return { status: 405, message: 'method not allowed', headers: { Allow: 'POST' } };
  const isJson = /^application\/json *(?:;|$)/i.test(headers['content-type'] ?? '');
  return isJson ? null : { status: 415, message: 'Content-Type must be application/json' };
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { path, serving }: { path: string; serving: Serving },
): Promise<void> {
  const body = await readBody(request);
  const reply = new Reply(request, response);
  if ('status' in body) return refuse(request, response, body);
  if (path === TICKET) {
    const token = serving.keys.redeem(ticketOf(body.json));
    if (token === null) return refuse(request, response, { status: 401, message: 'this address was used, or is old' });
    return reply.document(200, { token });
  }
  const cancel = new AbortController();
  response.once('close', () => cancel.abort());
  let telling: NodeJS.Timeout | undefined;
  try {
    const project = await serving.projects.open();
    telling = setInterval(() => tellIndexing(project.indexing, reply), TELL_MS);
    const name = path.slice(API.length).replaceAll('-', ' ');
    const progress: Reply['progress'] = (...state) => reply.progress(...state);
    reply.document(
      200,
      await answerPage(name, body.json, { project, signal: cancel.signal, progress, fleet: serving.fleet }),
    );
  } catch (error) {
    if (!cancel.signal.aborted) sendFailure(reply, error);
  } finally {
    clearInterval(telling);
  }
}

/** Milliseconds between two looks at how far the index is that an answer waits for. */
const TELL_MS = 500;

function tellIndexing(state: Project['indexing'], reply: Reply): void {
  if (state !== null) reply.progress(state.done, state.total, 'Indexing this repository, which happens once');
}

function ticketOf(json: unknown): string {
  const { ticket } = (json ?? {}) as { ticket?: unknown };
  return typeof ticket === 'string' ? ticket : '';
}

/** The document of a failure, as `--json` prints it. */
function sendFailure(reply: Reply, error: unknown): void {
  const known = unexpected(error);
  const { code, message, hint = ERROR_CODES[code] } = known;
  if (code === 'INTERNAL') log.print('error', `web: ${(error as Error).stack ?? String(error)}`);
  const shown = { code, message: visibleText(message), hint: visibleText(hint) };
  const status = isSocraticodeError(error, 'NOT_READY') ? 503 : code === 'INTERNAL' ? 500 : 400;
  reply.document(status, { schemaVersion: 1, error: shown });
}

function sendAsset(request: IncomingMessage, response: ServerResponse, asset: Asset, status = 200): void {
  const keeping = asset.isLasting ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = { ...SAFE_HEADERS, 'Cache-Control': keeping, ETag: asset.tag };
  if (status === 200 && request.headers['if-none-match'] === asset.tag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(status, { ...headers, 'Content-Type': asset.type, 'Content-Length': asset.body.length });
  response.end(request.method === 'HEAD' ? undefined : asset.body);
}

/** Refuses a request, and closes the connection if its body was not read. */
function refuse(request: IncomingMessage, response: ServerResponse, { status, message, headers }: Refusal): void {
  if (response.destroyed || response.headersSent) return;
  const rest = request.complete ? {} : { Connection: 'close' };
  response.writeHead(status, { ...SAFE_HEADERS, ...headers, ...rest, 'Content-Type': 'application/json' });
  const code = status === 401 ? 'NO_KEY' : 'REFUSED';
  response.end(JSON.stringify({ schemaVersion: 1, error: { code, message, hint: '' } }));
}

const BYTES = 32;
/** If a browser takes longer to start, its user needs the printed address. */
const TICKET_MS = 120_000;

/**
 * Keys of a page. The token is random for each server and travels in the part of the address after `#`, which browsers never
 * send; the page stores it for its own origin and sends it as a bearer token. A cookie would reach every other server of this
 * machine, since cookies know no ports, and pages of other sites could use it. Other users of the machine see the address with
 * which a browser is started (`ps`), so it holds a ticket that works once.
 */
export class Keys {
  readonly token = randomBytes(BYTES).toString('base64url');
  private ticket: { text: string; until: number } | null = null;

  /** `now`: milliseconds of a clock that never goes back. */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** A new ticket, which can be exchanged for the token once; the previous one becomes void. */
  issueTicket(): string {
    const text = randomBytes(BYTES).toString('base64url');
    this.ticket = { text, until: this.now() + TICKET_MS };
    return text;
  }

  /** The token for a ticket; null for a wrong, used or old one. A wrong one voids nothing, since it may be an attacker's guess. */
  redeem(text: string): string | null {
    const { ticket } = this;
    if (ticket === null || !isSameSecret(text, ticket.text)) return null;
    this.ticket = null;
    return this.now() <= ticket.until ? this.token : null;
  }
}

const LINES = 'application/x-ndjson';
/** Milliseconds between two reports: a page need not be drawn more often. */
const PAUSE_MS = 250;

export class Reply {
  private readonly isLines: boolean;
  private reportedAt = Number.NEGATIVE_INFINITY;

  constructor(
    request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.isLines = request.headers.accept === LINES;
  }

  /** Reports progress, at most four times a second; `total` is null while unknown. */
  progress(done: number, total: number | null, message: string): void {
    const now = performance.now();
    if (!this.isLines || this.response.destroyed || now - this.reportedAt < PAUSE_MS) return;
    this.reportedAt = now;
    this.begin(200);
    this.response.write(`${safeJson({ progress: { done, total, message: visibleText(message) } })}\n`);
  }

  /** Sends the document, or that of a failure. After a report of progress the status is 200 in any case. */
  document(status: number, document: object): void {
    if (this.response.destroyed || this.response.writableEnded) return;
    this.begin(status);
    this.response.end(safeJson(document));
  }

  private begin(status: number): void {
    if (this.response.headersSent) return;
    this.response.writeHead(status, {
      ...SAFE_HEADERS,
      'Content-Type': this.isLines ? `${LINES}; charset=utf-8` : 'application/json; charset=utf-8',
      'Cache-Control': 'no-store',
    });
  }
}

// Files of the page, read once: its program, the style, and the worker that colours code. None comes from a repository.

interface Asset {
  type: string;
  body: Buffer;
  /** Changes with the content. */
  tag: string;
  /** True for a file whose address changes with the content, so that browsers need not ask for it again. */
  isLasting: boolean;
}

const SCRIPT = 'text/javascript; charset=utf-8';
const STYLE = 'text/css; charset=utf-8';
/** Views with an address of their own. All show the same shell. */
const VIEWS = ['/', '/read', '/review', '/history', '/map', '/hotspots', '/people', '/fleet', '/fleet/read'];
/** Address of the program; the worker's is relative to it. */
const PROGRAM = '/web/page/main.js';
/** The modules of `page/`, joined by the build. */
const JOINED = new URL('./page-bundle.js', import.meta.url);

/** Assets by their path in the address. Throws BROKEN_INSTALLATION. */
export function loadAssets(): ReadonlyMap<string, Asset> {
  try {
    const assets = new Map([[PROGRAM, asset(SCRIPT, readFileSync(JOINED))]]);
    assets.set('/web/page/page.css', asset(STYLE, readFileSync(packageFile('web/page.css'))));
    assets.set('/web/highlighter.js', asset(SCRIPT, readFileSync(packageFile('web/highlighter.js'))));
    return withShell(assets);
  } catch (cause) {
    throw new SocraticodeError('BROKEN_INSTALLATION', 'files of the web page are missing from this installation', {
      cause,
    });
  }
}

const asset = (type: string, body: Buffer): Asset => ({ type, body, tag: `"${hashOf(body)}"`, isLasting: true });

const hashOf = (body: Buffer | string): string => createHash('sha256').update(body).digest('hex').slice(0, 32);

/** Names the folder of the files by their content, so that browsers cache them, and puts the shell at each view. */
function withShell(files: ReadonlyMap<string, Asset>): ReadonlyMap<string, Asset> {
  const folder = `/${hashOf([...files.values()].map(({ tag }) => tag).join()).slice(0, 16)}`;
  const assets = new Map([...files].map(([path, file]) => [folder + path, file]));
  const body = Buffer.from(shell(folder));
  const page = { ...asset('text/html; charset=utf-8', body), isLasting: false };
  for (const view of VIEWS) assets.set(view, page);
  return assets;
}

/**
 * Markup of every view, before the page's program fills it. Anybody may see it, since it holds nothing of a repository.
 * `folder`: place of the page's files.
 */
export function shell(folder: string): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="color-scheme" content="light dark">',
    '<link rel="icon" href="data:,">',
    '<title>git socraticode</title>',
    `<link rel="stylesheet" href="${folder}/web/page/page.css">`,
    `<script type="module" src="${folder}/web/page/main.js"></script>`,
    '</head>',
    '<body>',
    '<noscript>This page needs JavaScript, which only comes from this server.</noscript>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}

/** Headers of every response. Nothing is loaded from elsewhere, nothing inline runs, and no page frames this one. */
const SAFE_HEADERS: Readonly<Record<string, string>> = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src data: 'self'",
    "connect-src 'self'",
    "worker-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html worker',
  ].join('; '),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
};

/** Ends a server that nobody uses: a forgotten one would keep its memory and its port. */
export class Idle {
  readonly ended: Promise<void>;
  private end: () => void = () => {};
  private timer: NodeJS.Timeout | undefined;
  private users = 0;

  constructor(private readonly ms: number) {
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    this.start();
  }

  /** A request begins: the server is in use until it is answered. */
  busy(): void {
    this.users++;
    this.stop();
  }

  free(): void {
    this.users--;
    if (this.users === 0) this.start();
  }

  stop(): void {
    clearTimeout(this.timer);
  }

  private start(): void {
    this.stop();
    this.timer = setTimeout(() => this.end(), this.ms);
  }
}

interface Opener {
  command: string;
  args: readonly string[];
}

/** The command that opens `url`; null if no browser can be shown, such as over SSH. */
export function openerOf(url: string, platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Opener | null {
  if (platform === 'darwin') return { command: 'open', args: [url] };
  // `start` of cmd.exe would read `&` in an address as the end of the command.
  if (platform === 'win32') return { command: 'rundll32', args: ['url.dll,FileProtocolHandler', url] };
  const hasDisplay = Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER || env.WSL_DISTRO_NAME);
  return hasDisplay ? { command: 'xdg-open', args: [url] } : null;
}

/** Starts the browser without waiting for it: the address is printed as well. */
export function openInBrowser(url: string, env: NodeJS.ProcessEnv): void {
  const opener = openerOf(url, process.platform, env);
  if (opener === null) return;
  const child = spawn(opener.command, opener.args, { stdio: 'ignore', detached: true });
  child.on('error', ({ message }) => log.debug(`web: no browser was opened: ${message}`));
  child.unref();
}
