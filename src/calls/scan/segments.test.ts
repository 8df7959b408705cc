/** Events put together, at any time. */
import { expect, it } from 'vitest';
import { END, START } from '../marker.ts';
import { parse } from './parse.ts';
import { createScanner } from './scan.ts';
import { createCollector } from './segments.ts';

it('what was collected can be looked at in between, and nothing is lost', () => {
  const text = `ab cd ${START}write f]\nfirst second${END} q r`;
  const scanner = createScanner();
  const collector = createCollector();
  for (const unit of text) {
    for (const event of scanner.push(unit)) collector.add(event);
    const { segments } = collector.result();
    expect(text.startsWith(segments[0]?.type === 'text' ? segments[0].text : '')).toBe(true);
    expect(segments.filter(({ type }, i) => type === 'text' && segments[i + 1]?.type === 'text')).toEqual([]);
  }
  for (const event of scanner.finish()) collector.add(event);
  expect(collector.result()).toEqual(parse(text));
});

it('an open call is not among the calls', () => {
  const scanner = createScanner();
  const collector = createCollector();
  for (const event of scanner.push(`a${START}t]\nx`)) collector.add(event);
  expect(collector.result()).toMatchObject({ segments: [{ type: 'text', text: 'a' }], calls: [] });
});
