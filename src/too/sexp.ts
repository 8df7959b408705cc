/** The tree as nested arrays, `[kind, …children]` and `[kind, start, end]` for leaves: how two parsers are compared. */
import type { Span } from '../text/index.ts';
import type { Block, Cap, Fenced, Field, Indented, Inline, Item, Param, Program, Thunk, TypeNode } from './tree.ts';

export interface Sexp extends ReadonlyArray<string | number | Sexp> {}

export function toSexp(program: Program): Sexp {
  return ['program', ...program.items.map(item)];
}

function leaf(kind: string, span: Span): Sexp {
  return [kind, span.start, span.end];
}

function item(node: Item): Sexp {
  switch (node.kind) {
    case 'use': {
      const uri = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/./s.test(node.ref.text);
      return ['use', leaf('cap_kind', node.kindSpan), leaf(uri ? 'cap_uri' : 'cap_shorthand', node.ref.span)];
    }
    case 'struct':
      return ['struct', leaf('type_name', node.name.span), ...node.fields.map(field)];
    case 'context':
    case 'instruct':
      return [node.kind, ...(node.name ? [leaf('value_name', node.name.span)] : []), ...text(node.body)];
    case 'thunk':
      return thunk(node);
    default:
      return cap(node);
  }
}

function cap(node: Cap): Sexp {
  const properties = node.properties.map(
    (p): Sexp => ['property', leaf('property_key', p.key.span), leaf('property_value', p.value.span)],
  );
  return [node.kind, leaf('value_name', node.name.span), ...properties, ...text(node.body)];
}

function thunk(node: Thunk): Sexp {
  return [
    'thunk',
    ...(node.name ? [leaf('value_name', node.name.span)] : []),
    ...(node.params ? [['params', ...node.params.map(param)] as Sexp] : []),
    ...(node.output ? [['output_type', type(node.output)] as Sexp] : []),
    ...node.directives.map(
      (d): Sexp => [
        'directive',
        leaf('directive_key', d.keySpan),
        leaf('directive_op', d.opSpan),
        ...d.values.map((v) => leaf('bare_value', v.span)),
      ],
    ),
    ...node.blocks.map(block),
  ];
}

function block(node: Block): Sexp {
  const { value } = node;
  const children: Sexp[] =
    value?.kind === 'reference'
      ? [leaf('block_name', value.span)]
      : value?.kind === 'inline'
        ? [leaf('inline_text', value.span)]
        : text(value);
  if (node.block === 'context' || node.block === 'instruct') return [`${node.block}_block`, ...children];
  return ['message_block', leaf('message_kind', node.key), ...children];
}

function text(value: Inline | Indented | Fenced | undefined): Sexp[] {
  if (!value || value.kind === 'inline') return [];
  if (value.kind === 'indented') return [leaf('raw_text', value.span)];
  const { open, language, frontmatter, content, close } = value;
  return [
    [
      'fence',
      leaf('fence_open', open),
      ...(language ? [leaf('language', language.span)] : []),
      ...(frontmatter ? [leaf('frontmatter', frontmatter)] : []),
      ...(content ? [leaf('fence_content', content)] : []),
      ...(close ? [leaf('fence_close', close)] : []),
    ],
  ];
}

function field(node: Field | Param): Sexp {
  return [
    node.kind,
    leaf('value_name', node.name.span),
    ...(node.optional ? [leaf('optional_marker', node.optional)] : []),
    type(node.type),
  ];
}

const param = field;

function type(node: TypeNode): Sexp {
  return ['type', leaf('type_name', node.name.span), ...node.arrays.map((span) => leaf('type_suffix', span))];
}
