/** Relations of HTML and CSS: scripts, style sheets and what else a page loads, and `@import`. */
import type { FactSink, RelationRules } from '../roles/relations.js';

const TAG = /<!--|<(script|link|style)\b([^<>]{1,2000})>/gi;
const SOURCE = /(?:^|\s)src\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const TARGET = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
const LOADS = /(?:^|\s)rel\s*=\s*["']?[^"'>]*(?:stylesheet|preload|prefetch|icon|manifest|import)/i;
/** Written by a template engine, or no file at all. */
const NO_FILE = /\{\{|<%|\$\{|^#|^(?:data|javascript|about|blob):|^$/i;

/** Path that a tag with these attributes loads, null for none. */
export function loadedBy(tag: string, attributes: string): string | null {
  const isLink = tag.toLowerCase() === 'link';
  if (isLink && !LOADS.test(attributes)) return null;
  const match = (isLink ? TARGET : SOURCE).exec(attributes);
  const path = (match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim();
  return NO_FILE.test(path) ? null : path;
}

function text(sink: FactSink): void {
  const { source } = sink;
  TAG.lastIndex = 0;
  for (let match = TAG.exec(source); match !== null; match = TAG.exec(source)) {
    const [all, tag, attributes] = match;
    if (tag === undefined) {
      const close = source.indexOf('-->', match.index);
      if (close === -1) return;
      TAG.lastIndex = close;
      continue;
    }
    const loaded = loadedBy(tag, attributes);
    if (loaded !== null) sink.import(match.index, match.index + all.length, 'import', loaded);
  }
}

export const html: RelationRules = {
  lexical: { joins: [], quotes: '"\'', lineComments: [], blockComment: ['<!--', '-->'] },
  nodes: {},
  text,
};

const IMPORT = /^@import\s+(?:url\(\s*)?(?:"([^"\n]+)"|'([^'\n]+)'|([^\s"');]+))/i;

export const css: RelationRules = {
  lexical: { joins: [], quotes: '"\'', lineComments: [], blockComment: ['/*', '*/'] },
  nodes: {
    import_statement: ({ start, end, text }, sink) => {
      const match = IMPORT.exec(text);
      const specifier = match?.[1] ?? match?.[2] ?? match?.[3];
      if (specifier !== undefined) sink.import(start, end, 'import', specifier);
    },
  },
};
