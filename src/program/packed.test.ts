import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSource } from '../text/index.ts';
import { checkSource } from './check.ts';
import { packProgram, unpackProgram } from './packed.ts';

const examples = join(import.meta.dirname, '../../examples');

test.each(readdirSync(examples).filter((name) => name.endsWith('.too')))(
  '%s is the same after it was packed',
  (name) => {
    const { program } = checkSource(createSource(name, readFileSync(join(examples, name), 'utf8')));
    const json = JSON.stringify(packProgram(program));
    const back = unpackProgram(JSON.parse(json), name);
    expect(back.source.text).toBe(program.source.text);
    const { source: _a, ...was } = program;
    const { source: _b, ...is } = back;
    expect(is).toEqual(was);
    expect(JSON.stringify(packProgram(back))).toBe(json);
  },
);
