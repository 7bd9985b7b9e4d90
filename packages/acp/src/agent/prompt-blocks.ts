import type { ContentBlock, PromptCapabilities } from '@agentclientprotocol/sdk';
import type { PromptContent } from '@proto/agent';
import { blocksIn, imageBlock, textBlock } from '../blocks.ts';
import { type Members, objectOf } from '../members.ts';

/** Converts the content of a prompt. `added` are texts of hooks, which follow it. @throws if the agent cannot read a part of the prompt. */
export function promptBlocks(
  content: PromptContent,
  added: readonly string[],
  capabilities: PromptCapabilities,
): ContentBlock[] {
  return [...blocksIn(content).map((block) => promptBlock(block, capabilities)), ...added.map(textBlock)];
}

function promptBlock({ type, text, source }: Members, { image, embeddedContext }: PromptCapabilities): ContentBlock {
  const { type: form, data, media_type: mimeType } = objectOf(source);
  if (type === 'text') return textBlock(String(text));
  if (type === 'image' && image === true) return imageBlock(source);
  if (type === 'document' && form === 'text') return textBlock(String(data));
  if (type === 'document' && form === 'base64' && embeddedContext === true)
    return { type: 'resource', resource: { uri: 'file:///document', blob: String(data), mimeType: String(mimeType) } };
  throw new Error(`The agent cannot read content of the type ${String(type)}: send text.`);
}
