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
  Array BigDecimal Complex Float Hash Integer Pathname Proxy Rational String URI a_block_changing a_block_outputting a_block_raising
  a_block_throwing a_block_yielding_control a_block_yielding_successive_args a_block_yielding_with_args a_block_yielding_with_no_args
  a_collection_containing_exactly a_collection_ending_with a_collection_including a_collection_starting_with a_falsey_value a_falsy_value
  a_hash_including a_kind_of a_nil_value a_range_covering a_string_ending_with a_string_including a_string_matching a_string_starting_with
  a_truthy_value a_value a_value_between a_value_within abort abort_on_exception abs abs2 absolute absolute? absolute_path absolute_path?
  accept accept_charset accept_encoding accept_language accept_loop accept_nonblock acos acosh actions active? acts_like? acts_like_date?
  acts_like_string? acts_like_time? add add! add? add_banner add_converter add_description add_dictionary add_example add_field
  add_formatter add_import add_insert_cmd add_loader add_observer add_officious add_put_cmd add_rakelib add_read_only_setting add_row
  add_setting add_target add_trace_func added? additional additional_message addr address adler adler32 adler32_combine advance advise
  afamily after after? aggregate_failures ago ajd alias_attribute alias_example_group_to alias_example_to alias_it_behaves_like_to
  alias_it_should_behave_like_to alias_matcher alias_method aliases alive? all all? all_day all_month all_prerequisite_tasks all_quarter
  all_symbols all_week all_year allbits? allocate allow allow_any_instance_of allow_nan? allow_reentry alphanumeric already_invoked amjd
  an_array_matching an_instance_of an_object_eq_to an_object_eql_to an_object_equal_to an_object_existing an_object_having_attributes
  an_object_matching an_object_responding_to an_object_satisfying ancestors angle anonymous? any? any_args any_instance anybits? anything
  app_caller_locations app_context? append append_after append_before append_features application apply_derived_metadata_to arg
  arg_description arg_names args argv argv0 arity around array_including array_nl as_json as_null_object ascend ascii_compatible?
  ascii_only? asciicompat_encoding asctime asin asinh assert assert_empty assert_equal assert_in_delta assert_in_epsilon assert_includes
  assert_instance_of assert_kind_of assert_match assert_nil assert_operator assert_output assert_path_exists assert_predicate
  assert_raises assert_respond_to assert_same assert_send assert_silent assert_throws assert_valid_keys assertions assoc at
  at_beginning_of_day at_beginning_of_hour at_beginning_of_minute at_beginning_of_month at_beginning_of_quarter at_beginning_of_week
  at_beginning_of_year at_end_of_day at_end_of_hour at_end_of_minute at_end_of_month at_end_of_quarter at_end_of_week at_end_of_year
  at_exit at_midday at_middle_of_day at_midnight at_noon at_with_coercion at_without_coercion atan atan2 atanh atime atomic_write attr
  attr_accessor attr_internal attr_internal_accessor attr_internal_naming_format attr_internal_reader attr_internal_writer attr_reader
  attr_writer attribute_names attributes atype auth_type authority auto_compact autoclose? autoload autoload? avail_in avail_out b
  backtrace backtrace_exclusion_patterns backtrace_formatter backtrace_inclusion_patterns backtrace_locations banner base base36 base58
  base64 base64digest base64digest! base_label basename basic_auth be be_a be_a_kind_of be_an be_an_instance_of be_between be_falsey
  be_falsy be_instance_of be_kind_of be_nil be_truthy be_within beep before before? begin beginning_of_day beginning_of_hour
  beginning_of_line? beginning_of_minute beginning_of_month beginning_of_quarter beginning_of_week beginning_of_week_default
  beginning_of_year benchmark between? bind bind_call binding binmode binmode? binread binwrite birthtime bisect_runner
  bisect_runner_class bit_length blank? blksize block block_given? block_length blockdev? blocking? blocks bm bmbm body body_exist?
  body_permitted? body_stream bol? bool boolean broadaddr broadcast bsearch bsearch_index buffer_initial_length build build2 by_col
  by_col! by_col_or_row by_col_or_row! by_row by_row! byte bytes bytesize byteslice ca_file ca_path cache_control call call_paths
  callee_id caller caller_locations camelcase camelize candidate canonical_each canonname capitalize capitalize! capture2 capture2e
  capture3 capture_exceptions capture_io capture_subprocess_io captures casecmp casecmp? casefold? catch cattr_accessor cattr_reader
  cattr_writer cause cbrt cd ceil center cert cert_store chain change change_privilege changed changed? changing chardev? charpos chars
  chdir check check_circular? check_password check_until check_user check_userinfo check_winsize_changed children chmod chmod_R chomp
  chomp! chop chop! chown chown_R chr chroot chunk chunk_while chunked? ciphers civil civil_from_format clamp class class! class_attribute
  class_double class_eval class_exec class_name class_spy class_variable_defined? class_variable_get class_variable_set class_variables
  classify cleanpath clear clear_actions clear_args clear_comments clear_exclude clear_generated_description clear_prerequisites
  clear_screen clock_getres clock_gettime clone clone! close close! close_incoming close_on_empty_response close_on_exec? close_outgoing
  close_read close_write closed? closed_read? closed_write? cmp cmsg_is? code code_type codepoints coerce col_sep collapse collect
  collect! collect_command_line_tasks collect_concat collect_method color color_enabled? color_mode column column_separator combination
  commands comment commercial commit compact compact! compact_blank compact_blank! compare_by_identity compare_by_identity? compare_file
  compare_stream compare_with_coercion compare_without_coercion compatible? compile compile_content compile_etag compile_stag complete
  component compsys concat concern concerning configuration configure configure_example configure_expectation_framework configure_group
  configure_mock_framework conj conjugate connect connect_address connect_from connect_nonblock connect_to connection_close?
  connection_keep_alive? cons console console_mode console_size const_defined? const_get const_missing const_set const_source_location
  constantize constants contain_exactly containing_exactly content_length content_range content_type context continue_timeout conv convert
  converters convpath cooked cooked! cookies copy copy! copy_entry copy_file copy_metadata copy_stream coredump? cos cosh count
  count_objects count_observers count_with_default cover cover? covering cp cp_lr cp_r cr crc crc32 crc32_combine crc_table create
  create_body create_fast_state create_id create_pretty_state create_rule crypt cstime ctime current current_scheduler current_scope curry
  cursor cursor_down cursor_left cursor_right cursor_up cutime cwday cweek cwyear cycle daemon dasherize data data_type datetime_format
  day day_fraction days days_ago days_in_month days_in_year days_since days_to_week_start debug debug! debug? debug_output
  declaration_locations declare_double declare_verifying_double decode64 decode_content decode_www_form decode_www_form_component
  deconstantize deconstruct deconstruct_keys dedent_string deep_const_get deep_dup deep_merge deep_merge! deep_stringify_keys
  deep_stringify_keys! deep_symbolize_keys deep_symbolize_keys! deep_transform_keys deep_transform_keys! deep_transform_values
  deep_transform_values! def_class def_delegator def_delegators def_erb_method def_head_option def_instance_delegator
  def_instance_delegators def_method def_module def_option def_single_delegator def_single_delegators def_tail_option default default_argv
  default_color default_color? default_console_size default_external default_formatter default_inspect default_internal default_path
  default_path? default_port default_proc default_task_name define define_alias define_aliases define_derived_metadata
  define_example_group_method define_example_method define_finalizer define_head define_method define_negated_matcher define_predicate
  define_reader define_singleton_method define_singleton_method! define_tail define_task defined_class deflate delegate
  delegate_missing_to delegate_to_metadata delegate_to_ordering_manager delegating_block delete delete! delete? delete_at delete_field
  delete_field! delete_if delete_observer delete_observers delete_prefix delete_prefix! delete_suffix delete_suffix! demodulize
  denominator deprecate deprecate_constant deprecation_stream depth deq dereference? desc descend descendant_filtered_examples descendants
  describe describe_stack described_class description destination_encoding destination_encoding_name detach detail_color detail_color?
  details detect dev dev_major dev_minor diff difference dig dig! digest digest! digest_length digits directory? dirname disable
  disable_monkey_patching disable_monkey_patching! disjoint? display display! display_cause_details display_error_message
  display_exception_backtrace display_exception_details display_exception_details_seen display_offset display_prerequisites
  display_tasks_and_comments div divide divmod dn do_not_reverse_lookup domain domain_types door? double double_fig downcase downcase!
  downto drb drb? drb_port drb_port? drop drop_while dry_run dry_run? dst? dstaddr duck_type dummy? dump dump_default_options dump_tags
  dup dup! duplicable? dynamic_width dynamic_width_stty dynamic_width_tput each each_byte each_capitalized each_capitalized_name each_char
  each_child each_codepoint each_cons each_dir_parent each_entry each_filename each_grapheme_cluster each_header each_index each_key
  each_line each_list_item each_message_chunk each_name each_object each_option each_pair each_pair! each_slice each_value each_with_index
  each_with_object eager echo? egid egrep eid empty empty? enable enable_warnings enabled? enclose enclosed? encode encode! encode64
  encode_with encode_with! encode_www_form encode_www_form_component encoding end end_of_day end_of_hour end_of_minute end_of_month
  end_of_quarter end_of_week end_of_year end_seen? end_with end_with? ended? ending_with ends_with? england enhance
  enhance_with_matching_rule enq enter entity entries enum_for enum_for! environment eof eof? eos? eq eq_to eql eql? eql_to
  eql_with_coercion eql_without_coercion equal equal? equal_to erase_line erase_screen erf erfc errno error error! error? error_bytes
  error_char error_exit_code error_exit_code? error_stream error_stream? error_type errors escape escapeElement escapeHTML
  escapeURIComponent escape_element escape_html escape_slash escape_slash? etags euid eval eval_script even? event exabyte exabytes
  example example_group examples except except! exception exception_details exception_type exclude exclude? exclude_end? exclude_pattern
  excluded_from_list? excluding exclusion_filter exec executable? executable_real? execute exist exist? existing existing! exists? exit
  exit! exit_because_of_exception exit_value exited? exitstatus exp expand expand_path expect expect_any_instance_of expect_with
  expectation_frameworks expires explicit_trim_line exponent expose_dsl_globally? ext extend extend! extend_object extended extensions
  external? external_encoding extname extra_chain_cert extract extract! extract_options! extractable_options? extras fail fail_after
  fail_fast fail_if_no_examples fail_if_no_examples? failure failure_color failure_color? failure_exit_code failure_exit_code? failures
  family family_addrinfo fast_generate fast_unparse fatal fatal! fatal? fcntl fcontext fdatasync fdescribe fdiv feed fetch fetch_values
  fexample field field? field_row? field_size_limit fields fifth file file? file_path filename fileno files files_to_run fill filter
  filter! filter_backtrace filter_gems_from_backtrace filter_manager filter_map filter_run filter_run_excluding filter_run_including
  filter_run_when_matching filtered_examples find find_all find_and_eval_shared find_beginning_of_week! find_index find_proxy
  find_rakefile_location find_zone find_zone! finish finished? finite? fire_update! first fit fix fixed_anchor? fixed_color fixed_color?
  fixed_encoding? flags flat_map flatten flatten! flock floor flunk flush flush_next_in flush_next_out fnmatch fnmatch? focus for for_fd
  for_filtered_examples force force_encoding force_quotes? foreach foreign_key fork format format_deps format_docstrings
  format_docstrings_block formatted_offset formatter formatter_loader formatters fortnight fortnights forty_two fourth frac fragment free
  freeze freeze! frexp friday? from from_hash from_name from_pathname from_state from_time from_trusted_xml from_xml frozen? fspecify
  fsync ftype full_backtrace? full_comment full_description full_message full_messages full_messages_for future future? gamma
  garbage_collect gateway_interface gather_history gcd gcdlcm gem_version gen_random generate generate_line generate_message
  generated_description generator get get2 get_byte get_candidates get_encoding get_fields get_print get_response get_string get_value
  getaddress getaddrinfo getbyte getc getch getegid geteuid getgid getgm gethostbyaddr gethostbyname gethostname getifaddrs getlocal
  getnameinfo getopts getpass getpeereid getpeername getpgid getpgrp getpriority getrlimit gets getservbyname getservbyport getsid
  getsockname getsockopt getuid getutc getwd gid gigabyte gigabytes glob global_variables gm gmt? gmt_offset gmtime gmtoff goto
  goto_column grant_privilege grapheme_clusters gregorian gregorian? gregorian_leap? grep grep_v group group_by group_by_attribute groups
  grpowned? gsub gsub! guess gunzip gzip h handle_interrupt handle_options has_cause? has_key? has_value? hash hash! hash_excluding
  hash_including hash_not_including have_attributes have_option? have_rakefile have_received having_attributes head head2 header header?
  header_convert header_converters header_row? headers help hex hexdigest hexdigest! hexdump hexencode hide_const hierarchical? history
  home hooks host hostname hour hours html_escape html_escape_once html_safe html_safe? hton http_default_port http_header http_version
  httpdate httponly https_default_port humanize hypot i iconv id id2name identical? idents ifindex iflush ignore_deadlock imag imaginary
  import in in? in_groups in_groups_of in_milliseconds in_namespace in_project_source_dir_regex in_time_zone inc include include?
  include_context include_examples included included_modules including inclusion_filter incompatible_argument_styles incomplete_input?
  indent indent! index index_by index_with infect_an_assertion infinite? inflate inflate_adapter info info! info? inherited init init_with
  init_with! initgroups initialize_http_header inject ino inplace_mode input inquiry insert insert_cmd insert_output inspect inspect!
  inspect_sockaddr install instance instance_delegate instance_double instance_eval instance_eval! instance_exec instance_exec!
  instance_method instance_methods instance_of instance_of? instance_spy instance_values instance_variable_defined? instance_variable_get
  instance_variable_get! instance_variable_names instance_variable_set instance_variable_set! instance_variables instance_variables!
  instruction_sequence int integer? intern internal? internal_encoding interpret_loosely intersect? intersection invert investigation
  invoke invoke_prerequisites invoke_task io io_lock ioctl ioflush ip ip6_arpa ip6_int ip? ip_address ip_address_list ip_pktinfo ip_port
  ip_unpack ipaddr ipv4? ipv4_compat ipv4_compat? ipv4_loopback? ipv4_mapped ipv4_mapped? ipv4_multicast? ipv4_multicast_loop
  ipv4_multicast_ttl ipv4_private? ipv6? ipv6_linklocal? ipv6_loopback? ipv6_mc_global? ipv6_mc_linklocal? ipv6_mc_nodelocal?
  ipv6_mc_orglocal? ipv6_mc_sitelocal? ipv6_multicast? ipv6_pktinfo ipv6_pktinfo_addr ipv6_pktinfo_ifindex ipv6_sitelocal? ipv6_to_ipv4
  ipv6_unique_local? ipv6_unspecified? ipv6_v4compat? ipv6_v4mapped? ipv6only! irb is_a? is_a_describable_matcher? is_a_matcher?
  is_erb_stag? is_expected is_missing? is_utf8? is_version_1_1? is_version_1_2? isatty isdst iso8601 issetugid it it_behaves_like
  it_should_behave_like italy item iterator? itself itself! jd jisx0301 join jruby? json_creatable? json_create json_escape julian julian?
  julian_leap? keep_alive_timeout keep_back keep_drop keep_end keep_if keep_start key key? keys keyword_init? kill kilobyte kilobytes
  kind_of kind_of? label lambda lambda? last last_description last_error last_expectation_handler last_match last_matcher last_month
  last_quarter last_run_statuses last_status last_week last_weekday last_year latest_compact_info latest_gc_info lazy lchmod lchown lcm ld
  ldexp leap? length let let! level lex lex_state_name lgamma liberal_parsing? libs limit line line_number lineno lines linger link
  link_entry link_local? list listen ljust ln ln_s ln_sf load load_default_options load_file load_file! load_imports load_rakefile
  load_spec_files load_tags loaded_spec_files local local_address local_host local_level local_levels local_log_id local_port
  local_variable_defined? local_variable_get local_variable_set local_variables locale_charmap localtime location locations lock locked
  locked? log log10 log2 log_at logger_outputs_to? long lookup loop loopback? lstat lstat! lstrip lstrip! lutime maglev? magnitude main
  main_type make make_compiler make_components_hash make_link make_my_diffs_pretty! make_regexp make_scanner make_shareable make_switch
  make_symlink makedirs many? map map! mapped? marshal_dump marshal_dump! marshal_load mask match match? match_array match_length
  match_list match_nonswitch? match_regex matched matched? matched_size matchee matcher matching mattr_accessor mattr_reader mattr_writer
  max max_by max_displayed_failure_line_count max_nesting max_retries max_version maxgroups mb_chars mday measure measure_total_time
  megabyte megabytes member? members merge merge! message message_proc messages messages_for metadata method method! method_defined?
  method_id method_id_set method_missing method_visibility methods methods! methods_matching midday middle_of_day midnight min min_by
  min_version minmax minmax_by minus_with_coercion minus_with_duration minus_without_coercion minus_without_duration minute minutes
  missing_name missing_name? mjd mkcol mkdir mkdir_p mkfifo mkpath mktime mktmpdir mock_framework mock_with mode module_eval module_exec
  module_parent module_parent_name module_parents modulo mon mon_check_owner mon_enter mon_exit mon_locked? mon_owned? mon_synchronize
  mon_try_enter monday monday? month months months_ago months_since mountpoint? move mri? ms msg mtime mu_extended mu_lock mu_locked?
  mu_pp mu_pp_for_diff mu_synchronize mu_try_lock mu_unlock mult multiline? multipart? multiple_of? must_C_version must_be
  must_be_close_to must_be_empty must_be_instance_of must_be_kind_of must_be_nil must_be_same_as must_be_silent must_be_within_delta
  must_be_within_epsilon must_equal must_include must_match must_output must_raise must_respond_to must_throw mv n_significant_digits name
  name_list name_with_args named_captures names nan? native native_thread_id needed? negative? negotiate nested_under_indifferent_access
  nesting netmask neuter_exception new new2 new_cond new_exception new_ntoh new_offset new_scope new_seed new_start newobj next next!
  next_day next_day? next_float next_month next_occurring next_quarter next_rotate_time next_runnable_index_for next_values next_week
  next_weekday next_year nil? nlink no_args nobits? noecho nonblock nonblock? none? nonzero? noon normalize normalize! notify_observers
  now nowrite nowrite_flag nph? nread nsec ntop nuke_test_methods! null? null_object? num_waiting numerator object_double object_id
  object_id! object_nl object_spy objects oct odd? of_kind? offset oflush on on_BEGIN on_CHAR on_END on___end__ on_alias on_alias_error
  on_aref on_aref_field on_arg_ambiguous on_arg_paren on_args_add on_args_add_block on_args_add_star on_args_forward on_args_new on_array
  on_aryptn on_assign on_assign_error on_assoc_new on_assoc_splat on_assoclist_from_args on_backref on_backtick on_bare_assoc_hash
  on_begin on_binary on_block_var on_blockarg on_bodystmt on_brace_block on_break on_call on_case on_class on_class_name_error on_comma
  on_command on_command_call on_comment on_const on_const_path_field on_const_path_ref on_const_ref on_cvar on_def on_defined on_defs
  on_do_block on_dot2 on_dot3 on_dyna_symbol on_else on_elsif on_embdoc on_embdoc_beg on_embdoc_end on_embexpr_beg on_embexpr_end
  on_embvar on_ensure on_example_group_definition on_excessed_comma on_fcall on_field on_float on_fndptn on_for on_gvar on_hash on_head
  on_heredoc_beg on_heredoc_end on_hshptn on_ident on_if on_if_mod on_ifop on_ignored_nl on_ignored_sp on_imaginary on_in on_int on_ivar
  on_kw on_kwrest_param on_label on_label_end on_lambda on_lbrace on_lbracket on_lparen on_magic_comment on_massign on_method_add_arg
  on_method_add_block on_mlhs_add on_mlhs_add_post on_mlhs_add_star on_mlhs_new on_mlhs_paren on_module on_mrhs_add on_mrhs_add_star
  on_mrhs_new on_mrhs_new_from_args on_next on_nl on_nokw_param on_op on_opassign on_operator_ambiguous on_param_error on_params on_paren
  on_period on_program on_qsymbols_add on_qsymbols_beg on_qsymbols_new on_qwords_add on_qwords_beg on_qwords_new on_rational on_rbrace
  on_rbracket on_redo on_regexp_add on_regexp_beg on_regexp_end on_regexp_literal on_regexp_new on_rescue on_rescue_mod on_rest_param
  on_retry on_return on_return0 on_rparen on_sclass on_semicolon on_signal on_sp on_stmts_add on_stmts_new on_string_add on_string_concat
  on_string_content on_string_dvar on_string_embexpr on_string_literal on_super on_symbeg on_symbol on_symbol_literal on_symbols_add
  on_symbols_beg on_symbols_new on_tail on_tlambda on_tlambeg on_top_const_field on_top_const_ref on_tstring_beg on_tstring_content
  on_tstring_end on_unary on_undef on_unless on_unless_mod on_until on_until_mod on_var_alias on_var_field on_var_ref on_vcall
  on_void_stmt on_weekday? on_weekend? on_when on_while on_while_mod on_word_add on_word_new on_words_add on_words_beg on_words_new
  on_words_sep on_xstring_add on_xstring_literal on_xstring_new on_yield on_yield0 on_zsuper one? only_failures only_failures? opaque open
  open_timeout opendir options options_of optname ord order order! order_only_prerequisites ordering_manager ordering_registry
  ordering_strategy ordinal ordinalize orig_name origin original_dir original_name os_code osx? out output output_stream overlaps? owned?
  owner p pack pack_sockaddr_in pack_sockaddr_un pair parallelize_me! parameterize parameters params parent parent_groups parse parse!
  parse_csv parse_line parse_task_string parser partition pass passed? password past? patch path path_info path_must_exist path_translated
  path_with_task_name path_wont_exist pathconf pathmap pattern peek peek_values peep peer_cert peeraddr pending pending_color
  pending_color? pending_interrupt? percent percent_line permutation permute permute! petabyte petabytes pfamily phase pick pid pipe pipe?
  pipeline pipeline_r pipeline_rw pipeline_start pipeline_w platform_support pluck pluralize plus_with_duration plus_without_duration
  pointer polar pop popen popen2 popen2e popen3 port pos positive? post post2 post_cmd post_form post_match postorder_traverse pow power
  ppid pragma pre_cmd pre_match pread precision precision_scale precs pred prefix preorder_traverse prepare_trim_mode prepend
  prepend_after prepend_before prereqs prerequisite_tasks prerequisites presence presence_in present? preserve_timezone pressed? pretty
  pretty_generate pretty_print pretty_print_cycle pretty_unparse prev_day prev_day? prev_float prev_month prev_occurring prev_quarter
  prev_week prev_weekday prev_year previous_period_end primitive_convert primitive_errinfo print print_rakefile_directory printf priority
  private? private_call? private_class_method private_constant private_instance_methods private_method_defined? private_methods
  private_methods! private_module_function private_reader probe_stat_in proc produce product profile_examples profile_examples? progname
  program_name project_source_dirs project_source_dirs? proper_subset? proper_superset? propfind proppatch protected?
  protected_instance_methods protected_method_defined? protected_methods protected_methods! protocol protocol_param proxy? proxy_address
  proxy_basic_auth proxy_class? proxy_from_env? proxy_pass proxy_port proxy_uri proxy_user proxyaddr proxyport public? public_api
  public_class_method public_constant public_instance_method public_instance_methods public_method public_method! public_method_defined?
  public_methods public_methods! public_send public_send! push put put2 put_cmd putback putc puts pwd pwrite query query_string quo quote
  quote_char quote_character ractor raise raise_error raise_errors_for_deprecations! raise_exception raised_exception raising
  rake_check_options rake_extension rake_output_message rake_require rakefile rakefile_location rand random_bytes random_number range
  range_length rassoc rationalize raw raw! raw_cookie raw_cookie2 raw_data raw_load_rakefile rdev rdev_major rdev_minor re_exchange
  re_exchangeable? read read_all read_body read_header read_new read_nonblock read_timeout readable? readable_inspect readable_real?
  readagain_bytes readbyte readchar reading_body readline readlines readlink readonly? readpartial readuntil ready? real real? realdirpath
  realpath realtime reason receive receive_if receive_message_chain receive_messages received_message? receiver record_task_metadata
  recorder recover rect rectangular recurse_proc recv recv_io recv_nonblock recvfrom recvfrom_nonblock recvmsg recvmsg_nonblock
  redefine_method redefine_singleton_method reduce reenable referer refute refute_empty refute_equal refute_in_delta refute_in_epsilon
  refute_includes refute_instance_of refute_kind_of refute_match refute_nil refute_operator refute_path_exists refute_predicate
  refute_respond_to refute_same regexp regist_scanner register_ordering register_scanner register_scheme register_spec_type registry
  rehash reject reject! rel relative? relative_path_from release remainder remote_addr remote_address remote_host remote_ident remote_user
  remove remove! remove_class_variable remove_dir remove_dir1 remove_entry remove_entry_secure remove_example remove_file
  remove_instance_variable remove_instance_variable! remove_method remove_possible_method remove_possible_singleton_method rename reopen
  repeated_combination repeated_permutation replace replacement replicate reply report report_on_exception reporter request
  request_body_permitted? request_get request_head request_method request_post request_put request_uri require require_exact
  require_relative requires reset reset_filters reset_memoized reset_reporter resize resolve resolve_args respond_to respond_to?
  responding_to response response_body_permitted? rest rest? rest_size restore restsize result result_code result_with_hash resume
  return_headers? return_value reverse reverse! reverse_each reverse_merge reverse_merge! reverse_update rewind rfc1123_date rfc2822
  rfc3339 rfc822 rid rindex rjust rm rm_f rm_r rm_rf rmdir rmtree root? roots rotate rotate! round route_from route_to row_sep
  row_separator rpartition rstrip rstrip! rubinius? ruby ruby2_keywords ruby2_keywords_hash ruby2_keywords_hash? run
  run_after_context_hooks run_all_when_everything_filtered run_before_context_hooks run_examples run_one_method run_with_threads
  runnable_methods runnables safe_constantize safe_ln safe_unlink sample sanitize_exception satisfy satisfying saturday?
  save_exception_mode save_limit save_rounding_mode scale scan scan_all scan_full scan_line scan_until schedule scheduler scheme
  scheme_list scope scope_name script script_name scroll_backward scroll_forward scrub scrub! search search_convpath search_full sec
  sec_fraction second second_fraction second_to_last seconds seconds_since_midnight seconds_until_end_of_day secure seed seed_used? seek
  select select! self send send! send_io send_request sendmsg sendmsg_nonblock separator server_name server_port server_protocol
  server_software set_arg_names set_backtrace set_banner set_body_internal set_content_type set_debug_output set_default_options
  set_dictionary set_encoding set_encoding_by_bom set_eoutvar set_form set_form_data set_host set_it_up set_ivars set_option set_password
  set_port set_program_name set_range set_scheduler set_string set_summary_indent set_summary_width set_trace_func set_user set_userinfo
  set_value setbyte setegid seteuid setgid setgid? setpgid setpgrp setpriority setproctitle setregid setresgid setresuid setreuid setrgid
  setrlimit setruid setsid setsockopt setuid setuid? setup sev_threshold sexp sexp_raw sh shareable? shared_context
  shared_context_metadata_behavior shared_examples shared_examples_for shellescape shelljoin shellsplit shellwords shift short should
  should_not should_not_receive should_receive show shuffle shuffle! shutdown sid_available? sign signal signaled? signame signm signo
  silence silence_filter_announcements silence_filter_announcements? silence_redefinition_of_method silence_warnings silencer sin since
  single_delegate singleton_class singleton_class! singleton_class? singleton_method singleton_method! singleton_method_added
  singleton_methods singleton_methods! singularize sinh size size? skip skip_blanks? skip_lines skip_until skipped? sleep slice slice!
  slice_after slice_before slice_when sockaddr_in sockaddr_un socket? socket_type socketpair socktype sort sort! sort_by sort_by! source
  source_encoding source_encoding_name source_location sources space space_before spawn spec_files_with_failures spec_type specify split
  split_all sprintf spy sqrt squeeze squeeze! squish squish! srand src ssl_timeout ssl_version stag stags standard_exception_handling
  standard_rake_options start start_time start_time? start_with start_with? started? starting_with starts_with? stat stat! state
  static_config_filter_manager statistics status step sticky? stime stop stop? stopped? stopsig store store_before_context_ivars
  stream_end? stress strftime strict_decode64 strict_encode64 string stringify_keys stringify_keys! strip strip! strip_heredoc
  strongly_connected_components strptime stub stub_chain stub_const sub sub! sub_ext sub_type subclass subclasses subject subject! subsec
  subset? subtract succ succ! success? success_color success_color? suggested_thread_count sum summarize summary_indent summary_width
  sunday sunday? super_method superclass superclass_before_context_ivars superclass_metadata superset? suppress swapcase swapcase! switch
  switch_name symbolize_keys symbolize_keys! symlink symlink? sync sync_point? synchronize synthesize_file_task sysaccept syscall sysopen
  sysread sysseek system system_dir syswrite table tableize tag tail taint taint! tainted? take take_while tally tan tanh tap tap!
  task_defined? tasks tasks_in_scope tcp tcp_server_loop tcp_server_sockets teardown tell terabyte terabytes terminal_columns
  terminal_width terminate termsig test test_order then then! things_to_diff third third_to_last thread thread_cattr_accessor
  thread_cattr_reader thread_cattr_writer thread_mattr_accessor thread_mattr_reader thread_mattr_writer thread_pool thread_variable?
  thread_variable_get thread_variable_set thread_variables threadsafe threadsafe? throw throw_symbol throwing thursday? time time_it
  timeout times timestamp titlecase titleize tmpdir to to_a to_ary to_bn to_c to_csv to_d to_date to_datetime to_default_s to_digits
  to_enum to_enum! to_f to_formatted_s to_h to_h! to_hash to_i to_int to_io to_json to_json_raw to_json_raw_object to_mailtext to_options
  to_options! to_param to_path to_proc to_query to_r to_range to_rfc822text to_s to_s! to_sentence to_set to_sockaddr to_str to_string
  to_sym to_time to_tty? to_write_io to_xml to_yaml today today? tok token token_match tokenize tomorrow tomorrow? top top_level
  top_level? top_level_description top_level_tasks total total_in total_out total_time touch tr tr! tr_s tr_s! trace trace_on trace_var
  transaction transfer transform_keys transform_keys! transform_values transform_values! transpose trap traverse traverse_tree_until trim
  trim_line1 trim_line2 trim_mode truncate truncate_bytes truncate_output? truncate_words trust trust! try try! try_convert try_enter
  try_lock try_mon_enter tsort tsort_each tsort_each_child tsort_each_node tty tty? tty_output? tuesday? tv_nsec tv_sec tv_usec type
  type_params typecode u udp udp_server_loop udp_server_loop_on udp_server_recv udp_server_sockets uid ultra_safe umask unbind
  unconverted_fields? undef_method undefine_finalizer underscore undump unescape unescapeElement unescapeHTML unescapeURIComponent
  unescape_element unescape_filename? unescape_html ungetbyte ungetc unicode_normalize unicode_normalize! unicode_normalized? union uniq
  uniq! unix unix? unix_path unix_rights unix_server_loop unix_server_socket unknown unknown? unlink unlock unpack unpack1
  unpack_sockaddr_in unpack_sockaddr_un unparse unscan unshift unstub untaint untaint! untrace_var untrust untrust! untrusted? unused
  unwrapped_html_escape upcase upcase! upcase_first update update_inherited_metadata update_uri upto uptodate? urandom uri url_encode
  urlsafe_base64 urlsafe_decode64 urlsafe_encode64 use_headers? use_proxy? use_registry use_ssl? use_zone usec used_modules user
  user_agent userinfo using_rvargc? utc utc? utc_offset utime uuid uuid_from_hash uuid_v3 uuid_v4 uuid_v5 valid? valid_civil?
  valid_commercial? valid_date? valid_encoding? valid_jd? valid_ordinal? value value? values values_at ver verbose verbose_flag
  verify_callback verify_compaction_references verify_depth verify_hostname verify_internal_consistency verify_mode version version_1_1?
  version_1_2 version_1_2? wait wait2 wait_for_cond wait_priority wait_readable wait_until wait_while wait_writable waitall waitpid
  waitpid2 wakeup warn warn! warn? warnings? wday weakref_alive? wednesday? week weeks weeks_ago weeks_since when_writing where width
  win32_system_dir windows? winsize with with_application with_defaults with_defaults! with_index with_indifferent_access
  with_info_handler with_object with_options with_replaced_metadata with_suite_hooks with_warnings within without wont_be wont_be_close_to
  wont_be_empty wont_be_instance_of wont_be_kind_of wont_be_nil wont_be_same_as wont_be_within_delta wont_be_within_epsilon wont_equal
  wont_include wont_match wont_respond_to work world world_readable? world_writable? wrap wrap_traverse writable? writable_real? write
  write_headers? write_message write_message_0 write_message_by_block write_nonblock write_timeout writeline xcontext xdescribe xexample
  xit xml_name_escape xmlschema xspecify yaml_tag yday year years years_ago years_since yesterday yesterday? yield yield_control
  yield_self yield_self! yield_successive_args yield_with_args yield_with_no_args yielding_control yielding_successive_args
  yielding_with_args yielding_with_no_args yydebug zcat zero? zip zlib_version zone zone_default zone_id zone_offset
