import { parseJson } from '@proto/core/framing';
import { parseRecording, type Recording } from '@proto/recording';
import { parse } from 'yaml';

import { isObject } from '../json.ts';
import { unknownMatchers } from '../match/check-pattern.ts';
import { commonVerbs } from '../steps/common-verbs.ts';
import type { Step } from '../steps/step.ts';
import { agentVerbs, hostVerbs, MODIFIERS } from './fake-verbs.ts';

/** Which side a fake plays. */
export type FakeSide = 'agent' | 'host';

/** One step of a script: an object with one verb, and further fields that the verb uses. */
export type FakeStep = Readonly<Record<string, unknown>>;

/** The script of a fake: steps, or one side of a recording. */
export type FakeScript = readonly FakeStep[] | Recording;

/** Thrown if a script cannot be played. The message names the step and the problem. */
export class FakeScriptError extends Error {
  /** Always `FakeScriptError`. */
  override readonly name = 'FakeScriptError';
}

/**
 * Reads a script: steps in YAML or JSON, or a recording.
 *
 * @throws {@link FakeScriptError} if the text is neither.
 */
export function parseFakeScript(text: string, side: FakeSide): FakeScript {
  const script = isRecording(text) ? read(() => parseRecording(text)) : read((): unknown => parse(text));
  return checkFakeScript(script, side);
}

/**
 * Checks the verbs, the field names and the matchers in a script.
 *
 * @throws {@link FakeScriptError} with the number of the first invalid step, counted from 1.
 */
export function checkFakeScript(script: unknown, side: FakeSide): FakeScript {
  if (isObject(script) && 'header' in script) return script as unknown as Recording;
  if (!Array.isArray(script)) throw new FakeScriptError('A script must be a list of steps, or a recording.');
  for (const [at, step] of (script as readonly unknown[]).entries()) {
    const problem = isObject(step) ? problemOf(step, side) : 'a step must be an object that contains a verb';
    if (problem !== undefined) throw new FakeScriptError(`Step ${at + 1}: ${problem}.`);
  }
  return script as readonly FakeStep[];
}

function problemOf(step: Step, side: FakeSide): string | undefined {
  const verbs = Object.keys({ ...commonVerbs, ...(side === 'agent' ? agentVerbs : hostVerbs) });
  const names = Object.keys(step);
  const named = names.filter((name) => verbs.includes(name));
  if (named.length === 0)
    return `a fake ${side} has no verb ${names.join(', ') || '(the step is empty)'}. The verbs are ${verbs.join(', ')}`;
  if (named.length > 1) return `a step must have one verb, but this step has ${named.join(' and ')}`;
  const unknown = names.filter((name) => !named.includes(name) && !MODIFIERS.includes(name));
  if (unknown.length > 0) return `unknown field: ${unknown.join(', ')}`;
  const matchers = ['expect', 'expect-all', 'expect-none', 'expect-prompt', 'until']
    .flatMap((field) => unknownMatchers(step[field]))
    .concat('expect-answer' in step ? [step['with'], step['error']].flatMap(unknownMatchers) : []);
  return matchers.length > 0 ? `unknown matcher: ${matchers.join(', ')}` : undefined;
}

function isRecording(text: string): boolean {
  const [line = ''] = text.trimStart().split('\n', 1);
  try {
    const header: unknown = parseJson(line);
    return isObject(header) && 'recording' in header;
  } catch {
    return false;
  }
}

function read<T>(parsed: () => T): T {
  try {
    return parsed();
  } catch (cause) {
    throw new FakeScriptError((cause as Error).message, { cause });
  }
}
