/**
 * Written, scanned and mapped, arguments are what they were: over generated tools and arguments that fit them.
 * `TOOLANG_DEEP=1` tries half a million, with other seeds.
 */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import { generateTool, type ToolCase } from '../../../test/calls/random-tool.ts';
import { createRandom } from '../../../test/generate/random.ts';
import { mapCall } from '../map/map.ts';
import { type PartialArgs, partialArgs } from '../map/partial-args.ts';
import { planTool, type ToolPlan } from '../map/plan.ts';
import { parse } from '../scan/parse.ts';
import { writeCall } from './write.ts';

const deep = process.env.TOOLANG_DEEP === '1';
const rounds = deep ? 500_000 : 2_000;
const firstSeed = deep ? 100_000_000 : 0;
const batch = 5_000;
/** To plan a tool takes as long as all the rest: each is called more than once. */
const callsOfTool = 5;

/** Long work without a break would look like a hang to the runner. */
async function eachCase(count: number, run: (given: ToolCase, plan: ToolPlan) => void): Promise<void> {
  for (let i = 0; i < count / callsOfTool; i++) {
    if (i % batch === 0) await new Promise(setImmediate);
    const given = generateTool(firstSeed + i);
    const plan = planTool(given.tool);
    run(given, plan);
    for (let nth = 1; nth < callsOfTool; nth++) run({ ...given, args: given.others() }, plan);
  }
}

function fail(given: ToolCase, text: string, got: unknown): never {
  return expect.fail(JSON.stringify({ ...given, text, got }, undefined, 1));
}

test('arguments that fit are the same after writing, scanning and mapping', async () => {
  const forms = { none: 0, header: 0, body: 0, json: 0, fallback: 0 };
  await eachCase(rounds, (given, plan) => {
    const text = writeCall(given.args, plan);
    const { segments, diagnostics } = parse(text);
    const [call] = segments;
    if (segments.length !== 1 || call?.type !== 'call' || !call.complete || call.toolName !== plan.name) {
      fail(given, text, segments);
    }
    const mapped = mapCall(call, plan);
    if (mapped.errors.length > 0 || !isDeepStrictEqual(mapped.args, given.args)) fail(given, text, mapped);
    if (diagnostics.some(({ code }) => code === 'header-bracket-suspect')) fail(given, text, diagnostics);
    if (plan.json) forms.json++;
    else if (call.rawArgs === '@json') forms.fallback++;
    else if (call.body !== '') forms.body++;
    else if (call.rawArgs !== '') forms.header++;
    else forms.none++;
  });
  console.log(`${rounds} calls: ${JSON.stringify(forms)}`);
  for (const count of Object.values(forms)) expect(count).toBeGreaterThan(rounds / 50);
});

test('a call in the middle of other text is the same', async () => {
  await eachCase(rounds / 10, (given, plan) => {
    const text = writeCall(given.args, plan);
    const { segments } = parse(`before ${text}${text}\nbehind`);
    expect(segments.map(({ type }) => type)).toEqual(['text', 'call', 'call', 'text']);
    for (const call of segments) if (call.type === 'call') expect(mapCall(call, plan).errors).toEqual([]);
  });
});

function run(partial: PartialArgs, rawArgs: string, pieces: readonly string[]): string[] {
  return [partial.start(rawArgs), ...pieces.map((piece) => partial.body(piece)), partial.end()];
}

/** Cut into pieces of up to `longest` code points. */
function cut(text: string, longest: number, seed: number): string[] {
  const random = createRandom(seed);
  const pieces: string[] = [];
  let piece: string[] = [];
  let left = 1 + random.below(longest);
  for (const character of text) {
    piece.push(character);
    if (--left > 0) continue;
    pieces.push(piece.join(''));
    piece = [];
    left = 1 + random.below(longest);
  }
  return piece.length > 0 ? [...pieces, piece.join('')] : pieces;
}

test('partial arguments are a prefix of the JSON of the arguments, however the body is cut', async () => {
  await eachCase(deep ? 50_000 : 2_000, (given, plan) => {
    const text = writeCall(given.args, plan);
    const [call] = parse(text).calls;
    if (call === undefined) fail(given, text, 'no call');
    const { args } = mapCall(call, plan);
    const whole = run(partialArgs(plan), call.rawArgs, [call.body]).join('');
    if (!isDeepStrictEqual(JSON.parse(whole), args)) fail(given, text, whole);
    const ordered = plan.body === undefined || !/^\d+$/.test(plan.body.name);
    if (!plan.json && call.rawArgs !== '@json' && ordered && whole !== JSON.stringify(args)) fail(given, text, whole);
    for (const longest of [1, 3, 50]) {
      const pieces = cut(call.body, longest, given.seed);
      const out = run(partialArgs(plan), call.rawArgs, pieces);
      if (out.join('') !== whole) fail(given, text, out);
      // No piece splits a character.
      for (const delta of out) if (/\p{Surrogate}/u.test(delta)) fail(given, text, out);
    }
  });
});
