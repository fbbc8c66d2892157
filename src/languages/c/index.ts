/** C and C++, and the languages whose files include theirs: Objective-C, assembly, shaders. */
import type { Language } from '../language.js';
import { semantics } from '../roles/semantics.js';
import { wordSet, words } from '../words.js';

const SEMANTICS = semantics({ family: 'c', transitive: true, globalFunctions: true, headers: true, openEnums: true });
const MAIN_NAMES = wordSet('main WinMain wmain');

const imports = async () => (await import('./imports.js')).INCLUDES;

/** `f(x)` alone would be read as the type of a declaration. */
const IN_FUNCTION = [
  ['void f() { ', '; }'],
  ['void f() { ', ' }'],
  ['', ''],
] as const;

export const c: Language = {
  id: 'c',
  plain: 'code',
  extensions: words('c h idc'),
  grammar: { name: 'c', around: IN_FUNCTION },
  relations: true,
  rules: async () => {
    const [definitions, relations] = await Promise.all([import('./definitions.js'), import('./relations.js')]);
    return { definitions: definitions.c, relations: relations.c };
  },
  imports,
  semantics: SEMANTICS,
  conventions: { mainNames: MAIN_NAMES },
};

export const cpp: Language = {
  id: 'cpp',
  plain: 'code',
  extensions: words('cpp cc cxx c++ hpp hh hxx h++ ipp inl tpp cppm ixx cu cuh ino'),
  grammar: { name: 'cpp', around: IN_FUNCTION },
  relations: true,
  rules: async () => {
    const [definitions, relations] = await Promise.all([import('./definitions.js'), import('./cpp-relations.js')]);
    return { definitions: definitions.cpp, relations: relations.cpp };
  },
  imports,
  semantics: {
    ...SEMANTICS,
    implicitThis: true,
    openNamespaces: true,
    parts: 'anywhere',
    wrappers: wordSet(
      'unique_ptr shared_ptr weak_ptr optional reference_wrapper future atomic scoped_ptr Ptr function',
    ),
    collections: wordSet(
      'vector array deque list forward_list set unordered_set multiset map unordered_map multimap span stack queue priority_queue initializer_list',
    ),
  },
  conventions: { mainNames: MAIN_NAMES },
};

/** Nothing is collected from the files of the following. */
export const objectivec: Language = {
  id: 'objectivec',
  plain: 'code',
  extensions: words('m mm'),
  imports,
  semantics: SEMANTICS,
};
export const assembly: Language = { id: 'assembly', plain: 'code', extensions: words('s asm nasm'), imports };
export const glsl: Language = { id: 'glsl', plain: 'code', extensions: words('glsl vert frag geom comp'), imports };
export const hlsl: Language = { id: 'hlsl', plain: 'code', extensions: words('hlsl fx'), imports };
