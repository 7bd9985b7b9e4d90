import { type ContentBlock, RequestError } from '@agentclientprotocol/sdk';
import type { PromptContent } from '@proto/core/messages';

type Block = Exclude<PromptContent, string>[number];

const IMAGE_TYPES = ['image/gif', 'image/jpeg', 'image/png', 'image/webp'] as const;
const PDF = 'application/pdf';

/** Converts the prompt of an editor. @throws {RequestError} `-32602`, for audio and for files that are not texts, images or PDF documents. */
export function promptContent(blocks: readonly ContentBlock[]): Block[] {
  return blocks.map(blockOf);
}

/** The text of a prompt without its files, such as the text from which a title is made. */
export function promptText(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function blockOf(block: ContentBlock): Block {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return block.data === '' && block.uri?.startsWith('http')
        ? { type: 'image', source: { type: 'url', url: block.uri } }
        : imageBlock(block.data, block.mimeType);
    case 'resource_link':
      return { type: 'text', text: `[@${block.name}](${block.uri})` };
    case 'resource':
      return resourceBlock(block.resource);
    default:
      throw refusal(`content of the type ${block.type}`);
  }
}

function imageBlock(data: string, mimeType: string): Block {
  const media_type = IMAGE_TYPES.find((type) => type === mimeType);
  if (media_type === undefined) throw refusal(`an image of the type ${mimeType}`);
  return { type: 'image', source: { type: 'base64', media_type, data } };
}

function resourceBlock(resource: Extract<ContentBlock, { type: 'resource' }>['resource']): Block {
  const { uri, mimeType } = resource;
  if ('text' in resource)
    return { type: 'text', text: `<context ref=${JSON.stringify(uri)}>\n${resource.text}\n</context>` };
  const { blob: data } = resource;
  if (mimeType?.startsWith('image/')) return imageBlock(data, mimeType);
  if (mimeType === PDF) return { type: 'document', source: { type: 'base64', media_type: PDF, data } };
  throw refusal(`the file ${uri} of the type ${mimeType ?? 'unknown'}`);
}

function refusal(what: string): RequestError {
  return RequestError.invalidParams(
    undefined,
    `the agent cannot read ${what}: send text, an image (GIF, JPEG, PNG or WebP) or a PDF document`,
  );
}
