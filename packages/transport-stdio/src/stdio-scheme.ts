import { TransportError, type TransportScheme } from '@proto/core/transport';
import { spawnAgent } from './spawn-agent.ts';
import type { SpawnAgentOptions } from './spawn-options.ts';
import { createStdioTransport, type StdioOptions } from './stdio-transport.ts';

/** The scheme for `stdio:` and `-`, which connects to stdin and stdout of this process. Pass this scheme to `connectUri`. */
export const stdioScheme: TransportScheme<StdioOptions> = {
  protocols: ['stdio:'],
  connect: (_uri, options) => createStdioTransport(options),
};

/** How to start the command of an `exec:` URI. */
export type ExecOptions = Omit<SpawnAgentOptions, 'command' | 'args'>;

/**
 * The scheme for `exec:COMMAND ARGUMENTS…`, which starts a child process. Spaces separate the words, and single or double quotes keep words together.
 * No other character has a special meaning, because the text is not passed to a shell. Pass this scheme to `connectUri`.
 */
export const execScheme: TransportScheme<ExecOptions> = {
  protocols: ['exec:'],
  connect(uri, options) {
    const [command = '', ...args] = execWords(uri);
    return spawnAgent({ ...options, command, args });
  },
};

/**
 * Returns the command of an `exec:` URI, and its arguments.
 * @throws {TransportError} `connect-failed` if a quote is not closed.
 */
export function execWords(uri: string): string[] {
  const text = uri.slice('exec:'.length);
  if (/["']/.test(text.replaceAll(/"[^"]*"|'[^']*'/g, ''))) {
    throw new TransportError('connect-failed', 'exec: a quotation mark is not closed: add the closing quotation mark', {
      retryable: false,
    });
  }
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}
