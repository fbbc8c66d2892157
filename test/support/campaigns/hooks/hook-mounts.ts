/** Commits where nothing can be written below the state directory: needs root, for a mount of its own. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { cleanPath } from '../../repositories/hooks.js';
import { repoWithHooks } from './hook-events.js';

/** A file system of so many bytes in place of the state directory, or one that is read-only; the commit is made inside. */
const MOUNTS: Readonly<Record<string, string>> = {
  'full disk': 'mount -t tmpfs -o size=16k none "$1" && head -c 100000 /dev/zero >"$1/filler" 2>/dev/null; ',
  'read-only': 'mount -t tmpfs -o ro none "$1"; ',
};

export async function commitsOnFullDisk(): Promise<Record<string, string>> {
  const figures: Record<string, string> = {};
  for (const [name, mount] of Object.entries(MOUNTS)) {
    const repo = await repoWithHooks();
    mkdirSync(repo.state, { recursive: true });
    const script = `${mount}[ -n "$(findmnt -n "$1" 2>/dev/null || grep " $1 " /proc/mounts)" ] || exit 77; cd "$2" && git commit -q --allow-empty -m x; status=$?; sleep 3; exit $status`;
    const run = spawnSync('unshare', ['-m', 'sh', '-c', script, 'sh', repo.state, repo.dir], {
      encoding: 'utf8',
      env: { ...process.env, PATH: cleanPath() },
    });
    if (run.error !== undefined || run.status === 77 || /Operation not permitted/.test(run.stderr)) {
      figures[name] = 'not tried: no mounts here';
      continue;
    }
    assert.deepEqual([run.status, run.stdout, run.stderr], [0, '', ''], name);
    figures[name] = 'the commit noticed nothing';
  }
  return figures;
}
