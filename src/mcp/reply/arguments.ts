/** Checks the arguments of a call. A refusal tells a model how to put them right. */
import { readValues } from '../../params/read.js';
import type { Tool } from '../tool.js';

/** The arguments by their declared names. Throws BAD_ARGUMENT. */
export function readArguments(tool: Tool, given: unknown): Record<string, unknown> {
  const hint = `Parameters of ${tool.name}: ${parameterNames(tool).join(', ')}.`;
  return readValues(given, { fields: tool.fields, hint });
}

/** Names that agents use, in the order in which they are listed. */
export function parameterNames(tool: Tool): string[] {
  return tool.fields.map(({ name }) => name);
}
