/** HTML and style sheets. SCSS and LESS are read by their braces: the CSS grammar cannot parse them. */
import { ECMASCRIPT_SEMANTICS, ECMASCRIPT_WORDS } from '../ecmascript/index.js';
import { type Language, semantics, words } from '../language.js';

const imports = async () => (await import('./rules.js')).STYLES;
const STYLE = { plain: 'style', imports, semantics: semantics({ family: 'style' }) } satisfies Partial<Language>;

const braces = async () => ({ braces: { imports: (await import('./rules.js')).styleImports } });

export const html: Language = {
  id: 'html',
  plain: 'markup',
  extensions: words('html htm xhtml shtml'),
  grammar: { name: 'Html', expando: 'z' },
  relations: true,
  scripts: ['javascript', 'typescript'],
  rules: async () => {
    const [{ html }, { inline }] = await Promise.all([import('./rules.js'), import('../ecmascript/rules.js')]);
    return { ...html, inline };
  },
  imports,
  semantics: { ...ECMASCRIPT_SEMANTICS, exports: 'all', openNames: true },
  conventions: { untypedMembers: true, madeWords: ECMASCRIPT_WORDS },
};

export const css: Language = {
  ...STYLE,
  id: 'css',
  extensions: words('css pcss postcss'),
  grammar: {
    name: 'Css',
    expando: '_',
    around: [
      ['a { ', ' }'],
      ['', ''],
    ],
  },
  relations: true,
  rules: async () => (await import('./rules.js')).css,
  conventions: { generatedPath: /\.min\.css$/ },
};

export const scss: Language = { ...STYLE, id: 'scss', extensions: words('scss'), relations: true, rules: braces };
export const less: Language = { ...STYLE, id: 'less', extensions: words('less'), relations: true, rules: braces };
/** Nothing is collected from its files: it has no braces. */
export const sass: Language = { id: 'sass', plain: 'style', extensions: words('sass'), imports };
