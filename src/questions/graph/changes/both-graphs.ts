/** The start of questions about a change: the graphs before and after it, and the texts of the files of one graph (`FileTexts`). */
import { resolve } from 'node:path';
import { isSocraticodeError, SocraticodeError } from '../../../base/errors.js';
import { getOrMake, lineAt, lineStarts } from '../../../base/lists.js';
import type { BlobFacts } from '../../../extract/facts.js';
import type { Graph } from '../../../graph/graph.js';
import { languageOf, loadRules, rulesOf } from '../../../languages/registry.js';
import type { LexicalConventions } from '../../../languages/roles/relations.js';
import { isNameCode, skipOpaque } from '../../../languages/roles/scan.js';
import type { BlobFactsSource } from '../../../session/blob-facts.js';
import type { PreparedGraph } from '../../../session/graph/graphs.js';
import { mergeBase, type Range } from '../../../session/snapshot/target.js';
import type { Asker } from '../../asker.js';
import { type GraphAndHeader, prepareGraph } from '../snapshot-graph.js';

export interface BothGraphs {
  /** Graph before the change; null if nothing is committed yet. */
  before: PreparedGraph | null;
  /** Graph after the change. */
  after: GraphAndHeader;
  /** Ref of the graph before the change as the user named it, with its commit. For `A...B` this is the merge base. */
  from: { ref: string; commit: string | null };
  /** True if the graph after the change is that of the work tree, with its uncommitted changes. */
  isWorkTree: boolean;
}

/**
 * Prepares the graph after the change first: it is linked most of the time, and the older one is then linked from it,
 * which costs only the files that differ. `range` null means the uncommitted changes; with `staged` those in the index.
 * Throws UNKNOWN_REF, and BAD_ARGUMENT if the work tree is requested and there is none.
 */
export async function prepareBothGraphs(
  at: Asker,
  range: Range | null,
  values: { ref?: string; committed?: boolean; staged?: boolean } = {},
): Promise<BothGraphs> {
  const { session, signal } = at;
  const { committed, staged = false } = values;
  if (range === null && session.repository.workTree === null) {
    throw new SocraticodeError('BAD_ARGUMENT', 'this repository has no work tree, so nothing in it is uncommitted', {
      hint: 'Name a range like main..feature.',
    });
  }
  const ref = staged ? await stagedTree(at) : (values.ref ?? range?.to);
  const after = await prepareGraph(at, { ref, committed });
  const isWorkTree = ref === undefined && committed !== true;
  if (range === null && !staged && after.origin.resolved.commit === null)
    return { before: null, after, from: { ref: 'HEAD', commit: null }, isWorkTree };
  const { from = 'HEAD', to = 'HEAD', symmetric = false } = range ?? {};
  const name = symmetric ? await mergeBase(session, from, to) : from;
  // A commit, not a branch: the graph of HEAD is the committed one, whatever the work tree holds.
  const { commit, tree } = await headOr(session, name, staged);
  const { graphsOf } = await import('../../../session/graph/graphs.js');
  const before = tree === null ? null : await graphsOf(session).prepare({ ref: commit ?? tree, signal });
  if (staged) after.header.ref = 'the index';
  return { before, after, from: { ref: from, commit }, isWorkTree };
}

async function stagedTree({ session, directory, command }: Asker): Promise<string> {
  const { gitConfig, repository } = session;
  // In a hook of `git commit -a` and `git commit FILE`, git names the index of the new commit. As with GIT_DIR, a
  // directory that the user named has precedence.
  const index = directory === undefined ? command?.io.env.GIT_INDEX_FILE : undefined;
  const git = index ? repository.git.withEnvironment({ GIT_INDEX_FILE: resolve(index) }) : repository.git;
  const { withoutLocalFilters, writeStagedTree } = await import('../../../git/repository.js');
  // Writing a tree runs files through their filters if they may have changed within one tick of the clock.
  return writeStagedTree(git.withConfig(withoutLocalFilters(gitConfig)));
}

/** HEAD; before the first commit staged changes are compared with the empty tree. */
async function headOr({ objects }: Asker['session'], name: string, staged: boolean) {
  try {
    return await objects.resolve(name);
  } catch (error) {
    if (!staged || !isSocraticodeError(error, 'UNBORN_HEAD')) throw error;
    return { commit: null, tree: null };
  }
}

