/** Services: an MCP server, by address or by command line. */
import { builtinSets } from '../config/index.ts';
import { closest, didYouMean, span } from '../text/index.ts';
import type { Service } from './checked-cap.ts';
import {
  type Checker,
  meant,
  placesIn,
  report,
  reportMissing,
  reportName,
  reportUnknown,
  requiredText,
  textOf,
} from './checker.ts';
import { readEnv } from './env-names.ts';
import { readHeaders } from './headers.ts';
import { knownProperties } from './known-properties.ts';
import type { CapProperty } from './property.ts';
import { reportNoFrontmatter } from './skill-cap.ts';
import { splitCommand } from './split-command.ts';

const known = knownProperties.service;
const descriptionExample = 'Trigger this service when the agent needs GitHub operations.';
const targetExample = { http: 'https://mcp.example.com/mcp', stdio: 'uvx example-mcp-server' };

export function checkService(c: Checker): Service | undefined {
  const { name, form, body, nameSpan, source, properties } = c.cap;
  if (form === 'file' && !c.cap.hasFrontmatter && !c.cap.unread) {
    const lines = [`description: ${descriptionExample}`, 'transport: http', `target: ${targetExample.http}`];
    reportNoFrontmatter(c, 'service', lines);
    return undefined;
  }
  for (const [i, property] of properties.entries()) {
    if (property.key === 'name') reportName(c, property);
    else if (!known.includes(property.key) && !reportLostIndent(c, property, properties[i - 1])) {
      reportUnknown(c, property, known);
    }
  }
  if (builtinSets.includes(name)) {
    report(c, 'TOO5238', nameSpan, `"${name}" is a built-in set of tools: those of this service are not offered.`, {
      help: `Give it another name, such as "my-${name}".`,
    });
  }
  const description = checkDescription(c);
  const transport = checkTransport(c);
  const target = requiredText(c, 'target', targetExample[transport ?? 'http']);
  const env = readEnv(c, meant(c, 'env'));
  const written = meant(c, 'headers');
  const headers = readHeaders(c, written);
  if (transport === 'stdio' && written && written.shape !== 'broken') {
    report(c, 'TOO5230', written.keySpan, 'a service that is a command has no headers.', {
      help: 'Remove them; name the variables that the command needs in "env".',
      fix: { title: 'remove "headers"', edits: [{ span: written.lines, text: '' }] },
    });
  }
  if (transport === undefined || target === undefined) return undefined;
  const base = { kind: 'service', name, form, file: source.name, nameSpan, body, target, env } as const;
  const described = { ...base, ...(description !== undefined && { description }) };
  if (transport === 'http') {
    checkAddress(c, target);
    const requires = [...new Set([...env, ...headers.variables])];
    return { ...described, transport, headers: headers.values, requires };
  }
  return { ...described, transport, argv: checkCommand(c, target), requires: env };
}

function checkDescription(c: Checker): string | undefined {
  if (c.cap.form === 'file' || meant(c, 'description')) return requiredText(c, 'description', descriptionExample);
  if (!c.cap.unread) reportMissing(c, 'description', descriptionExample, 'TOO5224');
  return undefined;
}

/** The transport that is meant: that of a wrong word is reported, and the target checked by it. */
function checkTransport(c: Checker): 'http' | 'stdio' | undefined {
  const property = meant(c, 'transport');
  const likely = likelyTransport(c);
  if (!property) {
    if (!c.cap.unread) reportMissing(c, 'transport', likely ?? 'http');
    return likely;
  }
  const text = textOf(c, property, 'http');
  if (text === undefined) return likely;
  if (text === 'http' || text === 'stdio') return text;
  const bare = unquoted(text);
  const near = /^(https|sse|streamable-?http|streamable|url|remote)$/i.test(bare)
    ? 'http'
    : /^(command|local|process|cmd|shell|exec)$/i.test(bare)
      ? 'stdio'
      : undefined;
  const better = near ?? (bare === 'http' || bare === 'stdio' ? bare : closest(bare, ['http', 'stdio']));
  const quotes = bare !== text && bare === better;
  const message = quotes
    ? `"transport" takes ${bare} without quotes here.`
    : `"transport" is "http" or "stdio", not "${bare}".${didYouMean(better)}`;
  report(c, 'TOO5227', property.valueSpan, message, {
    help: 'Write http for a server with an address, stdio for a command that is started.',
    ...(better && { fix: { title: `change it to "${better}"`, edits: [{ span: property.valueSpan, text: better }] } }),
  });
  return better === 'http' || better === 'stdio' ? better : likely;
}

