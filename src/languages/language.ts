/**
 * The role of a language: everything that the rest of the program may know about it. A language is one declaration in the
 * `index.ts` of its folder. The declaration is data and is always loaded, so it must stay light: what parsing and linking need
 * is loaded by the functions `rules`, `imports` and `programs` when a file of the language turns up.
 */
import type { LanguageId } from './ids.js';
import type { Conventions } from './roles/conventions.js';
import type { DefinitionRules } from './roles/definitions.js';
import type { DocumentReader, SectionRules } from './roles/documents.js';
import type { ImportRules } from './roles/imports.js';
import type { PackageRules } from './roles/packages.js';
import type { ProgramsReader } from './roles/programs.js';
import type { BraceRules, RelationRules, TemplateRules } from './roles/relations.js';
import type { Semantics } from './roles/semantics.js';
import type { PlainChunkKind } from './roles/symbol-kinds.js';

export interface Language {
  id: LanguageId;
  /** Kind of chunks that no symbol claims. */
  plain: PlainChunkKind;
  /** Extensions without the dot, lower case. */
  extensions: readonly string[];
  /** Whole file names, lower case. */
  names?: readonly string[];
  /** Whole file names with a variable part, lower case: `Dockerfile.dev`, `.env.local`. */
  namePattern?: RegExp;
  /** Programs in a `#!` line, without version numbers. */
  interpreters?: readonly string[];
  /** Matches the first bytes of its files, where neither name nor interpreter tells. */
  contentStart?: RegExp;
  /** Extensions of its files that other languages of the family have, too: the content decides. */
  sharedExtensions?: readonly string[];
  /** Language of a text of its family, null for other texts. Asked last, where neither name nor first bytes tell. */
  contentLanguage?: (text: string) => LanguageId | null;

  /** The grammar that parses it. Without one a file is cut by its braces, read as markup with scripts, or cut by lines. */
  grammar?: Grammar;
  /** Languages of the scripts in its files: their rules are loaded with its own. */
  scripts?: readonly LanguageId[];
  /** True if imports and uses are collected from its files. Of other files a graph only knows that they exist. */
  relations?: boolean;
  /** Loads what parsing its files needs. Absent for languages that are only cut by lines. */
  rules?: () => Promise<ParsingRules>;

  /** Names of files whose text says what imports mean: they are read before a snapshot is linked. */
  manifests?: readonly string[];
  /** Paths of further manifests, whose names vary: `tsconfig.base.json`. */
  manifestPattern?: RegExp;
  /** Loads how its imports are resolved. Languages of one family share one resolver. */
  imports?: () => Promise<ImportRules>;
  /** Meaning of names when its files are linked. Absent: names are linked within each file. */
  semantics?: Semantics;
  /** Loads the reader of documents: what they mention is linked with code. */
  document?: () => Promise<DocumentReader>;
  /** Conventions of its programmers, test runners and runtimes. */
  conventions?: Conventions;
  /**
   * Manifests of the packages that repositories publish and depend on, and how to read them. Languages of one ecosystem have the same
   * rules. `manifests`: names of files.
   */
  packages?: { ecosystem: string; manifests: readonly string[]; load: () => Promise<PackageRules> };
  /** Manifests that name programs, and how to read them. */
  programs?: { manifests: readonly string[]; load: () => Promise<ProgramsReader> };
}

export interface Grammar {
  /** Name under which ast-grep knows it. Those that ast-grep does not bring along come from `@ast-grep/lang-<name>`. */
  name: string;
  /** Function that the grammar's library exports, where it is not `tree_sitter_<name>`. */
  symbol?: string;
  /**
   * Letter that stands for the `$` of a variable in a pattern of structural search, where a name may not hold `$`. Default: `µ` for
   * packages, `$` for grammars of ast-grep itself, whose letter is fixed.
   */
  expando?: string;
  /** Text before and behind a pattern, where an expression alone would be read as something else, in the order of trying. Default:
   * the pattern alone. */
  around?: readonly (readonly [before: string, behind: string])[];
}

/** Rules for parsing one language; one of `definitions`, `template`, `braces` and `sections` is there. */
export interface ParsingRules {
  definitions?: DefinitionRules;
  relations?: RelationRules;
  template?: TemplateRules;
  braces?: BraceRules;
  sections?: SectionRules;
}
