/** Document of `conflicts`. */
import * as s from '../../params/shape.js';
import { edgeKind, header, line, some } from '../graph/output-parts.js';
import { count, oid } from '../output-parts.js';

const change = s
  .enum(['added', 'removed', 'signature', 'body', 'doc'])
  .describe('Since the two parted: what changed most, of its declaration, body and comment.');

const conflict = s.object({
  path: s.string(),
  kind: s.string().describe("git's word: contents, modify/delete, rename/delete, file location…"),
  symbols: s.array(s.string()).describe('Symbols of the file that both sides change.'),
});

const sharedSymbol = s.object({
  path: s.string(),
  symbol: s.string(),
  kind: s.string(),
  line: line.nullable().describe('On this side; null where it is removed.'),
  mine: change,
  theirs: change,
});

const use = s.object({
  path: s.string(),
  line,
  symbol: s
    .string()
    .nullable()
    .describe('Symbol that this side changes and that has the use; null outside of symbols.'),
  use: edgeKind,
  target: s
    .object({
      path: s.string(),
      symbol: s.string(),
      change,
      was: s.string().nullable().describe('Declaration when the two parted; untrusted repository content.'),
      now: s.string().nullable().describe('Declaration on the other side; null where it is gone or unknown.'),
    })
    .describe('Symbol that the other side changes.'),
});

const branch = s.object({
  name: s.string().describe('Branch; path of a work tree with a detached HEAD or uncommitted changes.'),
  kind: s.enum(['branch', 'remote', 'worktree', 'commit']),
  alias: s.array(s.string()).describe('Other branches at the same commit.'),
  commit: oid,
  base: oid.nullable().describe('Commit at which the two parted; null where this clone has none.'),
  uncommitted: count.describe('Files of the work tree that are not committed, and are compared.'),
  overlap: s.enum(['merge', 'symbols', 'uses', 'unknown', 'none']).describe('The worst that was found.'),
  files: s.object({ mine: count, theirs: count, both: count }).describe('Files changed since they parted.'),
  merge: some(conflict).describe('Files that git cannot merge by itself.'),
  symbols: some(sharedSymbol).describe('Symbols that both sides change in different ways; all of them may merge.'),
  uses: some(use).describe('Uses in what this side changes, of what the other side changes.'),
  unknown: s.array(s.string()).describe('Reasons why something could not be compared.'),
});

export const conflictsSchema = s.object({
  ...header,
  uncommitted: count.describe('Uncommitted files of this side that are compared.'),
  unknown: s.array(s.string()).describe('Reasons why something of this side could not be read.'),
  compared: count.describe('Branches and work trees that were compared.'),
  clean: count.describe('Of these, those with nothing in common, which are not listed.'),
  maxAge: count.describe('Days.'),
  leftOut: s.object({
    merged: count.describe('Branches that bring nothing new.'),
    old: count.describe('Branches older than `maxAge`, counted back from the newest commit of all.'),
    contained: count.describe('Remote branches behind the local branch that follows them.'),
    beyond: count.describe('Branches beyond the number that is compared, the oldest.'),
    files: count.describe('Files whose symbols were not compared because there are too many.'),
  }),
  branches: some(branch).describe('The worst first.'),
});

export type ConflictsDocument = s.Infer<typeof conflictsSchema>;
export type BranchOverlap = s.Infer<typeof branch>;
export type SharedSymbol = s.Infer<typeof sharedSymbol>;
export type SharedUse = s.Infer<typeof use>;
export type ChangeWord = s.Infer<typeof change>;