`);

/** Names that Rails gives classes of an application, as far as other programs have methods of these names, too. */
export const RAILS_NAMES = wordSet(`
  abstract abstract! abstract_class? accepted? accepts action action_name adapter_name add_header add_reference after_commit after_create
  after_destroy after_initialize after_save after_update alert allowed_scheme and annotate api_only? app app_name append_info_to_payload
  arel_table arguments as asset_url assets assign assign_attributes assigns association atom_feed attachments attribute authenticate
  authenticated authorization authorize autoloads available_locales average backend bad_request? base_class base_url becomes before_create
  before_destroy before_validation belongs_to binary body_parts buffered_body! build_from build_order build_request build_result button
  button_to cache cache! cache_key cache_store calculate capture changes charset cleanup client_error? collection collection_select
  collector column_exists? columns commit! committed? config config_for configurations connected? connection constraints_for
  content_charset content_for content_for? controller controller_name create! create_or_update create_table created? created_at
  credentials current_page current_role date date_select datetime decimal default_charset default_headers default_locale default_params
  default_role default_scope default_separator default_session default_url_options defaults delete_all delete_cookie delete_entry
  delete_header delete_param deleted? deleted_at deliver_mail delivery_method delivery_methods deserialize destroy destroy! destroy_all
  destroyed? devise_confirmation devise_for devise_password devise_registration devise_scope devise_session devise_unlock discard dispatch
  distinct dom_class dom_id down draw each_element eager_load eager_load! element endpoint engine_name enqueue enqueued_at enum env
  escape_javascript escape_once establish_connection etag etag_matches? exception_handler excerpt executions executor expire expires_in
  explain extract_dimensions fetch_header fields_for filter_attributes find_by flash forbidden? form_data? form_for formats
  forwarded_authority forwarded_for forwarded_port forwarded_scheme fresh? fresh_when from_json fullpath get? get_header handle_exception
  handle_unverified_request has_header? has_many head? helper helpers hidden_field highlight host_authority html_document human
  human_attribute_name i18n_key i18n_scope id id? ids image_path image_url in_use? includes increment increment! increment_counter
  index_exists? index_name informational? initialize! initialized? initializers instrument instrumenter integer internal_methods
  interpolate interpolate_hash invalid? job_id json kind klass last_modified layout limit_value link? link_to load_path loaded loaded?
  local? locale locale_available? localize lock! log_process_action logger lookup_ancestors mail mail_to mailer_name map_match mask_token
  media_type member message_verifier middleware migrate migration_context migrations_paths missing_translation model model_name mount
  moved_permanently? mute namespace nested new_record? next_page next_page_path no_content? none normalize_key normalize_keys
  normalize_name normalize_path not_found? notice notifier object object_name ok? only options? or order_values original_url output_buffer
  padding paginate param_key parameter_filter parse_float parse_multipart parse_query parseable_data? parts patch? paths per perform
  perform_deliveries performed? period permit permitted_attributes persisted? policies policy policy_scope policy_scopes polymorphic_name
  polymorphic_path pool post? precondition_failed? preload preload_associations prepare! prev_page preview_path primary_key priority?
  process process_action processed? public_path publish pundit_user put? query_parser query_values queue_as queue_name queues quoted_false
  rack_response radio_button rails_app? read_attribute read_attribute_for_validation readonly readonly_value records redirect redirect?
  redirect_back redirect_to redirect_url redirection? references referrer register_interceptor register_observer relation reload reload!
  remove_connection render renderer reorder reorder! request_id required rescue_from rescue_handlers reserve_key reset! reset_counters
  reset_session resource resource_scope resources respond_with response_body response_code restore_attributes revert root routes
  run_callbacks runner sanitize save save! say search_field select_rows select_values send_data send_file sent? serializable_hash
  serialize server server_authority server_error? session session_options set set_cookie set_header singular skip_authorization
  split_authority split_header ssl? status_message sti_name stream strip_tags subdomain submit subscribe subscribed successful? sweep t
  table_name table_name_prefix tables target text text_area text_field timestamps timezone to_app to_header to_key to_model
  to_partial_path to_sql toggle total_pages trace? translate translate! transliterate trusted_proxy? type_cast unauthenticated
  unauthorized? unlink? unmask_token unprocessable? unregister_interceptor unregister_observer unsubscribe until up update! update_all
  update_param updated_at url url_for url_options use valid_type? validate validate! validate_each validates validates_with validators
  variant verified_request? verify! verify_authorized video_url view_context views virtual with_context with_locale word_wrap wrap_ipv6
  write_attribute xhr? csv html js pdf
