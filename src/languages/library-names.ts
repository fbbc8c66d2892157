/**
 * Names of members that types of languages and of their well-known libraries have. A use of such a name through an unknown
 * receiver shows nothing; one of a name that only the repository has nearly always means the repository's. The lists were
 * made from the standard libraries and, for Python, from names that two or more common packages share.
 */
import { wordSet } from './language.js';

export const PYTHON_NAMES = wordSet(`
  abort absolute accept accept_charsets accept_encodings accept_languages accept_mimetypes accept_ranges access_control_allow_credentials
  access_control_allow_headers access_control_allow_methods access_control_allow_origin access_control_expose_headers
  access_control_max_age access_control_request_headers access_control_request_method access_route aclose acquire add addClassCleanup
  addCleanup addFilter addHandler addTypeEqualityFunc add_argument add_argument_group add_done_callback add_etag add_header
  add_mutually_exclusive_group add_note add_section add_subparsers address_family adjusted age aliases allow allow_reuse_address
  allow_reuse_port anchor annotation append appendleft application args arguments arraysize as_bytes as_integer_ratio as_posix as_string
  as_tuple as_uri asend asname assertAlmostEqual assertAlmostEquals assertCountEqual assertDictContainsSubset assertDictEqual assertEqual
  assertEquals assertFalse assertGreater assertGreaterEqual assertIn assertIs assertIsInstance assertIsNone assertIsNot assertIsNotNone
  assertLess assertLessEqual assertListEqual assertLogs assertMultiLineEqual assertNoLogs assertNotAlmostEqual assertNotAlmostEquals
  assertNotEqual assertNotEquals assertNotIn assertNotIsInstance assertNotRegex assertNotRegexpMatches assertRaises assertRaisesRegex
  assertRaisesRegexp assertRegex assertRegexpMatches assertSequenceEqual assertSetEqual assertTrue assertTupleEqual assertWarns
  assertWarnsRegex assert_ astimezone athrow attach attrib auth authorization auto_open autocorrect_location_header
  automatically_set_content_length backup base_url begin betavariate bin bind bit_count bit_length blobopen block block_on_close
  block_size body braceidpattern broken buffer build build_response bytes c_contiguous cache_control calculate_content_length callHandlers
  call_count call_on_close cancel cancelled canonical capitalize casefold cast cause center characters characters_written check
  check_value children chmod choice choices cipher cleanup clear clear_cache clear_memo clone close close_request closed cls cmdloop
  co_argcount co_cellvars co_code co_consts co_exceptiontable co_filename co_firstlineno co_flags co_freevars co_kwonlyargcount co_lines
  co_linetable co_lnotab co_name co_names co_nlocals co_positions co_posonlyargcount co_qualname co_stacksize co_varnames code colon
  columnize combine comment commit communicate compare compare_signal compare_total compare_total_mag compile complete complete_help
  completedefault completenames compress compression config conjugate connect connect_ex connection content content_encoding
  content_language content_length content_location content_md5 content_range content_security_policy content_security_policy_report_only
  content_type contents context context_class contiguous convert_arg_line_to_args converters cookies copy copy_abs copy_negate copy_sign
  copy_with count countTestCases cr_await cr_code cr_frame cr_origin cr_running cr_suspended create createLock create_aggregate
  create_collation create_function create_module create_window_function critical cross_origin_embedder_policy cross_origin_opener_policy
  ctime cursor cwd daemon daemon_threads data date day days debug debug_info debuglevel decode decompress dedent deepcopy default
  defaultTestResult default_factory default_mimetype default_port default_status defaults del_param delattr delete delete_cookie deleter
  delimiter denominator derive description deserialize detach dict_storage_class difference difference_update digest digest_size
  disable_nagle_algorithm discard dispatch dispatch_table doClassCleanups doCleanups do_handshake do_help doc_header doc_leader done
  drain_conn drive dst dump dup elapsed elements emit empty emptyline encode encoding end end_lineno end_offset endheaders endpos endswith
  enter enterClassContext enterContext eof errno error errors exc exception exceptions exec_module execute executemany executescript
  exists exit exp expand expandtabs expanduser expires expovariate extend extendleft extract extractall f_contiguous fail failIf
  failIfAlmostEqual failIfEqual failUnless failUnlessAlmostEqual failUnlessEqual failUnlessRaises failureException family fast fatal feed
  fetchall fetchmany fetchone fields file filename filename2 fileno files fill filter find findCaller find_class find_loader find_module
  find_spec findall finditer findtext finish finish_request flags flush fma fold force_type form form_data_parser_class format
  format_epilog format_help format_map format_spec format_usage forward fragment freeze from_app from_bytes from_decimal from_exception
  from_file from_float from_values fromhex fromisocalendar fromisoformat fromkeys fromordinal fromtimestamp fromutc full full_path
  fullmatch func function gammavariate gauss generic_visit get getChild getEffectiveLevel getName get_all get_app_iter get_body
  get_boundary get_channel_binding get_charset get_charsets get_code get_content_charset get_content_disposition get_content_maintype
  get_content_subtype get_content_type get_data get_default get_default_type get_description get_etag get_filename get_header get_headers
  get_identifiers get_info get_inheritable get_json get_key get_map get_methods get_name get_names get_namespace get_nowait get_param
  get_params get_payload get_redirect_location get_request get_resource_reader get_response get_source get_stack get_token get_type
  get_unixfrom get_usage get_wsgi_headers get_wsgi_response getallmatchingheaders getblocking getboolean getbuffer getcode getfloat
  getheader getheaders getint getitem getlimit getlist getpeercert getpeername getrandbits getresponse getroot getsockname getsockopt
  getstate getter gettimeout geturl getvalue gi_code gi_frame gi_running gi_suspended gi_yieldfrom glob group groupdict groupindex groups
  guard handle handleError handle_error handle_exception handle_request handle_timeout hardlink_to hasHandlers has_header has_option
  has_section head headers help hex hexdigest home host host_url hour id ident identchars idpattern if_match if_modified_since
  if_none_match if_range if_unmodified_since iget imag implicit_sequence_conversion in_transaction indent index info init input_stream
  insert instance interact interrupt intersection intersection_update intro invalidate_caches isDaemon isEnabledFor isSet is_absolute
  is_alive is_block_device is_canonical is_char_device is_closed is_dir is_fifo is_file is_finite is_global is_infinite is_integer is_json
  is_mount is_multipart is_multiprocess is_multithread is_nan is_normal is_package is_qnan is_redirect is_relative_to is_reserved
  is_run_once is_running is_secure is_sequence is_set is_signed is_snan is_socket is_streamed is_subnormal is_symlink is_valid is_zero
  isalnum isalpha isascii isatty isclosed isdecimal isdigit isdisjoint isidentifier islower isnumeric isocalendar isoformat
  isolation_level isoweekday isprintable isspace issubset issuperset istitle isupper item items itemsize iter iter_encoded iter_errors
  iter_lines iterdir iterdump iterfind iteritems itermerged itertext join joinpath json json_module key keys keywords kill kind kwargs
  last_modified lastcmd lastgroup lastindex lastrowid lchmod length limit_denominator line line_buffering lineno link_to links list
  list_storage_class listen ljust ln load load_module locals location locked log log10 logb logical_and logical_invert logical_or
  logical_xor login lognormvariate longMessage lower lstat lstrip main makeRecord make_conditional make_form_data_parser make_sequence
  makeelement makefile maketrans manager map match matches max maxDiff max_content_length max_cookie_size max_form_memory_size
  max_form_parts max_forwards max_mag maxlen maxsize memo message microsecond microseconds mimetype mimetype_params min min_mag minute
  misc_header mkdir mode modify module module_repr month most_common move_to_end mro msg mtime myfileobj n_fields n_sequence_fields
  n_unnamed_fields n_waiting name names namespace native_id nbytes ndim netloc new new_child newlines next next_minus next_plus
  next_toward node nodes nohelp noop normalize normalvariate notify notifyAll notify_all now number_class numerator obj object offset
  on_json_loading_failed onecmd open open_resource options optionxform order origin output owner pack parameter_storage_class parameters
  params parent parents paretovariate parse parse_args parse_intermixed_args parse_known_args parse_known_intermixed_args parseline
  parties partition parts password patch path pattern peek pending persistent_id persistent_load pformat pid poll pop pop_all popitem
  popleft port pos post postcmd postloop pragma precmd prefix preloop prepare prev print_file_and_line print_help print_topics print_usage
  print_version priority process process_request process_request_thread prompt proto public push put put_nowait putcmd putheader
  putrequest qsize quantize query quit radix raise_for_status randbytes randint random randrange range raw raw_items rbufsize re read
  read1 read_bytes read_chunked read_dict read_file read_string read_text readable readall readfp readinto readinto1 readline readlines
  readlink readonly real reason reconfigure recv recv_into recvfrom recvfrom_into recvmsg recvmsg_into referrer register regs relative_to
  release release_conn remainder_near remote_user remove removeFilter removeHandler remove_option remove_section removeprefix removesuffix
  rename replace replace_header request request_queue_size reset resolution resolve response response_class rest result retries
  retry_after returns reverse rewind rfind rglob rindex rjust rmdir rollback root root_url rotate row_factory rowcount rpartition rsplit
  rstrip ruler run runcode safe_substitute same_quantum samefile sample save scaleb scanner schema scheme scope script_root search second
  seconds section sections seed seek seekable select selected_alpn_protocol selected_npn_protocol send send_signal sendall sendfile
  sendmsg sendmsg_afalg sendto serialize serve_forever server_activate server_bind server_close service_actions session session_reused set
  setDaemon setFormatter setLevel setName setUp setUpClass set_authorizer set_boundary set_charset set_cookie set_data set_debuglevel
  set_default_type set_defaults set_etag set_exception set_inheritable set_name set_param set_payload set_progress_handler set_raw
  set_result set_trace set_trace_callback set_tunnel set_type set_unixfrom setblocking setdefault setinputsizes setlimit setoutputsize
  setsockopt setstate setter settimeout setup shape shared_ciphers shift shortDescription showsyntaxerror showtraceback shuffle shutdown
  shutdown_request size skipTest sock socket_type sort source span split splitlines sqrt start startswith starttls stat status status_code
  stem step stop stream strerror strftime strides string strip strptime sub subTest subgroup subn suboffsets substitute subtract suffix
  suffixes supports_chunked_reads swapcase symlink_to symmetric_difference symmetric_difference_update system tag tail target task_done
  tearDown tearDownClass tell terminate test text text_factory thread throw time timeout timestamp timetuple timetz title to_bytes to_dict
  to_eng_string to_integral to_integral_exact to_integral_value tobytes today tolist toordinal toreadonly total total_changes
  total_seconds touch translate traverse triangular truncate trusted_hosts type typename tzinfo tzname uid undoc_header uniform union
  universal_newlines unlink unregister unwrap update upper url url_root use_rawinput user_agent user_agent_class username utc
  utcfromtimestamp utcnow utcoffset utctimetuple validate value values vary verbosity verify_client_post_handshake verify_request version
  visit visit_AnnAssign visit_Assert visit_Assign visit_AsyncFunctionDef visit_Attribute visit_AugAssign visit_Await visit_Break
  visit_Call visit_ClassDef visit_Constant visit_Continue visit_Dict visit_DictComp visit_Ellipsis visit_ExceptHandler visit_Expr
  visit_For visit_FunctionDef visit_GeneratorExp visit_Global visit_If visit_IfExp visit_Import visit_ImportFrom visit_Lambda visit_List
  visit_ListComp visit_Match visit_MatchAs visit_MatchClass visit_MatchMapping visit_MatchOr visit_MatchSequence visit_MatchSingleton
  visit_MatchStar visit_MatchValue visit_Module visit_Name visit_NamedExpr visit_Nonlocal visit_Pass visit_Raise visit_Return visit_Set
  visit_SetComp visit_Slice visit_Subscript visit_Try visit_TryStar visit_Tuple visit_While visit_With visit_Yield vonmisesvariate wait
  wait_for walk want_form_data_parsed warn warning wbufsize weekday weibullvariate when with_name with_stem with_suffix with_traceback
  writable write write_bytes write_c14n write_eof write_text write_through writelines www_authenticate year zfill
`);

