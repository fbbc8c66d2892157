/** Prompts: jobs that users start by name. The arguments are the user's own text, and reach the agent unchanged. */
import { type GetPromptResult, ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { visibleText } from '../../base/hygiene.js';
import type { Toolset } from '../tool.js';
import { explore } from './explore.js';
import { planChange } from './plan-change.js';
import type { Prompt, PromptArgument } from './prompt.js';
import { reviewDiff } from './review-diff.js';
import { verifyChange } from './verify-change.js';

const PROMPTS: ReadonlyMap<string, Prompt> = new Map(
  [explore, planChange, reviewDiff, verifyChange].map((prompt) => [prompt.name, prompt]),
);

interface PromptOptions {
  toolsets: readonly Toolset[];
}

/** Registers the handlers of `prompts/…`, for the prompts whose tools are served. */
export function registerPrompts(server: Server, { toolsets }: PromptOptions): void {
  if (!toolsets.includes('core')) return;
  server.registerCapabilities({ prompts: {} });
  server.setRequestHandler('prompts/list', () => ({ prompts: [...PROMPTS.values()].map(listed) }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}));
}

function listed({ name, title, description, required, optional }: Prompt) {
  const show = (isRequired: boolean) => (argument: PromptArgument) => ({
    name: argument.name,
    description: argument.description,
    required: isRequired,
  });
  return { name, title, description, arguments: [...required.map(show(true)), ...optional.map(show(false))] };
}

/** Text of a prompt. Throws InvalidParams for an unknown prompt, and for missing, unknown or too long arguments. */
export function getPrompt(name: string, given: Readonly<Record<string, string>>): GetPromptResult {
  const prompt = PROMPTS.get(name);
  if (prompt === undefined) throw invalid(`no such prompt; there are ${[...PROMPTS.keys()].join(', ')}`);
  try {
    const text = prompt.write(valuesOf(prompt, given));
    return { description: prompt.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
  } catch (error) {
    throw error instanceof RangeError ? invalid(error.message) : error;
  }
}

/** Checked arguments. Throws RangeError. */
function valuesOf({ required, optional }: Prompt, given: Readonly<Record<string, string>>): Record<string, string> {
  const known = [...required, ...optional];
  if (Object.keys(given).some((name) => known.every((argument) => argument.name !== name)))
    throw new RangeError(`arguments: ${known.map(({ name }) => name).join(', ') || 'none'}`);
  const values: Record<string, string> = {};
  for (const { name, max } of known) {
    const value = given[name]?.trim() ?? '';
    if (value.length > max) throw new RangeError(`${name} is longer than ${max} characters`);
    if (value !== '') values[name] = visibleText(value);
  }
  const missing = required.find(({ name }) => values[name] === undefined);
  if (missing !== undefined) throw new RangeError(`${missing.name} is missing`);
  return values;
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message);
