/** Patterns and texts for the tests against the native engine. */
import fc from 'fast-check';

export interface Case {
  readonly pattern: string;
  readonly flags: string;
  readonly text: string;
  readonly lastIndex: number;
}

const flagSets = ['', '', 'i', 'm', 's', 'u', 'iu', 'v', 'iv', 'y', 'gimsu', 'uy', 'im', 'su', 'g'];

/** No "ß": in backreferences V8 folds it to "ss". */
const chars = ['a', 'a', 'b', 'b', 'c', 'A', 'B', '1', '_', ' ', '\n', '-', 'é', 'É', 'ſ', 's', 'K', 'k', '\u2028'];
const wide = ['😀', '\ud83d', '\ude00', '𐐀', '𐐨'];

const text = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 12 }) },
  { weight: 3, arbitrary: fc.string({ unit: fc.constantFrom(...chars, ...wide), maxLength: 12 }) },
);

const literal = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 2, arbitrary: fc.constantFrom(...chars, ...wide) },
);

const escapes = fc.constantFrom(
  ...['\\d', '\\D', '\\w', '\\W', '\\s', '\\S', '\\x61', '\\u0062', '\\n', '\\cJ', '\\ud83d', '\\ude00', '\\0', '\\/'],
);

const classItem = fc.oneof(
  fc.constantFrom('a', 'b', 'a-b', 'A-C', '\\d', '\\w', '\\s', '\\S', '\\n', '\\b', 'é', 'k', 's', '\\-', '\\ud83d'),
  fc.constantFrom(...wide),
);

const set = fc
  .tuple(fc.boolean(), fc.array(classItem, { maxLength: 3 }))
  .map(([negative, items]) => `[${negative ? '^' : ''}${items.join('')}]`);

const quantifier = fc.constantFrom(
  ...[
    '*',
    '+',
    '?',
    '*?',
    '+?',
    '??',
    '{0}',
    '{1}',
    '{2}',
    '{0,1}',
    '{1,2}',
    '{2,3}?',
    '{1,}',
    '{2,}?',
    '{0,2}',
    '{3,}',
  ],
);

interface Shape {
  readonly kind: 'text' | 'group' | 'named' | 'plain' | 'look' | 'back' | 'sequence' | 'choice' | 'loop';
  readonly text: string;
  readonly parts: readonly Shape[];
}

function leaf(arbitrary: fc.Arbitrary<string>): fc.Arbitrary<Shape> {
  return arbitrary.map((text) => ({ kind: 'text', text, parts: [] }));
}

const shape = fc.letrec<{ node: Shape }>((tie) => {
  const branch = (kind: Shape['kind'], count: number, text: fc.Arbitrary<string>): fc.Arbitrary<Shape> =>
    fc
      .tuple(
        text,
        fc.array(tie('node'), { minLength: count === 1 ? 1 : 0, maxLength: count, depthIdentifier: 'shape' }),
      )
      .map(([mark, parts]) => ({ kind, text: mark, parts }));
  const none = fc.constant('');
  return {
    node: fc.oneof(
      { maxDepth: 5, depthIdentifier: 'shape' },
      { weight: 6, arbitrary: leaf(literal) },
      { weight: 1, arbitrary: leaf(escapes) },
      { weight: 2, arbitrary: leaf(set) },
      { weight: 1, arbitrary: leaf(fc.constantFrom('.', '^', '$', '\\b', '\\B')) },
      { weight: 2, arbitrary: fc.nat(5).map((n): Shape => ({ kind: 'back', text: String(n), parts: [] })) },
      { weight: 5, arbitrary: branch('sequence', 4, none) },
      { weight: 3, arbitrary: branch('choice', 3, none) },
      { weight: 5, arbitrary: branch('loop', 1, quantifier) },
      { weight: 4, arbitrary: branch('group', 1, none) },
      { weight: 1, arbitrary: branch('named', 1, none) },
      { weight: 2, arbitrary: branch('look', 1, fc.constantFrom('?=', '?!', '?<=', '?<!')) },
    ),
  };
}).node;

