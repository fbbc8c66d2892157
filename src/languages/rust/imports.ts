/**
 * Imports and crates of Rust: the crates of the repository, and the files of their modules. Modules without a file of their own are part of
 * their parent's.
 */
import {
  type Dependency,
  type PackageRules,
  type PublishedModule,
  type PublishedPackage,
  wordSet,
} from '../language.js';
import {
  ancestors,
  baseName,
  directoryOf,
  entries,
  external,
  field,
  getOrMake,
  type ImportResolver,
  type ImportRules,
  type Json,
  join,
  type Project,
  parseToml,
  type Resolution,
  type Specified,
  stemOf,
  text,
  UNRESOLVED,
  under,
} from '../roles/project.js';

/** Files whose child modules are next to them, and not in a directory of their name. */
const DIRECTORY_FILES: ReadonlySet<string> = new Set(['mod.rs', 'lib.rs', 'main.rs']);

const TYPE = /^[A-Z]/;

/** Methods of the standard library, without those whose names begin like `checked_add` or `wrapping_add`. */
const RUST_NAMES = wordSet(`
  abs abs_diff abs_sub accept access_mode accessed acos acosh add add_assign add_extension addr advance advance_slices align align_offset
  align_to align_to_mut all alternate ancestors and and_modify and_then any append arg arg0 args array array_windows as_array
  as_array_of_cells as_bytes as_bytes_mut as_bytes_with_nul as_c_str as_chunks as_chunks_mut as_chunks_unchecked as_chunks_unchecked_mut
  as_deref as_deref_mut as_encoded_bytes as_fd as_flattened as_flattened_mut as_handle as_micros as_millis as_mut as_mut_array
  as_mut_os_str as_mut_os_string as_mut_ptr as_mut_ptr_range as_mut_slice as_mut_slices as_mut_str as_mut_unchecked as_mut_vec as_nanos
  as_os_str as_path as_pin_mut as_pin_ref as_pthread_t as_ptr as_ptr_range as_raw_fd as_raw_handle as_raw_socket as_raw_stat as_rchunks
  as_rchunks_mut as_ref as_ref_unchecked as_secs as_secs_f32 as_secs_f64 as_slice as_slice_of_cells as_slices as_socket as_str asin asinh
  assume_init assume_init_drop assume_init_mut assume_init_ref atan atan2 atanh atime atime_nsec attributes back back_mut before_exec
  binary_search binary_search_by binary_search_by_key bind bitand bitand_assign bitor bitor_assign bitxor bitxor_assign blksize blocks
  borrow borrow_mut broadcast buffer build_hasher by_ref byte_add byte_offset byte_offset_from byte_offset_from_unsigned byte_sub bytes
  call_once call_once_force caller canonicalize capacity cast cast_const cast_mut cast_signed cast_unsigned cause cbrt ceil
  ceil_char_boundary chain char_indices chars chunk_by chunk_by_mut chunks chunks_exact chunks_exact_mut chunks_mut clamp classify clear
  clear_poison clone clone_from clone_from_slice clone_into cloned cmp code collect column compare_and_swap compare_exchange
  compare_exchange_weak components concat connect connect_timeout consume contains contains_key continued copied copy_from
  copy_from_nonoverlapping copy_from_slice copy_to copy_to_nonoverlapping copy_within copysign core_dumped cos cosh count count_bytes
  count_ones count_zeros create create_new created creation_flags creation_time ctime ctime_nsec current_dir custom_flags cycle dangling
  dangling_ptr data debug_list debug_map debug_set debug_struct debug_tuple decode_utf16 decrement_strong_count dedup dedup_by
  dedup_by_key default deref deref_mut description dev difference display div div_assign div_ceil div_duration_f32 div_duration_f64
  div_euclid div_f32 div_f64 downcast downcast_mut downcast_ref downgrade drain drop drop_in_place duration duration_since each_mut
  each_ref elapsed element_offset encode_utf16 encode_utf8 encode_wide end end_bound ends_with entries entry enumerate env env_clear
  env_remove envs eq eq_ignore_ascii_case err error error_len escape_ascii escape_debug escape_default escape_unicode exec exists exp exp2
  exp_m1 expect expect_err expose_provenance extend extend_from_slice extend_from_within extend_packed extension extract_if field file
  file_as_c_str file_attributes file_name file_prefix file_size file_stem file_type fill fill_buf fill_with filter filter_map find
  find_map finish finish_non_exhaustive first first_chunk first_chunk_mut first_entry first_key_value first_mut flags flat_map flatten
  floor floor_char_boundary flowinfo flush fmt fold for_each for_value force force_mut fract from from_bits from_bytes
  from_bytes_until_nul from_bytes_with_nul from_bytes_with_nul_unchecked from_digit from_encoded_bytes_unchecked from_hours from_iter
  from_micros from_millis from_mins from_mode from_mut from_nanos from_nanos_u128 from_octets from_ptr from_raw from_raw_fd
  from_raw_handle from_raw_os_error from_raw_parts from_raw_socket from_ref from_secs from_secs_f32 from_secs_f64 from_segments
  from_size_align from_size_align_unchecked from_str from_str_radix from_u32 from_u32_unchecked from_utf16 from_utf16_lossy from_utf8
  from_utf8_lossy from_utf8_mut from_utf8_unchecked from_utf8_unchecked_mut from_vec from_vec_unchecked from_vec_with_nul
  from_vec_with_nul_unchecked from_waker from_wide front front_mut fuse ge get get_args get_current_dir get_disjoint_mut
  get_disjoint_unchecked_mut get_envs get_key_value get_mut get_or_init get_or_insert get_or_insert_default get_or_insert_with get_program
  get_ref get_unchecked get_unchecked_mut gid gt has_root hash hash_one hash_slice hasher hypot id ilog ilog10 ilog2 incoming
  increment_strong_count index index_mut inherit ino insert insert_entry insert_mut insert_str inspect inspect_err intersection into
  into_boxed_bytes into_boxed_c_str into_boxed_os_str into_boxed_path into_boxed_slice into_boxed_str into_bytes into_bytes_with_nul
  into_c_string into_cstring into_encoded_bytes into_error into_flattened into_future into_inner into_iter into_key into_keys into_mut
  into_os_string into_owned into_parts into_path_buf into_pin into_pthread_t into_raw into_raw_fd into_raw_handle into_raw_parts
  into_raw_socket into_ref into_remainder into_slice into_sorted_vec into_string into_values into_vec invalid ip is is_absolute is_aligned
  is_alphabetic is_alphanumeric is_block_device is_broadcast is_char_boundary is_char_device is_completed is_control is_digit is_dir
  is_disjoint is_documentation is_empty is_eq is_err is_err_and is_fifo is_file is_finished is_finite is_ge is_gt is_infinite is_ipv4
  is_ipv6 is_le is_leader is_link_local is_loopback is_lowercase is_lt is_multicast is_multiple_of is_nan is_ne is_negative is_none
  is_none_or is_normal is_null is_numeric is_ok is_ok_and is_pending is_poisoned is_positive is_power_of_two is_private is_ready
  is_relative is_sign_negative is_sign_positive is_socket is_some is_some_and is_sorted is_sorted_by is_sorted_by_key is_subnormal
  is_subset is_superset is_symlink is_symlink_dir is_symlink_file is_terminal is_unicast_link_local is_unique_local is_unspecified
  is_uppercase is_whitespace is_zero isqrt iter iter_mut join join_multicast_v4 join_multicast_v6 key keys kill kind last last_access_time
  last_chunk last_chunk_mut last_entry last_key_value last_mut last_os_error last_write_time le leading_ones leading_zeros leak
  leave_multicast_v4 leave_multicast_v6 len len_utf16 len_utf8 limit line lines lines_any ln ln_1p load local_addr location lock
  lock_shared log log10 log2 lt make_ascii_lowercase make_ascii_uppercase make_contiguous make_mut map map_addr map_err map_ok map_or
  map_or_else map_split map_unchecked map_unchecked_mut map_while match_indices matches max max_by max_by_key max_value metadata midpoint
  min min_by min_by_key min_value mode modified mtime mtime_nsec mul mul_add mul_assign mul_f32 mul_f64 multicast_loop_v4
  multicast_loop_v6 multicast_ttl_v4 name ne neg new new_cyclic new_unchecked new_uninit new_uninit_slice new_zeroed new_zeroed_slice next
  next_back next_down next_if next_if_eq next_if_map next_if_map_mut next_multiple_of next_power_of_two next_up nlink nodelay noop not
  notify_all notify_one now nth nth_back nul_position null octets of offset offset_from offset_from_unsigned ok ok_or ok_or_else only_v6
  open options or or_default or_else or_insert or_insert_with or_insert_with_key other output pad pad_integral pad_to_align parent parse
  partial_cmp partition partition_point path payload payload_as_str peek peek_from peek_mut peekable peer_addr permissions pin piped poll
  pop pop_back pop_back_if pop_first pop_front pop_front_if pop_if pop_last port position pow powf powi pre_exec precision process_group
  product ptr_eq push push_back push_back_mut push_front push_front_mut push_mut push_str quickack range range_mut raw_arg raw_get
  raw_os_error rchunks rchunks_exact rchunks_exact_mut rchunks_mut rdev read read_at read_dir read_exact read_exact_at read_line read_link
  read_timeout read_to_end read_to_string read_unaligned read_until read_vectored read_volatile readonly recip recursive recv recv_from
  recv_timeout reduce rem rem_assign rem_euclid remainder remove remove_entry repeat repeat_packed replace replace_range replace_with
  replacen report reserve reserve_exact resize resize_with retain retain_mut rev reverse reverse_bits rewind rfind rfold rmatch_indices
  rmatches rotate_left rotate_right round round_ties_even rposition rsplit rsplit_mut rsplit_once rsplit_terminator rsplitn rsplitn_mut
  scan scope_id security_qos_flags seek seek_read seek_relative seek_write segments select_nth_unstable select_nth_unstable_by
  select_nth_unstable_by_key send send_to set set_accessed set_broadcast set_created set_extension set_file_name set_flowinfo set_ip
  set_len set_limit set_mode set_modified set_multicast_loop_v4 set_multicast_loop_v6 set_multicast_ttl_v4 set_nodelay set_nonblocking
  set_only_v6 set_permissions set_port set_position set_quickack set_read_timeout set_readonly set_scope_id set_times set_ttl
  set_write_timeout share_mode shl shl_assign shr shr_assign shrink_to shrink_to_fit shutdown sign_aware_zero_pad sign_minus sign_plus
  signal signum sin sin_cos sinh size size_hint skip skip_until skip_while slice_from_raw_parts slice_mut_unchecked slice_unchecked sort
  sort_by sort_by_cached_key sort_by_key sort_unstable sort_unstable_by sort_unstable_by_key source spare_capacity_mut spawn spawn_scoped
  spawn_unchecked splice split split_ascii_whitespace split_at split_at_checked split_at_mut split_at_mut_checked split_at_mut_unchecked
  split_at_unchecked split_first split_first_chunk split_first_chunk_mut split_first_mut split_inclusive split_inclusive_mut split_last
  split_last_chunk split_last_chunk_mut split_last_mut split_mut split_off split_off_first split_off_first_mut split_off_last
  split_off_last_mut split_off_mut split_once split_terminator split_whitespace splitn splitn_mut sqrt st_atime st_atime_nsec st_birthtime
  st_birthtime_nsec st_blksize st_blocks st_ctime st_ctime_nsec st_dev st_flags st_gen st_gid st_ino st_lspare st_mode st_mtime
  st_mtime_nsec st_nlink st_rdev st_size st_uid stack_size start start_bound starts_with static_mut static_ref status stderr stdin stdout
  step_by stopped_signal store stream_position strip_prefix strip_suffix strong_count sub sub_assign subsec_micros subsec_millis
  subsec_nanos success sum swap swap_bytes swap_remove swap_remove_back swap_remove_front swap_with_slice symlink_metadata
  symmetric_difference sync_all sync_data take take_error take_if take_while tan tanh then then_some then_with thread timed_out
  to_ascii_lowercase to_ascii_uppercase to_bits to_bytes to_bytes_with_nul to_canonical to_degrees to_digit to_int_unchecked to_ipv4
  to_ipv4_mapped to_ipv6_compatible to_ipv6_mapped to_lowercase to_mut to_os_string to_owned to_path_buf to_radians to_socket_addrs to_str
  to_string to_string_lossy to_uppercase to_vec total_cmp trailing_ones trailing_zeros transpose trim trim_ascii trim_ascii_end
  trim_ascii_start trim_end trim_end_matches trim_left trim_left_matches trim_matches trim_right trim_right_matches trim_start
  trim_start_matches trunc truncate try_borrow try_borrow_mut try_borrow_unguarded try_clone try_exists try_fold try_for_each try_from
  try_from_secs_f32 try_from_secs_f64 try_into try_iter try_lock try_lock_shared try_read try_recv try_reserve try_reserve_exact try_rfold
  try_send try_unwrap try_update try_wait try_with try_write ttl type_id uid union unlock unpark unsigned_abs unwrap unwrap_err
  unwrap_err_unchecked unwrap_or unwrap_or_clone unwrap_or_default unwrap_or_else unwrap_unchecked unzip update upgrade utf8_chunks
  utf8_error valid valid_up_to value values values_mut vtable wait wait_force wait_timeout wait_timeout_ms wait_timeout_while wait_while
  wait_with_output wake wake_by_ref waker weak_count width will_wake windows with with_added_extension with_addr with_borrow
  with_borrow_mut with_capacity with_capacity_and_hasher with_exposed_provenance with_extension with_file_name with_hasher
  without_provenance write write_all write_all_at write_at write_bytes write_char write_clone_of_slice write_copy_of_slice write_fmt
  write_i128 write_i16 write_i32 write_i64 write_i8 write_isize write_str write_timeout write_u128 write_u16 write_u32 write_u64 write_u8
  write_unaligned write_usize write_vectored write_volatile xor zip
`);

