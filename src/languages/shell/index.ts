/** Bash, and the shells that are parsed as Bash. */
import { type Language, semantics, words } from '../language.js';

export const bash: Language = {
  id: 'bash',
  plain: 'code',
  extensions: words('sh bash zsh ksh bats ebuild command'),
  names: words(
    '.bashrc .bash_profile .bash_aliases .bash_logout .profile .zshrc .zshenv .zprofile .zlogin .kshrc pkgbuild apkbuild gradlew .envrc',
  ),
  interpreters: words('sh bash zsh ksh dash ash bats'),
  grammar: { name: 'bash' },
  relations: true,
  rules: async () => (await import('./rules.js')).bash,
  imports: async () => (await import('./rules.js')).SHELL,
  semantics: semantics({ family: 'bash', transitive: true }),
  conventions: { mainNames: new Set(['main']), topLevelCode: true, testName: /^test/ },
};
