import { TransportError, type TransportScheme } from '@proto/core/transport';
import { spawnAgent } from './spawn-agent.ts';
import type { SpawnAgentOptions } from './spawn-options.ts';

/** How to start what an `exec:` URI names. */
export type ExecOptions = Omit<SpawnAgentOptions, 'command' | 'args'>;

/**
 * `exec:COMMAND ARGUMENTS…`: a child process. Blanks separate the words, quotes of either kind keep them together; nothing else has a
 * meaning, because no shell reads it. For `connectTransport`.
 */
export const execScheme: TransportScheme<ExecOptions> = {
  protocols: ['exec:'],
  connect(uri, options) {
    const [command = '', ...args] = execWords(uri);
    return spawnAgent({ ...options, command, args });
  },
};

/** The command that an `exec:` URI names, and its arguments. Throws `connect-failed` where a quote is not closed. */
export function execWords(uri: string): string[] {
  const text = uri.slice('exec:'.length);
  if (/["']/.test(text.replaceAll(/"[^"]*"|'[^']*'/g, ''))) {
    throw new TransportError('connect-failed', 'exec: a quote is not closed', { retryable: false });
  }
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
