; LaTeX: sections, labels and commands.

(part text: (curly_group) @name) @definition.section
(chapter text: (curly_group) @name) @definition.section
(section text: (curly_group) @name) @definition.section
(subsection text: (curly_group) @name) @definition.section
(subsubsection text: (curly_group) @name) @definition.section
(paragraph text: (curly_group) @name) @definition.section
(label_definition name: (curly_group_label label: (label) @name)) @definition.key
(new_command_definition declaration: [
  (curly_group_command_name command: (command_name) @name) (command_name) @name]
  (#strip! @name "^\\\\")) @definition.macro
(old_command_definition declaration: (command_name) @name (#strip! @name "^\\\\")) @definition.macro
(environment_definition name: (curly_group_text text: (text) @name)) @definition.macro
(theorem_definition name: (_ text: (_) @name)) @definition.macro

(latex_include path: (curly_group_path path: (path) @name)) @reference.include
(label_reference names: (curly_group_label_list label: (label) @name @reference.read))
(generic_command command: (command_name) @name (#strip! @name "^\\\\")) @reference.call
