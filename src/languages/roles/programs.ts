/** Role of a reader of manifests that name programs: `bin` of package.json, `[project.scripts]` of pyproject.toml. */

export interface Program {
  /** Command that starts it. */
  name: string;
  /** File where it starts. */
  path: string;
}

/** `has` tells whether a file is part of the snapshot. Total: a manifest that cannot be read names no programs. */
export type ProgramsReader = (manifest: string, text: string, has: (path: string) => boolean) => Program[];
