/** A whole text at once, by the same scanner that reads streams. */
import type { FinishInfo, ScanOptions } from '../event.ts';
import { createScanner } from './scan.ts';
import { createCollector, type ParsedText } from './segments.ts';

/** The texts and the calls of `text`, in order, and what was probably meant otherwise. */
export function parse(text: string, options?: ScanOptions, info?: FinishInfo): ParsedText {
  const scanner = createScanner(options);
  const collector = createCollector();
  for (const event of scanner.push(text)) collector.add(event);
  for (const event of scanner.finish(info)) collector.add(event);
  return collector.result();
}
