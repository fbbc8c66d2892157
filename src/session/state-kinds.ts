/** Kinds of local state beside shards, vectors and overlays: what each holds, how many of its files stay, and the version of its content. */
import type { StateKind } from '../base/cache.js';
import { LINK_VERSION } from '../graph/tables.js';

const MIB = 1 << 20;

/** Commits, and the lines and the symbols that they changed. */
export const COMMITS: StateKind = { name: 'commits', version: 1 };
export const LINES: StateKind = { name: 'lines', version: 1 };
export const SYMBOLS: StateKind = { name: 'symbols', version: 2 };
/** Sizes of the records of notes refs. */
export const SIZES: StateKind = { name: 'notes', version: 1 };
/** Facts of documents. `session/documents.ts` adds the version of their reader. */
export const DOCUMENTS = { name: 'documents' };
/** The tags of a snapshot as committed. */
export const TAGS: StateKind = { name: 'tags', version: 1 };
/** The list of tasks, the last answers of `graph blame`, the breaks of pairs of branches, and what git says of merges of two commits. */
export const TASKS: StateKind = { name: 'tasks', version: 2 };
export const BLAMES: StateKind = { name: 'blames', version: 1 };
export const PLANS: StateKind = { name: 'plans', version: 2 };
export const MERGES: StateKind = { name: 'merges', version: 1 };
/** Trigrams that each blob has, for `grep`. */
export const TRIGRAMS: StateKind = { name: 'trigrams', version: 1 };

/** Corpora of snapshots: one for each branch or tag that a person switches between. A view takes some hundred bytes per file. */
export const VIEWS: StateKind = { name: 'view', version: 1, files: 12 };
/** Files that use each name in the latest view. */
export const USES: StateKind = { name: 'uses', version: 1 };
/** Snapshots without a ref, with the shards that no other file holds. Their size is limited by that of the index. */
export const PAST: StateKind = { name: 'past', version: 1, files: 4 };

/** Subjects and messages of the commits before a snapshot, of as many as there are views. */
export const SUBJECTS: StateKind = { name: 'subjects', version: 1, files: 12, bytes: 64 * MIB };
export const MESSAGES: StateKind = { name: 'messages', version: 1, files: 12, bytes: 64 * MIB };
/** States of the summaries that models wrote, of which few are looked at. */
export const SUMMARIES: StateKind = { name: 'summaries', version: 1, files: 4, bytes: 32 * MIB };

const graphs = { version: LINK_VERSION, folder: 'graphs' };
/** Graphs of committed snapshots, and what the next graph is linked from: one such memory serves any branch. */
export const GRAPHS: StateKind = { ...graphs, name: 'graph', files: 6, bytes: 256 * MIB, isClaimed: true };
export const MEMORIES: StateKind = { ...graphs, name: 'memory', files: 3, bytes: 128 * MIB };
/** Graphs of snapshots with uncommitted files. */
export const WORK: StateKind = { ...graphs, name: 'work', files: 3, bytes: 96 * MIB };
/** Declarations that linked repositories can use of each other. */
export const LINKED: StateKind = { ...graphs, name: 'linked', files: 3, bytes: 32 * MIB };
export const GRAPH_KINDS = [GRAPHS, MEMORIES, WORK, LINKED];
