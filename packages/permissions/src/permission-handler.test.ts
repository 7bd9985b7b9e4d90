import { expect, test } from 'vitest';
import { createPermissionHandler, type PermissionHandlerOptions, type PermissionRecord } from './permission-handler.ts';
import { createPermissionRules } from './permission-rules.ts';

interface Request {
  readonly tool_name: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly requires_user_interaction?: boolean;
}
type Answer = { behavior: 'allow'; updatedInput?: Record<string, unknown> } | { behavior: 'deny'; message: string };
type Options = PermissionHandlerOptions<Request, string, Answer>;

const RULES = createPermissionRules({ allow: ['Read'], ask: ['Bash'], deny: ['Write'] });

function setUp(options: Partial<Options> = {}) {
  const log: PermissionRecord[] = [];
  const onDecision = (record: PermissionRecord) => void log.push(record);
  const handler = createPermissionHandler<Request, string, Answer>({
    rules: RULES,
    cwd: '/work',
    onDecision,
    ...options,
  });
  const ask = (tool_name: string, input = {}, more = {}) => handler({ tool_name, input, ...more }, 'context');
  return { ask, log };
}

test('the handler answers by the rules, and records each decision with its rule', async () => {
  const { ask, log } = setUp();
  expect(await ask('Read', { file_path: '/work/a' })).toEqual({ behavior: 'allow' });
  expect(await ask('Write')).toEqual({
    behavior: 'deny',
    message: 'The policy of this host refused the call: rule deny Write.',
  });
  expect(await ask('Other')).toMatchObject({ behavior: 'deny' });
  expect(log).toEqual([
    { tool: 'Read', call: 'Read(a)', behavior: 'allow', source: 'rule', rule: 'Read', by: 'rule allow Read' },
    { tool: 'Write', call: 'Write({})', behavior: 'deny', source: 'rule', rule: 'Write', by: 'rule deny Write' },
    { tool: 'Other', call: 'Other({})', behavior: 'deny', source: 'default', by: 'no rule, default deny' },
  ]);
});

test('the handler asks a person when a rule says so, and returns the answer', async () => {
  const asked: unknown[] = [];
  const answer = { behavior: 'allow', updatedInput: { command: 'ls -l' } } as const;
  const { ask, log } = setUp({
    ask(request, context) {
      asked.push([request, context]);
      return answer;
    },
  });
  expect(await ask('Bash', { command: 'ls' })).toBe(answer);
  expect(asked).toEqual([[{ tool_name: 'Bash', input: { command: 'ls' } }, 'context']]);
  expect(log).toEqual([
    { tool: 'Bash', call: 'Bash(ls)', behavior: 'allow', source: 'person', rule: 'Bash', by: 'the user' },
  ]);
});

test('the handler denies a call that needs a question when it has no person to ask', async () => {
  const { ask, log } = setUp();
  expect(await ask('Bash')).toMatchObject({ behavior: 'deny' });
  expect(log).toMatchObject([{ source: 'nobody', behavior: 'deny', rule: 'Bash' }]);
});

test('the handler denies tools that need an answer of the user when it has no person to ask', async () => {
  const { ask } = setUp({ rules: createPermissionRules({ default: 'allow' }) });
  expect(await ask('AskUserQuestion')).toMatchObject({ behavior: 'deny' });
  expect(await ask('Read', {}, { requires_user_interaction: true })).toMatchObject({ behavior: 'deny' });
});

test('the handler denies when the person, the log or a link lookup fails', async () => {
  const failing = () => {
    throw new Error('broken');
  };
  expect(await setUp({ ask: failing }).ask('Bash')).toMatchObject({ behavior: 'deny' });
  const lost = () => Promise.reject(new Error('the disk is full'));
  expect(await setUp({ onDecision: failing }).ask('Read')).toMatchObject({ behavior: 'deny' });
  expect(await setUp({ onDecision: lost }).ask('Read')).toMatchObject({ behavior: 'deny' });
  expect(await setUp({ followLinks: failing }).ask('Read', { file_path: 'a' })).toMatchObject({ behavior: 'deny' });
});
