/** Errors for a failed fetch or push, from git's prose. */
import { SocraticodeError } from '../base/errors.js';
import { withoutPassword } from '../base/hygiene.js';
import { gitFailure } from './process.js';

const DENIED =
  /permission( to \S+)? denied|access denied|denied to|not authori[sz]ed|authentication failed|could not read (username|password)|terminal prompts disabled|returned error: 40[13]|read-only|insufficient permission|repository access denied|service not enabled|hook declined|protected (branch|ref)|GH0\d\d|prohibited|not allowed to push|unpacker error|deny updating/i;
const UNREACHABLE =
  /could not resolve|couldn't connect|failed to connect|connection (refused|timed out|reset|closed)|network is unreachable|no route to host|unable to access|does not appear to be a git repository|could not read from remote repository|repository .*not found|returned error: \d+|timed out|early EOF|hung up|strange (host|path)name|transport '.*' not allowed/i;
/** Another writer was faster, or is writing. */
const LOST_RACE =
  /fetch first|non-fast-forward|failed to (update|lock|write)|cannot lock ref|unable to (create|lock|migrate)|remote ref .*changed|reference already exists|is at [0-9a-f]+ but expected|stale info|incorrect old value|already exists|failed to update ref/i;

/** True for a rejection that a retry may cure; not if a lock cannot be created for lack of permission. */
export function isLostPushRace(rejection: string): boolean {
  return LOST_RACE.test(rejection) && !DENIED.test(rejection);
}

export function isDenied(rejection: string): boolean {
  return DENIED.test(rejection);
}

/** Another git is writing these refs of this repository. */
const BUSY_HERE = /^error: .*(File exists|but expected|reference already exists)/m;
/** Failures of this machine's files; those of the remote begin with `remote:`. */
const DISK_HERE =
  /^(error|fatal): .*(No space left|Read-only file system|insufficient permission for adding|unable to (create|write)|cannot (open|create|lock|mkdir|update)|failed to write)/m;

/** Makes the error of a command that failed on a remote: REMOTE_DENIED, REMOTE_UNREACHABLE, REMOTE_BUSY, DISK or GIT_FAILED. */
export function remoteFailure(name: string, args: readonly string[], code: number, stderr: string): SocraticodeError {
  const reason = firstReason(stderr);
  if (BUSY_HERE.test(stderr)) {
    const here = gitFailure(args, code, reason);
    const hint = here.code === 'LOCKED' ? here.hint : undefined;
    return new SocraticodeError('REMOTE_BUSY', `cannot write the refs of ${name}: ${reason}`, { hint });
  }
  if (DISK_HERE.test(stderr)) return new SocraticodeError('DISK', `cannot keep what ${name} sends: ${reason}`);
  if (DENIED.test(stderr)) return new SocraticodeError('REMOTE_DENIED', `${name} denies access: ${reason}`);
  if (UNREACHABLE.test(stderr)) return new SocraticodeError('REMOTE_UNREACHABLE', `cannot reach ${name}: ${reason}`);
  return gitFailure(args, code, stderr);
}

function firstReason(stderr: string): string {
  const lines = stderr.split(/[\r\n]+/);
  const telling = [BUSY_HERE, DISK_HERE, DENIED, UNREACHABLE, /^(fatal|error):/];
  const line = telling.flatMap((pattern) => lines.find((text) => pattern.test(text)) ?? [])[0] ?? lines[0] ?? '';
  return withoutPassword(line.replace(/^(fatal|error|remote): */, ''));
}
