/**
 * Asks the client's own model (sampling). A call that has questions ends with them; the client answers and repeats the call, as the 2026
 * protocol wants it, and the SDK does the same for clients of before. So a round keeps nothing: its answers come with the next one.
 */
import { createHash } from 'node:crypto';
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { visibleLine } from '../../base/hygiene.js';
import type { HostModel } from '../../questions/asker.js';

/** Questions of one round, and rounds of one call: the SDK ends a call after 8, and a person may have to allow each question. */
const MOST_AT_ONCE = 16;
const MOST_ROUNDS = 6;
/** Most tokens of an answer. */
const MAX_TOKENS = 300;
const MAX_NAME = 100;

interface Sampling extends HostModel {
  /** The result that asks the client; null: nothing was asked in this round. */
  next(): InputRequiredResult | null;
}

/** Null where the client has not said that its model may be asked. */
export function samplingOf(server: Server, { mcpReq }: ServerContext): Sampling | null {
  const envelope = mcpReq.envelope as Record<string, ClientCapabilities | undefined> | undefined;
  const capabilities = envelope?.[CLIENT_CAPABILITIES_META_KEY] ?? server.getClientCapabilities();
  if (capabilities?.sampling === undefined) return null;
  const round = roundOf(mcpReq.requestState());
  const wanted: Record<string, InputRequest> = {};
  return {
    ask(system, user) {
      const key = createHash('sha256').update(`${system}\0${user}`).digest('hex');
      const said = textOf(mcpReq.inputResponses, key);
      if (said === null && round < MOST_ROUNDS && Object.keys(wanted).length < MOST_AT_ONCE)
        wanted[key] = inputRequired.createMessage({
          messages: [{ role: 'user', content: { type: 'text', text: user } }],
          systemPrompt: system,
          maxTokens: MAX_TOKENS,
        });
      return said;
    },
    next: () =>
      Object.keys(wanted).length === 0
        ? null
        : inputRequired({ inputRequests: wanted, requestState: String(round + 1) }),
  };
}

/** A client that lies about the round asks itself more often, and nobody else. */
function roundOf(state: unknown): number {
  const round = Number(state ?? 0);
  return Number.isInteger(round) && round > 0 ? round : 0;
}

function textOf(responses: Record<string, unknown> | undefined, key: string): { text: string; model: string } | null {
  const response = inputResponse(responses, key);
  if (response.kind !== 'sampling') return null;
  const { content, model } = response.result;
  const text = [content].flat().flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return { text: text.join(' '), model: visibleLine(String(model)).slice(0, MAX_NAME) };
}
