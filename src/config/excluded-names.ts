/**
 * Names of tracked files that are not indexed (data): files that searches should not find, and files that usually hold
 * secrets. A file left out by mistake hurts more than a superfluous one, so each built-in rule needs a name that proves
 * that a tool wrote the file or that it was copied from elsewhere. Left out on purpose: `lib`, `build`, `bin`, `out`,
 * `target`, `coverage`, `venv`, `packages`, `third_party` and `dist` as such (source folders in many repositories),
 * bare `.map` (levels, keyboards, linkers), and generated code such as `*.pb.go` or `*_pb2.py` (people do look it up;
 * ranking puts it low instead).
 */

/** Lock files and other files that tools write: names, compared in lower case. */
export const BUILTIN_NAMES: readonly string[] = [
  // JavaScript
  ...['package-lock.json', 'npm-shrinkwrap.json', 'yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb', 'deno.lock'],
  ...['.pnp.js', '.pnp.cjs', '.pnp.loader.mjs', '.pnp.data.json'],
  // Python
  ...['poetry.lock', 'pipfile.lock', 'pdm.lock', 'uv.lock', 'pixi.lock', 'pylock.toml', 'conda-lock.yml'],
  // Rust, Go, C and C++
  ...['cargo.lock', 'cargo.bazel.lock', 'go.sum', 'go.work.sum', 'gopkg.lock', 'glide.lock', 'conan.lock'],
  // Ruby, PHP, Elixir, Erlang, Crystal, Nim, D, R
  ...['gemfile.lock', 'gems.locked', 'composer.lock', 'symfony.lock', 'mix.lock', 'rebar.lock', 'shard.lock'],
  ...['nimble.lock', 'dub.selections.json', 'renv.lock'],
  // JVM, .NET, Swift, Dart, Haskell
  ...['gradle.lockfile', 'buildscript-gradle.lockfile', 'maven_install.json', 'packages.lock.json', 'paket.lock'],
  ...[
    'package.resolved',
    'podfile.lock',
    'cartfile.resolved',
    'pubspec.lock',
    'stack.yaml.lock',
    'cabal.project.freeze',
  ],
  // Infrastructure
  ...['flake.lock', 'module.bazel.lock', '.terraform.lock.hcl', 'chart.lock', 'buf.lock', 'devbox.lock'],
  // Desktops
  ...['.ds_store', 'thumbs.db'],
];

/** Ends of names, in lower case: minified code, source maps of known languages, snapshots of test runners. */
export const BUILTIN_SUFFIXES: readonly string[] = [
  ...['.min.js', '.min.mjs', '.min.cjs', '.min.css'],
  ...[
    '.js.map',
    '.mjs.map',
    '.cjs.map',
    '.jsx.map',
    '.ts.map',
    '.mts.map',
    '.cts.map',
    '.tsx.map',
    '.css.map',
    '.wasm.map',
  ],
  '.snap',
  '.pyc',
];

/** Folders, at any depth, that only package managers and build tools create. Case matters. */
export const BUILTIN_FOLDERS: readonly string[] = [
  ...['node_modules', 'bower_components', 'jspm_packages', '.yarn', '.pnpm-store', '.npm'],
  ...['.next', '.nuxt', '.svelte-kit', '.parcel-cache', '.turbo', '.angular', '.nyc_output', '.docusaurus'],
  ...['__pycache__', '__pypackages__', 'site-packages', '.mypy_cache', '.pytest_cache', '.ruff_cache'],
  ...['.tox', '.nox', '.venv', '.eggs', '.ipynb_checkpoints'],
  ...['.gradle', '.dart_tool', '.stack-work', 'dist-newstyle', 'elm-stuff', 'Pods', 'Carthage', 'DerivedData'],
  ...['.terraform', '.bundle', '.vs', '.svn', '.hg', '.socraticode'],
];

/** Name of a folder that holds copies at the root of a repository, or if `VENDOR_CHILDREN` are in it. */
export const VENDOR_FOLDER = 'vendor';

/**
 * Folders that show that a deeper `vendor` folder belongs to a package manager (Composer, Bundler), and is not about
 * people who sell things. Go's (`vendor/github.com`) is recognized by the dot in the host name.
 */
export const VENDOR_CHILDREN: readonly string[] = ['composer', 'bundle'];

/** Folder below which names with these suffixes are bundles; elsewhere they may be sources. */
export const DIST_FOLDER = 'dist';
export const DIST_SUFFIXES: readonly string[] = [
  ...['.bundle.js', '.bundle.css', '.chunk.js', '.chunk.css', '.umd.js', '.iife.js', '.global.js', '.prod.js'],
];

// Names of files that usually hold secrets. No setting can have them indexed, because records are pushed. All are
// compared in lower case. The extractor also looks for secrets in contents.

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
