/** All languages, by id. Light: rules are loaded by `rules.ts`, import resolution by `resolver.ts`. */
import * as c from './c/index.js';
import { csharp } from './csharp/index.js';
import { dart } from './dart/index.js';
import * as data from './data/index.js';
import * as ecmascript from './ecmascript/index.js';
import { elixir } from './elixir/index.js';
import { go } from './go/index.js';
import { haskell } from './haskell/index.js';
import { LANGUAGE_IDS, type LanguageId } from './ids.js';
import * as jvm from './jvm/index.js';
import type { Language } from './language.js';
import { lua } from './lua/index.js';
import { NAMED_ONLY } from './named-only.js';
import { php } from './php/index.js';
import { python } from './python/index.js';
import type { Conventions } from './roles/conventions.js';
import { type Semantics, semantics } from './roles/semantics.js';
import { ruby } from './ruby/index.js';
import { rust } from './rust/index.js';
import { bash } from './shell/index.js';
import { sql } from './sql/index.js';
import { swift } from './swift/index.js';
import * as web from './web/index.js';

export { LANGUAGE_IDS, type LanguageId } from './ids.js';
export type { Language } from './language.js';

const { ECMASCRIPT_SEMANTICS: _, ...SCRIPTS } = ecmascript;
/** The compiler checks that every id has its declaration. */
const DECLARED: Readonly<Record<LanguageId, Language>> = {
  ...NAMED_ONLY,
  ...{ ...c, ...data, ...SCRIPTS, ...jvm, ...web },
  ...{ bash, csharp, dart, elixir, go, haskell, lua, php, python, ruby, rust, sql, swift },
};

const BY_ID = new Map<string, Language>(LANGUAGE_IDS.map((id) => [id, DECLARED[id]]));

/** The language of files that nothing else is known of. */
export const PLAIN_TEXT: LanguageId = 'text';

/** In the order of their ids. */
export function allLanguages(): Iterable<Language> {
  return BY_ID.values();
}

/** Undefined for what is no language id: ids in records and settings can be anything. */
export function languageOf(id: string): Language | undefined {
  return BY_ID.get(id);
}

/** Adds a language, after all others. Tests add made-up ones; ids of real languages are in `ids.ts`. */
export function register(language: Omit<Language, 'id'> & { id: string }): void {
  if (BY_ID.has(language.id)) throw new Error(`the language ${language.id} exists`);
  BY_ID.set(language.id, language as Language);
}

const NO_CONVENTIONS: Conventions = {};

export function conventionsOf(id: string): Conventions {
  return BY_ID.get(id)?.conventions ?? NO_CONVENTIONS;
}

/** Languages without semantics of their own are linked within each file. */
export function semanticsOf(id: string): Semantics {
  return BY_ID.get(id)?.semantics ?? semantics({ family: id });
}

/** True if two languages use each other's definitions. */
export function sameFamily(id: string, other: string): boolean {
  return id === other || familyOf(id) === familyOf(other);
}

function familyOf(id: string): string {
  return BY_ID.get(id)?.semantics?.family ?? id;
}

/** True if imports and uses are collected from files of that language. Of other files a graph only knows that they exist. */
export function hasRelations(id: string): boolean {
  return BY_ID.get(id)?.relations ?? false;
}