export const SCRIPT_NAMES = wordSet(`
  __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ abort aborted abs access acos acosh active add
  addAbortListener addAbortSignal addAddress addClass addContext addEventListener addListener addMembership addRange addRequest
  addSourceSpecificMembership addSubnet addTrailers address after aggregate all allSettled alloc allocUnsafe allocUnsafeSlow always anchor
  and animate any append appendChild appendFile appendHeader apply arch arrayBuffer asIndexedPairs asIntN asUintN asciiSlice asciiWrite
  asin asinh assert assign assignSocket asyncId at atan atan2 atanh atob attr availableMemory availableParallelism base64Slice base64Write
  base64urlSlice base64urlWrite basename be before big bind bindStore binding blink blob blur bold brotliCompress brotliDecompress btoa
  buffer byteLength bytes cachedDataVersionTag call callbackify calls canParse cancel captureStackTrace catch cbrt ceil channel charAt
  charCodeAt chdir check checkEmail checkHost checkIP checkIssued checkPrime checkPrivateKey checkServerIdentity children chmod chown
  clear clearBufferedCommand clearImmediate clearInterval clearLine clearMarks clearMeasures clearResourceTimings clearScreenDown
  clearTimeout click clone cloneNode close closeAllConnections closeIdleConnections closest clz32 codePointAt commit compare
  compareExchange compile compileFunction compileStreaming complete completeOnEditorMode compose composedPath computeSecret concat connect
  connectToMainThread constrainedMemory construct constructor contains context convertALPNProtocols cookie copy copyBytesFrom copyFile
  copyWithin cork cos cosh count countReset cp cpuUsage cpus crc32 create createBrotliCompress createBrotliDecompress createCachedData
  createCipher createCipheriv createConnection createContext createDecipher createDecipheriv createDeflate createDeflateRaw
  createDiffieHellman createDiffieHellmanGroup createDomain createECDH createElement createGunzip createGzip createHash createHistogram
  createHmac createHook createInflate createInflateRaw createInterface createObjectURL createPrivateKey createPublicKey createPushResponse
  createReadStream createRequire createScript createSecretKey createSecureContext createSecurePair createSecureServer createServer
  createSign createSocket createTask createTextNode createTracing createUnzip createVerify createWriteStream css cursorTo cwd debug
  debuglog decode decrypt deepEqual deepStrictEqual defineCommand defineProperties defineProperty deflate deflateRaw delete deleteProperty
  deprecate deref deriveBits deriveKey deserialize destroy destroySoon detachSocket diffieHellman digest dir dirname dirxml disable
  disableRenegotiation disconnect dispatchEvent displayPrompt dlopen doesNotMatch doesNotReject doesNotThrow domainToASCII domainToUnicode
  done drop dropMembership dropSourceSpecificMembership duplexPair each emit emitDestroy emitKeypressEvents emitWarning enable enableTrace
  encode encodeInto encrypt end endianness endsWith enqueue enroll enter enterWith entries eql equal equals error escape
  eventLoopUtilization eventNames every exchange exec execFile executionAsyncId executionAsyncResource exists exit exp expect expm1
  exportChallenge exportKey exportKeyingMaterial exportPublicKey extend extname fail fchmod fchown fdatasync fetch fileURLToPath fill
  filter final finally find findEntry findIndex findLast findLastIndex findOrigin findSourceMap finished fixed flat flatMap floor flush
  flushHeaders focus fontcolor fontsize for forEach fork formData format formatWithOptions freemem freeze from fromCharCode fromCodePoint
  fromEntries fround fstat fsync ftruncate futimes generateKey generateKeyPair generateKeys generatePrime get getActiveResourcesInfo
  getAll getAttribute getAuthTag getBigInt64 getBigUint64 getBoundingClientRect getBuiltinModule getCalls getCanonicalLocales
  getCertificate getCipher getCipherInfo getCiphers getColorDepth getConnections getContext getCursorPos getCurves getDate getDay
  getDefaultAutoSelectFamily getDefaultAutoSelectFamilyAttemptTimeout getDefaultHighWaterMark getDefaultResultOrder getDefaultSettings
  getDiffieHellman getElementById getElementsByClassName getElementsByTagName getEnabledCategories getEntries getEntriesByName
  getEntriesByType getEnvironmentData getEphemeralKeyInfo getEventListeners getFinished getFips getFloat32 getFloat64 getFullYear
  getGenerator getHashes getHeader getHeaderNames getHeaders getHeapCodeStatistics getHeapSnapshot getHeapSpaceStatistics
  getHeapStatistics getHours getImportObject getInt16 getInt32 getInt8 getItem getMaxListeners getMilliseconds getMinutes getMonth getName
  getOwnPropertyDescriptor getOwnPropertyDescriptors getOwnPropertyNames getOwnPropertySymbols getPackedSettings getPeerCertificate
  getPeerFinished getPeerX509Certificate getPrime getPriority getPrivateKey getPrompt getProtocol getPrototypeOf getPublicKey
  getRandomValues getRawHeaderNames getReader getRecvBufferSize getSeconds getSendBufferSize getSendQueueCount getSendQueueSize getServers
  getSession getSetCookie getSharedSigalgs getStore getSystemErrorMap getSystemErrorName getTLSTicket getTicketKeys getTime
  getTimezoneOffset getUTCDate getUTCDay getUTCFullYear getUTCHours getUTCMilliseconds getUTCMinutes getUTCMonth getUTCSeconds getUint16
  getUint32 getUint8 getUnpackedSettings getWindowSize getWireFormatVersion getWriter getX509Certificate getYear getegid geteuid getgid
  getgroups getuid group groupCollapsed groupEnd grow gunzip gzip has hasAttribute hasClass hasColors hasHeader hasOwn hasOwnProperty
  hasRef hasSubscribers hasUncaughtExceptionCaptureCallback hash head header hexSlice hexWrite hide hkdf homedir hostname hrtime html
  hypot ifError importKey imul includes indexOf inflate inflateRaw info inherits init initEvent initgroups initialize insert insertBefore
  inspect instantiate instantiateStreaming intercept is isAbsolute isAnyArrayBuffer isArgumentsObject isArray isArrayBuffer
  isArrayBufferView isAscii isAsyncFunction isBigInt64Array isBigIntObject isBigUint64Array isBlockDevice isBoolean isBooleanObject
  isBoxedPrimitive isBuffer isBuiltin isCharacterDevice isConnected isContext isCryptoKey isDataView isDate isDead isDeepStrictEqual
  isDestroyed isDirectory isDisturbed isEncoding isError isErrored isExtensible isExternal isFIFO isFile isFinite isFloat32Array
  isFloat64Array isFrozen isFunction isGeneratorFunction isGeneratorObject isIP isIPv4 isIPv6 isInt16Array isInt32Array isInt8Array
  isInteger isKeyObject isLockFree isMap isMapIterator isModuleNamespaceObject isNaN isNativeError isNull isNullOrUndefined isNumber
  isNumberObject isObject isPaused isPrimitive isPromise isPrototypeOf isProxy isReadable isRegExp isSafeInteger isSealed isSessionReused
  isSet isSetIterator isSharedArrayBuffer isSocket isString isStringObject isSymbol isSymbolObject isSymbolicLink isTypedArray
  isUint16Array isUint32Array isUint8Array isUint8ClampedArray isUndefined isUtf8 isValidSyntax isView isWeakMap isWeakSet isWellFormed
  isWritable isatty italics iterator join json keepSocketAlive keyFor keys kill lastIndexOf latin1Slice latin1Write lchmod lchown limit
  link listen listenerCount listeners load loadEnvFile loadavg localeCompare log log10 log1p log2 lookup lookupService lstat lutimes
  machine map mark markAsUntransferable markResourceTiming match matchAll matches matchesGlob max measure measureMemory memoryUsage min
  mkdir mkdtemp monitorEventLoopDelay moveCursor moveMessagePortToContext networkInterfaces next nextTick normalize notDeepEqual
  notDeepStrictEqual notEqual notStrictEqual notify now observe of off ok on onSocket once one open openAsBlob openStdin opendir or order
  ownKeys padEnd padStart param params parent parents parse parseArgs parseEnv parseFloat parseHost parseInt patch pathToFileURL pause
  pbkdf2 performServerHandshake pipe pipeThrough pipeTo pipeline platform pop populate post postMessage postMessageToThread pow
  prepareStackTrace prepend prependListener prependOnceListener preventDefault preventExtensions privateDecrypt privateEncrypt prng
  processReadResult profile profileEnd promisify prompt prop propertyIsEnumerable prototype pseudoRandomBytes publicDecrypt publicEncrypt
  publish push pushState put query queryObjects querySelector querySelectorAll question race random randomBytes randomFill randomInt
  randomUUID raw rawListeners read readBigInt64BE readBigInt64LE readBigUInt64BE readBigUInt64LE readBigUint64BE readBigUint64LE
  readDouble readDoubleBE readDoubleLE readFile readFloatBE readFloatLE readHeader readInt16BE readInt16LE readInt32BE readInt32LE
  readInt8 readIntBE readIntLE readRawBytes readSyncRecursive readUInt16BE readUInt16LE readUInt32BE readUInt32LE readUInt8 readUIntBE
  readUIntLE readUint16BE readUint16LE readUint32 readUint32BE readUint32LE readUint64 readUint8 readUintBE readUintLE readValue readdir
  readlink readv ready reallyExit realpath receiveMessageOnPort redirect reduce reduceRight ref register reject rejects relative release
  releaseBuffer releaseLock remoteAddress remove removeAllListeners removeAttribute removeChild removeClass removeEventListener
  removeHeader removeItem removeListener removeSocket rename render renegotiate repeat replace replaceAll replaceChild replaceState report
  request require reset resetAndDestroy resetContext resize resolve resolve4 resolve6 resolveAny resolveCaa resolveCname resolveMx
  resolveNaptr resolveNs resolveObject resolveObjectURL resolvePtr resolveSoa resolveSrv resolveTxt resourceUsage respond
  respondWithNewView resume reuseSocket reverse revokeObjectURL rm rmdir rng rollback round run runInAsyncScope runInContext
  runInNewContext runInThisContext runMain runStores save scrollIntoView scrollTo scrypt seal search secureHeapUsed select send sendto
  serialize set setAAD setAttribute setAuthTag setAutoPadding setBigInt64 setBigUint64 setBroadcast setDate setDefaultAutoSelectFamily
  setDefaultAutoSelectFamilyAttemptTimeout setDefaultEncoding setDefaultHighWaterMark setDefaultResultOrder setEncoding setEngine
  setEnvironmentData setFips setFlagsFromString setFloat32 setFloat64 setFullYear setHeader setHeaders setHeapSnapshotNearHeapLimit
  setHours setImmediate setInt16 setInt32 setInt8 setInterval setItem setKeepAlive setKeyCert setLocalAddress setMaxIdleHTTPParsers
  setMaxListeners setMaxSendFragment setMilliseconds setMinutes setMonth setMulticastInterface setMulticastLoopback setMulticastTTL
  setNoDelay setOptions setPriority setPrivateKey setPrompt setPrototypeOf setPublicKey setRawMode setRecvBufferSize
  setResourceTimingBufferSize setSeconds setSecureContext setSendBufferSize setServername setServers setSession setSocketKeepAlive
  setSourceMapsEnabled setTTL setTicketKeys setTime setTimeout setTrailer setUTCDate setUTCFullYear setUTCHours setUTCMilliseconds
  setUTCMinutes setUTCMonth setUTCSeconds setUint16 setUint32 setUint8 setUncaughtExceptionCaptureCallback setYear setegid seteuid setgid
  setgroups setuid setupHistory setupMaster setupPrimary shift should show siblings sign sin sinh slice small some sort spawn splice split
  sqrt start startsWith stat statfs status stop stopCoverage stopImmediatePropagation stopPropagation store stream strict strictEqual
  strike stringify stripVTControlCharacters styleText sub subarray submit subscribe substr substring sup supportedValuesOf swap16 swap32
  swap64 symlink syncBuiltinESMExports table take takeCoverage takeRecords tan tanh tee terminate test text then throwIfAborted throws
  time timeEnd timeLog timeStamp timeout timerify timingSafeEqual tmpdir to toASCII toArray toDataURL toDateString toExponential toFixed
  toGMTString toISOString toJSON toLegacyObject toLocaleDateString toLocaleLowerCase toLocaleString toLocaleTimeString toLocaleUpperCase
  toLowerCase toNamespacedPath toPrecision toReversed toSorted toSpliced toString toTimeString toUSVString toUTCString toUnicode
  toUpperCase toWellFormed toggle toggleClass totalmem trace tracingChannel transcode transferArrayBuffer transferableAbortController
  transferableAbortSignal trigger triggerAsyncId trim trimEnd trimLeft trimRight trimStart trunc truncate type ucs2Slice ucs2Write umask
  unbindStore uncork unenroll unescape unescapeBuffer unlink unpipe unref unregister unshift unsubscribe unwatchFile unwrapKey unzip
  update uptime url urlToHttpOptions use userInfo utf8Slice utf8Write utimes val validate validateHeaderName validateHeaderValue valueOf
  values verify verifySpkac version wait waitAsync waitForDebugger warn watch watchFile where with wrap wrapKey write writeBigInt64BE
  writeBigInt64LE writeBigUInt64BE writeBigUInt64LE writeBigUint64BE writeBigUint64LE writeContinue writeDouble writeDoubleBE
  writeDoubleLE writeEarlyHints writeFile writeFloatBE writeFloatLE writeHead writeHeader writeHeapSnapshot writeInt16BE writeInt16LE
  writeInt32BE writeInt32LE writeInt8 writeIntBE writeIntLE writeProcessing writeRawBytes writeUInt16BE writeUInt16LE writeUInt32BE
  writeUInt32LE writeUInt8 writeUIntBE writeUIntLE writeUint16BE writeUint16LE writeUint32 writeUint32BE writeUint32LE writeUint64
  writeUint8 writeUintBE writeUintLE writeValue writer writev xor
`);

