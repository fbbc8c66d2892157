/** The index of the remote as of the last fetch; the remote is asked only with `online`. */
import { groupDigits } from '../../../base/digits.js';
import { shellWord, withoutSecrets } from '../../../base/hygiene.js';
import { Remote } from '../../../git/remote.js';
import { automaticFault } from '../../../git/remote-trust.js';
import { SHARE_EVENT } from '../../../hooks/events.js';
import { readPlace } from '../../../hooks/plan.js';
import { isEventInstalled } from '../../../hooks/state.js';
import { SYNTAX_KIND } from '../../../record/codec.js';
import type { Session } from '../../../session/session.js';
import { compare, readNotesFetchConfig } from '../../../share/remote-config.js';
import { addressKey, RemoteMemory } from '../../../share/remote-memory.js';
import { chooseRemote, type NotesSelector, remoteNames, selectTrackedRefs } from '../../../share/remotes.js';
import { count, type Finding, fine, wrong } from '../check.js';

/** Throws what asking the remote throws, if `online`. */
export async function checkSharing(session: Session, online: boolean, signal?: AbortSignal): Promise<Finding[]> {
  const { repository, gitConfig } = session;
  const shared = { repository, config: gitConfig };
  const names = remoteNames(gitConfig);
  if (names.length === 0) return [fine('no remote: the index stays here')];
  const name = await chooseRemote(shared, undefined, 'fetch').catch(() => null);
  if (name === null)
    return [fine(`none of ${names.join(', ')} is the one to share with: name it, as in git socraticode push REMOTE`)];
  const remote = new Remote(repository, gitConfig, name, { signal });
  const findings: Finding[] = [place(session, remote, name), ...(await difference(session, name))];
  findings.push(...(await refused(session, remote, name)));
  const fault = automaticFault(repository, gitConfig, name);
  if (fault !== null)
    findings.push({ ...fine(`only when you pull: .git/config has ${fault}`), name: 'asked by itself' });
  if (online) findings.push(await news(session, remote, name));
  return findings;
}

function place(session: Session, remote: Remote, name: string): Finding {
  const { enabled } = readNotesFetchConfig({ config: session.gitConfig }, name);
  const how = enabled ? 'git fetch brings its index' : 'git socraticode pull brings its index';
  return { ...fine(`${name} (${withoutSecrets(remote.url)}): ${how}`), facts: { remote: name, fetched: enabled } };
}

/** After a refused push the hook is silent: it would be refused each time. */
async function refused({ repository, gitConfig }: Session, remote: Remote, name: string): Promise<Finding[]> {
  if (!new RemoteMemory(repository).isDenied(addressKey(remote.url))) return [];
  const detail = `${name} refused the last push of the index`;
  const isHooked = isEventInstalled(repository, await readPlace(repository, gitConfig), gitConfig, SHARE_EVENT);
  const finding = isHooked
    ? wrong(
        `${detail}: since then the pre-push hook sends nothing`,
        `\`git socraticode push ${shellWord(name)}\` tries again, and says why.`,
      )
    : fine(detail);
  return [{ ...finding, name: 'pushes' }];
}

/** Records of the syntax profile in use that only one side has. */
async function difference(session: Session, name: string): Promise<Finding[]> {
  const selector: NotesSelector = { kind: SYNTAX_KIND, profile: session.profile };
  const shared = { repository: session.repository, config: session.gitConfig };
  const compared = await compare(shared, name, [selector]);
  return compared.map(({ ahead, behind, hasLocal, hasRemote }) => {
    const facts = { onlyHere: ahead, onlyThere: behind, seen: hasRemote };
    const said = () => {
      if (!hasRemote) return `none was seen there; ${count(ahead, 'record')} here`;
      if (!hasLocal) return `${count(behind, 'record')} there, none here: the next search takes them`;
      if (ahead + behind === 0) return 'the same records here and there, when it was last asked';
      return `${count(ahead, 'record')} only here, ${groupDigits(behind)} only there, when it was last asked`;
    };
    return { ...fine(said()), name: 'index of the remote', facts };
  });
}

async function news({ repository, gitConfig }: Session, remote: Remote, name: string): Promise<Finding> {
  const there = await remote.listNotes();
  const selectors: NotesSelector[] = [{ kind: SYNTAX_KIND, profile: null }];
  const tracked = (await selectTrackedRefs({ repository, config: gitConfig }, selectors)).get(name);
  const moved = [...there].filter(([ref, oid]) => ref.includes(`/${SYNTAX_KIND}/`) && tracked?.get(ref) !== oid);
  const text = `${count(there.size, 'ref')} of an index there`;
  const facts = { refs: there.size, moved: moved.length };
  const check =
    moved.length === 0
      ? fine(`${text}, nothing new`)
      : fine(`${text}, ${moved.length} changed since: git socraticode pull`);
  return { ...check, name: 'asked now', facts };
}