export const RUST: ImportRules = {
  readsNames: true,
  libraryNames: RUST_NAMES,
  create: (project) => new Rust(project),
};

/** A module: the file with its text, and the directory with its children's files. */
interface Module {
  file: number;
  directory: string;
}

class Rust implements ImportResolver {
  private readonly crates: Crates;

  constructor(private readonly project: Project) {
    this.crates = new Crates(project);
  }

  resolve(file: number, specified: Specified): Resolution {
    const { specifier } = specified;
    if (specified.kind === 'module') return this.declaredModule(file, specified);
    const names = specifier.split('::').filter((name) => name !== '');
    if (names.length === 0) return UNRESOLVED;
    const start = this.start(file, specified, names);
    if (start === null) {
      return this.crates.mayDependOn(names[0], this.project.directory(file)) ? external(names[0]) : UNRESOLVED;
    }
    const place = this.walk(start.module, names.slice(start.used));
    const files = this.withNames(place.module, place.isWhole, specified.names).filter((found) => found >= 0);
    return files.length === 0 ? UNRESOLVED : this.project.toFiles([...new Set(files)], 'path');
  }

  /** The file of `mod x;`, or the one that `#[path]` names, relative to the directory of the file itself. */
  private declaredModule(file: number, specified: Specified): Resolution {
    const { specifier } = specified;
    if (specifier.endsWith('.rs') || specifier.includes('/')) {
      const path = join(this.project.directory(file), specifier);
      return (path === null ? null : this.project.at(path)) ?? UNRESOLVED;
    }
    const found = this.child(this.within(file, this.enclosing(file, specified)), specifier);
    return found === null ? UNRESOLVED : this.project.toFiles([found.file], 'path');
  }

