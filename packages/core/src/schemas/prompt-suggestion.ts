import * as z from 'zod/mini';
import { agentMessage } from './agent-message.ts';
import { protocol } from './open.ts';

export const promptSuggestionMessage = agentMessage('prompt_suggestion', { suggestion: z.string() }).register(protocol, {
  id: 'SDKPromptSuggestionMessage',
  description: 'A prompt the user may want to send next; follows a result.',
});