/** What the target looks like. A command has no headers: with them it is open what was meant. */
function likelyTransport(c: Checker): 'http' | 'stdio' | undefined {
  const target = meant(c, 'target')?.value;
  if (typeof target !== 'string' || target === '') return undefined;
  if (/^["']?https?:/i.test(target)) return 'http';
  return meant(c, 'headers') ? undefined : 'stdio';
}

/** A text less the quotes around it, which only frontmatter takes off. */
function unquoted(text: string): string {
  return /^(["'])(.*)\1$/.exec(text)?.[2] ?? text;
}

function checkAddress(c: Checker, target: string): void {
  const property = meant(c, 'target');
  if (!property) return;
  const help = `Write ${c.cap.syntax === 'equals' ? 'target =' : 'target:'} ${targetExample.http}.`;
  const url = /\s/.test(target) || !URL.canParse(target) ? undefined : new URL(target);
  if (!url || !/^https?:\/\/[^/]/i.test(target)) {
    const command = /^[\w./~-]+(\s|$)/.test(target) && !target.includes('://');
    const bare = unquoted(target);
    const quotes = bare !== target && /^https?:\/\/[^/]/i.test(bare) && !/\s/.test(bare) && URL.canParse(bare);
    const message = quotes
      ? '"target" takes the address without quotes here.'
      : `"${bare}" is not an http or https address.`;
    report(c, 'TOO5228', property.valueSpan, message, {
      help: command && /\s/.test(target) ? 'For a command, write "stdio" as transport.' : help,
      ...(quotes && { fix: { title: 'remove the quotes', edits: [{ span: property.valueSpan, text: bare }] } }),
    });
  } else if (url.username !== '' || url.password !== '') {
    report(c, 'TOO5228', property.valueSpan, 'an address with a user name or password in it cannot be called.', {
      help: 'Send them in "headers", as $NAME of an environment variable.',
    });
  }
}

function checkCommand(c: Checker, target: string): string[] {
  const property = meant(c, 'target');
  const at = property?.valueSpan ?? c.cap.nameSpan;
  const placeIn = placesIn(c, target, at);
  if (/^["']?https?:\/\//i.test(target)) {
    report(c, 'TOO5229', at, 'an address is not a command.', { help: 'Write "http" as transport.' });
    return [];
  }
  const split = splitCommand(target);
  if (!split.ok) {
    const { message, help, start, end } = split.problem;
    report(c, 'TOO5229', placeIn(start, end), message, { help });
    return [];
  }
  for (const note of split.notes.slice(0, 5)) {
    const what = JSON.stringify(target.slice(note.start, note.end));
    const why = { variable: 'is not replaced', operator: 'does nothing', home: 'does not become your home directory' }[
      note.kind
    ];
    report(c, 'TOO5234', placeIn(note.start, note.end), `${what} ${why}: no shell reads this command line.`, {
      help:
        note.kind === 'variable'
          ? 'Name the variable in "env", and let the server read it; in single quotes it is plain text.'
          : "Put it in single quotes if it is plain text, or run a shell: sh -c '…'.",
    });
  }
  return split.words.map((word) => word.text);
}

/** `headers:` with nothing below, then a line that was meant to be a header. */
function reportLostIndent(c: Checker, property: CapProperty, before: CapProperty | undefined): boolean {
  if (
    c.cap.syntax !== 'frontmatter' ||
    before?.key !== 'headers' ||
    before.value !== '' ||
    !/^[A-Z]/.test(property.key)
  ) {
    return false;
  }
  const at = property.keySpan.start;
  report(c, 'TOO5220', property.keySpan, `a service has no property "${property.key}".`, {
    help: 'Indent the line to make it one of the headers.',
    fix: { title: 'indent the line', edits: [{ span: span(at, at), text: '  ' }] },
  });
  return true;
}