/** Well-formed: what is repeated stands in brackets when it must, and references are to groups that are there. */
function print(root: Shape): string {
  let groups = 0;
  const count = (node: Shape): number =>
    (node.kind === 'group' || node.kind === 'named' ? 1 : 0) + node.parts.reduce((sum, part) => sum + count(part), 0);
  const total = count(root);
  const inner = (node: Shape): string => (node.parts[0] === undefined ? '' : write(node.parts[0]));
  const write = (node: Shape): string => {
    switch (node.kind) {
      case 'text':
        return node.text;
      case 'back':
        return total === 0 ? '' : `(?:\\${(Number(node.text) % total) + 1})`;
      case 'sequence':
        return node.parts.map((part) => (part.kind === 'choice' ? `(?:${write(part)})` : write(part))).join('');
      case 'choice':
        return `(?:${node.parts.map(write).join('|')})`;
      case 'loop': {
        const body = inner(node);
        const single = node.parts[0]?.kind === 'group' || body.length === 1;
        return `${single && !/[$^]/.test(body) ? body : `(?:${body})`}${node.text}`;
      }
      case 'group':
        groups++;
        return `(${inner(node)})`;
      case 'named':
        return `(?<n${++groups}>${inner(node)})`;
      default:
        return `(${node.text}${inner(node)})`;
    }
  };
  return write(root);
}

export const soundCase: fc.Arbitrary<Case> = fc
  .tuple(
    shape,
    fc.constantFrom(...flagSets),
    text,
    fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(13) }),
  )
  .map(([root, flags, subject, lastIndex]) => {
    const pattern = print(root);
    return { pattern, flags: isSound(pattern, flags) ? flags : '', text: subject, lastIndex };
  });

/** `[-]` and the like are not classes with the flag v. */
function isSound(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags).source !== '';
  } catch {
    return false;
  }
}

const pieces = [
  ...[
    'a',
    'b',
    '1',
    '8',
    '0',
    ',',
    '-',
    '=',
    '!',
    ':',
    '<',
    '>',
    '&&',
    '--',
    '/',
    '\n',
    'k',
    'é',
    '😀',
    '\ud83d',
    '\ude00',
  ],
  ...['(', ')', '(', ')', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<a>', '(?<b>', '(?<', '(?', '[', ']', '[^', '{', '}'],
  ...[
    '*',
    '+',
    '?',
    '{1}',
    '{1,}',
    '{1,2}',
    '{2,1}',
    '{,2}',
    '{1',
    '|',
    '^',
    '$',
    '.',
    '\\',
    '\\\\',
    '\\1',
    '\\2',
    '\\8',
  ],
  ...[
    '\\0',
    '\\01',
    '\\400',
    '\\377',
    '\\c',
    '\\cA',
    '\\c1',
    '\\c_',
    '\\x',
    '\\x4',
    '\\x41',
    '\\u',
    '\\u004',
    '\\u0041',
  ],
  ...['\\u{41}', '\\u{110000}', '\\u{', '\\ud83d\\ude00', '\\ud83d', '\\k', '\\k<a>', '\\k<b>', '\\k<', '\\p{L}'],
  ...[
    '\\P{Lu}',
    '\\p{Foo}',
    '\\p',
    '\\p{Script=Greek}',
    '\\q{ab|c}',
    '\\d',
    '\\W',
    '\\b',
    '\\B',
    '\\-',
    '\\/',
    '\\a',
    '\\_',
  ],
  ...[
    '[a-c]',
    '[c-a]',
    '[\\d-z]',
    '[]',
    '[^]',
    '[\\c]',
    '[\\b]',
    '[[a-z]--[b]]',
    '[a&&b]',
    '[(]',
    '(?<$ü>',
    '(?<\\u0061>',
  ],
];

/** Mostly not well-formed. */
export const oddPattern: fc.Arbitrary<Case> = fc
  .tuple(
    fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 6 }),
    fc.constantFrom('', '', '', 'i', 'u', 'v', 'iu', 'iv'),
    fc.string({
      unit: fc.constantFrom('a', 'A', 'b', '1', '\\', 'c', '\u0001', 'k', '<', '{', ']', '8', '😀'),
      maxLength: 8,
    }),
  )
  .map(([parts, flags, subject]) => ({ pattern: parts.join(''), flags, text: subject, lastIndex: 0 }));
