/** Structural search of `grep --ast`: files are parsed and searched in parser children, which may be killed. */
import { SocraticodeError } from '../../base/errors.js';
import { lineAt, lineStarts } from '../../base/lists.js';
import { type TreeMatch, type TreeSearch, wordsOf } from '../../extract/structural-search.js';
import { languageOfPath } from '../../indexer/catalog.js';
import { ParserPool } from '../../indexer/parser-pool.js';
import { languageOfContent } from '../../languages/detect.js';
import { allLanguages, languageOf } from '../../languages/registry.js';
import { endOfLine, startOfLine } from '../../search/grep/hits.js';
import { trigramsOf } from '../../search/grep/trigrams.js';
import type { Session } from '../session.js';
import { type Finder, type FoundHit, type GrepFile, type GrepFiles, NOT_PARSED } from './files.js';

export interface StructuralPattern {
  ast: string;
  /** Ids of the languages to search; default: every language of code that can read the pattern. */
  languages?: readonly string[];
}

/** Reason why a file is not searched. */
const OTHER_LANGUAGE = 'other-language';

/** The caller must call `close`. Throws BAD_ARGUMENT if no language can read the pattern. */
export async function structuralFinder(
  session: Session,
  pattern: StructuralPattern,
  { files, origin }: GrepFiles,
): Promise<Finder> {
  const overrides = (await session.configOfOrigin(origin)).config.languages;
  const pool = new ParserPool();
  const ask = (language: string, bytes: Uint8Array) => search(pool, { language, bytes, pattern: pattern.ast });
  try {
    const readable = await languagesFor(pattern, candidates(pattern, files, overrides), ask);
    const words = wordsOf(pattern.ast);
    const need = words.length === 0 ? null : { all: words.map((text) => ({ text })) };
    return {
      skips(file) {
        const language = languageOfPath(file.path, overrides);
        return language === null || readable.has(language) ? null : OTHER_LANGUAGE;
      },
      trigrams: trigramsOf({ need, ignoreCase: true }),
      mayMatch: () => true,
      async hits(text, file, bytes) {
        const language = languageOfPath(file.path, overrides) ?? languageOfContent(bytes);
        if (!readable.has(language)) return OTHER_LANGUAGE;
        const lower = text.toLowerCase();
        if (words.some((word) => !lower.includes(word.toLowerCase()))) return [];
        const found = await ask(language, bytes);
        return found !== null && 'matches' in found ? hitsAt(text, found.matches) : NOT_PARSED;
      },
      close: () => pool.stop(),
    };
  } catch (error) {
    pool.stop();
    throw error;
  }
}

/** Returns the requested languages, or those of the snapshot that have a grammar, the most frequent first. */
function candidates(
  { languages }: StructuralPattern,
  files: readonly GrepFile[],
  overrides: Readonly<Record<string, string>>,
): string[] {
  const hasGrammar = (id: string) => languageOf(id)?.grammar !== undefined;
  if (languages !== undefined) {
    const unknown = languages.find((id) => !hasGrammar(id));
    if (unknown === undefined) return [...languages];
    const known = [...allLanguages()].filter(({ grammar }) => grammar !== undefined).map(({ id }) => id);
    throw new SocraticodeError('BAD_ARGUMENT', `${JSON.stringify(unknown)} is no language with a grammar`, {
      hint: `Languages: ${known.join(', ')}`,
    });
  }
  const found = new Map<string | null, number>();
  for (const { path } of files) {
    const language = languageOfPath(path, overrides);
    found.set(language, (found.get(language) ?? 0) + 1);
  }
  // The language of some files shows only in their content.
  if (found.delete(null))
    for (const { id, interpreters, contentStart, sharedExtensions } of allLanguages())
      if ((interpreters || contentStart || sharedExtensions) && !found.has(id)) found.set(id, 0);
  // A language of prose or data reads nearly any pattern as text.
  const isCode = (id: string) => hasGrammar(id) && languageOf(id)?.plain === 'code';
  const byFiles = [...(found as Map<string, number>)].sort((a, b) => b[1] - a[1]);
  return byFiles.map(([id]) => id).filter(isCode);
}

type Ask = (language: string, bytes: Uint8Array) => Promise<TreeSearch | null>;

async function languagesFor(
  { ast, languages }: StructuralPattern,
  requested: readonly string[],
  ask: Ask,
): Promise<ReadonlySet<string>> {
  const verdicts = await Promise.all(requested.map((language) => ask(language, new Uint8Array())));
  const readable = requested.filter((_, i) => 'matches' in (verdicts[i] ?? {}));
  if (readable.length > 0 || requested.length === 0) return new Set(readable);
  const reasons = requested.map((language, i) => {
    const verdict = verdicts[i];
    return `${language}: ${verdict !== null && 'fault' in verdict ? verdict.fault : 'its parser failed'}`;
  });
  const whose = languages === undefined ? 'no language of this snapshot' : 'none of these languages';
  throw new SocraticodeError('BAD_ARGUMENT', `${whose} can read the pattern ${JSON.stringify(ast.slice(0, 200))}`, {
    hint: `A pattern is one whole expression, statement or definition. ${reasons.slice(0, 5).join('; ')}`,
  });
}

interface Request {
  language: string;
  bytes: Uint8Array;
  pattern: string;
}

/** Returns null if the parser crashed or took too long. */
async function search(pool: ParserPool, request: Request): Promise<TreeSearch | null> {
  const outcome = await pool.parse({ oid: '', ...request });
  return 'record' in outcome ? JSON.parse(Buffer.from(outcome.record).toString('utf8')) : null;
}

/** Converts matches, which come in the order of their starts. */
function hitsAt(text: string, matches: readonly TreeMatch[]): FoundHit[] {
  const lines = lineStarts(text);
  return matches.map((match) => {
    const last = Math.max(match.start, match.end - 1);
    return {
      line: lineAt(lines, match.start),
      endLine: lineAt(lines, last),
      start: startOfLine(text, match.start),
      end: endOfLine(text, last),
      match,
    };
  });
}
