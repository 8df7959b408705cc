// The licences of the packages that were bundled, from the list of files that went in.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * @param {readonly string[]} modules absolute paths
 * @returns {string} Markdown
 */
export function noticesOf(modules) {
  const roots = new Set();
  for (const id of modules) {
    const found = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(id.replace(/^\0/, ''))?.[1];
    if (found !== undefined) roots.add(found);
  }
  const notices = [...roots].map(noticeOf).sort((a, b) => (a.title < b.title ? -1 : 1));
  const intro = 'Toolang contains code of the packages below, under their licences.';
  const none = 'Toolang contains no code of other packages.';
  const body = notices.map(({ title, text }) => `## ${title}\n\n${text}`);
  return `${['# Third-party code', notices.length > 0 ? intro : none, ...body].join('\n\n')}\n`;
}

/**
 * Packages that are published without the file of their licence: one of the same repository that has it.
 * @type {Readonly<Record<string, string>>}
 */
const sameAs = { '@ai-sdk/provider-utils': '../provider' };

/** @param {string} dir */
function noticeOf(dir) {
  const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const from = join(dir, sameAs[name] ?? '.');
  const files = readdirSync(from)
    .filter((file) => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(file))
    .sort();
  if (files.length === 0) throw new Error(`${name} is bundled but has no licence file: add its text here by hand`);
  const texts = files.map((file) => readFileSync(join(from, file), 'utf8').trim().replace(/\r\n/g, '\n'));
  const quoted = texts.join('\n\n').replace(/^/gm, '    ').replace(/ +$/gm, '');
  return { title: `${name} ${version} (${license})`, text: quoted };
}
