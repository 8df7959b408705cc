/** Prompts as commands: what is one, what fills its names, and what is said when something is missing. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { expandSlash, type SlashPrompt, slashUsage } from './slash-prompt.ts';

const prompts: ReadonlyMap<string, SlashPrompt> = new Map(
  Object.entries({
    rewrite: 'Rewrite this in a {{tone}} tone:\n{{input}}',
    soften: '{{#tone}}Be {{tone}}. {{/tone}}Say it again: {{input}}',
    translate: 'Translate from {{from}} to {{to}}.',
    focus: 'Review the change.{{#on}} Look at {{on}}.{{/on}}',
    plain: 'Go on.\n',
    maybe: 'Sum up.{{#input}} This: {{input}}{{/input}}',
    depends: '{{#tone}}{{tone}} at level {{level}}{{/tone}}{{^tone}}as ever{{/tone}}',
    open: 'a {{#tone}} b',
    deep: '{{user.name}}',
    code: 'const style = {{ color: "red" }}; {{input}}',
  }).map(([name, text]) => [name, { text }]),
);

const say = (text: string) => expandSlash(text, prompts);
const expanded = (text: string) => {
  const slash = say(text);
  return slash.kind === 'expanded' ? slash.text : slash;
};
const refused = (text: string) => {
  const slash = say(text);
  return slash.kind === 'wrong' ? slash.message : slash;
};

describe('what is a command', () => {
  it('is a slash and a name, at the very start', () => {
    expect(say('/plain')).toEqual({ kind: 'expanded', name: 'plain', text: 'Go on.\n' });
    for (const text of ['', '/', 'plain', ' /plain', '/ plain', '/1', '/-x', '/plain.', '/plain:x', '/é']) {
      expect(say(text)).toEqual({ kind: 'none', text });
    }
  });

  it('is no path', () => {
    for (const text of ['/usr/bin', '/etc/passwd is odd', '/plain/x', '//server/share', '// a comment', '///plain']) {
      expect(say(text)).toEqual({ kind: 'none', text });
    }
    expect(say('/tmp is full')).toEqual({ kind: 'unknown', name: 'tmp' });
  });

  it('is told from one that is not there, with the one that was meant', () => {
    expect(say('/rewirte x')).toEqual({ kind: 'unknown', name: 'rewirte', closest: 'rewrite' });
    expect(say('/nothing-like-it')).toEqual({ kind: 'unknown', name: 'nothing-like-it' });
    expect(expandSlash('/constructor', new Map())).toEqual({ kind: 'unknown', name: 'constructor' });
  });

  it('is none behind two slashes, which mean one', () => {
    expect(say('//plain now')).toEqual({ kind: 'none', text: '/plain now' });
    expect(say('//tmp')).toEqual({ kind: 'none', text: '/tmp' });
  });
});

describe('its arguments', () => {
  it('are given by name, and the rest is the input, with all lines below', () => {
    const wanted = 'Rewrite this in a short tone:\nHello there\n  you';
    expect(expanded('/rewrite tone=short Hello there\n  you')).toBe(wanted);
    expect(expanded('/rewrite   tone=short\tHello there\n  you\n\n')).toBe(wanted);
    expect(expanded('/rewrite tone=short\n  indented')).toBe('Rewrite this in a short tone:\n  indented');
    expect(expanded('/rewrite tone=short\r\nHello')).toBe('Rewrite this in a short tone:\nHello');
    expect(expanded('/rewrite tone=short input="a b"')).toBe('Rewrite this in a short tone:\na b');
  });

  it('may be quoted', () => {
    expect(expanded(`/translate from="old English" to='Low German'`)).toBe('Translate from old English to Low German.');
    expect(expanded(String.raw`/translate from="a \"b\" \\ \n" to='\"'`)).toBe(
      String.raw`Translate from a "b" \ \n to \".`,
    );
    expect(expanded('/rewrite tone="" x')).toBe('Rewrite this in a  tone:\nx');
    expect(refused('/rewrite tone="short and x')).toBe(
      '/rewrite: the value of "tone" begins with a quotation mark that is not closed. Write /rewrite tone=… text…',
    );
  });

  it('are given by their place, one word each', () => {
    expect(expanded('/rewrite short Hello there')).toBe('Rewrite this in a short tone:\nHello there');
    expect(expanded('/rewrite "very short" Hello')).toBe('Rewrite this in a very short tone:\nHello');
    expect(expanded("/rewrite 'tis odd")).toBe("Rewrite this in a 'tis tone:\nodd");
    expect(expanded('/translate English Low German')).toBe('Translate from English to Low German.');
    expect(expanded('/translate English "Low German"')).toBe('Translate from English to Low German.');
    expect(expanded('/focus the parser')).toBe('Review the change. Look at the parser.');
  });

  it('that may be left out are given by name only, where there is an input', () => {
    expect(expanded('/soften warm words')).toBe('Say it again: warm words');
    expect(expanded('/soften tone=kind warm words')).toBe('Be kind. Say it again: warm words');
    expect(expanded('/maybe')).toBe('Sum up.');
    expect(expanded('/maybe of it')).toBe('Sum up. This: of it');
    expect(expanded('/focus')).toBe('Review the change.');
  });

  it('are words of the text where nobody declared them, or behind the first word of the text', () => {
    expect(expanded('/soften level=3 x')).toBe('Say it again: level=3 x');
    expect(expanded('/soften x tone=kind')).toBe('Say it again: x tone=kind');
  });

  it('are followed by text for which the prompt has no place', () => {
    expect(expanded('/plain but slowly\nplease')).toBe('Go on.\n\nbut slowly\nplease');
    expect(expanded('/translate from=a to=b now')).toBe('Translate from a to b.\n\nnow');
  });
});

describe('what is wrong', () => {
  it('names all that is missing, and how to write it', () => {
    expect(refused('/rewrite')).toBe('/rewrite needs tone and text. Write /rewrite tone=… text…');
    expect(refused('/rewrite short')).toBe('/rewrite needs text. Write /rewrite tone=… text…');
    expect(refused('/rewrite\nshort text below')).toBe('/rewrite needs tone. Write /rewrite tone=… text…');
    expect(refused('/translate to=x')).toBe('/translate needs from. Write /translate from=… to=…');
    expect(refused('/soften')).toBe('/soften needs text. Write /soften [tone=…] text…');
  });

  it('is missing only where it would be shown', () => {
    expect(expanded('/depends')).toBe('as ever');
    expect(expanded('/depends tone=warm level=2')).toBe('warm at level 2');
    expect(refused('/depends tone=warm')).toBe('/depends needs level. Write /depends [tone=…] [level=…]');
  });

  it('is given twice', () => {
    expect(refused('/rewrite tone=a tone=b x')).toBe('/rewrite: "tone" is given twice. Write /rewrite tone=… text…');
    expect(refused('/rewrite tone=a input=b x')).toContain('"input" is given twice');
  });

  it('is the prompt itself', () => {
    expect(refused('/open x')).toBe('the prompt /open is broken: the section "tone" is never closed.');
    expect(refused('/deep x')).toContain('asks for "{{user.name}}"');
    expect(expanded('/code x')).toBe('const style = {{ color: "red" }}; x');
  });
});

it('says how a prompt is called', () => {
  expect(slashUsage('soften', prompts.get('soften') ?? { text: '' })).toBe('/soften [tone=…] text…');
  expect(slashUsage('plain', { text: 'x' })).toBe('/plain');
});

describe('whatever is said', () => {
  it('never expands what a value says', () => {
    expect(expanded('/rewrite tone={{input}} {{tone}} {{#x}} \\{{')).toBe(
      'Rewrite this in a {{input}} tone:\n{{tone}} {{#x}} \\{{',
    );
    fc.assert(
      fc.property(fc.string(), (text) => {
        const said = text.trim();
        fc.pre(said !== '' && !/^[a-z]+=/.test(said));
        const whole = expandSlash(`/say ${said}`, new Map([['say', { text: '<{{input}}>' }]]));
        expect(whole).toEqual({ kind: 'expanded', name: 'say', text: `<${said}>` });
      }),
    );
  });

  it('takes any value in quotation marks as it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
        const quoted = (value: string) => `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
        expect(expanded(`/translate from=${quoted(a)} to=${quoted(b)}`)).toBe(`Translate from ${a} to ${b}.`);
      }),
    );
  });

  it('gives one of four answers, and never throws', () => {
    const words = fc.constantFrom('/', '//', 'rewrite', 'tone=', '"', "'", ' ', '\n', '{{', '}}', '#', 'x', '=', '\\');
    const text = fc.array(words, { maxLength: 12 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, text, (said, prompt) => {
        const slash = expandSlash(said, new Map([['rewrite', { text: prompt }], ...prompts]));
        expect(['none', 'unknown', 'expanded', 'wrong']).toContain(slash.kind);
        const own = expandSlash(`/x${said}`, new Map([['x', { text: prompt }]]));
        expect(['none', 'unknown', 'expanded', 'wrong']).toContain(own.kind);
        if (!said.startsWith('/')) expect(slash).toEqual({ kind: 'none', text: said });
      }),
      { numRuns: 500 },
    );
  });
});
