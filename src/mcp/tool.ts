/** Tools as the server holds them: made from declarations of questions (`question-tool`). */
import type { Field } from '../params/read.js';
import type { ObjectShape } from '../params/shape.js';
import type { HostModel } from '../questions/asker.js';
import type { FleetAsking } from '../questions/fleet/asking.js';
import { type Effect, TOOLSETS, type Toolset } from '../questions/question.js';
import type { Project } from '../serve/project.js';
import type { Projects } from '../serve/projects.js';

export { TOOLSETS, type Toolset };

export interface ToolCall {
  /** The repository that `projectPath` names, or the server's own: opened when first asked for. */
  project: () => Promise<Project>;
  projects: Projects;
  /** Set in a fleet's server, which has no projects: the answers that this client may have. */
  fleet?: FleetAsking;
  /** Aborts when the client cancels the request or goes away. */
  signal: AbortSignal;
  /** Sends a progress notification if the client asked for them. `total`: null where it is not known. */
  progress: (done: number, total: number | null, message: string) => void;
  /** The client's model, where the client offers it. */
  model?: HostModel;
  /** First entry of each list that is wanted: from the cursor, else 0. Lists are cut after the answer. */
  skip: number;
}

/** A document, and its text: of the whole, or of the part that a page shows. */
export interface Answered {
  document: object;
  write: (shown: object) => string;
}

export interface Tool {
  name: string;
  title: string;
  toolset: Toolset;
  description: string;
  effect: Effect;
  /** Reaches beyond this machine (a remote, an embedder). */
  openWorld?: boolean;
  /** Parameters by the names that agents use, in the order in which they are listed. */
  fields: readonly Field[];
  /** Parameters of the question that agents are not offered: what only they ask for is in no answer. */
  unoffered: ReadonlySet<string>;
  /** Schema of `structuredContent`, without the fields that paging adds. */
  output: () => Promise<ObjectShape>;
  /** Tokens of a reply where none are asked for. */
  maxTokens: number;
  /** Entries of a page where the document does not count the rest: one more is asked for, to tell whether there is any. */
  limit?: (input: Readonly<Record<string, unknown>>) => number;
  /** `input` by the names of the declaration, checked. */
  answer: (input: Record<string, unknown>, call: ToolCall) => Promise<Answered>;
}