  /** The module that the rest of the path starts from, and the number of names that led there; null outside of the repository. */
  private start(file: number, specified: Specified, names: readonly string[]): { module: Module; used: number } | null {
    const inline = [...this.enclosing(file, specified)];
    const [first] = names;
    if (first === 'crate' || first === '$crate') return { module: this.rootOf(file), used: 1 };
    if (first === 'self') return this.climb(file, inline, names, 1);
    if (first === 'super') return this.climb(file, inline, names, 0);
    // Since 2018 a path may begin with a child of the current module; otherwise a crate of that name comes first.
    const here = this.within(file, inline);
    if (!specified.specifier.startsWith('::') && this.child(here, first) !== null) return { module: here, used: 0 };
    // Names of a type: `use Kind::*` of an enum of this file. Names of crates are in small letters.
    if (TYPE.test(first)) return { module: here, used: 0 };
    const crate = this.crates.find(first, this.project.directory(file));
    if (crate !== null) return { module: this.crateRoot(crate), used: 1 };
    return this.project.input.topLevelNames(file).includes(first) ? { module: here, used: 0 } : null;
  }

  private climb(
    file: number,
    inline: string[],
    names: readonly string[],
    used: number,
  ): { module: Module; used: number } {
    let at = file;
    let count = used;
    while (names[count] === 'super') {
      count++;
      if (inline.pop() === undefined) at = this.parent(at);
      if (at < 0) return { module: { file: -1, directory: '' }, used: count };
    }
    return { module: this.within(at, inline), used: count };
  }

