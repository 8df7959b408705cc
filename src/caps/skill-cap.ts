/** Skills: exactly a description, and instructions. */
import type { Skill } from './checked-cap.ts';
import { type Checker, find, removal, report, reportName, reportUnknown, requiredText } from './checker.ts';
import { knownProperties, standardProperties } from './known-properties.ts';
import type { CapProperty } from './property.ts';

const example = 'Trigger this skill for requests that need code review.';

export function checkSkill(c: Checker, remote: boolean): Skill | undefined {
  const { name, form, body, nameSpan, source, properties } = c.cap;
  if (form === 'file' && !c.cap.hasFrontmatter && !c.cap.unread) {
    reportNoFrontmatter(c, 'skill', [`description: ${example}`]);
    return undefined;
  }
  const others = properties.filter((property) => property.key !== 'description');
  for (const property of others) {
    if (remote) checkRemote(c, property);
    else checkLocal(c, property);
  }
  const description = requiredText(c, 'description', example);
  if (body === '' && !c.cap.unread) {
    report(
      c,
      'TOO5226',
      nameSpan,
      form === 'file' ? 'this skill has no instructions.' : `skill "${name}" has no instructions.`,
      {
        help: form === 'file' ? 'Write them below the closing "---".' : 'Write them below the description.',
      },
    );
  }
  if (description === undefined) return undefined;
  const extra = Object.fromEntries(others.map((property) => [property.key, property.value]));
  return { kind: 'skill', name, form, file: source.name, nameSpan, body, description, extra };
}

/** A file that must begin with frontmatter, and does not. */
export function reportNoFrontmatter(c: Checker, kind: string, lines: readonly string[]): void {
  const { source, bodySpan } = c.cap;
  const late = /^\s+---[ \t]*\r?$/m.exec(source.text.slice(bodySpan.start, bodySpan.start + 400));
  report(c, 'TOO5209', c.cap.nameSpan, `this ${kind} has no frontmatter.`, {
    help:
      late?.index === 0
        ? 'The opening "---" must stand on the first line.'
        : `Begin the file with "---", ${lines.map((line) => `"${line}"`).join(', ')} and "---", each on a line of its own.`,
  });
}

function checkLocal(c: Checker, property: CapProperty): void {
  if (property.key === 'name') reportName(c, property);
  else if (!standardProperties.includes(property.key)) reportUnknown(c, property, knownProperties.skill);
  else {
    report(c, 'TOO5221', property.keySpan, `a skill has only "description", not "${property.key}".`, {
      help: 'The Agent Skills standard has it, and a skill used from elsewhere may; from one of your own, remove it.',
      fix: removal(property),
    });
  }
}

function checkRemote(c: Checker, property: CapProperty): void {
  if (property.key === 'name') {
    const name = find(c, 'name')?.value;
    if (property.shape === 'broken' || name === c.cap.name) return;
    const message = `this skill calls itself "${String(name)}", but its directory is "${c.cap.name}".`;
    report(c, 'TOO5236', property.valueSpan, message, { help: 'Use it by a path whose directory has its name.' });
  } else if (!standardProperties.includes(property.key)) {
    report(c, 'TOO5237', property.keySpan, `"${property.key}" is no property of a skill, and has no effect.`);
  }
}
