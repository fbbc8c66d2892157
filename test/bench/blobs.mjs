// Reads many blobs with one `git cat-file --batch`.
import { spawnSync } from 'node:child_process';

/** Output of git for these blobs, to be split by `blobsOf`. */
export function readBlobs(dir, oids) {
  const input = `${[...oids].join('\n')}\n`;
  return spawnSync('git', ['-C', dir, 'cat-file', '--batch', '--buffer'], { input, maxBuffer: 1 << 30 }).stdout;
}

/** The blobs in the output of `readBlobs`. */
export function* blobsOf(output) {
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf(10, at);
    const [oid, type, size] = output.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type !== 'blob') continue;
    yield { oid, content: output.subarray(at, at + Number(size)) };
    at += Number(size) + 1;
  }
}