  private enclosing(file: number, { symbol }: Specified): readonly string[] {
    if (symbol === undefined || symbol < 0) return [];
    return this.project.input.enclosingModules?.(file, symbol) ?? [];
  }

  /** An inline module of a file. */
  private within(file: number, inline: readonly string[]): Module {
    return { file, directory: inline.reduce(under, this.childDirectory(file)) };
  }

  /** Follows names as long as they are modules with files; the other names are in the text of the last one. */
  private walk(start: Module, names: readonly string[]): { module: Module; isWhole: boolean } {
    let module = start;
    for (const name of names) {
      const next = this.child(module, name);
      if (next === null) return { module, isWhole: false };
      module = next;
    }
    return { module, isWhole: true };
  }

  /** Files of imported names: a name that is a module has its file; any other is defined or re-exported by the module itself. */
  private withNames(module: Module, isWhole: boolean, names: Specified['names']): number[] {
    if (!isWhole || names.length === 0) return [module.file];
    return names.map(({ name }) => (name === '*' ? module.file : (this.child(module, name)?.file ?? module.file)));
  }

  private child({ directory }: Module, name: string): Module | null {
    const below = under(directory, name);
    let file = this.project.find(`${below}.rs`);
    if (file < 0) file = this.project.find(`${below}/mod.rs`);
    return file < 0 ? null : { file, directory: below };
  }

