/** Texts of release files, from package.json and the digests of what was built: one version, written once. */

const HOME = (repository) => `https://github.com/${repository}`;
const asset = (repository, { version }, name) => `${HOME(repository)}/releases/download/v${version}/${name}`;

/** Names in the registry of MCP servers belong to the owner of the repository. */
export const registryName = (repository) => `io.github.${repository.split('/')[0]}/git-socraticode`;

/** package.json as it is published: npm's provenance and the MCP registry compare these fields with the repository. */
export const publishedManifest = ({ scripts: _, ...manifest }, repository) => ({
  // Without scripts, which are for a checkout: npm 11 warns of a `prepare` that it did not run.
  ...manifest,
  repository: { type: 'git', url: `git+${HOME(repository)}.git` },
  homepage: HOME(repository),
  // The registry has the program, which is the server of agents.
  ...(manifest.bin !== undefined && { mcpName: registryName(repository) }),
});

/** The registry takes descriptions of up to 100 characters. */
const SHORT = 'Code search and code graph of git repositories, at any branch, tag or commit.';

/** `server.json` of the MCP registry. `bundle`: the .mcpb, its name and SHA-256. */
export const serverJson = (manifest, repository, bundle) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: registryName(repository),
  title: 'git-socraticode',
  description: SHORT,
  version: manifest.version,
  repository: { url: HOME(repository), source: 'github' },
  packages: [
    {
      registryType: 'npm',
      identifier: manifest.name,
      version: manifest.version,
      transport: { type: 'stdio' },
      packageArguments: [{ type: 'positional', value: 'mcp' }],
    },
    {
      registryType: 'mcpb',
      identifier: asset(repository, manifest, bundle.name),
      version: manifest.version,
      fileSha256: bundle.sha256,
      transport: { type: 'stdio' },
    },
  ],
});

/** Manifest of the .mcpb bundle, which Claude Desktop and others install by a double click. `tools`: name and description. */
export const bundleManifest = (manifest, repository, tools) => ({
  manifest_version: '0.3',
  name: manifest.name,
  display_name: 'Code search in git',
  version: manifest.version,
  description: manifest.description,
  author: { name: repository.split('/')[0], url: HOME(repository) },
  repository: { type: 'git', url: HOME(repository) },
  license: manifest.license,
  keywords: manifest.keywords,
  server: {
    type: 'node',
    entry_point: 'dist/cli/main.js',
    mcp_config: {
      command: 'node',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: variables of the bundle's host.
      args: ['${__dirname}/dist/cli/main.js', 'mcp', '--allow', '${user_config.repositories}'],
    },
  },
  user_config: {
    repositories: {
      type: 'directory',
      title: 'Repositories',
      description: 'Git repositories that the server may answer about; the first where no other is named.',
      multiple: true,
      required: true,
    },
  },
  tools,
  compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: { node: manifest.engines.node } },
});

/** Formula for a Homebrew tap. `tarball`: the npm package as an asset of the release. */
export const formula = (manifest, repository, tarball) => `class GitSocraticode < Formula
  desc "${SHORT.replace(/\.$/, '')}"
  homepage "${HOME(repository)}"
  url "${asset(repository, manifest, tarball.name)}"
  sha256 "${tarball.sha256}"
  license "${manifest.license}"

  depends_on "git"
  depends_on "node"

  def install
    system "npm", "install", *std_npm_args
    bin.install_symlink libexec.glob("bin/*")
    man1.install_symlink libexec.glob("share/man/man1/*")
    generate_completions_from_executable(bin/"git-socraticode", "completion")
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/git-socraticode --version")
    system "git", "init", "--quiet"
    (testpath/"cart.js").write "export function total() {}\\n"
    system "git", "add", "cart.js"
    system "git", "-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--message", "cart"
    assert_match "cart.js", shell_output("#{bin}/git-socraticode search total")
  end
end
`;

/** Control file of the Debian package. `size`: of what it installs, in KiB. */
export const debianControl = (manifest, repository, { architecture, size }) => `Package: ${manifest.name}
Version: ${manifest.version}
Architecture: ${architecture}
Maintainer: ${repository.split('/')[0]} <${repository.split('/')[0]}@users.noreply.github.com>
Installed-Size: ${size}
Depends: nodejs (>= 20), git (>= 1:2.31)
Section: vcs
Priority: optional
Homepage: ${HOME(repository)}
Description: ${SHORT.replace(/\.$/, '')}
 For people and coding agents (MCP), from an index that lives in the repository.
`;

/** Lines that `sha256sum --check` reads. */
export const checksums = (files) => files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join('');

/** Statement of what was built from which commit: in-toto v1 with the predicate SLSA provenance v1. The CI signs it. */
export const provenance = (files, { repository, commit, builder }) => ({
  _type: 'https://in-toto.io/Statement/v1',
  subject: files.map(({ name, sha256 }) => ({ name, digest: { sha256 } })),
  predicateType: 'https://slsa.dev/provenance/v1',
  predicate: {
    buildDefinition: {
      buildType: `${HOME(repository)}/blob/${commit}/release/README.md`,
      externalParameters: { repository: HOME(repository), commit },
      resolvedDependencies: [{ uri: `git+${HOME(repository)}@${commit}`, digest: { gitCommit: commit } }],
    },
    runDetails: { builder: { id: builder } },
  },
});
