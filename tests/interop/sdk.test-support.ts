import { expect } from 'vitest';
import { type HostAgent, type HostRun, runHost } from './run-host.ts';

/** Returns the kinds of all messages, in order. */
export const kinds = ({ messages }: HostRun) =>
  messages.map(({ type, subtype }) => (subtype ? `${type}/${subtype}` : type));
/** Returns the results of the turns. */
export const results = ({ messages }: HostRun) => messages.filter(({ type }) => type === 'result');
/** Returns the text that was streamed. */
export const streamed = ({ messages }: HostRun) =>
  messages.map(({ type, event }) => (type === 'stream_event' ? (event?.delta?.text ?? '') : '')).join('');

/** Runs a scenario, and checks what holds for every run: the host and the agent ended by themselves, without errors on stderr, and the agent cancelled only its own requests. */
export async function runCleanly(scenario: string, agent?: HostAgent): Promise<HostRun> {
  const run = await runHost(scenario, agent);
  expect(run).toMatchObject({ code: 0, stderr: '', leftBehind: false, strayCancels: [] });
  expect(run.sent).toBeGreaterThan(0);
  return run;
}

/** Returns the results of the tool calls, in order. */
export const toolResults = ({ messages }: HostRun) =>
  messages
    .filter(({ type }) => type === 'user')
    .flatMap(({ message }) => message?.content ?? [])
    .filter(({ type }) => type === 'tool_result');

/** Returns the text blocks of the agent, in order. */
export const texts = ({ messages }: HostRun) =>
  messages
    .filter(({ type }) => type === 'assistant')
    .flatMap(({ message }) => message?.content ?? [])
    .flatMap(({ text }) => text ?? []);

/** Returns the events of the hooks that the host has run, in order. */
export const hooksCalled = ({ messages }: HostRun) => messages[0]?.called?.map(({ hook_event_name: event }) => event);

/** The hook events of the scenario `hooks of every event`. */
export const HOOKS_OF_EVERY_EVENT = [
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PreToolUse',
  'PostToolUseFailure',
  'PreToolUse',
  'SubagentStart',
  'SubagentStop',
  'PostToolUse',
  'Stop',
];
