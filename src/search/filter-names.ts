/** Languages and kinds of a filter, by the names that people use for them. Loaded where a filter has some. */
import { SocraticodeError } from '../base/errors.js';
import { nearest } from '../base/nearest.js';
import { kindMeant } from '../languages/roles/symbol-kinds.js';
import { languagesMeant, nearestLanguage } from '../languages/spoken-names.js';
import { CHUNK_KINDS } from '../shard/lexical-format.js';
import type { SearchFilter } from './filter.js';

/** The filter with ids of languages and kinds in place of names. Throws BAD_ARGUMENT for a word that names none. */
export function withIds<F extends Pick<SearchFilter, 'lang' | 'kind'>>(filter: F): F {
  const { lang, kind } = filter;
  return { ...filter, lang: lang?.flatMap(languageIds), kind: kind?.map(kindId) };
}

function languageIds(word: string): readonly string[] {
  const ids = languagesMeant(word);
  if (ids.length > 0) return ids;
  const near = nearestLanguage(word);
  const hint =
    near === null ? 'Languages go by ids and usual names: python, py, c++, golang.' : `Did you mean ${near}?`;
  throw new SocraticodeError('BAD_ARGUMENT', `unknown language: ${word}`, { hint });
}

function kindId(word: string): string {
  const kind = kindMeant(word);
  if ((CHUNK_KINDS as readonly string[]).includes(kind)) return kind;
  throw unknownKind(word, CHUNK_KINDS);
}

/** The failure for a word that is none of `kinds`. */
export function unknownKind(word: string, kinds: readonly string[]): SocraticodeError {
  const near = nearest(word, kinds);
  const meant = near === null ? '' : `Did you mean ${near}? `;
  return new SocraticodeError('BAD_ARGUMENT', `unknown kind: ${word}`, { hint: `${meant}Kinds: ${kinds.join(', ')}` });
}
