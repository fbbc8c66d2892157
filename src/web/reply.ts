/**
 * One answer over HTTP: a document, or lines of JSON for a page that accepts them. Of lines the last one is the document, and
 * those before it say how far the work is.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { safeJson, visibleText } from '../base/hygiene.js';
import { SAFE_HEADERS } from './shell.js';

const LINES = 'application/x-ndjson';
/** A page need not be drawn more often. */
const PAUSE_MS = 250;

export class Reply {
  private readonly isLines: boolean;
  private told = Number.NEGATIVE_INFINITY;

  constructor(
    request: IncomingMessage,
    private readonly response: ServerResponse,
  ) {
    this.isLines = request.headers.accept === LINES;
  }

  /** Says how far the work is, at most four times a second; `total` is null where it is not known. */
  progress(done: number, total: number | null, message: string): void {
    const now = performance.now();
    if (!this.isLines || this.response.destroyed || now - this.told < PAUSE_MS) return;
    this.told = now;
    this.begin(200);
    this.response.write(`${safeJson({ progress: { done, total, message: visibleText(message) } })}\n`);
  }

  /** Sends the document, or that of a failure. After progress the status is 200 whatever follows. */
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
