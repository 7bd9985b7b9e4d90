import type { SessionUpdate } from '@agentclientprotocol/sdk';
import type { WireMessage } from '@proto/core/framing';
import { blocksIn, shownBlock } from '../blocks.ts';
import { CallUpdates } from './call-updates.ts';
import { isObject, type Members, objectOf } from '../members.ts';
import { ReplyUpdates } from './reply-updates.ts';

// An agent stores this text when a turn is interrupted.
const INTERRUPTED = '[Request interrupted by user';
const CALL_BLOCKS: readonly unknown[] = ['tool_use', 'server_tool_use', 'mcp_tool_use'];
const TOKENS = ['input_tokens', 'output_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'];

/** Converts the messages of a conversation, in their order. The texts of subagents are left out, because they are the results of calls. */
export class SessionUpdates {
  /** The tool calls of the conversation. */
  readonly calls: CallUpdates;
  readonly #replies = new ReplyUpdates();
  readonly #withPrompts: boolean;
  #contextTokens = 0;

  /**
   * `cwd` is the working directory of the session. `withPrompts` means that the prompts of the user are converted too. The texts of the model are then
   * converted when they are complete.
   */
  constructor({ cwd, withPrompts }: { readonly cwd: string; readonly withPrompts: boolean }) {
    this.calls = new CallUpdates(cwd);
    this.#withPrompts = withPrompts;
  }

  of(message: WireMessage): SessionUpdate[] {
    switch (message.type) {
      case 'stream_event':
        return isMain(message) && !this.#withPrompts ? this.#replies.ofStreamEvent(message) : [];
      case 'assistant':
        return [...(isMain(message) ? this.#replies.ofMessage(message) : []), ...this.#ofCalls(message)];
      case 'user':
        return [...this.#ofResults(message), ...(this.#withPrompts && isMain(message) ? promptChunks(message) : [])];
      case 'result':
        return this.#ofUsage(message);
      default:
        return [];
    }
  }

  #ofCalls(message: WireMessage): SessionUpdate[] {
    const { content, usage } = objectOf(message['message']);
    if (isMain(message) && isObject(usage)) {
      const counts = TOKENS.map((name) => usage[name]).filter((count) => typeof count === 'number');
      this.#contextTokens = counts.reduce((total, count) => total + count, 0);
    }
    const parent = isMain(message) ? undefined : String(message['parent_tool_use_id']);
    return blocksIn(content)
      .filter(({ type }) => CALL_BLOCKS.includes(type))
      .flatMap(({ id, name, input }) => this.calls.introduce({ id: String(id), name: String(name), input, parent }));
  }

  #ofResults(message: WireMessage): SessionUpdate[] {
    const results = blocksIn(objectOf(message['message'])['content']).filter(({ type }) => type === 'tool_result');
    // The member describes one result. Session files spell its name differently.
    const output = results.length === 1 ? (message['tool_use_result'] ?? message['toolUseResult']) : undefined;
    return results.flatMap((block) => this.calls.finish(block, output));
  }

  #ofUsage({ modelUsage, total_cost_usd: cost }: WireMessage): SessionUpdate[] {
    const sizes = Object.values(objectOf(modelUsage)).map((usage) => Number(objectOf(usage)['contextWindow'] ?? 0));
    const size = Math.max(0, ...sizes);
    if (size === 0) return [];
    const amount = typeof cost === 'number' ? { cost: { amount: cost, currency: 'USD' } } : {};
    return [{ sessionUpdate: 'usage_update', used: this.#contextTokens, size, ...amount }];
  }
}

function promptChunks(message: Members): SessionUpdate[] {
  const blocks = blocksIn(objectOf(message['message'])['content']);
  const isOfUser =
    message['isSynthetic'] !== true &&
    message['isReplay'] !== true &&
    blocks.every(({ type, text }) => type !== 'tool_result' && !String(text).startsWith(INTERRUPTED));
  const messageId = typeof message['uuid'] === 'string' ? { messageId: message['uuid'] } : {};
  return (isOfUser ? blocks : []).flatMap((block) => {
    const content = shownBlock(block);
    return content === undefined ? [] : [{ sessionUpdate: 'user_message_chunk', content, ...messageId }];
  });
}

function isMain({ parent_tool_use_id: parent }: Members): boolean {
  return typeof parent !== 'string';
}
