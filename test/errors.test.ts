/** The pages of `docs/errors/`: one for each code, with samples and output that are true. */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  diagnosticsOf,
  headingOf,
  indexOf,
  outputBlock,
  readPages,
  rightSample,
  saidOf,
  wrongSample,
} from '../scripts/errors.mjs';
import * as caps from '../src/caps/index.ts';
import { memoryContext } from '../src/cli/memory-context.ts';
import { reportError } from '../src/cli/run.ts';
import * as suite from '../src/cli/test/check-suite.ts';
import * as config from '../src/config/index.ts';
import * as expr from '../src/expr/index.ts';
import * as model from '../src/model/index.ts';
import * as plan from '../src/plan/index.ts';
import * as program from '../src/program/index.ts';
import * as run from '../src/run/index.ts';
import * as sys from '../src/sys/index.ts';
import * as text from '../src/text/index.ts';
import * as too from '../src/too/index.ts';
import * as tool from '../src/tool/index.ts';
import * as toon from '../src/toon/index.ts';
import * as hub from './hub.ts';

const api = { text, too, program, tool, caps, config, sys, expr, toon, plan, run, model, hub, suite };
const pages = readPages();

test('every code has a page, and every page a code', () => {
  expect(pages.map((page) => page.code)).toEqual(Object.keys(text.codes).sort());
});

test('the index lists every code with its title', () => {
  const index = readFileSync(new URL('../docs/errors/README.md', import.meta.url), 'utf8');
  expect(index, 'run node scripts/errors.mjs --update').toBe(indexOf(api));
});

test('a bug of ours is told as its page says', () => {
  const context = memoryContext();
  reportError(new Error('the words of the failure'), context);
  const page = pages.find(({ code }) => code === 'TOO9001');
  expect(page && outputBlock(page)?.text).toBe(context.err());
});

for (const page of pages) {
  describe(page.code, () => {
    test('its heading is the code and its title', () => {
      expect(page.text.split('\n', 1)[0]).toBe(headingOf(api, page.code));
    });

    test('the wrong sample gives that code alone, and the page shows what is printed', async () => {
      const wrong = wrongSample(page);
      if (!wrong) throw new Error('there is no wrong sample');
      const found = await diagnosticsOf(api, page, wrong);
      if (found) expect([...new Set(found.map((d) => d.code))]).toEqual([page.code]);
      expect(outputBlock(page)?.text, 'run node scripts/errors.mjs --update').toBe(await saidOf(api, page, found));
    });

    const right = rightSample(page);
    if (right) {
      test('the mended sample gives nothing of the kind, and no error', async () => {
        const found = await diagnosticsOf(api, page, right);
        expect(found?.filter((d) => d.severity === 'error' || d.code === page.code)).toEqual([]);
      });
    }

    test('it has a mended sample, unless the mistake is in no file', () => {
      expect(right !== undefined).toBe(wrongSample(page)?.words.includes('console') === false);
    });
  });
}
