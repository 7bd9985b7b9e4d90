import { agentMessage } from './agent-message.ts';
import { type Infer, lazy, string } from './schema.ts';

/** Schema of `SDKPromptSuggestionMessage`. */
export const promptSuggestionMessage = lazy(() =>
  agentMessage('prompt_suggestion', {
    suggestion: string,
  }),
);

/** A prompt the user may want to send next; follows a result. */
export type SDKPromptSuggestionMessage = Infer<typeof promptSuggestionMessage>;
