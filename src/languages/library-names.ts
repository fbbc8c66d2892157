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
