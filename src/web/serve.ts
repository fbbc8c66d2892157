/**
 * Serves pages on 127.0.0.1. Files of the page are public, since they hold nothing of the repository; answers need the token.
 * Requests change nothing: a page can only ask.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { ERROR_CODES } from '../base/error-codes.js';
import { isSocraticodeError, unexpected } from '../base/errors.js';
import { visibleText } from '../base/hygiene.js';
import { log } from '../base/log.js';
import { commandText } from '../params/command-line.js';
import type { FleetAsking } from '../questions/fleet/asking.js';
import { readBody } from '../serve/loopback/body.js';
import { foreignHost, foreignPage, type Refusal, withoutToken } from '../serve/loopback/guard.js';
import { cutOff, HOST, listen } from '../serve/loopback/listen.js';
import type { Projects } from '../serve/projects.js';
import { answerPage } from './ask.js';
import { type Asset, loadAssets } from './assets.js';
import { Idle } from './idle.js';
import { Keys } from './keys.js';
import { Reply } from './reply.js';
import { SAFE_HEADERS } from './shell.js';

const DEFAULT_PORT = 7434;
/** Path of answers; the name of a question follows. */
const API = '/api/';
/** Path under which a ticket becomes the token. */
const TICKET = '/api/ticket';
const MINUTE = 60_000;

/** Far above one person's pages, far below what would use up memory. */
const LIMITS = { connections: 64, requests: 32, headers: 10_000, body: 30_000 };

interface WebOptions {
  /** 0 takes a free one. Default: 7434, or a free one where that is in use. */
  port?: number;
  idleMinutes: number;
  /** The fleet that pages may ask. */
  fleet?: FleetAsking | undefined;
  /** Milliseconds for the headers and for a whole request, which tests set smaller. */
  limits?: Partial<Pick<typeof LIMITS, 'headers' | 'body'>>;
}

export interface PageServing {
  /** Address with the token. */
  url: string;
  /** Address that is good once. */
  ticketUrl: () => string;
  /** Resolves when nobody has asked for long. */
  idle: Promise<void>;
  /** Resolves when a first view is answered: nothing is asked any more. */
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

/** Listens. Throws BAD_ARGUMENT for a port that cannot be had, and BROKEN_INSTALLATION. */
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
  serving.port = await listenSomewhere(server, port);
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
  // Search and fragment are the page's business; a path with an escape names no file of ours.
  const path = (request.url ?? '').split('?', 1)[0];
  if (!path.startsWith(API)) {
    const asset = serving.assets.get(path);
    if (asset === undefined) return refuse(request, response, { status: 404, message: 'there is no such page' });
    if (request.method !== 'GET' && request.method !== 'HEAD')
      return refuse(request, response, { status: 405, message: 'method not allowed', headers: { Allow: 'GET, HEAD' } });
    return sendAsset(request, response, asset);
  }
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

const BUSY: Refusal = { status: 503, message: 'too many requests at once', headers: { 'Retry-After': '1' } };

/** Answers are asked for by POST with JSON, which no form and no link of another page can send. */
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
  try {
    const project = await serving.projects.open();
    const name = path.slice(API.length).replaceAll('-', ' ');
    const progress: Reply['progress'] = (...told) => reply.progress(...told);
    reply.document(
      200,
      await answerPage(name, body.json, { project, signal: cancel.signal, progress, fleet: serving.fleet }),
    );
  } catch (error) {
    if (!cancel.signal.aborted) sendFailure(reply, error);
  }
}

function ticketOf(json: unknown): string {
  const { ticket } = (json ?? {}) as { ticket?: unknown };
  return typeof ticket === 'string' ? ticket : '';
}

/** The document of a failure, as `--json` prints it. */
function sendFailure(reply: Reply, error: unknown): void {
  const known = unexpected(error);
  const { code, message, hint = ERROR_CODES[code] } = known;
  if (code === 'INTERNAL') log.tell('error', `web: ${(error as Error).stack ?? String(error)}`);
  const shown = { code, message: visibleText(message), hint: visibleText(hint) };
  const status = isSocraticodeError(error, 'NOT_READY') ? 503 : code === 'INTERNAL' ? 500 : 400;
  reply.document(status, { schemaVersion: 1, error: shown });
}

function sendAsset(request: IncomingMessage, response: ServerResponse, asset: Asset): void {
  const keeping = asset.isLasting ? 'public, max-age=31536000, immutable' : 'no-cache';
  const headers = { ...SAFE_HEADERS, 'Cache-Control': keeping, ETag: asset.tag };
  if (request.headers['if-none-match'] === asset.tag) {
    response.writeHead(304, headers).end();
    return;
  }
  response.writeHead(200, { ...headers, 'Content-Type': asset.type, 'Content-Length': asset.body.length });
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
