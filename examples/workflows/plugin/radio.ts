/** The plugin of radio.toon. Nothing is really sent. */
interface Config {
  readonly station: string;
}

interface Asked {
  readonly prompt: string;
  readonly instructions?: string;
  readonly mood: string;
}

interface Air {
  readonly text: string;
  readonly minutes: number;
}

export function radio({ station }: Config) {
  return {
    nodes: {
      air: {
        fields: { text: 'string', minutes: 'number' },
        interpolate: ['text', 'minutes'],
        output: { line: 'string', station: 'string' },
        async run({ text, minutes }: Air, { attempt }: { readonly attempt: number }) {
          if (attempt === 1) throw new Error('the line is busy');
          return { line: `${text} (${minutes} min)`, station };
        },
      },
      // Without "output" it has no value.
      jingle: { run: () => console.log('♪') },
    },
    agents: {
      host: {
        fields: { mood: '"calm" | "merry"' },
        async run({ prompt, mood }: Asked) {
          const words = prompt.replace(/^Welcome (.*)\.$/, mood === 'calm' ? 'Good evening, $1.' : 'Hello $1!');
          // Or a text alone; what it cost may be left out.
          return { value: { words, minutes: 5 }, usage: { inputTokens: prompt.length, outputTokens: words.length } };
        },
      },
    },
    functions: { spell: (name: string) => [...name.toUpperCase()].join('-') },
    services: { plan: { next: async () => 'the news' } },
  };
}
