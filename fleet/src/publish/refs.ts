/** Chooses the refs of a publication and their names, and the name of the repository. */
import {
  chooseRemote,
  commandText,
  listBranches,
  listTags,
  nameMatcher,
  Remote,
  readBranchAndRemotes,
  type Session,
  SocraticodeError,
  sharedRepository,
} from '../internal.js';
import { checkName } from '../keys.js';
import type { PublishedRef } from './publish.js';

interface RefChoice {
  ref?: readonly string[];
  branches?: readonly string[];
  as?: string;
  default?: string;
}

/** Refs to publish, and every name that a branch or tag has here. Throws BAD_ARGUMENT and UNKNOWN_REF. */
export async function publishRefs(
  session: Session,
  choice: RefChoice,
): Promise<{ chosen: PublishedRef[]; known: ReadonlySet<string> }> {
  const { git } = session.repository;
  const [branches, tags, { branch, remotes }] = await Promise.all([
    listBranches(git),
    listTags(git),
    readBranchAndRemotes(session.repository),
  ]);
  const short = (name: string) => {
    const remote = remotes.find((each) => name.startsWith(`${each}/`));
    return remote === undefined ? name : name.slice(remote.length + 1);
  };
  const own = choice.default ?? (await defaultBranch(session, remotes)) ?? branch;
  const named = (ref: string, name: string): PublishedRef => ({
    ref,
    name: checkName(name, 'ref'),
    isDefault: name === own,
  });
  const chosen = new Map<string, PublishedRef>();
  for (const ref of choice.ref ?? []) {
    const name = choice.as ?? (await nameOf(session, ref, { branch, short }));
    chosen.set(name, named(ref, name));
  }
  if (choice.branches?.length) {
    const matches = nameMatcher(choice.branches);
    // Local branches come before remote ones of the same name.
    for (const { name } of [...branches].sort(
      (a, b) => Number(short(a.name) !== a.name) - Number(short(b.name) !== b.name),
    ))
      if (matches(short(name)) && !chosen.has(short(name))) chosen.set(short(name), named(name, short(name)));
  } else if (!choice.ref?.length) {
    const name = choice.as ?? branch;
    if (name === null) throw detached();
    chosen.set(name, named('HEAD', name));
  }
  if (choice.as !== undefined && chosen.size > 1)
    throw new SocraticodeError('BAD_ARGUMENT', 'several refs cannot have one name');
  const known = new Set([
    ...branches.map(({ name }) => short(name)),
    ...tags.map(({ name }) => name),
    ...chosen.keys(),
  ]);
  return { chosen: [...chosen.values()], known };
}

function detached(): SocraticodeError {
  const hint = `Say which branch it is: ${commandText('publish', { as: 'main' })}`;
  return new SocraticodeError('BAD_ARGUMENT', 'HEAD is on no branch, so the commit has no name to publish', { hint });
}

async function nameOf(
  session: Session,
  ref: string,
  { branch, short }: { branch: string | null; short: (name: string) => string },
): Promise<string> {
  if (ref === 'HEAD' || ref === '@') {
    if (branch === null) throw detached();
    return branch;
  }
  const bare = ref.replace(/^refs\/(?:heads|tags|remotes)\//, '');
  const candidates = ['heads', 'tags', 'remotes'].map((kind) => `refs/${kind}/${bare}`);
  const found = await Promise.all(candidates.map((name) => session.objects.info(name)));
  if (found.every((each) => each === null)) {
    // Throws UNKNOWN_REF for a mistyped one.
    await session.objects.resolve(ref);
    const hint = `Say under which name: ${commandText('publish', { ref: bare, as: 'NAME' })}`;
    throw new SocraticodeError('BAD_ARGUMENT', 'a commit has no name to publish', { hint });
  }
  return short(bare);
}

/** Target of `origin/HEAD`, or of the only remote's HEAD; null if no remote has one. */
async function defaultBranch(session: Session, remotes: readonly string[]): Promise<string | null> {
  const remote = remotes.includes('origin') ? 'origin' : remotes[0];
  if (remote === undefined) return null;
  const args = ['symbolic-ref', '--quiet', '--short', `refs/remotes/${remote}/HEAD`];
  const { stdout } = await session.repository.git.run(args, { allow: [1, 128] });
  return (
    stdout
      .toString('utf8')
      .trim()
      .slice(remote.length + 1) || null
  );
}

/** `github.com/acme/shop`, from the address of the default remote. Throws BAD_ARGUMENT without a remote. */
export async function repositoryName(session: Session, to?: string): Promise<string> {
  const remote = await chooseRemote(sharedRepository(session), undefined, 'push').catch(() => null);
  const url = remote === null ? '' : new Remote(session.repository, session.gitConfig, remote).url;
  const name = nameOfAddress(url);
  if (name === null) {
    const hint = `Name it: ${commandText('publish', { to, repo: 'NAME' })}`;
    throw new SocraticodeError('BAD_ARGUMENT', 'no remote tells the name of this repository', { hint });
  }
  return name;
}

/** Host and path of a remote's address, without user, password, port and `.git`; null for a path of this machine. */
export function nameOfAddress(address: string): string | null {
  const [, host, path] =
    /^(?:[a-z+]+):\/\/(?:[^@/]*@)?([^/:]+)(?::\d+)?\/(.+)$/i.exec(address) ??
    /^(?:[^@/\s]+@)?([^/:\s]{2,}):(?!\/\/)(.+)$/.exec(address) ??
    [];
  if (host === undefined || /^file:/i.test(address)) return null;
  return `${host.toLowerCase()}/${path.replace(/^\/+|\/+$/g, '').replace(/\.git$/, '')}`;
}
