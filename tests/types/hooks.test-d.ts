import type {
  HookEvent,
  HookInput,
  PreToolUseHookInput,
  StopHookInput,
  UserPromptSubmitHookInput,
} from '@proto/core/messages';
import type { Transport } from '@proto/core/transport';
import { type Hook, type Hooks, query, withHost } from '@proto/host';
import { expectTypeOf } from 'vitest';

declare const transport: Transport;

// The event determines the type of the input of its hooks. A hook for an undeclared event gets the input of any event.
const hooks: Hooks = {
  PreToolUse: [
    {
      hooks: [
        (input, { signal, toolUseID }) => {
          expectTypeOf(input).toEqualTypeOf<PreToolUseHookInput>();
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
          expectTypeOf(toolUseID).toEqualTypeOf<string | undefined>();
          return { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' } };
        },
      ],
    },
  ],
  MoonRise: [{ hooks: [(input) => void expectTypeOf(input).toEqualTypeOf<HookInput>()] }],
};
void hooks;
query({
  prompt: 'hello',
  transport,
  hooks: {
    Stop: [
      {
        hooks: [
          async (input) => {
            expectTypeOf(input).toEqualTypeOf<StopHookInput>();
            return input.stop_hook_active ? {} : { decision: 'block', reason: 'Run the tests first.' };
          },
        ],
      },
    ],
  },
});
void withHost({ transport, hooks: { UserPromptSubmit: [{ hooks: [({ prompt }) => void prompt.length] }] } }, () => 1);

// A hook in a constant: for one event, and for any.
const forTools: Hook<'PreToolUse'> = ({ tool_name }) => (tool_name === 'Bash' ? { continue: false } : {});
const forAny: Hook = (input) => {
  expectTypeOf(input).toEqualTypeOf<HookInput>();
  if (input.hook_event_name === 'UserPromptSubmit') expectTypeOf(input).toEqualTypeOf<UserPromptSubmitHookInput>();
};
const events: HookEvent[] = ['Stop', 'PreToolUse'];
const registered: Hooks[] = [
  { PreToolUse: [{ hooks: [forTools, forAny] }], Stop: [{ hooks: [forAny] }], MoonRise: [{ hooks: [forAny] }] },
  Object.fromEntries(events.map((event) => [event, [{ hooks: [forAny] }]])),
];
void registered;

// @ts-expect-error a hook for another event
const misplaced: Hooks = { Stop: [{ hooks: [forTools] }] };
// @ts-expect-error a decision is `approve` or `block`
const misspelt: Hooks = { Stop: [{ hooks: [() => ({ decision: 'blok' })] }] };
void [misplaced, misspelt];
