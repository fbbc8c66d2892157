/** Type of a prompt: a job that names its tools in the cheapest order. */

export interface PromptArgument {
  name: string;
  description: string;
  /** Most characters. */
  max: number;
}

/** Prompt; `values` are the given arguments that are not blank, with invisible characters made visible. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  required: readonly PromptArgument[];
  optional: readonly PromptArgument[];
  /** Text of at most 300 tokens without the values. Throws RangeError for a value of another kind. */
  write: (values: Readonly<Record<string, string>>) => string;
}

/** Marks each line of a text as quoted, so that none reads as an instruction. */
export function quote(text: string): string {
  return text.replace(/^/gm, '> ');
}

/** Value as an argument of a tool. */
export const literal = (text: string): string => JSON.stringify(text);
