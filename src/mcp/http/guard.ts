/** Refuses HTTP requests that are not a program's of this machine. No web page is ever allowed. */
import type { IncomingMessage } from 'node:http';
import { foreignHost, foreignPage, type Refusal, withoutToken } from '../../serve/loopback/guard.js';

export const MCP_PATH = '/mcp';
const METHODS: ReadonlySet<string> = new Set(['POST', 'GET', 'DELETE']);

export interface Guard {
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
