/** What a prompt is: a job for which the tools are named in the order that costs least. */

export interface PromptArgument {
  name: string;
  description: string;
  /** Characters at most. */
  max: number;
}

/** `values`: the arguments that were given and are not blank, with what is invisible in them made visible. */
export interface Prompt {
  name: string;
  title: string;
  description: string;
  required: readonly PromptArgument[];
  optional: readonly PromptArgument[];
  /** At most 300 tokens without the values. Throws RangeError for a value that is none of its kind. */
  write: (values: Readonly<Record<string, string>>) => string;
}

/** Text that stands for itself, whatever it says: each of its lines is marked. */
export function quote(text: string): string {
  return text.replace(/^/gm, '> ');
}

/** As an argument of a tool. */
export const literal = (text: string): string => JSON.stringify(text);
