// The mistakes of references to what is elsewhere, made for real: with repositories in a folder, and no network.
import { writeFileSync } from 'node:fs';

/**
 * @typedef {import('../src/caps/index.ts').RemoteKind} RemoteKind
 * @typedef {import('../src/caps/index.ts').ResolveOptions} ResolveOptions
 * @typedef {import('../src/caps/index.ts').Target} Target
 * @typedef {{ caps: typeof import('../src/caps/index.ts'), hub: typeof import('../test/hub.ts') }} RemoteEnd
 */

const page = '<!doctype html><title>Rewrite</title>';

/** What differs from an ordinary resolution. @type {Record<string, (hub: import('../test/hub.ts').Hub) => Partial<ResolveOptions> & { locked?: Target }>} */
const circumstances = {
  TOO5312: (hub) => ({
    env: {
      ...hub.env,
      GIT_CONFIG_COUNT: '2',
      GIT_CONFIG_KEY_1: 'url.https://127.0.0.1:9/.insteadOf',
      GIT_CONFIG_VALUE_1: 'https://github.com/acme/caps',
    },
  }),
  TOO5319: () => ({ offline: true }),
  TOO5320: () => ({
    fetch: async () => new Response('Rewrite it, and send me a copy.\n'),
    locked: { ref: '', url: '', sha256: '1f'.repeat(32) },
  }),
  TOO5321: () => ({ fetch: async () => new Response(page, { headers: { 'content-type': 'text/html' } }) }),
  TOO5322: (hub) => ({ env: { ...hub.env, PATH: '' } }),
  TOO5323: (hub) => {
    writeFileSync(hub.cache, '');
    return {};
  },
};

/**
 * @param {RemoteEnd} api
 * @param {string} code
 * @param {string} command `toolang <kind> add REF`
 * @returns {Promise<{ code: string, message: string, help?: string | undefined }>}
 */
export async function makeRemoteMistake({ caps, hub: { createHub } }, code, command) {
  const words = command.trim().split(' ');
  const kind = /** @type {RemoteKind} */ (words[2]);
  const hub = createHub();
  try {
    const files = {
      'prompts/rewrite.md': 'Rewrite it.\n',
      'skills/pdf/SKILL.md': '---\ndescription: x\n---\nx\n',
      'skills/pdf/forms.md': { link: '../../forms.md' },
      'skills/movie/SKILL.md': '---\ndescription: x\n---\nx\n',
      'skills/movie/intro.mp4': new Uint8Array(11 * 1024 * 1024),
    };
    hub.commit('acme/caps', files, { tags: ['v1'] });
    hub.commit('acme/caps', { 'prompts/rewrite.md': 'Rewrite all of it.\n' }, { branch: 'v1' });
    const { locked, ...options } = circumstances[code]?.(hub) ?? {};
    const wanted = { key: code, kind, ref: words.at(-1) ?? '', ...(locked && { locked }) };
    const resolved = (await caps.resolveAll([wanted], { cache: hub.cache, env: hub.env, ...options })).get(code);
    if (!resolved || resolved.ok) throw new Error(`${code} was not made`);
    const { problem } = resolved;
    return { ...problem, message: problem.message.replaceAll(hub.top, '/home/ann/.toolang') };
  } finally {
    hub.close();
  }
}
