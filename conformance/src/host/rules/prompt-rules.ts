import { isDeepStrictEqual } from 'node:util';

import { isObject, shortJson } from '@proto/testkit/steps';

import type { BrokenRule } from '../broken-rule.ts';
import type { RecordedLine } from '../host-session.ts';

interface PromptContext {
  readonly prompts: readonly unknown[];
  readonly isComplete: boolean;
}

/** Finds prompts that the user did not give, that are repeated, or that are missing although the agent has run enough turns. */
export function wrongPrompts(record: readonly RecordedLine[], { prompts, isComplete }: PromptContext): BrokenRule[] {
  const left = [...prompts];
  const broken: BrokenRule[] = [];
  const cite = (message: string, got?: unknown) =>
    broken.push({ rule: 'prompts-of-the-user', spec: 'TRN-65', message, got });
  let results = 0;
  for (const line of record) {
    if (!('message' in line)) continue;
    const { type, message } = line.message;
    if (line.by === 'agent' && type === 'result') results += 1;
    if (line.by === 'agent' || type !== 'user') continue;
    const content = isObject(message) ? message['content'] : undefined;
    const at = left.findIndex((prompt) => isSame(prompt, content));
    if (at === -1) cite(`The host sent a prompt that its user did not give: ${shortJson(content)}.`, line.message);
    else left.splice(at, 1);
  }
  if (isComplete && broken.length === 0 && left.length > 0 && results >= prompts.length)
    cite(`The host never sent the prompt ${shortJson(left[0])}.`);
  return broken;
}

/** Hosts write a text either as a string, or as a list of one block. */
function isSame(prompt: unknown, content: unknown): boolean {
  const [only] = Array.isArray(content) && content.length === 1 ? content : [];
  return (
    isDeepStrictEqual(prompt, content) ||
    (typeof prompt === 'string' && isObject(only) && only['type'] === 'text' && only['text'] === prompt)
  );
}