/** Throws BAD_ARGUMENT if staged changes are requested together with a range. */
export function checkStaged(
  { staged, committed, ref }: { staged?: boolean; committed?: boolean; ref?: string },
  target: string,
): void {
  if (!staged || (target === '' && !committed && ref === undefined)) return;
  throw new SocraticodeError('BAD_ARGUMENT', 'what is staged is compared with HEAD, so nothing else can be named', {
    hint: 'Leave out the range, the ref and what leaves uncommitted files out, or ask for something else than what is staged.',
  });
}

// Texts and facts of files.

/** Maximum number of files that are read; a larger change is judged by the graph alone. */
const MAX_FILES = 1_000;

/** A completely parsed file. */
export class FileText {
  private readonly known = new Map<string, Mention[]>();
  private decoded: string | null = null;

  constructor(
    readonly bytes: Buffer,
    readonly facts: BlobFacts,
    readonly lexical: LexicalConventions,
  ) {}

  get text(): string {
    this.decoded ??= this.bytes.toString('utf8');
    return this.decoded;
  }

  /** Places of a name outside of comments and strings, in order. */
  mentions(name: string): readonly Mention[] {
    return getOrMake(this.known, name, () => mentionsOf(this.text, name, this.lexical));
  }
}

/** Texts of the files of a graph, by their numbers in it. `get` finds those that `load` has read. */
export class FileTexts {
  private readonly known = new Map<number, FileText>();

  constructor(
    private readonly graph: Graph,
    private readonly source: BlobFactsSource,
  ) {}

  /** Reads completely parsed files; the others stay unknown. */
  async load(files: Iterable<number>): Promise<void> {
    const { files: listed } = this.graph.tables;
    const wanted = new Map<string, number>();
    for (const file of files) {
      if (this.known.has(file) || listed[file].state !== 'linked' || this.known.size + wanted.size >= MAX_FILES)
        continue;
      wanted.set(`${listed[file].oid} ${listed[file].path}`, file);
    }
    const versions = [...wanted.values()].map((file) => listed[file]);
    await Promise.all([...new Set(versions.map(({ language }) => language))].map(loadRules));
    await this.source.prefetch(versions, undefined, ({ oid, path }, facts, bytes) => {
      const file = wanted.get(`${oid} ${path}`);
      const lexical = file === undefined ? undefined : lexicalOf(listed[file].language);
      if (file === undefined || facts === null || bytes === null || lexical === undefined) return;
      if (!this.source.degraded.has(oid)) this.known.set(file, new FileText(bytes, facts, lexical));
    });
  }

  get(file: number): FileText | undefined {
    return this.known.get(file);
  }
}

/** Lexical conventions of a language; those of its scripts for a file with scripts. */
function lexicalOf(language: string): LexicalConventions | undefined {
  const [script] = languageOf(language)?.scripts ?? [];
  return (
    rulesOf(language).relations?.lexical ?? (script === undefined ? undefined : rulesOf(script).relations?.lexical)
  );
}

// Mentions of a name outside of comments and strings, which may bind it where the facts say nothing.

interface Mention {
  /** Line, 1-based. */
  line: number;
  /** True after a dot, or what the language writes for one. */
  isMember: boolean;
  /** True if it gets a value or a type, or is declared as one: `name =`, `name :=`, `as name`. */
  isBound: boolean;
}

/** Mentions of a name as a whole word. */
function mentionsOf(text: string, name: string, lexical: LexicalConventions): Mention[] {
  if (name === '' || !text.includes(name)) return [];
  const found: Mention[] = [];
  const extra = lexical.nameExtra ?? '';
  const lines = lineStarts(text);
  for (let at = 0; at < text.length; ) {
    if (!isNameCode(text.charCodeAt(at), extra)) {
      at = skipOpaque(text, at, text.length, lexical);
      continue;
    }
    let end = at + 1;
    while (end < text.length && isNameCode(text.charCodeAt(end), extra)) end++;
    if (end - at === name.length && text.startsWith(name, at)) {
      found.push({
        line: lineAt(lines, at),
        isMember: MEMBER.test(text.slice(Math.max(0, at - LOOK), at)),
        isBound: isBound(text, at, end),
      });
    }
    at = end;
  }
  return found;
}

/** Code units before and after a name that show how it is used. */
const LOOK = 24;
const MEMBER = /(?:\.|->|::)\s*$/;
const GIVEN = /^\s*(?::?=(?![=>~])|:(?!:)|\?:)/;
const DECLARED = /\b(?:as|function|class|def|func|fn|fun|const|let|var|val|type|interface|enum|struct|trait|for)\s+$/;

function isBound(text: string, at: number, end: number): boolean {
  return GIVEN.test(text.slice(end, end + LOOK)) || DECLARED.test(text.slice(Math.max(0, at - LOOK), at));
}
