/** A plugin: `kind: post` for workflows, and agents of `type: echo`. Nothing leaves the machine. */
interface Config {
  readonly board: string;
}

interface Post {
  readonly title: string;
  readonly tags?: readonly string[];
}

export function board(config: Config) {
  const posts: string[] = [];
  return {
    nodes: {
      post: {
        fields: { title: 'string', tags: 'string[]?' },
        interpolate: ['title'],
        output: { number: 'number', board: 'string' },
        run: async ({ title, tags = [] }: Post) => {
          posts.push([title, ...tags].join(' #'));
          return { number: posts.length, board: config.board };
        },
      },
    },
    agents: {
      echo: {
        fields: { loud: 'boolean?' },
        run: async ({ prompt, loud }: { readonly prompt: string; readonly loud?: boolean }) =>
          loud === true ? prompt.toUpperCase() : prompt,
      },
    },
  };
}
