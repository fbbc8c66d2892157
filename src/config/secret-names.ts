/**
 * Names of files that usually hold secrets (data). They are never indexed, whatever the settings say: records are
 * pushed. All are compared in lower case. Contents are looked at as well, by the extractor.
 */

export const SECRET_NAMES: readonly string[] = [
  ...['.env', '.netrc', '_netrc', '.npmrc', '.pypirc', '.pgpass', '.my.cnf', '.git-credentials', '.dockercfg'],
  ...['.htpasswd', '.htdigest', '.s3cfg', '.boto', '.passwd-s3fs', '.vault-token', '.vault_pass', '.terraformrc'],
  ...['client_secret.json', 'kubeconfig', 'terraform.tfstate', 'terraform.tfstate.backup', 'credentials.db'],
  ...['key.properties', 'keystore.properties', 'local.settings.json', '.bash_history', '.zsh_history'],
  ...['.psql_history', '.mysql_history', '.python_history', '.node_repl_history'],
];

export const SECRET_SUFFIXES: readonly string[] = [
  ...['.pem', '.key', '.p8', '.p12', '.pfx', '.pkcs12', '.jks', '.keystore', '.bks', '.ppk', '.kdb', '.kdbx'],
  ...['.tfstate', '.tfvars', '.tfvars.json', '.ovpn', '.mobileprovision', '.agekey'],
];

/** The last two parts of a path: names that are harmless elsewhere. */
export const SECRET_TAILS: readonly string[] = [
  ...['.aws/credentials', '.docker/config.json', '.kube/config', '.gem/credentials', '.cargo/credentials'],
  ...['.cargo/credentials.toml', '.config/hub', 'gcloud/credentials.db', '.azure/accesstokens.json'],
];

/** Folders in which everything is secret. */
export const SECRET_FOLDERS: readonly string[] = ['.ssh', '.gnupg'];

/** Whole names. A private key has no extension (`id_rsa_test.go` is code, `id_rsa.pub` is public). */
export const SECRET_PATTERNS: readonly RegExp[] = [
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[-_][a-z0-9_-]+)?$/,
  /^(?:.*[-_.])?credentials\.json$/,
  /^(?:.*[-_.])?service[-_]?account[a-z0-9_.-]*\.json$/,
  /^secrets\.(?:ya?ml|json|toml|ini|properties)$/,
  /^client_secret_[^/]*\.json$/,
  /-firebase-adminsdk-[a-z0-9-]+\.json$/,
];

/** `.env`, `.env.local`, `production.env`: unless a part of the name says that it only shows the form. */
export const ENV_FILE = /^(?:\.env\..+|.+\.env)$/;
export const ENV_EXAMPLE = /(?:^|[._-])(?:example|sample|template|dist|defaults?|schema)(?:[._-]|$)/;
