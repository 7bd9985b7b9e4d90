import { object, optional } from './object-schema.ts';
import { array, boolean, type Infer, lazy, literal, nullable, openEnum, string, unknown } from './schema.ts';
import { openUnion, union } from './union-schema.ts';

/** Schema of `ImageBlock`. */
export const imageBlock = lazy(() =>
  object({
    type: literal('image'),
    source: openUnion('type', {
      base64: object({
        type: literal('base64'),
        media_type: openEnum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
        data: string,
      }),
      url: object({ type: literal('url'), url: string }),
      file: object({ type: literal('file'), file_id: string }),
    }),
  }),
);

/** A picture in a prompt or in the answer of a tool. */
export type ImageBlock = Infer<typeof imageBlock>;

/** Schema of `DocumentBlock`. */
export const documentBlock = lazy(() =>
  object({
    type: literal('document'),
    source: openUnion('type', {
      base64: object({ type: literal('base64'), media_type: openEnum(['application/pdf']), data: string }),
      text: object({ type: literal('text'), media_type: openEnum(['text/plain']), data: string }),
      content: object({ type: literal('content'), content: union([string, array(unknown)]) }),
      url: object({ type: literal('url'), url: string }),
      file: object({ type: literal('file'), file_id: string }),
    }),
    title: optional(nullable(string)),
    context: optional(nullable(string)),
    citations: optional(nullable(object({ enabled: optional(boolean) }))),
  }),
);

/** A document in a prompt or in the answer of a tool. */
export type DocumentBlock = Infer<typeof documentBlock>;

/** Schema of `SearchResultBlock`. */
export const searchResultBlock = lazy(() =>
  object({
    type: literal('search_result'),
    source: string,
    title: string,
    content: array(unknown),
  }),
);

/** A passage found by a search, which the model may cite. */
export type SearchResultBlock = Infer<typeof searchResultBlock>;
