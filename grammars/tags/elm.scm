; Elm.

(module_declaration name: (upper_case_qid) @name) @definition.module
(value_declaration functionDeclarationLeft: (function_declaration_left . (lower_case_identifier) @name)) @definition.function
(port_annotation name: (lower_case_identifier) @name) @definition.function
(type_alias_declaration name: (upper_case_identifier) @name) @definition.type
(type_declaration name: (upper_case_identifier) @name) @definition.enum
(union_variant name: (upper_case_identifier) @name) @definition.enum-member
(record_type fieldType: (field_type name: (lower_case_identifier) @name) @definition.field)
(infix_declaration operator: (operator_identifier) @name) @definition.function

(import_clause moduleName: (upper_case_qid) @name) @reference.include
(type_ref (upper_case_qid (upper_case_identifier) @name .)) @reference.type
(function_call_expr target: (value_expr name: (value_qid (lower_case_identifier) @name .))) @reference.call
(value_expr name: (value_qid (lower_case_identifier) @name .)) @reference.read
(value_expr name: (upper_case_qid (upper_case_identifier) @name .)) @reference.read
(union_pattern constructor: (upper_case_qid (upper_case_identifier) @name .)) @reference.read
