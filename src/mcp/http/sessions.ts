/**
 * Sessions of clients of the 2025 protocol: one server object each, found by a random id, so that progress and
 * cancellation reach the right request. The 2026 protocol has no sessions.
 */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { isInitializeRequest, type Server } from '@modelcontextprotocol/server';
import { log } from '../../base/log.js';
import type { Refusal } from '../../serve/loopback/guard.js';

interface SessionLimits {
  /** Most sessions; one more ends the one that has been idle longest. */
  sessions: number;
  /** Milliseconds without a request or an open stream after which a session ends. */
  idle: number;
}

/** Error code of the specification for an unknown or ended session. */
export const SESSION_NOT_FOUND = -32_001;

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
    // Added before the wait below, so that sessions that begin at once stay within the limit.
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
