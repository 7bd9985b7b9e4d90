import type { Readable } from 'node:stream';
import type { WireMessage } from '@proto/core/framing';
import { isResuming } from './flags/check-options.ts';
import type { HeadlessOptions } from './flags/options.ts';

/** How long an open input may stay silent if the command line contains a prompt, in milliseconds. */
export const SILENT_INPUT_MS = 3000;

const NO_INPUT = 'Input must be provided either through stdin or as a prompt argument when using --print';
const SILENT_INPUT =
  `Warning: no stdin data received in ${SILENT_INPUT_MS / 1000}s, proceeding without it. ` +
  'If piping from a slow command, redirect stdin explicitly: < /dev/null to skip, or wait longer.';

/** Returns the messages that a host would send for a prompt. For a blank prompt, the list is empty. */
export function promptMessages(prompt: string): readonly WireMessage[] {
  if (prompt.trim() === '') return [];
  const message = { role: 'user', content: prompt };
  return [{ type: 'user', session_id: '', message, parent_tool_use_id: null }];
}

/**
 * Reads the prompt for the input format `text`: the argument, followed by the text from stdin. Rejects if the argument and the text are empty and no
 * session is resumed.
 */
export async function readPrompt(
  options: HeadlessOptions,
  stdin: Readable & { readonly isTTY?: boolean },
  warn: (text: string) => void,
): Promise<string> {
  const { prompt = '' } = options;
  const hasPrompt = prompt.trim() !== '';
  // The prompts of a remote session come from its server.
  if (options.sdkUrl !== undefined) return prompt;
  const piped = stdin.isTTY === true ? '' : await readText(stdin, hasPrompt ? () => warn(SILENT_INPUT) : undefined);
  const text = [prompt, piped].filter((part) => part.trim() !== '').join('\n');
  if (text === '' && !isResuming(options)) throw new Error(NO_INPUT);
  return text;
}

/** If `onSilent` is given and the input stays silent for 3 seconds, reading is abandoned. */
function readText(stdin: Readable, onSilent?: () => void): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = onSilent && setTimeout(giveUp, SILENT_INPUT_MS);
    function giveUp(): void {
      onSilent?.();
      resolve('');
      stdin.destroy();
    }
    stdin.setEncoding('utf8');
    stdin.on('data', (chunk: string) => {
      clearTimeout(timer);
      text += chunk;
    });
    stdin.on('error', reject);
    stdin.on('close', () => {
      clearTimeout(timer);
      resolve(text);
    });
    stdin.on('end', () => {
      clearTimeout(timer);
      resolve(text);
    });
  });
}