export const RUBY_NAMES = wordSet(`
  abort abort_on_exception abort_on_exception= abs abs2 absolute? absolute_path absolute_path? accept accept_nonblock add add? add_banner
  add_certificate add_crl add_extension add_nonce add_trace_func add_trailing_separator addr advise ajd algorithm alias alias_method
  alive? all all? all_symbols allbits? allocate allow amjd ancestors and_return angle any? anybits? append append_features arg args arity
  ascend ascii_only? asctime assign_attributes assoc at at_exit atime attr attr_accessor attr_reader attr_writer attributes attributes=
  autoclose= autoclose? autoload autoload? average b backtrace backtrace_locations base64digest basename be before_action begin belongs_to
  between? bind binding binmode binmode? binread binwrite birthtime bit_length blank? block_given? block_length blockdev? blocking? body
  body= bool breakable broadcast bsearch bsearch_index build byte bytes bytesize byteslice ca_file ca_file= ca_path ca_path= call caller
  caller_locations candidate canonical canonical= capitalize capitalize! captures casecmp casecmp? casefold? catch cause cd ceil center
  cert cert= cert_store cert_store= certid chain change_privilege chardev? chars chdir children chmod chmod_R chomp chomp! chop chop!
  chop_basename chown chown_R chr chroot chunk chunk_while ciphers ciphers= civil clamp class class_eval class_exec
  class_variable_defined? class_variable_get class_variable_set class_variables classify cleanpath cleanpath_aggressive
  cleanpath_conservative clear client_ca clone close close_on_exec= close_on_exec? close_read close_write closed? closed_read?
  closed_write? cmp codepoints coerce collect collect! collect_concat column combination commercial compact compact! compare_by_identity
  compare_by_identity? compare_file compare_stream compile complete component compsys concat config conj conjugate connect
  connect_nonblock const_defined? const_get const_missing const_set const_source_location constants content_tag context continue_timeout
  continue_timeout= convert copy copy_entry copy_file copy_stream count cover? cp cp_lr cp_r create create! crypt cstime ctime current
  curry cutime cwday cweek cwyear cycle d data datetime_format datetime_format= day day_fraction debug debug! debug= debug? debug_output
  debug_output= decode_content deconstruct deconstruct_keys decrypt def_delegator def_delegators default default= default_port
  default_proc default_proc= define_method define_singleton_method deflate del_trailing_separator delegate delete delete! delete?
  delete_all delete_at delete_if delete_prefix delete_prefix! delete_suffix delete_suffix! deliver_later deliver_now denominator
  deprecate_constant depth deq descend describe destination_encoding destination_encoding_name destroy destroy_all detect dev difference
  dig digest digest_length digits directory? dirname disable disjoint? display div divide divmod do_not_reverse_lookup
  do_not_reverse_lookup= do_with_enum domain_types domain_types= downcase downcase! downto drop drop_while dst? dump dump_tags dump_tags=
  dup each each_byte each_char each_child each_codepoint each_cons each_entry each_filename each_grapheme_cluster each_index each_key
  each_line each_pair each_slice each_value each_with_index each_with_object eid eid= empty? enable enabled? encode encode! encoding
  encrypt end end_document end_mapping end_sequence end_stream end_with? england enq entries enum_for eof eof? eos? eq eql? equal? error
  error! error? error_string errors escape escapeHTML escapeURIComponent eval even? event event_location except exception exclude_end?
  exec executable? executable_real? exist? exists? exit exit! exp expand_path expect export extend extend_object extended extensions
  extensions= external_encoding extname extra_chain_cert extra_chain_cert= extract fail family fatal fatal! fatal? fcntl fdatasync fdiv
  feed fetch fetch_values field_size_limit file file? filename fileno fill filter filter! filter_map find find_all find_by find_by!
  find_index finish finite? first first? fixed_encoding? flags= flash flat_map flatten flatten! flatten_merge flock floor flush fnmatch
  fnmatch? for for_fd force_encoding foreach fork format format_message format_severity formatter formatter= freeze friday? from_name
  frozen? fsync ftype full_message g garbage_collect gcd gcdlcm gem gem_original_require gen_time generate generate_key generate_key!
  generator get get_value getaddrinfo getbyte getc getgm gethostbyname getlocal getnameinfo getopts gets getsockopt getutc getwd gid gid=
  glob global_variables gm gmt? gmt_offset gmtime gmtoff grant_privilege grapheme_clusters gregorian gregorian? gregorian_leap? grep
  grep_v group group_by grpowned? gsub gsub! h handle_interrupt has_key? has_many has_one has_trailing_separator? has_value? hash
  have_received having head header header_row? headers hex hexdigest hierarchical? home hostname hostname= hour httpdate
  human_attribute_name i i18n_key id2name identical? ignore_deadlock ignore_deadlock= imag imaginary inc include include? included
  included_modules includes incompatible_argument_styles indent indentation indentation= index infinite? inflate info info! info?
  inherited initialize initialize_clone initialize_copy initialize_dup inject insert inspect install instance instance_eval instance_exec
  instance_method instance_methods instance_of? instance_variable_defined? instance_variable_get instance_variable_set instance_variables
  int integer? intern internal_encoding intersect? intersection invert io ioctl ip_pktinfo ipv4? ipv4_multicast_loop ipv4_multicast_ttl
  ipv6? ipv6_pktinfo is_a? isatty isdst iso8601 issuer issuer= it italy item iterator? itself j jd jisx0301 jj join joins json_creatable?
  json_create julian julian? julian_leap? keep_back keep_drop keep_end keep_if keep_start key key= key? keys keyword_init? kill kind_of? l
  label lambda lambda? last last_match lazy lchmod lchown lcm ld leap? length let level level= lex liberal_parsing? limit line line_width
  line_width= lineno lineno= lines linger link link_entry link_to list listen ljust ln ln_s ln_sf load load_file load_tags load_tags=
  local local_address local_variables localtime lock locked? log long loop lstat lstrip lstrip! lutime magnitude main make_link
  make_scanner make_symlink makedirs map map! marshal_dump marshal_load match match? match_array match_length max max_by max_version= mday
  member? members merge merge! message message_imprint method method_added method_defined? method_missing method_removed method_undefined
  methods min min_by min_version= minmax minmax_by minute mjd mkdir mkdir_p mkfifo mkpath mktime mktmpdir mode model_name module_eval
  module_exec module_function modulo mon mon_enter mon_exit mon_locked? mon_owned? mon_synchronize mon_try_enter monday? month mountpoint?
  move mtime mv name name= named_captures names nan? native_thread_id negative? nest nesting netmask new new_cond new_record? new_start
  next next! next_day next_float next_month next_update next_values next_year nil? nobits? nonblock nonblock= nonblock? nonce none?
  nonzero? now nread nsec num_waiting numerator object object_id oct odd? offset oid oid= one? open opendir options options= ord order
  order! ordinal original_name output owned? owner p pack pair parameters params parent parse parse! parse_csv parser partition pass
  passwd passwd= patch path pathconf pattern pbkdf2_hmac peek peek_values peer_cert peeraddr pending_interrupt? perform_later perform_now
  permit permutation permute! persisted? phase pid pipe pipe? pluck plus polar policy_id pop popen port pos pos= positive? post post_match
  pow pp pre_match pread pred prefix prepend prepend_features prepend_prefix prepended presence present? pretty_inspect pretty_print
  pretty_print_cycle pretty_print_inspect pretty_print_instance_variables prev_day prev_float prev_month prev_year print printf priority
  priority= priv_key private private? private_class_method private_constant private_instance_methods private_method_defined?
  private_methods proc produce product progname progname= proper_subset? proper_superset? protected protected? protected_instance_methods
  protected_method_defined? protected_methods proxy_address proxy_pass proxy_port proxy_user pub_key public public? public_class_method
  public_constant public_instance_method public_instance_methods public_key public_key= public_method public_method_defined?
  public_methods public_send purpose= push put putc puts pwd pwrite q quo quote raise raise_error rand random_bytes range rassoc
  rationalize re_exchange re_exchangeable? read read_all read_nonblock read_timeout read_timeout= readable? readable_real? readbyte
  readchar readline readlines readlink readpartial ready? real real? realdirpath realpath reason receive receiver rect rectangular recv
  recvfrom recvfrom_nonblock redirect_to reduce refine regexp rehash reject reject! relative? relative_path_from reload remainder
  remote_address remove remove_class_variable remove_const remove_dir remove_entry remove_entry_secure remove_file
  remove_instance_variable remove_method rename render reopen repeated_combination repeated_permutation replace report report_on_exception
  report_on_exception= request_uri require require_relative reset respond_to respond_to? respond_to_missing? response rest restore result
  return_headers? reverse reverse! reverse_each rewind rfc2822 rfc3339 rfc822 rid rindex rjust rm rm_f rm_r rm_rf rmdir rmtree root?
  rotate rotate! round rpartition rstrip rstrip! ruby2_keywords ruby2_keywords_hash ruby2_keywords_hash? run safe_unlink sample saturday?
  save save! scalar scan scan_all scope scrub scrub! sec second seed seek select select! send serial serial= serial_number session
  set_backtrace set_dictionary set_encoding set_encoding_by_bom set_host set_key set_password set_path set_port set_pqg set_trace_func
  set_user set_userinfo setbyte setgid? setsockopt setuid? sev_threshold sev_threshold= shellescape shelljoin shellsplit shift short
  shuffle shuffle! shutdown sid_available? sign signal signature_algorithm singleton_class singleton_class? singleton_method
  singleton_method_added singleton_methods size size? skip skip_blanks? skip_lines sleep slice slice! slice_after slice_before slice_when
  socket? socketpair sort sort! sort_by sort_by! source source_encoding source_encoding_name source_location spawn split split_names
  sprintf sqrt squeeze squeeze! srand ssl_timeout ssl_timeout= ssl_version ssl_version= start start_document start_mapping start_sequence
  start_stream start_with? stat state state= status step sticky? stime stop stop? store streaming? strftime string string= strip strip!
  strptime sub sub! sub_ext subclasses subject subject= subsec subset? subtract succ succ! success? sum summarize sunday? super_method
  superclass superset? swapcase swapcase! switch symbolize symlink symlink? sync sync= synchronize sysaccept syscall sysopen sysread
  sysseek system syswrite t table tag tag= tagging tagging= taint tainted? take take_while tally tap tcp tell terminate test text then
  thread_variable? thread_variable_get thread_variable_set thread_variables throw thursday? time time= timeout timeout= times tmpdir to
  to_a to_ary to_bn to_c to_csv to_date to_datetime to_der to_enum to_f to_h to_hash to_i to_int to_io to_json to_json_raw
  to_json_raw_object to_model to_param to_path to_pem to_proc to_r to_s to_set to_str to_sym to_text to_time to_tty? to_yaml today token
  tokenize top total_time touch tr tr! tr_s tr_s! trace trace_var transfer transform_keys transform_keys! transform_values
  transform_values! transpose trap traverse truncate trust trust= try try_convert try_mon_enter tty? tuesday? tv_nsec tv_sec tv_usec type
  uid uid= umask unbind unconverted_fields? undef_method undump unescape unescapeHTML unescapeURIComponent ungetbyte ungetc
  unicode_normalize unicode_normalize! unicode_normalized? union uniq uniq! unix unix_rights unknown unlink unlock unpack unpack1 unshift
  untaint untrace_var untrust untrusted? upcase upcase! update update! update_attributes upto uptodate? uri url_for usec used_modules
  using utc utc? utc_offset utime valid? valid_civil? valid_commercial? valid_date? valid_encoding? valid_jd? valid_ordinal? validates
  value value= value? values values_at verify verify_callback verify_callback= verify_depth verify_depth= verify_hostname verify_hostname=
  verify_mode verify_mode= version version= wait wait_priority wait_readable wait_writable wakeup warn warn! warn? wday wednesday? where
  width with_index with_object world_readable? world_writable? wrap writable? writable_real? write write_nonblock write_timeout
  write_timeout= xmlschema yaml_tag yday year yield yield_self zero? zip zone zone_offset
`);

