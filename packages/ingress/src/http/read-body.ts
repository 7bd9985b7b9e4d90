import { isObject, type JsonObject } from '../json.ts';
import { Refusal } from './refusal.ts';

/** The body of a request: a JSON object, and its text. */
export interface Body {
  readonly value: JsonObject;
  readonly text: string;
}

/** Reads the body of a request. Refuses what is larger than allowed, before it is all read, and what is no JSON object. */
export async function readBody(request: Request, maxBytes: number): Promise<Body> {
  const text = await readText(request, maxBytes);
  let value: unknown;
  try {
    value = text === '' ? {} : JSON.parse(text);
  } catch {
    throw new Refusal(400, 'invalid_request_error', 'the body is not JSON');
  }
  if (!isObject(value)) throw new Refusal(400, 'invalid_request_error', 'the body is no JSON object');
  return { value, text };
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  const tooLarge = () => new Refusal(413, 'request_too_large', `a body may have ${maxBytes} bytes`);
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge();
  if (request.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of request.body as unknown as AsyncIterable<Uint8Array>) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) throw tooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