`);

export const PHP_NAMES = wordSet(`
  C14N C14NFile XML accept add addAll addArgument addAttribute addChild addEmptyDir addFile addFromString addOption addr adoptNode after
  alert alignof all allowsNull andWhere any apiVersion append appendChild appendData appendXML arrayType asXML asort assertContains
  assertCount assertEquals assertFalse assertInstanceOf assertNull assertSame assertStringContainsString assertTrue attach attachIterator
  attributes avg before beginChildren beginIteration beginTransaction belongsTo bind bindColumn bindParam bindTo bindValue boot bottom
  buffer build buildFromDirectory buildFromIterator call callGetChildren callHasChildren canBePassedByValue canCompress canWrite cases
  cast cdef children chmod cloneNode close closeCursor columnCount commit compare compress compressFiles configure contains
  containsIterator convertToData convertToExecutable copy count countIterators create createAttribute createAttributeNS createCDATASection
  createComment createDefaultStub createDocument createDocumentFragment createDocumentType createElement createElementNS
  createEntityReference createFromDateString createFromFormat createFromImmutable createFromInterface createFromMutable createMock
  createProcessingInstruction createQueryBuilder createTextNode create_sid critical current debug debugDumpParams decompress
  decompressFiles delMetadata delete deleteData dequeue destroy detach detachIterator diff dispatch each emergency endAttribute endCdata
  endChildren endComment endDocument endDtd endDtdAttlist endDtdElement endDtdEntity endElement endIteration endPi enqueue eof error
  errorCode errorInfo evaluate exchangeArray exec execute expand expectException expectExceptionMessage expects extract extractTo fetch
  fetchAll fetchColumn fetchObject fflush fgetc fgetcsv fgets file fill filter find findAll findBy findOneBy first flock flush format
  fpassthru fputcsv fread free from fromArray fromArrayElement fromCallable fscanf fseek fstat ftell ftruncate fullEndElement fwrite gc
  generate get getATime getAlias getAlignment getArgument getArguments getArrayCopy getArrayElementType getArrayIterator getArrayLength
  getAttribute getAttributeNS getAttributeNo getAttributeNode getAttributeNodeNS getAttributeNs getAttributes getAuthor
  getAvailableDrivers getBackingType getBackingValue getBasename getBody getBytes getCRC32 getCTime getCache getCallable getCase getCases
  getChildren getClass getClassNames getClasses getClosure getClosureCalledClass getClosureScopeClass getClosureThis
  getClosureUsedVariables getCode getColumnMeta getCompressedSize getConstant getConstants getConstructor getContent getContents
  getCopyright getCsvControl getCurrent getCurrentLine getData getDateInterval getDeclaringClass getDeclaringFunction getDefaultProperties
  getDefaultValue getDefaultValueConstantName getDependencies getDepth getDocComment getDocNamespaces getElementById getElementsByTagName
  getElementsByTagNameNS getEndDate getEndLine getEntry getEnum getEnumKind getExecutingFile getExecutingGenerator getExecutingLine
  getExtension getExtensionName getExtractFlags getFeature getFiber getFile getFileInfo getFileName getFilename getFlags getFuncABI
  getFuncParameterCount getFuncParameterType getFuncReturnType getFunction getFunctions getGroup getHash getHeader getHeaderLine
  getHeaders getHost getINIEntries getId getInfo getInnerIterator getInode getInt getInterfaceNames getInterfaces getIterator
  getIteratorClass getIteratorIndex getIteratorMode getKind getLastErrors getLine getLineNo getLinkTarget getLocation getMTime getMaxDepth
  getMaxLineLen getMessage getMetadata getMethod getMethods getMock getMode getModified getModifierNames getModifiers getName getNamedItem
  getNamedItemNS getNamespaceName getNamespaces getNodePath getNumberOfParameters getNumberOfRequiredParameters getOffset getOption
  getOwner getParameter getParameters getParentClass getParsedBody getParserProperty getPath getPathInfo getPathname getPerms getPharFlags
  getPointerType getPosition getPostfix getPrefix getPregFlags getPrevious getProperties getProperty getPrototype getQuery getQueryParams
  getRealPath getRecurrences getReflectionConstant getReflectionConstants getRegex getRepository getResult getReturn getReturnType
  getScheme getSecurityPrefs getSeverity getShortName getSignature getSize getStartDate getStartLine getStaticProperties
  getStaticPropertyValue getStaticVariables getStatusCode getStructFieldNames getStructFieldOffset getStructFieldType getStub
  getSubIterator getSubPath getSubPathname getSupportedCompression getSupportedSignatures getTarget getTentativeReturnType getThis
  getTimestamp getTimezone getTokenName getTrace getTraceAsString getTraitAliases getTraitNames getTraits getTransitions getType getTypes
  getURL getUri getValue getVersion group groupBy handle hasAttribute hasAttributeNS hasAttributes hasCase hasChildNodes hasChildren
  hasConstant hasDefaultValue hasExsltSupport hasFeature hasHeader hasMany hasMetadata hasMethod hasNext hasOne hasProperty hasPrototype
  hasReturnType hasTentativeReturnType hasType having implementsInterface importNode importStylesheet inNamespace inTransaction info
  insert insertBefore insertData interceptFileFuncs invoke invokeArgs is isAbstract isAnonymous isArray isBacked isBuffering isBuiltin
  isCRCChecked isCallable isCloneable isClosure isCompressed isConstructor isCorrupted isDefault isDefaultNamespace
  isDefaultValueAvailable isDefaultValueConstant isDeprecated isDestructor isDir isDisabled isDot isElementContentWhitespace isEmpty
  isEnum isEnumCase isExecutable isFile isFileFormat isFinal isGenerator isId isIgnorable isInitialized isInstance isInstantiable
  isInterface isInternal isIterable isIterateable isLink isNull isOptional isPassedByReference isPersistent isPrivate isPromoted
  isProtected isPublic isReadOnly isReadable isRepeated isRunning isSameNode isStarted isStatic isSubclassOf isSupported isSuspended
  isTemporary isTerminated isTrait isUserDefined isValid isValidPharFilename isVariadic isWhitespaceInElementContent isWritable item
  jsonSerialize jump jumpLong key keys ksort last lastInsertId limit listAbbreviations listIdentifiers load loadHTML loadHTMLFile loadPhar
  loadXML log lookupNamespace lookupNamespaceURI lookupPrefix make map mapPhar markTestSkipped match max memcmp memcpy memset merge method
  middleware min modify morphTo mount moveToAttribute moveToAttributeNo moveToAttributeNs moveToElement moveToFirstAttribute
  moveToNextAttribute mungServer name natcasesort natsort never new newInstance newInstanceArgs newInstanceWithoutConstructor next
  nextElement nextInt nextRowset normalize normalizeDocument notice notify offset offsetExists offsetGet offsetSet offsetUnset onClose
  onCreate once open openFile openMemory openUri options orWhere orderBy outputMemory paginate patch persist pickArrayKeys pluck pop post
  prefix prepare prepend prev process push put query quote read readInnerXml readOuterXml readString recoverFromCorruption refresh
  register registerNamespace registerNodeClass registerPHPFunctions registerPhpFunctions registerXPathNamespace relaxNGValidate
  relaxNGValidateSource remove removeAll removeAllExcept removeAttribute removeAttributeNS removeAttributeNode removeChild removeParameter
  render replaceChild replaceData replaceWith resolve resume returnCallback returnValue returnsReference rewind rollBack rowCount running
  save saveHTML saveHTMLFile saveXML schemaValidate schemaValidateSource scope seek select send serialize setAccessible setAlias
  setAttribute setAttributeNS setAttributeNode setAttributeNodeNS setCsvControl setData setDate setDefaultStub setDescription
  setExtractFlags setFetchMode setFileClass setFlags setHelp setISODate setId setIdAttribute setIdAttributeNS setIdAttributeNode setIndent
  setIndentString setInfo setInfoClass setIteratorClass setIteratorMode setMaxDepth setMaxLineLen setMetadata setMode setName setParameter
  setParserProperty setPostfix setPrefixPart setPregFlags setProfiling setRelaxNGSchema setRelaxNGSchemaSource setSchema setSecurityPrefs
  setSignatureAlgorithm setSize setStaticPropertyValue setStub setTime setTimestamp setTimezone setType setUp setValue set_flags shift
  shuffleArray shuffleBytes singleton sizeof splitText start startAttribute startAttributeNs startBuffering startCdata startComment
  startDocument startDtd startDtdAttlist startDtdElement startDtdEntity startElement startElementNs startPi stopBuffering string sub
  substringData sum suspend sync tearDown text throw toArray toJson tokenize top transformToDoc transformToUri transformToXml tryFrom type
  typeof uasort uksort unlinkArchive unserialize unshift update updateTimestamp valid validate validateId values warning webPhar where
  will willReturn with withBody withHeader withStatus withUri write writeAttribute writeAttributeNs writeCdata writeComment writeDtd
  writeDtdAttlist writeDtdElement writeDtdEntity writeElement writeElementNs writePi writeRaw writeln xinclude xpath
`);
