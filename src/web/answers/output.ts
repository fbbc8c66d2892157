/** Documents of a page that no question gives. */
import type { Forge } from '../../git/forge.js';

export interface About {
  /** Name of the project. */
  name: string;
  version: string;
  /** Absolute path of the work tree with a slash at its end, for links into an editor; null for a bare repository. */
  root: string | null;
  editor: string;
  /** Address of the repository on its forge, and how that writes places; null where the forge is not known. */
  forge: Forge | null;
  head: { branch: string | null; commit: string | null };
  /** Is a fleet configured, whose repositories can be searched? */
  hasFleet: boolean;
}

export interface Refs {
  branches: { name: string; commit: string }[];
  tags: { name: string; commit: string }[];
  /** Newest first, from the ref asked for. */
  commits: { commit: string; subject: string; author: string; date: string | null }[];
}

export interface Files {
  paths: string[];
  leftOut: number;
}

interface Counted {
  name: string;
  files: number;
}

/** Counts of indexed files for a first view. */
export interface Overview {
  files: number;
  /** Most files first. */
  languages: Counted[];
  /** Folders at the top, most files first. */
  folders: Counted[];
  /** Language of the first file with each ending. */
  endings: Record<string, string>;
}

export interface Blame {
  /** Runs of lines that one commit wrote, in order; lines that are not committed have none. */
  runs: { line: number; count: number; commit: string }[];
  commits: Record<string, { subject: string; author: string; date: string | null }>;
}
