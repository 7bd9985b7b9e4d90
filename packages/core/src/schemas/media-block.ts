import * as z from 'zod/mini';
import { openEnum, openObject, openUnion, protocol } from './open.ts';

const uploadedFile = z.describe('A file that was uploaded to the model API before.');

export const imageBlock = openObject({
  type: z.literal('image'),
  source: openUnion('type', [
    openObject({ type: z.literal('base64'), media_type: openEnum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']), data: z.string() }),
    openObject({ type: z.literal('url'), url: z.string() }),
    openObject({ type: z.literal('file'), file_id: z.string().check(uploadedFile) }),
  ]),
}).register(protocol, { id: 'ImageBlock', description: 'A picture in a prompt or in the answer of a tool.' });

export const documentBlock = openObject({
  type: z.literal('document'),
  source: openUnion('type', [
    openObject({ type: z.literal('base64'), media_type: openEnum(['application/pdf']), data: z.string() }),
    openObject({ type: z.literal('text'), media_type: openEnum(['text/plain']), data: z.string().check(z.describe('The text as it is, not in base64.')) }),
    openObject({ type: z.literal('content'), content: z.union([z.string(), z.array(z.unknown())]) }),
    openObject({ type: z.literal('url'), url: z.string() }),
    openObject({ type: z.literal('file'), file_id: z.string().check(uploadedFile) }),
  ]),
  title: z.optional(z.nullable(z.string())).check(z.describe('Told to the model, but never cited.')),
  context: z.optional(z.nullable(z.string())).check(z.describe('More about the document, told to the model but never cited.')),
  citations: z.optional(z.nullable(openObject({ enabled: z.optional(z.boolean()).check(z.describe('Whether the model may cite passages of the document.')) }))),
}).register(protocol, { id: 'DocumentBlock', description: 'A document in a prompt or in the answer of a tool.' });

export const searchResultBlock = openObject({
  type: z.literal('search_result'),
  source: z.string().check(z.describe('Where the passage was found, such as a URL.')),
  title: z.string(),
  content: z.array(z.unknown()).check(z.describe('The passage, as text blocks.')),
}).register(protocol, { id: 'SearchResultBlock', description: 'A passage found by a search, which the model may cite.' });
