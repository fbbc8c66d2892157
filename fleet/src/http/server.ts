/**
 * Serves a fleet over HTTP: publishers, readers, agents, and monitoring. Any number of servers can answer over one store, since
 * none keeps anything that the others lack.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Access, Client } from '../access/access.js';
import { isLoopback } from '../access/authorize-url.js';
import { asking } from '../ask/asking.js';
import { type FleetStore, fleetStore, warmStore } from '../ask/store.js';
import type { FleetEngine } from '../contract.js';
import { FleetIntake } from '../intake.js';
import {
  type AgentHandler,
  type Agents,
  cutOff,
  log,
  optionText,
  type Refusal,
  readBytes,
  SocraticodeError,
  safeJson,
} from '../internal.js';
import { CBOR_TYPE, encodeFailure } from '../protocol.js';
import { Slots } from '../slots.js';
import { type Failure, failureOf } from './failure.js';
import { foreign, type Route, routeOf, tokenOf } from './guard.js';
import { Metrics } from './metrics.js';
import { answerPublisher, bodyLimit } from './publishing.js';
import { answerReader } from './questions.js';

/** Limits of one server: far above what two cores answer, far below the limits of memory. */
const LIMITS = {
  /** Open requests; further ones are told to come again. */
  requests: 256,
  connections: 1_024,
  /** Bodies of publishers that are read at a time, and that may wait. */
  ...{ uploads: 4, uploadsInLine: 64 },
  /** Milliseconds for the headers and for a whole request of a slow client. */
  ...{ headers: 10_000, body: 120_000 },
  /** Bytes of a question, and of one about the exports of a repository. */
  ...{ question: 1 << 20, exports: 4 << 20 },
};

export interface FleetServerOptions {
  engine: FleetEngine;
  access: Access;
  host: string;
  /** 0 takes a free one. */
  port: number;
  /** No token is required: only this machine may connect. */
  isOpen: boolean;
  keepsText?: boolean;
  /** False: only health and metrics, for a process that maintains. */
  answers?: boolean;
  /** Answers `POST /mcp`; without it the path does not exist. */
  agents?: Agents;
  embed?: FleetStore['embed'];
  /** Takes lines of the log, each as JSON; default: stderr. */
  write?: (line: string) => void;
  limits?: Partial<typeof LIMITS>;
}

export interface FleetServing {
  url: string;
  metrics: Metrics;
  store: FleetStore;
  /** Ends all connections; the engine stays open. */
  close(): Promise<void>;
}

/** Throws BAD_ARGUMENT for an address that is not available, or that would be open to everybody. */
export async function serveFleet(options: FleetServerOptions): Promise<FleetServing> {
  const { host, isOpen } = options;
  checkHost(host, isOpen);
  const limits = { ...LIMITS, ...options.limits };
  const served = new FleetServer(options, limits);
  const server = createServer(cutOff(limits), (request, response) => void served.handle(request, response));
  server.maxConnections = limits.connections;
  await new Promise<void>((resolve, reject) => {
    const fail = (cause: NodeJS.ErrnoException) =>
      reject(
        new SocraticodeError('BAD_ARGUMENT', `port ${options.port} of ${host} cannot be had (${cause.code})`, {
          hint: 'Name another one, or 0 for any that is free.',
          cause,
        }),
      );
    server.once('error', fail);
    server.listen(options.port, host, () => {
      server.off('error', fail).on('error', ({ message }) => log.warn(`server: ${message}`));
      resolve();
    });
  });
  const { port } = server.address() as AddressInfo;
  served.port = port;
  // Starts at once; a failure shows when readiness is requested, or with the first question.
  if (options.answers !== false) served.warm().catch(() => {});
  const close = async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
  const shown = host.includes(':') ? `[${host}]` : host;
  return { url: `http://${shown}:${port}`, metrics: served.metrics, store: served.store, close };
}

/** Throws BAD_ARGUMENT for a server that would be open to everybody. */
export function checkHost(host: string, isOpen: boolean): void {
  if (!isOpen || isLoopback(host)) return;
  throw new SocraticodeError('BAD_ARGUMENT', 'without tokens only this machine is served', {
    hint: `Name who may ask: ${optionText('tokens')} FILE, or ${optionText('authorize')} URL.`,
  });
}

/** Fields of a log line. It never holds the token, the words of a query, or a name that the client may not know. */
interface Entry {
  route: string;
  client?: string;
  repo?: string;
  code?: string;
}

class FleetServer {
  port = 0;
  private warming: Promise<void> | null = null;
  readonly metrics = new Metrics();
  readonly store: FleetStore;
  private readonly intake: FleetIntake;
  private readonly agents: AgentHandler<Client> | undefined;
  private readonly uploads: Slots;
  private readonly write: (line: string) => void;

