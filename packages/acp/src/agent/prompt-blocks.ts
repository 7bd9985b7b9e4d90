import type { ContentBlock, PromptCapabilities } from '@agentclientprotocol/sdk';
import type { PromptContent } from '@proto/agent';
import { type Members, objectOf } from '../members.ts';

/**
 * Converts the content of a prompt into blocks of the Agent Client Protocol. `added` are texts of hooks, which follow the prompt.
 * @throws if the agent cannot read a part of the prompt.
 */
export function promptBlocks(
  content: PromptContent,
  added: readonly string[],
  { image, embeddedContext }: PromptCapabilities,
): ContentBlock[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  return [...blocks, ...added.map((text) => ({ type: 'text', text }))].map((block) => {
    const { type, text, source } = block as Members;
    const { type: form, data, media_type: mimeType, url } = objectOf(source);
    if (type === 'text') return { type: 'text', text: String(text) };
    if (type === 'image' && image === true)
      return form === 'url'
        ? { type: 'image', data: '', mimeType: 'image/*', uri: String(url) }
        : { type: 'image', data: String(data), mimeType: String(mimeType) };
    if (type === 'document' && form === 'text') return { type: 'text', text: String(data) };
    if (type === 'document' && form === 'base64' && embeddedContext === true)
      return {
        type: 'resource',
        resource: { uri: 'file:///document', blob: String(data), mimeType: String(mimeType) },
      };
    throw new Error(`The agent cannot read content of the type ${String(type)}: send text.`);
  });
}