  private childDirectory(file: number): string {
    const path = this.project.path(file);
    if (DIRECTORY_FILES.has(baseName(path)) || this.crates.isRoot(path)) return directoryOf(path);
    return under(directoryOf(path), stemOf(path));
  }

  /** The file of the parent of a file's module; -1 for the root of a crate. */
  private parent(file: number): number {
    const path = this.project.path(file);
    if (this.crates.isRoot(path)) return -1;
    const directory = baseName(path) === 'mod.rs' ? directoryOf(directoryOf(path)) : directoryOf(path);
    const home = directoryOf(directory);
    for (const candidate of [`${directory}.rs`, under(directory, 'mod.rs')]) {
      const found = this.project.find(candidate);
      if (found >= 0 && found !== file && !(candidate === `${directory}.rs` && directory === home)) return found;
    }
    return this.rootOf(file).file;
  }

  private rootOf(file: number): Module {
    return this.crateRoot({ root: this.crates.rootOf(this.project.path(file)) });
  }

  private crateRoot({ root }: Pick<CargoCrate, 'root'>): Module {
    return { file: this.project.find(root), directory: directoryOf(root) };
  }
}

interface CargoCrate {
  /** Path of `lib.rs`, `main.rs`, or the file that the manifest names instead; it may be missing. */
  root: string;
}

interface CargoPackage {
  directory: string;
  manifest: Json | undefined;
  /** Name in other crates; '' for a manifest without a package. */
  name: string;
  root: string;
}

/** Directories of a package in which every file is a crate of its own, and every directory with a `main.rs`, too. */
const CRATE_DIRECTORIES = ['src/bin', 'tests', 'examples', 'benches'];
const OWN_CRATES: ReadonlySet<string> = new Set(['std', 'core', 'alloc', 'proc_macro', 'test']);
const DEPENDENCY_FIELDS = ['dependencies', 'dev-dependencies', 'build-dependencies'];

