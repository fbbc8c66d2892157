; R: functions, S3, S4, reference classes and R6.

(binary_operator lhs: [(identifier) (string)] @name operator: ["<-" "=" "<<-"] rhs: (function_definition)) @definition.function
(binary_operator lhs: (function_definition) operator: ["->" "->>"] rhs: (identifier) @name) @definition.function

(binary_operator
  lhs: (identifier) @name operator: ["<-" "=" "<<-"]
  rhs: (call function: [(identifier) @_maker (namespace_operator rhs: (identifier) @_maker)])
  (#any-of? @_maker "R6Class" "setRefClass" "new_class" "ggproto")) @definition.class

; Methods of R6 and reference classes stand in lists: `public = list(open = function() …)`.
(argument name: (identifier) @name value: (function_definition)) @definition.method

(call
  function: (identifier) @_maker arguments: (arguments . (argument value: (string content: (string_content) @name)))
  (#any-of? @_maker "setClass" "setRefClass" "setClassUnion")) @definition.class
(call
  function: (identifier) @_maker arguments: (arguments . (argument value: (string content: (string_content) @name)))
  (#any-of? @_maker "setGeneric" "setMethod" "setReplaceMethod")) @definition.method

(program (binary_operator lhs: (identifier) @name operator: ["<-" "=" "<<-"]) @definition.variable)

(call
  function: (identifier) @_call arguments: (arguments . (argument value: (string content: (string_content) @name)))
  (#any-of? @_call "source" "sys.source")) @reference.include

(call function: (identifier) @name) @reference.call
(call function: (namespace_operator rhs: (identifier) @name)) @reference.call
(call function: (extract_operator rhs: (identifier) @name)) @reference.call
