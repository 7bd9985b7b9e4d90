import { connectUri, type Transport } from '@proto/core/transport';
import { describe, expect, test } from 'vitest';
import { AgentNotFoundError } from './agent-errors.ts';
import { execScheme } from './stdio-scheme.ts';
import { stdioScheme } from './stdio-scheme.ts';

/** The arguments of a child that prints its arguments. */
async function argumentsOf(text: string): Promise<unknown> {
  const program = `console.log(JSON.stringify({ type: 'argv', argv: process.argv.slice(1) }))`;
  const transport = connectUri(
    `exec:${process.execPath} -e '${program.replaceAll("'", '"')}' -- ${text}`,
    [execScheme],
    {},
  );
  return Reflect.get(await firstOf(transport), 'argv');
}

async function firstOf(transport: Transport): Promise<object> {
  for await (const [item] of transport.incoming) if (item?.kind === 'message') return item.read().message ?? {};
  throw new Error('the child printed no message');
}

describe('an exec: URI', () => {
  test('is a command and its arguments, split at spaces, with single or double quotes', async () => {
    const words = String.raw`one  "two  words" 'it"s' a"b c"d $HOME * ; \n "" --x='y z'`;
    expect(await argumentsOf(words)).toEqual([
      'one',
      'two  words',
      'it"s',
      'ab cd',
      '$HOME',
      '*',
      ';',
      String.raw`\n`,
      '',
      '--x=y z',
    ]);
  });

  test('with an open quote is refused', () => {
    for (const text of ['agent "a b', "agent 'it", `agent "a" '"`]) {
      expect(() => connectUri(`exec:${text}`, [stdioScheme, execScheme], {})).toThrow('a quotation mark is not closed');
    }
  });

  test('with an unknown command fails with an error that names the command', async () => {
    const transport = connectUri('exec:', [execScheme], {});
    expect(AgentNotFoundError.find(await transport.opened.catch((error: unknown) => error))).toBeDefined();
    await transport.closed;
  });
});