class Crates {
  private packages: CargoPackage[] | null = null;
  private byName: Map<string, CargoPackage> | null = null;
  private byDirectory: Map<string, CargoPackage> | null = null;
  private explicitRoots: Set<string> | null = null;
  private readonly roots = new Map<string, string>();
  private readonly homes = new Map<string, CargoPackage | null>();

  constructor(private readonly project: Project) {}

  /** The crate of `name` in a file of `directory`: a renamed dependency, or a package of the repository. */
  find(name: string, directory: string): CargoCrate | null {
    const own = this.packageOf(directory);
    const renamed = own === null ? null : this.dependency(own, name);
    const found = renamed ?? this.named().get(name) ?? null;
    return found === null || !this.project.has(found.root) ? null : found;
  }

  /** Is it a crate of the language, or one that a manifest names? Otherwise the name is an alias. */
  mayDependOn(name: string, directory: string): boolean {
    const own = this.packageOf(directory);
    if (own === null || OWN_CRATES.has(name)) return true;
    const dashed = name.replaceAll('_', '-');
    return [own, ...this.workspaceOf(own)].some(({ directory: at }) => {
      const text = this.project.manifest(under(at, 'Cargo.toml')) ?? '';
      return text.includes(name) || text.includes(dashed);
    });
  }

  /** Does a crate begin with this file? */
  isRoot(path: string): boolean {
    return this.rootOf(path) === path;
  }

  /** The root file of a file's crate, by the file's directory. */
  rootOf(path: string): string {
    return getOrMake(this.roots, path, () => this.findRoot(path));
  }

  private findRoot(path: string): string {
    const home = this.packageOf(directoryOf(path));
    if (this.explicit().has(path)) return path;
    const base = home?.directory ?? '';
    if (path === under(base, 'build.rs')) return path;
    for (const place of CRATE_DIRECTORIES) {
      const at = under(base, place);
      if (directoryOf(path) === at) return path;
      if (!path.startsWith(`${at}/`)) continue;
      const top = path.slice(at.length + 1).split('/', 1)[0];
      const main = `${at}/${top}/main.rs`;
      if (this.project.has(main)) return main;
      return this.project.has(`${at}/${top}.rs`) ? `${at}/${top}.rs` : path;
    }
    if (path === under(base, 'src/main.rs')) return path;
    if (home !== null && this.project.has(home.root))
      return this.isOfBinary(path, home.root, under(base, 'src/main.rs')) ? under(base, 'src/main.rs') : home.root;
    return this.nearestRoot(directoryOf(path)) ?? path;
  }

  /** Is a file's module declared in the program of a package, and not in its library? */
  private isOfBinary(path: string, library: string, program: string): boolean {
    if (library === program || !this.project.has(program) || !path.startsWith(`${directoryOf(program)}/`)) return false;
    const [top] = path.slice(directoryOf(program).length + 1).split('/', 1);
    const declares = (root: string) =>
      this.project.input.declared(this.project.find(root)).includes(top.replace(/\.rs$/, ''));
    return declares(program) && !declares(library);
  }

  /** The nearest `lib.rs` or `main.rs` upwards, for files without a manifest. */
  private nearestRoot(directory: string): string | null {
    for (const at of ancestors(directory)) {
      for (const name of ['lib.rs', 'main.rs']) if (this.project.has(under(at, name))) return under(at, name);
    }
    return null;
  }

  private dependency(own: CargoPackage, name: string): CargoPackage | null {
    for (const [manifest, directory] of [
      [own.manifest, own.directory] as const,
      ...this.workspaceOf(own).map((found) => [field(found.manifest, 'workspace'), found.directory] as const),
    ]) {
      for (const fieldName of DEPENDENCY_FIELDS) {
        const written = field(manifest, fieldName);
        const dependency = field(written, name) ?? field(written, name.replaceAll('_', '-'));
        const path = text(field(dependency, 'path'));
        const at = path === undefined ? null : join(directory, path);
        const byPath = at === null ? undefined : this.directories().get(at);
        if (byPath !== undefined) return byPath;
        const renamed = text(field(dependency, 'package'));
        if (renamed !== undefined) return this.named().get(crateName(renamed)) ?? null;
      }
    }
    return null;
  }

