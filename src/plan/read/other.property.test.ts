/** Nodes of kinds that are not the language's: which keys are the node's own, and which the plugin's. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSource } from '../../text/index.ts';
import { parseToon } from '../../toon/index.ts';
import { readWorkflow } from './workflow.ts';

const own = {
  id: fc.constantFrom('p', 'post-it'),
  timeout: fc.constantFrom('5s', '250ms', '1h'),
  maxAttempts: fc.integer({ min: 1, max: 99 }),
};
const fieldName = fc
  .stringMatching(/^[a-z][a-zA-Z0-9]{0,11}$/)
  .filter((name) => !['kind', 'id', 'needs', 'timeout', 'retry', 'maxAttempts'].includes(name));
const value = fc.oneof(fc.integer({ min: 0, max: 9999 }).map(String), fc.boolean().map(String), fc.constant('words'));

function read(lines: readonly string[]) {
  const text = `name: flow\nimports:\n  plugins[1]:\n    - from: ./p.ts\ninput:\nsteps[1]:\n  - ${lines.join('\n    ')}\n`;
  const { document } = parseToon(createSource('flow.toon', text), { profile: true });
  const { draft, diagnostics } = readWorkflow(document);
  return { node: draft.steps?.nodes[0], diagnostics };
}

test('every key is either the node’s or a field, in any order', () => {
  const written = fc.record(own, { requiredKeys: [] });
  const fields = fc.dictionary(fieldName, value, { maxKeys: 5 });
  fc.assert(
    fc.property(written, fields, fc.infiniteStream(fc.nat(20)), (keys, given, places) => {
      const lines = ['kind: post'];
      for (const [name, text] of [...Object.entries(keys), ...Object.entries(given)]) {
        lines.splice(Number(places.next().value) % (lines.length + 1), 0, `${name}: ${text}`);
      }
      const { node, diagnostics } = read(lines);
      expect(diagnostics).toEqual([]);
      if (node?.kind !== 'other') throw new Error(`it is ${node?.kind}`);
      expect(node.type.text).toBe('post');
      expect(node.id?.text).toBe(keys.id);
      expect(node.timeoutMs === undefined).toBe(keys.timeout === undefined);
      expect(node.retry?.maxAttempts).toBe(keys.maxAttempts);
      expect(node.fields.map(({ key }) => key.text).sort()).toEqual(Object.keys(given).sort());
    }),
  );
});

test('whatever stands behind them, a mistake is told and the rest is read', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('timeout', 'retry', 'maxAttempts', 'needs'),
      fc.string({ maxLength: 12 }),
      (key, text) => {
        const { node } = read(['kind: post', `${key}: ${JSON.stringify(text)}`, 'title: x']);
        expect(node?.kind === 'other' && node.fields.map(({ key: each }) => each.text)).toEqual(['title']);
      },
    ),
  );
});
