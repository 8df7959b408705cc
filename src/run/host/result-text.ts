/** What a step gave, as the text that is kept of it; what is no JSON is refused with its path. */
import { jsonProblem } from './json-problem.ts';
import { Refusal } from './refusal.ts';

/** Of a value as JSON. */
const longestResult = 32 * 1024 * 1024;

/** `who`: what is to blame where there is no value. */
export function resultText(value: unknown, who: 'code' | 'handler' | 'node' | 'agent' | 'function'): string {
  if (value === undefined) {
    const help = who === 'code' ? ': a step gives its value with "return"' : '';
    throw new Refusal(`the ${who === 'node' ? 'function of the plugin' : who} returned nothing${help}`, true);
  }
  const problem = jsonProblem(value);
  if (problem !== undefined) throw new Refusal(`the result is not JSON: ${problem}`, true);
  const text = JSON.stringify(value);
  if (text.length <= longestResult) return text;
  const size = (text.length / 1024 / 1024).toFixed(0);
  throw new Refusal(
    `the result has ${size} MB as JSON, and 32 MB are the limit; write it to a file and return its path`,
    true,
  );
}
