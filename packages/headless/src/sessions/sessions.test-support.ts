import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '@proto/agent';
import type { WireMessage } from '@proto/core/framing';
import type { HeadlessEnvironment } from '../environment.ts';
import type { HeadlessRunTurn } from '../flags/options.ts';
import { assistant, messagesIn, run, SJP_HOME, STREAM } from '../run.test-support.ts';

function textIn({ message }: WireMessage): string {
  return textOf((message as { content?: unknown } | undefined)?.content);
}

export function prompt(content: string, members: object = {}): string {
  return `${JSON.stringify({ type: 'user', message: { role: 'user', content }, ...members })}\n`;
}

/** The agents share a state directory. They answer with all texts in their history. */
export function sessionsPeer() {
  const home = mkdtempSync(join(SJP_HOME, 'home-'));
  const recall: HeadlessRunTurn = async function* ({ history }) {
    yield assistant(history.map(textIn).join('|'));
  };
  async function agent(argv: readonly string[], input: string, environment: Partial<HeadlessEnvironment> = {}) {
    const env = { SJP_HOME: home };
    const ended = await run([...STREAM, ...argv], input, {
      runTurn: recall,
      ...environment,
      process: { env, ...environment.process },
    });
    const messages = messagesIn(ended.stdout);
    const results = messages.filter(({ type }) => type === 'result');
    return {
      ...ended,
      messages,
      results,
      said: results.map(({ result }) => result),
      id: String(messages[0]?.['session_id']),
    };
  }
  const files = () =>
    readdirSync(home, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.jsonl'))
      .map((name) => join(home, name));
  return { home, agent, files };
}

export function entriesIn(path: string): readonly Record<string, unknown>[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