export const PHP_NAMES = wordSet(`
  accept add addAll addEmptyDir addFile addFromString addr alignof allowsNull apiVersion append arrayType asort attach attachIterator
  beginChildren beginIteration beginTransaction bind bindColumn bindParam bindTo bindValue bottom buffer buildFromDirectory
  buildFromIterator call callGetChildren callHasChildren canBePassedByValue canCompress canWrite cases cast cdef chmod close closeCursor
  columnCount commit compare compress compressFiles contains containsIterator convertToData convertToExecutable copy count countIterators
  create createDefaultStub createFromDateString createFromFormat createFromImmutable createFromInterface createFromMutable create_sid
  current debugDumpParams decompress decompressFiles delMetadata delete dequeue destroy detach detachIterator diff endChildren
  endIteration enqueue eof errorCode errorInfo exchangeArray exec execute extract extractTo fetch fetchAll fetchColumn fetchObject fflush
  fgetc fgetcsv fgets file filter flock format fpassthru fputcsv fread free from fromArray fromArrayElement fromCallable fscanf fseek
  fstat ftell ftruncate fwrite gc generate get getATime getAlias getAlignment getArguments getArrayCopy getArrayElementType
  getArrayIterator getArrayLength getAttribute getAttributes getAuthor getAvailableDrivers getBackingType getBackingValue getBasename
  getBytes getCRC32 getCTime getCache getCallable getCase getCases getChildren getClass getClassNames getClasses getClosure
  getClosureCalledClass getClosureScopeClass getClosureThis getClosureUsedVariables getCode getColumnMeta getCompressedSize getConstant
  getConstants getConstructor getContent getCopyright getCsvControl getCurrent getCurrentLine getDateInterval getDeclaringClass
  getDeclaringFunction getDefaultProperties getDefaultValue getDefaultValueConstantName getDependencies getDepth getDocComment getEndDate
  getEndLine getEntry getEnum getEnumKind getExecutingFile getExecutingGenerator getExecutingLine getExtension getExtensionName
  getExtractFlags getFiber getFile getFileInfo getFileName getFilename getFlags getFuncABI getFuncParameterCount getFuncParameterType
  getFuncReturnType getFunction getFunctions getGroup getHash getINIEntries getId getInfo getInnerIterator getInode getInt
  getInterfaceNames getInterfaces getIterator getIteratorClass getIteratorIndex getIteratorMode getKind getLastErrors getLine
  getLinkTarget getLocation getMTime getMaxDepth getMaxLineLen getMessage getMetadata getMethod getMethods getMode getModified
  getModifierNames getModifiers getName getNamespaceName getNumberOfParameters getNumberOfRequiredParameters getOffset getOwner
  getParameters getParentClass getPath getPathInfo getPathname getPerms getPharFlags getPointerType getPosition getPostfix getPrefix
  getPregFlags getPrevious getProperties getProperty getPrototype getRealPath getRecurrences getReflectionConstant getReflectionConstants
  getRegex getReturn getReturnType getSeverity getShortName getSignature getSize getStartDate getStartLine getStaticProperties
  getStaticPropertyValue getStaticVariables getStructFieldNames getStructFieldOffset getStructFieldType getStub getSubIterator getSubPath
  getSubPathname getSupportedCompression getSupportedSignatures getTarget getTentativeReturnType getThis getTimestamp getTimezone
  getTokenName getTrace getTraceAsString getTraitAliases getTraitNames getTraits getTransitions getType getTypes getURL getValue
  getVersion hasCase hasChildren hasConstant hasDefaultValue hasMetadata hasMethod hasNext hasProperty hasPrototype hasReturnType
  hasTentativeReturnType hasType implementsInterface inNamespace inTransaction info insert interceptFileFuncs invoke invokeArgs is
  isAbstract isAnonymous isArray isBacked isBuffering isBuiltin isCRCChecked isCallable isCloneable isClosure isCompressed isConstructor
  isCorrupted isDefault isDefaultValueAvailable isDefaultValueConstant isDeprecated isDestructor isDir isDisabled isDot isEmpty isEnum
  isEnumCase isExecutable isFile isFileFormat isFinal isGenerator isIgnorable isInitialized isInstance isInstantiable isInterface
  isInternal isIterable isIterateable isLink isNull isOptional isPassedByReference isPersistent isPrivate isPromoted isProtected isPublic
  isReadOnly isReadable isRepeated isRunning isStarted isStatic isSubclassOf isSuspended isTemporary isTerminated isTrait isUserDefined
  isValidPharFilename isVariadic isWritable jsonSerialize jump jumpLong key ksort lastInsertId listAbbreviations listIdentifiers load
  loadPhar mapPhar memcmp memcpy memset modify mount mungServer natcasesort natsort new newInstance newInstanceArgs
  newInstanceWithoutConstructor next nextElement nextInt nextRowset notify offsetExists offsetGet offsetSet offsetUnset onClose onCreate
  open openFile pickArrayKeys pop prepare prev push query quote read recoverFromCorruption removeAll removeAllExcept resume
  returnsReference rewind rollBack rowCount running scope seek send serialize setAccessible setAlias setAttribute setCsvControl setDate
  setDefaultStub setExtractFlags setFetchMode setFileClass setFlags setISODate setInfo setInfoClass setIteratorClass setIteratorMode
  setMaxDepth setMaxLineLen setMetadata setMode setPostfix setPrefixPart setPregFlags setSignatureAlgorithm setSize setStaticPropertyValue
  setStub setTime setTimestamp setTimezone setValue set_flags shift shuffleArray shuffleBytes sizeof start startBuffering stopBuffering
  string sub suspend throw toArray tokenize top tryFrom type typeof uasort uksort unlinkArchive unserialize unshift update updateTimestamp
  valid validateId webPhar write set has all find first last where with save make handle render validate run register boot process toJson
  setName assertEquals assertSame method willReturn expects
`);
