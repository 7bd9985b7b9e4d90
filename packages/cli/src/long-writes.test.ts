import { verifies } from '@proto/test-support/verifies';
import { expect } from 'vitest';
import { messagesIn, outcomeOf, readUntil, start } from './bins.test-support.ts';

const LENGTHS = [0, 1, 1999, 2000, 2001, 1_000_000];

/** A text without repeated parts. None of the lengths used here splits a character. The agent runs the same code. */
const textOf = (length: number): string =>
  Array.from({ length: Math.ceil(length / 8) }, (_, n) => String(n).padStart(6, '.').replace(/^.../, '$&😀'))
    .join('')
    .slice(0, length);

// An agent that exits immediately after its last write.
const AGENT = `
  import { runHeadless } from '@proto/headless';
  const textOf = ${String(textOf)};
  const said = (text) => ({
    type: 'assistant',
    message: { id: 'm', role: 'assistant', content: [{ type: 'text', text }] },
    parent_tool_use_id: null,
  });
  await runHeadless({
    name: 'test',
    process: { argv: process.argv.slice(1) },
    async *runTurn() {
      for (const length of ${JSON.stringify(LENGTHS)}) {
        console.log(textOf(length));
        process.stderr.write(textOf(length));
        yield said(textOf(length));
      }
    },
  });`;

verifies(
  ['OUTPUT-1', 'OUTPUT-2'],
  'an agent writes texts of any length completely to stdout and stderr, also when it exits directly after them',
  async () => {
    const flags = ['-p', 'x', '--output-format=stream-json', '--verbose'];
    const agent = start(process.execPath, ['--input-type=module', '-e', AGENT, '--', ...flags]);
    agent.stdout.setEncoding('utf8');
    agent.stdin.end();
    const stdout = await readUntil(agent, '"type":"result"');
    // stderr is read only now, when the agent only needs to exit.
    const { stderr, code } = await outcomeOf(agent);
    expect(code).toBe(0);
    const texts = LENGTHS.map(textOf);
    const said = messagesIn(stdout).flatMap(({ type, message }) => (type === 'assistant' ? [message] : []));
    expect(said).toEqual(texts.map((text) => expect.objectContaining({ content: [{ type: 'text', text }] })));
    expect(stderr).toBe(texts.map((text) => `${text}\n${text}`).join(''));
  },
);
