import {
  bindAs,
  describeMismatch,
  expectOne,
  findMatch,
  isObject,
  match,
  type Step,
  StepFailure,
} from '@proto/testkit/steps';

import type { HostScope } from './host-scope.ts';
import { untilSettled } from './random/settled.ts';

type HostVerb = (step: Step, scope: HostScope) => Promise<void>;
type Members = Readonly<Record<string, unknown>>;

export const hostVerbs: Readonly<Record<string, HostVerb>> = {
  'expect-prompt': expectPrompt,
  'begin-turn': (step, scope) => scope.session.send(scope.messages.init(filled(step, 'begin-turn', scope))),
  reply: (step, scope) => reply(scope.variables.fill(step['reply']), filled(step, 'with', scope), scope),
  'use-tool': (step, scope) =>
    scope.session.send(scope.messages.assistant([{ type: 'tool_use', ...filled(step, 'use-tool', scope) }])),
  'end-turn': (step, scope) => scope.session.send(scope.messages.result(filled(step, 'end-turn', scope))),
  turn: async ({ turn }, scope) => {
    const text = scope.variables.fill(turn);
    await scope.session.send(scope.messages.init());
    await reply(text, {}, scope);
    await scope.session.send(scope.messages.result({ result: text }));
  },
  'say-all': async (step, { session, variables }) => {
    const messages = variables.fill(step['say-all']);
    await session.sendAll(Array.isArray(messages) ? messages : [messages]);
  },
  pieces: sendPieces,
  diagnostics: ({ diagnostics }, { session, variables }) =>
    session.order({ diagnostics: Buffer.from(String(variables.fill(diagnostics))) }),
  reads: ({ reads }, { session }) => session.order({ reads: reads === true }),
  exit: ({ exit }, { session }) => session.order({ exit: Number(exit) }),
  kill: ({ kill }, { session }) => session.order({ kill: String(kill) }),
  call,
  withdraw: async ({ withdraw }, { host, variables, made }) => {
    const id = variables.get(`${String(withdraw)}.id`);
    const call = made.find((each) => each.id === id);
    if (call !== undefined) call.isWithdrawn = true;
    host.send({ type: 'withdraw', id });
  },
  'answer-question': answerQuestion,
  'answer-questions': async (step, { decisions, variables }) => {
    const { 'answer-questions': pattern, with: value = {}, error } = step;
    decisions.add(
      pattern,
      error === undefined ? { value: variables.fill(value) } : { error: typeof error === 'string' ? error : '' },
    );
  },
  await: untilSettled,
  'expect-called': expectCalled,
  'expect-handed-on': (step, scope) =>
    expectOne({ ...step, by: 'user', expect: { type: 'message', message: step['expect-handed-on'] } }, scope),
  'expect-result': (step, scope) =>
    expectOne({ ...step, by: 'user', expect: { ...(step['expect-result'] as object), type: 'result' } }, scope),
};

function filled(step: Step, field: string, { variables }: HostScope): Members {
  const value = variables.fill(step[field]);
  return isObject(value) ? value : {};
}

async function reply(text: unknown, members: Members, { session, messages }: HostScope): Promise<void> {
  const content = Array.isArray(text) ? text : [{ type: 'text', text }];
  await session.send(messages.assistant(content, members));
}

/** Hosts write the prompt either as a string or as a list of blocks. */
async function expectPrompt(step: Step, scope: HostScope): Promise<void> {
  const wanted = step['expect-prompt'];
  const content = { '$one-of': [wanted, [{ type: 'text', text: wanted }]] };
  const filledIn = typeof wanted === 'string' ? scope.variables.fill(content) : content;
  await expectOne({ ...step, expect: { type: 'user', message: { role: 'user', content: filledIn } } }, scope);
}

async function sendPieces(step: Step, { session, variables }: HostScope): Promise<void> {
  const value = variables.fill(step['pieces']);
  const text = typeof value === 'string' ? value : `${JSON.stringify(value)}\n`;
  await session.sendPieces(text, Number(step['bytes']), Number(step['every'] ?? 1));
}

async function call(step: Step, scope: HostScope): Promise<void> {
  const order = {
    type: 'call',
    id: `call-${scope.made.length + 1}`,
    method: step['call'],
    arguments: filled(step, 'with', scope),
  };
  bindAs(step, order, scope);
  const { id, arguments: args } = order;
  scope.made.push({ id, method: String(order.method), arguments: args, isWithdrawn: false });
  if (order.method === 'prompt') scope.prompts.push(order.arguments['text']);
  scope.host.send(order);
}

async function answerQuestion(step: Step, { host, variables }: HostScope): Promise<void> {
  const id = variables.get(`${String(step['answer-question'])}.id`);
  const error = step['error'];
  host.send({
    type: 'answer',
    id,
    ...(error === undefined ? { value: variables.fill(step['with'] ?? {}) } : { error }),
  });
}

async function expectCalled(step: Step, scope: HostScope): Promise<void> {
  const id = scope.variables.get(`${String(step['expect-called'])}.id`);
  const at = await findMatch({ type: 'called', id }, { ...step, by: 'user', anywhere: true }, userOf(scope), scope);
  const event = scope.host.inbox.received[at]?.value;
  const threw = isObject(event) && event['error'] !== undefined && event['error'] !== null;
  const isErrorWanted = step['error'] !== undefined;
  const wanted = isErrorWanted
    ? { error: step['error'] }
    : { value: step['with'] ?? { '$one-of': [{ $any: true }, { $absent: true }] } };
  const result = match(wanted, event, scope.variables);
  if (threw === isErrorWanted && result.ok) return;
  const difference = result.ok ? 'it threw' : describeMismatch(result.mismatch);
  throw new StepFailure(`The call "${String(step['expect-called'])}" did not end as expected: ${difference}`, {
    expected: wanted,
    got: event,
  });
}

/** Returns the user of the host as a party that only receives. */
export function userOf({ host }: Pick<HostScope, 'host'>) {
  return {
    name: 'user',
    inbox: host.inbox,
    sendText: () => {
      throw new Error('This step cannot be used with the party "user": text cannot be sent to it.');
    },
  };
}
