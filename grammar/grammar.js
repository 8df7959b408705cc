// The Tree-sitter grammar of `.too`: the judge of what a program is. Lines, raw text and fences are read in src/scanner.c.

/// <reference types="tree-sitter-cli/dsl" />
// @ts-check

export default grammar({
  name: 'toolang',

  word: ($) => $.value_name,

  // A line break is an extra, but the scanner gives one only where a line may end (see src/scanner.c).
  extras: ($) => [/[ \t\f]/, $.comment, $._line_break],

  // The order is that of `enum Token` in src/scanner.c.
  externals: ($) => [
    $._line_break,
    $.comment,
    $._line_end,
    $._item_start,
    $._indent,
    $._property_indent,
    $.raw_text,
    $.inline_text,
    $.block_name,
    $.property_value,
    $.fence_open,
    $.frontmatter,
    $.fence_content,
    $.fence_close,
    $._error,
  ],

  rules: {
    // A line that opens like an item and is none stays an item of its own, so that mending many of them is linear.
    program: ($) => repeat(seq($._item_start, optional($._item))),

    _item: ($) => choice($.use, $.struct, $.psyche, $.skill, $.service, $.prompt, $.context, $.instruct, $.thunk),

    // use

    use: ($) => seq('use', $.cap_kind, $._blanks, choice($.cap_uri, $.cap_shorthand), $._line_end),
    cap_kind: () => choice('psyche', 'skill', 'service', 'prompt'),
    // A URI takes what a shorthand would take, and more, so the longer match is never lost by preferring it.
    cap_uri: () => token(prec(1, /[A-Za-z][A-Za-z0-9+.-]*:\/\/[^ #\x00-\x1f\x7f-\x9f]+/)),
    cap_shorthand: () => /[A-Za-z0-9_@-][A-Za-z0-9_./:@-]*/,

    // struct

    struct: ($) =>
      seq('struct', $._blanks, field('name', $.type_name), ':', $._line_end, repeat1(seq($._indent, $.field))),
    field: ($) => seq(field('name', $.value_name), optional($.optional_marker), ':', $.type, $._line_end),
    type: ($) => seq($.type_name, repeat($.type_suffix)),
    type_suffix: () => '[]',
    optional_marker: () => '?',

    // caps

    psyche: ($) => seq('psyche', $._cap),
    skill: ($) => seq('skill', $._cap),
    service: ($) => seq('service', $._cap),
    prompt: ($) => seq('prompt', $._cap),
    _cap: ($) =>
      seq(
        field('name', $.value_name),
        ':',
        choice(
          seq($._line_end, repeat(seq($._property_indent, $.property)), optional($.raw_text)),
          alias($.cap_fence, $.fence),
        ),
      ),
    property: ($) => seq(alias($.value_name, $.property_key), '=', $.property_value, $._line_end),

    // templates

    context: ($) => seq('context', $._template),
    instruct: ($) => seq('instruct', $._template),
    _template: ($) =>
      seq(optional(field('name', $.value_name)), ':', choice(seq($._line_end, optional($.raw_text)), $.fence)),

    // fences

    fence: ($) =>
      seq($.fence_open, optional($.language), $._line_end, optional($.fence_content), $.fence_close, $._line_end),
    cap_fence: ($) =>
      seq(
        $.fence_open,
        optional($.language),
        $._line_end,
        optional($.frontmatter),
        optional($.fence_content),
        $.fence_close,
        $._line_end,
      ),
    language: () => 'md',

    // thunks

    thunk: ($) =>
      seq(
        'thunk',
        optional(field('name', $.value_name)),
        optional($.params),
        optional($.output_type),
        ':',
        $._line_end,
        repeat(seq($._indent, $.directive)),
        optional(
          choice(
            seq($._indent, $.context_block, optional(seq($._indent, $.instruct_block))),
            seq($._indent, $.instruct_block, optional(seq($._indent, $.context_block))),
          ),
        ),
        repeat(seq($._indent, $.message_block)),
      ),
    params: ($) => seq('(', optional(seq($.param, repeat(seq(',', $.param)))), ')'),
    param: ($) => seq(field('name', $.value_name), optional($.optional_marker), ':', $.type),
    output_type: ($) => seq('->', $.type),

    directive: ($) => seq($.directive_key, $.directive_op, $.bare_value, repeat(seq(',', $.bare_value)), $._line_end),
    directive_key: () => choice('models', 'tools', 'skills', 'services', 'psyches', 'hands', 'handoffs', 'recall'),
    directive_op: () => choice('=', '+=', '-='),
    bare_value: () => /[A-Za-z0-9_./:@-]+/,

    context_block: ($) => seq('context', ':', $._template_value),
    instruct_block: ($) => seq('instruct', ':', $._template_value),
    _template_value: ($) => choice(seq($.block_name, $._line_end), $._text_value),
    message_block: ($) => seq($.message_kind, ':', $._text_value),
    message_kind: () => choice('user', 'assistant', 'tool'),
    _text_value: ($) => choice(seq($.inline_text, $._line_end), seq($._line_end, optional($.raw_text)), $.fence),

    // names

    // Between two words that would not run together by themselves: `structA` and `skill@a` are one word to a reader.
    _blanks: () => token.immediate(/[ \t\f]+/),
    value_name: () => /[a-z]([a-z0-9_-]*[a-z0-9_])?/,
    type_name: () => /[A-Z][A-Za-z0-9]*/,
  },
});
