/** Values of parameters that the repository knows: refs, remotes, paths, languages, symbols. */
import type { Completes } from '../../params/param.js';
import type { Session } from '../../session/session.js';

/** Most values offered: a shell asks before it shows more than about a hundred. */
const MAX_VALUES = 200;

/** Values that begin with `typed`. Opens the repository, reads only, indexes and links nothing. */
export async function valuesOf(kind: Completes, typed: string, directory: string | undefined): Promise<string[]> {
  if (kind === 'language') return languages();
  if (kind === 'directory') return [];
  const { Session } = await import('../../session/session.js');
  const session = await Session.open({ directory, readOnly: true });
  try {
    return (await ofRepository(session, kind, typed)).slice(0, MAX_VALUES);
  } finally {
    session.close();
  }
}

async function languages(): Promise<string[]> {
  const { LANGUAGE_IDS } = await import('../../languages/registry.js');
  return [...LANGUAGE_IDS];
}

async function ofRepository(session: Session, kind: Completes, typed: string): Promise<string[]> {
  const { git } = session.repository;
  const lines = async (args: readonly string[]) =>
    (await git.text([...args])).split('\n').filter((line) => line !== '');
  switch (kind) {
    case 'remote':
      return lines(['remote']);
    case 'range': {
      const at = typed.lastIndexOf('..') + (typed.endsWith('...') ? 3 : 2);
      const before = typed.includes('..') ? typed.slice(0, at) : '';
      return (await refs(lines)).map((ref) => before + ref);
    }
    case 'ref':
      return refs(lines);
    case 'path':
      return paths(await listPaths(git), typed);
    default:
      return symbols(session, typed);
  }
}

/** Paths of the index as they are: without `-z`, git would quote unusual ones. */
async function listPaths(git: Session['repository']['git']): Promise<string[]> {
  return (await git.text(['ls-files', '--full-name', '-z'])).split('\0').filter((path) => path !== '');
}

function refs(lines: (args: readonly string[]) => Promise<string[]>): Promise<string[]> {
  return lines(['for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/tags', 'refs/remotes']);
}

/** Up to the next slash, as shells complete files: a directory is one candidate. */
function paths(all: readonly string[], typed: string): string[] {
  const begun = all.filter((path) => path.startsWith(typed));
  return [
    ...new Set(
      begun.map((path) => {
        const slash = path.indexOf('/', typed.length);
        return slash < 0 ? path : path.slice(0, slash + 1);
      }),
    ),
  ];
}

/** Only if the graph of the work tree is linked already: linking takes too long for a completion. */
async function symbols(session: Session, typed: string): Promise<string[]> {
  const [{ GraphPreparer }, { completeName }] = await Promise.all([
    import('../../session/graph/prepare.js'),
    import('../graph/complete.js'),
  ]);
  const known = new GraphPreparer(session).known(await session.origin(undefined));
  if (known === null) return [];
  return completeName(known.graph, typed, MAX_VALUES).values.filter((name) => name.startsWith(typed));
}