  constructor(
    private readonly options: FleetServerOptions,
    private readonly limits: typeof LIMITS,
  ) {
    this.store = fleetStore(options.engine, { embed: options.embed });
    this.intake = new FleetIntake(options.engine, { keepsText: options.keepsText });
    this.agents = options.agents?.((client: Client) => asking(this.store, client));
    this.uploads = new Slots(limits.uploads, limits.uploadsInLine);
    this.write = options.write ?? ((line) => void process.stderr.write(line));
  }

  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const started = performance.now();
    const entry: Entry = { route: 'none' };
    request.on('error', () => {});
    this.metrics.open++;
    response.once('close', () => {
      this.metrics.open--;
      const ms = Math.round((performance.now() - started) * 10) / 10;
      const status = response.writableFinished ? response.statusCode : 499;
      this.metrics.answered(entry.route, status, ms);
      this.write(`${safeJson({ time: new Date().toISOString(), event: 'request', ...entry, status, ms })}\n`);
    });
    try {
      await this.answer(request, response, entry);
    } catch (error) {
      if (response.destroyed) return;
      const failure = failureOf(error);
      entry.code = failure.body.code;
      fail(request, response, failure);
    }
  }

  private async answer(request: IncomingMessage, response: ServerResponse, entry: Entry): Promise<void> {
    const route = routeOf(request);
    const refused = foreign(request, { port: this.port, isOpen: this.options.isOpen });
    if (refused !== null) return fail(request, response, refusalOf(refused));
    if ('status' in route) return fail(request, response, refusalOf(route));
    entry.route = route.name ?? route.kind;
    if (route.kind === 'healthz') return send(response, 'text/plain', 'ok\n');
    if (route.kind === 'readyz') return this.ready(response);
    if (route.kind === 'metrics') return this.measure(response);
    if (this.options.answers === false)
      return fail(request, response, refusalOf({ status: 404, message: 'this server only maintains' }));
    if (this.metrics.open > this.limits.requests) return fail(request, response, busy('too many requests at once'));
    const client = await this.options.access.clientOf(tokenOf(request));
    if (client === null) return fail(request, response, UNKNOWN_TOKEN);
    entry.client = client.name;
    if (route.kind === 'publish') return this.publish(request, response, { route, client, entry });
    return this.ask(request, response, { route, client });
  }

  private async publish(
    request: IncomingMessage,
    response: ServerResponse,
    { route, client, entry }: { route: Extract<Route, { kind: 'publish' }>; client: Client; entry: Entry },
  ): Promise<void> {
    const done = await this.uploads.run(async () => {
      const body = await readBytes(request, bodyLimit(route.name));
      if ('status' in body) return fail(request, response, refusalOf(body));
      const answer = await answerPublisher(route.name, body.bytes, { intake: this.intake, client });
      entry.repo = answer.repo;
      if (route.name === 'view' && answer.status === 200) {
        this.metrics.add('publications');
        // This server sees the view at once; others check within a second.
        this.store.views.expire();
      }
      response.writeHead(answer.status, { 'Content-Type': CBOR_TYPE });
      response.end(answer.body);
    });
    if (done === null) fail(request, response, busy('too many publications at once'));
  }

  private async ask(
    request: IncomingMessage,
    response: ServerResponse,
    { route, client }: { route: Route; client: Client },
  ): Promise<void> {
    const body = await readBytes(request, route.name === 'uses' ? this.limits.exports : this.limits.question);
    if ('status' in body) return fail(request, response, refusalOf(body));
    if (route.kind !== 'ask') {
      if (this.agents === undefined)
        return fail(request, response, refusalOf({ status: 404, message: 'no agents here' }));
      return this.agents(request, response, { body: body.bytes, client });
    }
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const fleet = asking(this.store, client);
    const answer = await answerReader(route.name, body.bytes, { fleet, signal: gone.signal });
    send(response, 'application/json', `${safeJson(answer)}\n`);
  }

  private async ready(response: ServerResponse): Promise<void> {
    await Promise.all([this.store.views.fresh(), this.options.answers === false ? null : this.warm()]);
    send(response, 'text/plain', 'ready\n');
  }

  /** Runs once; after a failure it runs again. */
  warm(): Promise<void> {
    this.warming ??= warmStore(this.store).catch((error: unknown) => {
      this.warming = null;
      throw error;
    });
    return this.warming;
  }

  private async measure(response: ServerResponse): Promise<void> {
    const set = await this.store.views.fresh().catch(() => null);
    const repositories = set?.repositories.size ?? 0;
    const views = [...(set?.repositories.values() ?? [])].reduce((sum, each) => sum + each.length, 0);
    const gauges = { up: set === null ? 0 : 1, repositories, views, damaged: set?.damaged.size ?? 0 };
    send(response, 'text/plain; version=0.0.4', this.metrics.text(gauges));
  }
}

function send(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { 'Content-Type': type, 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
  response.end(body);
}

const UNKNOWN_TOKEN: Failure = {
  status: 401,
  body: {
    code: 'FLEET_DENIED',
    message: 'the fleet does not know the token, or none was sent',
    hint: 'Set SOCRATICODE_FLEET_TOKEN to a token of this fleet.',
  },
  headers: { 'WWW-Authenticate': 'Bearer' },
};

function refusalOf({ status, message, headers }: Refusal): Failure {
  return { status, body: { code: 'BAD_ARGUMENT', message, hint: 'See docs/fleet.md.' }, ...(headers && { headers }) };
}

const busy = (message: string): Failure => failureOf(new SocraticodeError('FLEET_BUSY', message));

/** Sends a failure in the client's format, and closes the connection if the body was not read. */
function fail(request: IncomingMessage, response: ServerResponse, { status, body, headers }: Failure): void {
  if (response.headersSent || response.destroyed) return;
  const isCbor = request.headers['content-type'] === CBOR_TYPE;
  const close = request.complete ? {} : { Connection: 'close' };
  response.writeHead(status, { 'Content-Type': isCbor ? CBOR_TYPE : 'application/json', ...headers, ...close });
  response.end(isCbor ? encodeFailure(body) : `${safeJson(body)}\n`);
}
