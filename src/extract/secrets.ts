/**
 * Secrets in files whose name gives no hint: private keys, and tokens of forms that nothing else has.
 * Only forms that 54,000 files of public repositories hold nowhere but in key files; a JSON web token, say, stands in
 * many a test and manual.
 */

interface Form {
  /** Part of every secret of this form; found first, since a file is searched for it a hundred times as fast. */
  mark: string;
  /** The part that begins at most `BEFORE` bytes before the mark. */
  form: RegExp;
}

const BEFORE = 128;
const WINDOW = 2_048;
/** Marks of one kind looked at in one file; who writes more of them means to keep us busy. */
const MAX_MARKS = 1_000;

const FORMS: readonly Form[] = [
  // With a line of base64 behind it: code that looks for the header is no key.
  {
    mark: 'PRIVATE KEY',
    form: /-----BEGIN (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----[\s\S]{0,400}?[A-Za-z0-9+/=]{60}/,
  },
  { mark: 'AGE-SECRET-KEY-1', form: /AGE-SECRET-KEY-1[0-9A-Z]{58}/ },
  // The id of an AWS key is not secret, and the secret next to it has no form of its own.
  { mark: 'AKIA', form: /\bAKIA[A-Z2-7]{16}\b[\s\S]{0,300}?(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/ },
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((mark) => ({ mark, form: /\bgh[opusr]_[A-Za-z0-9]{36}/ })),
  { mark: 'github_pat_', form: /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}/ },
  { mark: 'glpat-', form: /\bglpat-[\w-]{20}/ },
  ...['xoxa-', 'xoxb-', 'xoxe-', 'xoxp-', 'xoxr-', 'xoxs-'].map((mark) => ({
    mark,
    form: /\bxox[abeprs]-\d{8,}-[A-Za-z0-9-]{20}/,
  })),
  { mark: 'k_live_', form: /\b[rs]k_live_[A-Za-z0-9]{20}/ },
  { mark: 'sk-proj-', form: /\bsk-proj-[\w-]{40}/ },
  { mark: 'sk-svcacct-', form: /\bsk-svcacct-[\w-]{40}/ },
  { mark: 'T3BlbkFJ', form: /\bsk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}/ },
  { mark: 'sk-ant-', form: /\bsk-ant-[a-z]{2,10}\d\d-[\w-]{80}/ },
  { mark: 'AIza', form: /\bAIza[\w-]{35}(?![\w-])/ },
  { mark: 'npm_', form: /\bnpm_[A-Za-z0-9]{36}\b/ },
  { mark: 'pypi-AgEIcHlwaS5vcmc', form: /\bpypi-AgEIcHlwaS5vcmc[\w-]{50}/ },
  { mark: 'SG.', form: /\bSG\.[\w-]{22}\.[\w-]{43}/ },
  { mark: 'hvs.', form: /\bhvs\.[\w-]{80}/ },
  { mark: 'dop_v1_', form: /\bdop_v1_[a-f0-9]{64}\b/ },
  { mark: 'shpat_', form: /\bshpat_[a-fA-F0-9]{32}\b/ },
];

/** Written to show the form: fewer letters than chance would draw, or a word that says so. */
const FEWEST_LETTERS = 10;
const EXAMPLE = /example|placeholder|your[-_]?|x{8}|0{8}|1234567|abcdef/i;

/** `mayHold` tells whether the bytes may hold a mark, where that is known already. */
export function holdsSecret(bytes: Uint8Array, mayHold: (mark: string) => boolean = () => true): boolean {
  const whole = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return FORMS.some(({ mark, form }) => {
    if (!mayHold(mark)) return false;
    let at = whole.indexOf(mark, 0, 'latin1');
    for (let marks = 0; at >= 0 && marks < MAX_MARKS; marks++) {
      const found = form.exec(whole.toString('latin1', Math.max(0, at - BEFORE), at + WINDOW));
      if (found !== null && isReal(found[0])) return true;
      at = whole.indexOf(mark, at + mark.length, 'latin1');
    }
    return false;
  });
}

function isReal(text: string): boolean {
  return !EXAMPLE.test(text) && new Set(text.slice(8)).size >= FEWEST_LETTERS;
}