  private workspaceOf({ directory }: CargoPackage): CargoPackage[] {
    for (const at of ancestors(directory)) {
      const found = this.directories().get(at);
      if (found !== undefined && field(found.manifest, 'workspace') !== undefined) return [found];
    }
    return [];
  }

  private packageOf(directory: string): CargoPackage | null {
    return getOrMake(this.homes, directory, () => {
      for (const at of ancestors(directory)) {
        const found = this.directories().get(at);
        if (found !== undefined && found.name !== '') return found;
      }
      return null;
    });
  }

  private named(): Map<string, CargoPackage> {
    if (this.byName !== null) return this.byName;
    this.byName = new Map();
    for (const found of this.all())
      if (found.name !== '' && !this.byName.has(found.name)) this.byName.set(found.name, found);
    return this.byName;
  }

  private directories(): Map<string, CargoPackage> {
    this.byDirectory ??= new Map(this.all().map((found) => [found.directory, found]));
    return this.byDirectory;
  }

  /** Files that manifests name as roots of libraries, binaries or tests. */
  private explicit(): Set<string> {
    if (this.explicitRoots !== null) return this.explicitRoots;
    this.explicitRoots = new Set();
    for (const { directory, manifest, root } of this.all()) {
      if (baseName(root) !== 'lib.rs' || this.project.has(root)) this.explicitRoots.add(root);
      for (const kind of ['bin', 'test', 'example', 'bench']) {
        const targets = field(manifest, kind);
        for (const target of Array.isArray(targets) ? targets : []) {
          const path = join(directory, text(field(target, 'path')) ?? '');
          if (path !== null && path !== directory) this.explicitRoots.add(path);
        }
      }
    }
    return this.explicitRoots;
  }

  private all(): CargoPackage[] {
    this.packages ??= this.project.manifestsNamed('Cargo.toml').map((path) => {
      const manifest = parseToml(this.project.manifest(path) ?? '');
      const directory = directoryOf(path);
      const library = field(manifest, 'lib');
      const name = text(field(library, 'name')) ?? text(field(field(manifest, 'package'), 'name')) ?? '';
      const written = text(field(library, 'path'));
      const root = (written === undefined ? null : join(directory, written)) ?? under(directory, 'src/lib.rs');
      const main = under(directory, 'src/main.rs');
      return {
        directory,
        manifest,
        name: entries(manifest).length === 0 ? '' : crateName(name),
        root: this.project.has(root) || !this.project.has(main) ? root : main,
      };
    });
    return this.packages;
  }
}

function crateName(name: string): string {
  return name.replaceAll('-', '_');
}

export const CARGO: PackageRules = {
  published: (project) => project.manifestsNamed('Cargo.toml').flatMap((manifest) => published(project, manifest)),
  dependencies(_, content): Dependency[] {
    const value = parseToml(content);
    const tables = [value, field(value, 'workspace')];
    return tables.flatMap((table) =>
      DEPENDENCY_FIELDS.flatMap((name) =>
        entries(field(table, name)).map(([dependency, written]) => ({
          name: text(field(written, 'package')) ?? dependency,
          version: text(written) ?? text(field(written, 'version')) ?? '',
        })),
      ),
    );
  },
};

function published(project: Project, manifest: string): PublishedPackage[] {
  const value = parseToml(project.manifest(manifest) ?? '');
  const name = text(field(field(value, 'package'), 'name'));
  const library = field(value, 'lib');
  const root = under(directoryOf(manifest), text(field(library, 'path')) ?? 'src/lib.rs');
  if (name === undefined || !project.has(root)) return [];
  const crate = text(field(library, 'name')) ?? name.replaceAll('-', '_');
  const home = directoryOf(root);
  const modules: PublishedModule[] = [{ specifier: crate, files: [project.find(root)] }];
  for (const file of project.filesOfLanguages(['rust'])) {
    const path = project.path(file);
    if (path === root || !path.startsWith(`${home}/`) || path.startsWith(`${home}/bin/`)) continue;
    if (baseName(path) === 'main.rs') continue;
    const names = path
      .slice(home.length + 1)
      .replace(/(?:\/mod)?\.rs$/, '')
      .split('/');
    modules.push({ specifier: [crate, ...names].join('::'), files: [file] });
  }
  return [{ name, manifest, modules }];
}
