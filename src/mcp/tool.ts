/** What a tool is: its schemas, what it does, how its answer reads. */
import type { z } from 'zod';
import type { Project } from '../serve/project.js';
import type { Projects } from '../serve/projects.js';

export const TOOLSETS = ['core', 'graph', 'history', 'context', 'admin'] as const;
export type Toolset = (typeof TOOLSETS)[number];

/** What a tool does to the repository: nothing; brings its index up to date; deletes. Becomes its annotations. */
export type Effect = 'reads' | 'writes' | 'deletes';

export interface ToolCall {
  /** The repository that `projectPath` names, or the server's own: opened when first asked for. */
  project: () => Promise<Project>;
  projects: Projects;
  /** Aborts when the client cancels the request or goes away. */
  signal: AbortSignal;
  /** Sends a progress notification if the client asked for them. `total`: null where it is not known. */
  progress: (done: number, total: number | null, message: string) => void;
  /** First entry of each list that is wanted: what the cursor says, else 0. Lists are cut after `run`. */
  skip: number;
}

/** `Document`: what `structuredContent` holds, without what paging adds. */
export interface Tool<Input, Document extends object> {
  name: `codebase_${string}`;
  title: string;
  toolset: Toolset;
  /** One or two sentences: what it answers, and when to prefer another tool. Never text of a repository. */
  description: string;
  effect: Effect;
  /** Reaches beyond this machine (a remote, an embedder). */
  openWorld?: boolean;
  /** Checks the arguments; parameters that every tool has (`inputs.ts`) included. */
  input: z.ZodType<Input>;
  /** The contract of the engine's document: the same as of the command's `--json`. */
  output: z.ZodType<Document>;
  /** Tokens of a reply where none are asked for. */
  maxTokens: number;
  /** Entries of a page where the document does not count the rest: `run` asks for one more than that, to tell if there is any. */
  limit?: (input: Input) => number;
  run: (input: Input, call: ToolCall) => Promise<Document>;
  /** Compact text of what is shown of the document: at most 60% of its JSON. `skip` as in the call. */
  render: (document: Document, input: Input, skip: number) => string;
}

/** A tool as tables hold it. */
// biome-ignore lint/suspicious/noExplicitAny: input and document belong together inside a tool only.
export type AnyTool = Tool<any, any>;

/** Lets the compiler check a tool by its own types. */
export function defineTool<Input, Document extends object>(tool: Tool<Input, Document>): AnyTool {
  return tool;
}
