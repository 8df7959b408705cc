/** A request that a fake service takes, and changes to it, each of which it refuses: rows for the tests of the services. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FakeAnswer } from './answer.ts';
import { type FakeKind, type FakeModel, startFakeModel } from './server.ts';

/** A body that a row may change as it likes. */
// biome-ignore lint/suspicious/noExplicitAny: rows reach into bodies of every shape, and are checked by what comes back.
export type Loose = any;

export interface Row {
  readonly name: string;
  readonly change: (body: Loose) => void;
  readonly status?: number;
  /** What the answer says, as a part of its text. */
  readonly says: string;
}

export interface Given {
  readonly kind: FakeKind;
  readonly path: string;
  readonly headers: (key: string) => Record<string, string>;
  readonly body: Loose;
}

export const refused = (name: string, change: Row['change'], says: string, status = 400): Row => ({
  name,
  change,
  says,
  status,
});

export function testRefusals(given: Given, taken: readonly Omit<Row, 'says'>[], rows: readonly Row[]): void {
  describe(given.kind, () => {
    let fake: FakeModel;
    beforeAll(async () => {
      fake = await startFakeModel(given.kind, { answers: () => ({ text: 'Yes.' }) satisfies FakeAnswer });
    });
    afterAll(() => fake.close());

    const send = async (change: Row['change']) => {
      const body = structuredClone(given.body);
      change(body);
      const response = await fetch(`${fake.origin}${given.path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...given.headers(fake.key) },
        body: JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    };

    it.each([{ name: 'as it is', change: () => {} }, ...taken])('takes a request: $name', async ({ change }) => {
      const { status, text } = await send(change);
      expect(text).toContain('Yes.');
      expect(status).toBe(200);
    });

    it.each(rows)('refuses $name', async ({ change, says, status }) => {
      const answer = await send(change);
      // A message within JSON has its quotes escaped.
      expect(answer.text.replaceAll('\\"', '"')).toContain(says);
      expect(answer.status).toBe(status);
      expect(() => JSON.parse(answer.text)).not.toThrow();
    });
  });
}

/** The smallest image there is. */
export const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
export const pdf = Buffer.from('%PDF-1.4\n%%EOF\n').toString('base64');
