/** Makes all pairs of one file. */
import { languageOf } from '../../../src/languages/registry.js';
import { PAIRS } from '../recipe.js';
import { headingPairs } from './headings.js';
import { inlinePairs } from './inline.js';
import { codeOf, docPairs, isTest, namePairs, nameWords } from './names.js';
import { messagePairs, pathPairs } from './paths.js';
import { readSource } from './source.js';
import { testPairs } from './tests.js';
import { type Draft, type FilePairs, hashOf, type Source } from './types.js';

/**
 * Makes the pairs of a file. The result depends on path, bytes and language only. `loadAllRules` must have been called.
 */
export function makePairs(path: string, bytes: Uint8Array, language: string): FilePairs {
  const source = readSource(path, bytes, language);
  const result: FilePairs = { pairs: [], functions: [], tests: [] };
  if (source === null) return result;
  if (!source.test) result.functions = functionsOf(source);
  const seen = new Set<string>();
  for (const { kind, query, code, subject } of draftsOf(source)) {
    const key = `${kind}\n${query}\n${code}`;
    if (seen.has(key) || code.includes('\u0000')) continue;
    seen.add(key);
    const pair = { kind, language, file: path, query, code };
    result.pairs.push(pair);
    if (subject !== undefined) result.tests.push({ subject, pair });
  }
  return result;
}

/** Functions that a test may be about. */
function functionsOf(source: Source): [string, string][] {
  return source.definitions
    .filter(({ kind }) => /^(?:function|method|class|struct)$/.test(kind))
    .map((definition) => ({ name: definition.name, code: codeOf(source, definition) }))
    .filter(({ name, code }) => name.length >= 6 && code.length >= 100 && !isTest(name, code))
    .map(({ name, code }): [string, string] => [nameWords(name), code]);
}

function draftsOf(source: Source): Draft[] {
  const plain = languageOf(source.language)?.plain;
  if (plain === 'text') return headingPairs(source);
  if (plain === 'data') return inlinePairs(source);
  const aboutCode = [...docPairs(source), ...namePairs(source), ...pathPairs(source)];
  const kept = source.test
    ? aboutCode.filter(({ code, query }) => hashOf(query + code) % PAIRS.oneInTestFile === 0)
    : aboutCode;
  const headings = source.language === 'perl' ? headingPairs(source) : [];
  return [...kept, ...inlinePairs(source), ...testPairs(source), ...messagePairs(source), ...headings];
}
