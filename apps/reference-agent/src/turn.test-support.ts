import type { WireMessage } from '@proto/core/framing';
import type { Turn } from '@proto/agent';
import { createReferenceAgent, type ReferenceAgentOptions } from './index.ts';

/** The members of a message that the tests read. */
export interface Said extends WireMessage {
  readonly subtype?: string;
  readonly parent_tool_use_id?: string | null;
  readonly tool_use_result?: unknown;
  readonly message?: {
    readonly model?: string;
    readonly content: readonly {
      readonly type: string;
      readonly text?: string;
      readonly name?: string;
      readonly input?: unknown;
      readonly content?: unknown;
      readonly is_error?: boolean;
    }[];
  };
  readonly event?: { readonly type: string; readonly delta?: { readonly text?: string } };
}

/** A turn whose host permits everything, has no hooks, and sends nothing else. */
export function turnOf(prompt: Turn['prompt'], members: Partial<Turn> = {}): Turn {
  const unused = () => {
    throw new Error('not expected');
  };
  return {
    prompt,
    signal: new AbortController().signal,
    promptUuid: undefined,
    origin: undefined,
    isContinued: false,
    sessionId: 's',
    history: [],
    subagentHistory: new Map(),
    additionalContext: [],
    model: 'default',
    permissionMode: 'default',
    initialize: {},
    initializeResponse: {},
    tools: [],
    mcpServers: [],
    emit: unused,
    request: unused,
    canUseTool: async (_tool, input, toolUseID) => ({
      behavior: 'allow',
      toolUseID,
      decidedBy: 'host',
      input,
      updatedPermissions: [],
    }),
    runHooks: async () => ({ additionalContext: [], systemMessages: [], specific: {} }),
    takeQueued: async () => [],
    prepend: unused,
    background: unused,
    elicit: unused,
    requestNetworkAccess: unused,
    ...members,
  };
}

/** Returns all messages of a turn. */
export async function said(
  turn: Turn,
  options: ReferenceAgentOptions = {},
  onMessage: (message: Said) => void = () => {},
): Promise<readonly Said[]> {
  const messages: Said[] = [];
  const { runTurn } = createReferenceAgent({ permissionPromptTool: 'stdio', ...options });
  for await (const message of runTurn(turn)) {
    messages.push(message);
    onMessage(message);
  }
  return messages;
}

const blocksOf = (messages: readonly Said[], kind: string) =>
  messages.filter(({ type }) => type === kind).flatMap(({ message }) => message?.content ?? []);

/** The texts of an agent, one for each block. */
export const textsOf = (messages: readonly Said[]) => blocksOf(messages, 'assistant').flatMap(({ text }) => text ?? []);
export const callsOf = (messages: readonly Said[]) =>
  blocksOf(messages, 'assistant').filter(({ type }) => type === 'tool_use');
export const resultsOf = (messages: readonly Said[]) => blocksOf(messages, 'user');
/** The piece of a text that a message streams. */
export const pieceOf = ({ event }: Said) => event?.delta?.text ?? '';
export const endOf = (messages: readonly Said[]) => messages.at(-1);
