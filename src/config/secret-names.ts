/**
 * Names of files that usually hold secrets (data). No setting can have them indexed, because records are pushed.
 * All are compared in lower case. The extractor also looks for secrets in contents.
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

/** Last two parts of a path, for names that are harmless in other folders. */
export const SECRET_TAILS: readonly string[] = [
  ...['.aws/credentials', '.docker/config.json', '.kube/config', '.gem/credentials', '.cargo/credentials'],
  ...['.cargo/credentials.toml', '.config/hub', 'gcloud/credentials.db', '.azure/accesstokens.json'],
];

/** Folders in which everything is secret. */
export const SECRET_FOLDERS: readonly string[] = ['.ssh', '.gnupg'];

/**
 * Patterns of whole names, with a glob that tells people about them. A private key has no extension (`id_rsa_test.go` is
 * code, `id_rsa.pub` is public).
 */
export const SECRET_PATTERNS: readonly { pattern: RegExp; glob: string }[] = [
  { pattern: /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[-_][a-z0-9_-]+)?$/, glob: 'id_{rsa,dsa,ecdsa,ed25519}*' },
  { pattern: /^(?:.*[-_.])?credentials\.json$/, glob: '*credentials.json' },
  { pattern: /^(?:.*[-_.])?service[-_]?account[a-z0-9_.-]*\.json$/, glob: '*service-account*.json' },
  { pattern: /^secrets\.(?:ya?ml|json|toml|ini|properties)$/, glob: 'secrets.*' },
  { pattern: /^client_secret_[^/]*\.json$/, glob: 'client_secret_*.json' },
  { pattern: /-firebase-adminsdk-[a-z0-9-]+\.json$/, glob: '*-firebase-adminsdk-*.json' },
];

/** `.env`, `.env.local`, `production.env`; the caller excepts names that say that the file is an example. */
export const ENV_FILE = /^(?:\.env\..+|.+\.env)$/;
export const ENV_EXAMPLE = /(?:^|[._-])(?:example|sample|template|dist|defaults?|schema)(?:[._-]|$)/;
