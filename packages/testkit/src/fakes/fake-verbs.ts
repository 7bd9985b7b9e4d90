import { isObject } from '../json.ts';
import { expectOne } from '../steps/expect.ts';
import type { Scope } from '../steps/scope.ts';
import { partyOf, send, type Step } from '../steps/step.ts';
import type { AgentMessages } from './agent-messages.ts';
import { FakeDeath } from './chaos.ts';
import type { FakeClock } from './fake-clock.ts';

export interface FakeScope extends Scope {
  readonly clock: FakeClock;
  readonly messages: AgentMessages;
  end(): Promise<void>;
  die(): void;
  exitCode: number | undefined;
}

type FakeVerb = (step: Step, scope: FakeScope) => Promise<void>;
type Members = Readonly<Record<string, unknown>>;

const bothSides: Readonly<Record<string, FakeVerb>> = {
  wait: ({ wait }, { clock }) => clock.wait(Number(wait)),
  close: (_step, scope) => scope.end(),
  die: async (_step, scope) => {
    scope.die();
    throw new FakeDeath('The script ends the fake.');
  },
  hold: async ({ hold }, { served }) => {
    for (const subtype of Array.isArray(hold) ? (hold as readonly unknown[]) : [hold]) served.delete(String(subtype));
  },
};

export const hostVerbs: Readonly<Record<string, FakeVerb>> = bothSides;

export const agentVerbs: Readonly<Record<string, FakeVerb>> = {
  ...bothSides,
  'expect-prompt': expectPrompt,
  'begin-turn': (step, scope) => say(scope.messages.init(filled(step, 'begin-turn', scope)), scope),
  reply: (step, scope) => reply(scope.variables.fill(step['reply']), filled(step, 'with', scope), scope),
  'use-tool': (step, scope) =>
    say(scope.messages.assistant([{ type: 'tool_use', ...filled(step, 'use-tool', scope) }]), scope),
  'end-turn': (step, scope) => say(scope.messages.result(filled(step, 'end-turn', scope)), scope),
  turn: async ({ turn }, scope) => {
    const text = scope.variables.fill(turn);
    await say(scope.messages.init(), scope);
    await reply(text, {}, scope);
    await say(scope.messages.result({ result: text }), scope);
  },
  exit: async ({ exit }, scope) => {
    scope.exitCode = Number(exit);
  },
};

/** The fields that a step may have in addition to its verb. */
export const MODIFIERS: readonly string[] = ['as', 'with', 'error', 'within', 'next', 'anywhere', 'until', 'note'];

function filled(step: Step, field: string, { variables }: FakeScope): Members {
  const value = variables.fill(step[field]);
  return isObject(value) ? value : {};
}

function say(message: unknown, scope: FakeScope): Promise<void> {
  return send(partyOf({}, scope), message);
}

async function reply(text: unknown, members: Members, scope: FakeScope): Promise<void> {
  const content = Array.isArray(text) ? text : [{ type: 'text', text }];
  await say(scope.messages.assistant(content, members), scope);
}

/** Hosts send the text as a string, or as a list with one block. */
async function expectPrompt(step: Step, scope: FakeScope): Promise<void> {
  const wanted = step['expect-prompt'];
  const content = { '$one-of': [wanted, [{ type: 'text', text: wanted }]] };
  await expectOne({ ...step, expect: { type: 'user', message: { role: 'user', content } } }, scope);
}
