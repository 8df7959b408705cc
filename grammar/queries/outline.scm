; The list of what a file holds.

(struct "struct" @context name: (type_name) @name) @item
(field name: (value_name) @name) @item
(psyche "psyche" @context name: (value_name) @name) @item
(skill "skill" @context name: (value_name) @name) @item
(service "service" @context name: (value_name) @name) @item
(prompt "prompt" @context name: (value_name) @name) @item
(context "context" @context name: (value_name) @name) @item
(instruct "instruct" @context name: (value_name) @name) @item
(thunk "thunk" @context name: (value_name) @name) @item

; Without a name they are the default one: the keyword stands for it.
(context . "context" @name . ":") @item
(instruct . "instruct" @name . ":") @item
(thunk "thunk" @name . ":") @item
(thunk "thunk" @name . (params)) @item
(thunk "thunk" @name . (output_type)) @item
