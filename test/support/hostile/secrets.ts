/**
 * Files that hold secrets: by their names, by what they contain, and both. Every value has a canary in it that can be
 * looked for; none of them is anybody's. Written in parts, so that scanners do not take them for real ones.
 */

export interface SecretFile {
  path: string;
  content: string;
  canary: string;
}

/** A word of letters and digits that says which it is. */
const word = (n: number) => `canary${String(n).padStart(2, '0')}xq7vt2mk9pl4wz8sb3nr6`;
/** As long as a line of a key is. */
const base64 = (s: string) => `MIIEvQIBADANBgkqhkiG9w0BAQ${s}`.padEnd(64, 'K3');
const pem = (kind: string, body: string) => `-----BEGIN ${kind}-----\n${body}\n-----END ${kind}-----\n`;

type Make = readonly [path: string, content: (secret: string) => string];

/** Known by the name of the file alone. */
const BY_NAME: readonly Make[] = [
  ['.env', (s) => `API_KEY=${s}\n`],
  ['.env.local', (s) => `A=${s}\n`],
  ['config/prod.env', (s) => `B=${s}\n`],
  ['x/.ENV', (s) => `C=${s}\n`],
  ['id_rsa', (s) => s],
  ['ID_ED25519', (s) => s],
  ['.ssh/config', (s) => s],
  ['tls/server.pem', (s) => s],
  ['tls/server.key', (s) => s],
  ['.npmrc', (s) => `//registry.example.com/:_authToken=${s}\n`],
  ['.netrc', (s) => `machine example.com password ${s}\n`],
  ['.pypirc', (s) => `password = ${s}\n`],
  ['secrets.yml', (s) => `a: ${s}\n`],
  ['deploy/my-credentials.json', (s) => `{"k":"${s}"}`],
  ['store.p12', (s) => s],
  ['terraform.tfstate', (s) => `{"value":"${s}"}`],
  ['prod.auto.tfvars', (s) => `password = "${s}"\n`],
  ['kubeconfig', (s) => `token: ${s}\n`],
  ['.aws/credentials', (s) => `aws_secret_access_key = ${s}\n`],
  ['.docker/config.json', (s) => `{"auths":{"x":{"auth":"${s}"}}}`],
  ['gcp-service-account.json', (s) => `{"private_key":"${s}"}`],
  ['.git-credentials', (s) => `https://me:${s}@example.com\n`],
  ['android/keystore.properties', (s) => `storePassword=${s}\n`],
  ['config/master.key', (s) => s],
];

/** Known by what is written in them, under names that say nothing. */
const BY_CONTENT: readonly Make[] = [
  ['notes/a.txt', (s) => pem('RSA PRIVATE KEY', s)],
  ['notes/b.md', (s) => `# Keys\n\nHere it is:\n\n${pem('OPENSSH PRIVATE KEY', base64(s))}`],
  ['src/key.ts', (s) => `export const key = \`${pem('PRIVATE KEY', base64(s))}\`;\n`],
  [
    'src/aws.ts',
    (s) => `const id = '${'AKI'}AQ7VT2MK5PL4WZ3SB';\nconst secret = '${s.padEnd(33, 'z').slice(0, 33)}abcd/+3';\n`,
  ],
  ['src/github.py', (s) => `TOKEN = "${'gh'}p_${(s + s).slice(0, 36)}"\n`],
  ['src/github-new.py', (s) => `TOKEN = "${'github'}_pat_11BQ7VT2M0kplwzsbnrtqy_${(s + s + s).slice(0, 59)}"\n`],
  ['src/gitlab.rb', (s) => `token = '${'glp'}at-${s.slice(0, 26)}'\n`],
  ['src/slack.go', (s) => `package main\n\nconst token = "${'xo'}xb-183726459301-918273645102-${s.slice(0, 24)}"\n`],
  ['src/stripe.js', (s) => `const key = '${'sk'}_live_${s}';\n`],
  ['src/openai.js', (s) => `const key = '${'sk'}-proj-${s}${s}';\n`],
  ['src/anthropic.js', (s) => `const key = '${'sk-a'}nt-api03-${s.repeat(3).slice(0, 93)}AA';\n`],
  ['src/google.ts', (s) => `export const key = '${'AI'}za${(s + s).slice(0, 35)}';\n`],
  ['src/npm.sh', (s) => `npm config set token ${'np'}m_${(s + s).slice(0, 36)}\n`],
  ['src/sendgrid.php', (s) => `<?php $key = '${'S'}G.${s.slice(0, 22)}.${(s + s).slice(0, 43)}';\n`],
  ['src/vault.tf', (s) => `token = "${'hv'}s.${s.repeat(3).slice(0, 90)}"\n`],
  [
    'conf/gcp.json',
    (s) => `{"type": "service_account", "private_key": "-----BEGIN ${'PRIVATE'} KEY-----\\n${base64(s)}"}\n`,
  ],
  ['conf/age.txt', (s) => `# created: 2024\n${'AGE-SECRET'}-KEY-1${s.toUpperCase().padEnd(58, 'Q').slice(0, 58)}\n`],
];

const make = ([path, content]: Make, n: number): SecretFile => ({
  path,
  content: content(word(n)),
  canary: word(n).slice(0, 20),
});

export const SECRETS_BY_NAME = BY_NAME.map(make);
export const SECRETS_BY_CONTENT = BY_CONTENT.map((item, i) => make(item, i + 50));
