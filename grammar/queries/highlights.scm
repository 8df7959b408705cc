; Colours for `.too` files.

(comment) @comment
((comment) @comment.documentation
  (#match? @comment.documentation "^##"))

["use" "struct" "psyche" "skill" "service" "prompt" "context" "instruct" "thunk"] @keyword
(cap_kind) @keyword
(message_kind) @keyword

(struct name: (type_name) @type)
(type (type_name) @type)
((type (type_name) @type.builtin)
  (#any-of? @type.builtin "Text" "Number" "Boolean" "Json" "Message"))
(type_suffix) @punctuation.bracket

(thunk name: (value_name) @function)
(psyche name: (value_name) @constant)
(skill name: (value_name) @constant)
(service name: (value_name) @constant)
(prompt name: (value_name) @constant)
(context name: (value_name) @constant)
(instruct name: (value_name) @constant)
(block_name) @constant
(field name: (value_name) @property)
(param name: (value_name) @variable.parameter)
(property_key) @property
(directive_key) @property

(cap_uri) @string.special.url
(cap_shorthand) @string.special
(bare_value) @string.special
(property_value) @string
(inline_text) @string
(raw_text) @string
(fence_content) @string
(frontmatter) @string.special
(language) @label

(directive_op) @operator
"=" @operator
"->" @operator
(optional_marker) @operator
["(" ")"] @punctuation.bracket
["," ":"] @punctuation.delimiter
(fence_open) @punctuation.delimiter
(fence_close) @punctuation.delimiter
