/** What a run made of a fault: a failure that says so, or an answer that is right all the same. */
import assert from 'node:assert/strict';
import { ERROR_CODES } from '../../../src/base/errors.js';
import type { CliResult } from '../processes/cli.js';

/** Bytes and milliseconds are another each time. */
const VARYING = /\d+(?:\.\d+)? (?:m?s|[KM]?B)\b|(?<=\/)(?:copy|disk)-\w{6}(?=\/)/g;

export const stable = (text: string): string => text.replaceAll(VARYING, '…');

/** The next step that a failure named, null if it named none. */
export function hintOf({ stderr }: CliResult): string | null {
  return /^git-socraticode: [^\n]+\n {2}([^\n]+)\n$/m.exec(stderr)?.[1] ?? null;
}

/** Checks a failure: exit code 2, nothing on stdout, one message with a next step, and it is no bug of ours. */
export function checkFailure(result: CliResult, about: string): void {
  const { code, signal, stdout, stderr } = result;
  assert.deepEqual([code, signal, stdout], [2, null, ''], `${about}: ${stderr}`);
  const hint = hintOf(result);
  assert.ok(hint !== null && hint !== ERROR_CODES.INTERNAL, `${about}: ${stderr}`);
}
