import * as z from 'zod/mini';

import { type Infer, lazy, object, openEnum, openUnion, optional } from './schema.ts';

/** Schema of `ImageBlock`. */
export const imageBlock = lazy(() =>
  object({
    type: z.literal('image'),
    source: openUnion('type', [
      object({
        type: z.literal('base64'),
        media_type: openEnum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
        data: z.string(),
      }),
      object({ type: z.literal('url'), url: z.string() }),
      object({ type: z.literal('file'), file_id: z.string() }),
    ]),
  }),
);

/** A picture in a prompt or in the answer of a tool. */
export type ImageBlock = Infer<typeof imageBlock>;

/** Schema of `DocumentBlock`. */
export const documentBlock = lazy(() =>
  object({
    type: z.literal('document'),
    source: openUnion('type', [
      object({ type: z.literal('base64'), media_type: openEnum(['application/pdf']), data: z.string() }),
      object({ type: z.literal('text'), media_type: openEnum(['text/plain']), data: z.string() }),
      object({ type: z.literal('content'), content: z.union([z.string(), z.array(z.unknown())]) }),
      object({ type: z.literal('url'), url: z.string() }),
      object({ type: z.literal('file'), file_id: z.string() }),
    ]),
    title: optional(z.nullable(z.string())),
    context: optional(z.nullable(z.string())),
    citations: optional(z.nullable(object({ enabled: optional(z.boolean()) }))),
  }),
);

/** A document in a prompt or in the answer of a tool. */
export type DocumentBlock = Infer<typeof documentBlock>;

/** Schema of `SearchResultBlock`. */
export const searchResultBlock = lazy(() =>
  object({
    type: z.literal('search_result'),
    source: z.string(),
    title: z.string(),
    content: z.array(z.unknown()),
  }),
);

/** A passage found by a search, which the model may cite. */
export type SearchResultBlock = Infer<typeof searchResultBlock>;
