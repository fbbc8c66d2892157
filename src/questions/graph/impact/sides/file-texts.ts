/** Texts and facts of files of a graph, for what the graph alone cannot prove. */
import type { BlobFacts } from '../../../../extract/facts.js';
import type { Graph } from '../../../../graph/graph.js';
import { type Mention, mentionsOf } from '../../../../graph/sides/mentions.js';
import { languageOf } from '../../../../languages/registry.js';
import type { LexicalConventions } from '../../../../languages/roles/relations.js';
import { loadRules, rulesOf } from '../../../../languages/rules.js';
import type { BlobFactsSource } from '../../../../session/blob-facts.js';

/** Most files that are read: a change that needs more is told by the graph alone. */
const MAX_FILES = 1_000;

export class FileText {
  private readonly known = new Map<string, Mention[]>();

  constructor(
    readonly bytes: Buffer,
    readonly facts: BlobFacts,
    readonly lexical: LexicalConventions,
  ) {}

  private decoded: string | null = null;

  get text(): string {
    this.decoded ??= this.bytes.toString('utf8');
    return this.decoded;
  }

  mentions(name: string): readonly Mention[] {
    let found = this.known.get(name);
    if (found === undefined) {
      found = mentionsOf(this.text, name, this.lexical);
      this.known.set(name, found);
    }
    return found;
  }
}

export class FileTexts {
  private readonly known = new Map<number, FileText>();

  constructor(
    private readonly graph: Graph,
    private readonly source: BlobFactsSource,
  ) {}

  /** Reads files that were parsed as a whole; the rest stay unknown. */
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

/** Of a file with scripts those of its scripts. */
function lexicalOf(language: string): LexicalConventions | undefined {
  const [script] = languageOf(language)?.scripts ?? [];
  return (
    rulesOf(language).relations?.lexical ?? (script === undefined ? undefined : rulesOf(script).relations?.lexical)
  );
}
