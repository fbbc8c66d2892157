; Make: targets are what a recipe makes, variables are macros.

((rule (targets (word) @name)) @definition.function
  (#not-match? @name "^\\.[A-Z_]+$|%|^[-@]"))
(define_directive name: (word) @name) @definition.macro
(variable_assignment name: (word) @name) @definition.variable
(shell_assignment name: (word) @name) @definition.variable

(include_directive filenames: (list (word) @name)) @reference.include
(rule (targets . (word) @_target) normal: (prerequisites (word) @name @reference.call) (#not-match? @_target "^\\.[A-Z_]+$"))
(rule order_only: (prerequisites (word) @name @reference.call))
(variable_reference (word) @name) @reference.read
(function_call function: "call" (arguments . argument: (text) @name)) @reference.call
(ifdef_directive variable: (word) @name) @reference.read
