import type { ParsedEvent } from '../events/agent-event.ts';
import { contentText, type Members, recordOf, recordsOf, stringOf } from '../parsers/members.ts';
import type { OutputParser, ParserOutput } from '../parsers/output-parser.ts';
import { defineBackend } from './backend.ts';

export const goose = defineBackend({
  name: 'goose',
  command: 'goose',
  outputFormat: 'goose-stream-json',
  experimental: true,
  args: () => ['run', '-i', '-', '--output-format', 'stream-json'],
  createParser: () => new GooseParser(),
});

const BLOCKS = new Set(
  `image redactedThinking toolConfirmationRequest frontendToolRequest contextLengthExceeded summarizationRequested
  systemNotification actionRequired`.split(/\s+/),
);

class GooseParser implements OutputParser {
  #error: string | undefined;

  parseEvent(record: Members): readonly ParserOutput[] | null {
    const { type } = record;
    switch (type) {
      case 'message': {
        const message = recordOf(record['message']);
        return recordsOf(message['content']).flatMap((block) => parseBlock(block, message));
      }
      case 'notification':
      case 'model_change':
        return [];
      case 'error':
        this.#error = stringOf(record['error']) ?? 'error';
        return [{ type: 'error', message: this.#error, fatal: true }];
      case 'complete': {
        // This record is also printed after an error.
        const error = this.#error;
        const reason = error === undefined ? 'success' : 'error';
        return [{ type: 'outcome', outcome: { reason, error } }];
      }
      default:
        return typeof type === 'string' ? [{ type: 'unknown', eventType: type }] : null;
    }
  }
}

function parseBlock(block: Members, message: Members): ParsedEvent[] {
  const kind = stringOf(block['type']) ?? '';
  const id = stringOf(block['id']) ?? '';
  switch (kind) {
    case 'text':
    case 'thinking':
      if (message['role'] !== 'assistant') return [];
      // The pieces of one text are messages with the same id.
      return [{ type: kind, text: stringOf(block[kind]) ?? '', delta: true, messageId: stringOf(message['id']) }];
    case 'toolRequest': {
      const { name, arguments: input } = recordOf(recordOf(block['toolCall'])['value']);
      return [{ type: 'tool_call', id, name: stringOf(name) ?? 'unknown', input: input ?? {} }];
    }
    case 'toolResponse': {
      const { status, value, error } = recordOf(block['toolResult']);
      const { content, isError } = recordOf(value);
      const output = contentText(content ?? value) || (stringOf(error) ?? '');
      return [{ type: 'tool_result', id, output, isError: status !== 'success' || isError === true, content: value }];
    }
    default:
      return BLOCKS.has(kind) ? [] : [{ type: 'unknown', eventType: `message/${kind}` }];
  }
}
