/** Includes of C and C++: quoted ones next to the file first; then, as for angle brackets, files that an include directory could hold. */
import { addTo } from '../../base/lists.js';
import { wordSet } from '../language.js';
import {
  baseName,
  commonDepth,
  external,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  join,
  type Project,
  type Resolution,
  type Specified,
  UNRESOLVED,
  under,
} from '../roles/project.js';

/** Directories that builds usually search, from the repository root. */
const INCLUDE_DIRECTORIES = ['include', 'src', '', 'inc', 'lib'];
/** Most files with a header's name that are compared: of more (`config.h`), the nearest would be a guess. */
const MAX_CANDIDATES = 500;
const MAX_NESTING = 16;

/** Headers that belong to the system in angle brackets, even if a repository has a copy for older systems. */
const SYSTEM_HEADERS = wordSet(
  `assert.h complex.h ctype.h errno.h fenv.h float.h inttypes.h iso646.h limits.h locale.h math.h setjmp.h signal.h stdalign.h stdarg.h
   stdatomic.h stdbool.h stddef.h stdint.h stdio.h stdlib.h stdnoreturn.h string.h tgmath.h threads.h time.h uchar.h wchar.h wctype.h
   unistd.h fcntl.h dirent.h dlfcn.h poll.h pthread.h pwd.h grp.h sched.h semaphore.h strings.h syslog.h termios.h netdb.h sys/types.h
   sys/stat.h sys/time.h sys/socket.h sys/wait.h sys/mman.h sys/select.h netinet/in.h arpa/inet.h windows.h algorithm any array atomic
   bitset cassert cctype cerrno chrono cinttypes climits cmath condition_variable cstdarg cstddef cstdint cstdio cstdlib cstring ctime
   deque exception filesystem format forward_list fstream functional future initializer_list iomanip ios iosfwd iostream istream iterator
   limits list locale map memory mutex new numeric optional ostream queue random ranges ratio regex set span sstream stack stdexcept
   streambuf string string_view system_error thread tuple type_traits typeindex typeinfo unordered_map unordered_set utility valarray
   variant vector`,
);

export const INCLUDES: ImportRules = {
  readsNames: true,
  create: (project) => new Includes(project),
};

class Includes implements ImportResolver {
  private readonly known = new Map<string, Map<string, Resolution>>();
  private readonly usings = new Map<string, Resolution>();
  private byName: Map<string, number[]> | null = null;
  private otherNames: Map<string, string[]> | null = null;

  constructor(private readonly project: Project) {}

  resolve(file: number, { kind, specifier, names }: Specified): Resolution {
    if (kind !== 'include' && kind !== 'include-system') return this.used(specifier, names);
    const directory = this.project.directory(file);
    const byKey = getOrMake(this.known, directory, () => new Map<string, Resolution>());
    return getOrMake(byKey, `${kind} ${specifier}`, () => this.find(directory, specifier, kind === 'include'));
  }

  /** `using ns::name`: files that have both names. Only included ones of them are visible, which the includes decide. */
  private used(specifier: string, names: Specified['names']): Resolution {
    const namespace = specifier.split('::', 1)[0];
    if (namespace === 'std') return external('std');
    const wanted = names.map(({ name }) => name).filter((name) => name !== '*');
    return getOrMake(this.usings, [specifier, ...wanted].join(' '), () => {
      const definers = this.definers();
      let files = definers.get(namespace) ?? [];
      for (const name of [...specifier.split('::', MAX_NESTING).slice(1), ...wanted.slice(0, 1)]) {
        const holders = new Set(definers.get(name));
        files = files.filter((file) => holders.has(file));
      }
      return files.length === 0 || files.length > MAX_CANDIDATES ? UNRESOLVED : this.project.toFiles(files, 'package');
    });
  }

  /** Files by the names that they define outside of functions and types. */
  private definers(): Map<string, number[]> {
    if (this.byName !== null) return this.byName;
    this.byName = new Map();
    for (const file of this.project.filesOfLanguages(['cpp', 'c'])) {
      for (const name of new Set(this.project.input.topLevelNames(file))) addTo(this.byName, name, file);
    }
    return this.byName;
  }

  private find(directory: string, specifier: string, isQuoted: boolean): Resolution {
    if (!isQuoted && SYSTEM_HEADERS.has(specifier)) return external(specifier);
    const adjacent = isQuoted ? join(directory, specifier) : null;
    const found = (adjacent === null ? null : this.project.at(adjacent)) ?? this.searched(directory, specifier);
    if (found !== null) return found;
    return isQuoted ? UNRESOLVED : external(specifier.split('/', 1)[0]);
  }

  private searched(directory: string, specifier: string): Resolution | null {
    const path = join('', specifier.replace(/^(?:\.\.?\/)+/, ''));
    if (path === null || path === '') return null;
    const candidates = this.ending(path);
    const defaults = INCLUDE_DIRECTORIES.map((place) => under(place, path));
    const choice = nearest(directory, candidates) ?? defaults.find((at) => candidates.includes(at));
    return choice === undefined ? null : this.project.at(choice);
  }

  /** Paths that are `path` or end in `/path`. */
  private ending(path: string): string[] {
    const name = baseName(path);
    const graph = this.project.named(name).map((file) => this.project.path(file));
    const all = graph.length > 0 ? graph : (this.others().get(name) ?? []);
    return all.slice(0, MAX_CANDIDATES).filter((at) => at === path || at.endsWith(`/${path}`));
  }

  private others(): Map<string, string[]> {
    if (this.otherNames !== null) return this.otherNames;
    this.otherNames = new Map();
    for (const path of this.project.input.others) addTo(this.otherNames, baseName(path), path);
    return this.otherNames;
  }
}

/** The only path, or the one that shares more directories with `directory` than all others. */
function nearest(directory: string, paths: readonly string[]): string | undefined {
  const depths = paths.map((path) => commonDepth(`${directory}/`, path));
  const best = Math.max(...depths);
  const first = depths.indexOf(best);
  return depths.indexOf(best, first + 1) < 0 ? paths[first] : undefined;
}
