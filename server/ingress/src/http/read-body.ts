import { inSteps } from '../event-loop.ts';
import { cutBody, type CutBody, CutBodyError, type CutBodyOptions } from '../json/cut-body.ts';
import { refuseUntil } from '../rate/rate-limit.ts';
import { type BodyChunks, BodyText, chunksOfWeb } from './body-text.ts';
import { Refusal } from './refusal.ts';

/** The limit for small bodies: 64 KiB. */
export const MAX_SMALL_BODY_BYTES = 64 * 1024;

/** The limits for reading a body. */
export interface BodyLimits {
  readonly maxBytes: number;
  /** Called with a number of bytes before they are read. Returns the milliseconds to wait; 0 if the bytes may be read now. */
  readonly take: (bytes: number) => number;
}

/** The parts of a request that are needed to read its body. A `Request` has all of these members. */
export interface BodyRequest {
  readonly headers: Pick<Headers, 'get'>;
  readonly body: BodyChunks | Request['body'];
}

/**
 * Reads the body of a request and divides it into its parts. Refuses a body above the limits before reading all of it.
 * @throws {Refusal} with status 400, 413 or 429.
 */
export async function readBody(request: BodyRequest, limits: BodyLimits, list?: CutBodyOptions): Promise<CutBody> {
  const text = await readText(request, limits);
  if (text === '') return { members: {}, entries: undefined };
  try {
    return await inSteps(cutBody(text, list));
  } catch (error) {
    if (error instanceof CutBodyError) throw refusalOf(error);
    throw error;
  }
}

async function readText({ headers, body }: BodyRequest, { maxBytes, take }: BodyLimits): Promise<string> {
  const tooLarge = () => new Refusal(413, 'request_too_large', `a body may have at most ${maxBytes} bytes`);
  const length = Number(headers.get('content-length') ?? NaN);
  if (length > maxBytes) throw tooLarge();
  if (body === null) return '';
  // The whole length is counted at once, so that many bodies that begin at the same time are not all accepted.
  if (length > 0) refuseUntil(take(length), 'bytes');
  const text = new BodyText();
  let bytes = 0;
  const chunks = typeof body === 'function' ? body : chunksOfWeb(body as AsyncIterable<Uint8Array>);
  try {
    await chunks((chunk) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge();
      if (!(length > 0)) refuseUntil(take(chunk.byteLength), 'bytes');
      decoded(() => text.add(chunk));
    });
  } catch (error) {
    if (error instanceof Refusal) throw error;
    // The client closed the connection in the middle of the body, which is not a server error.
    throw new Refusal(400, 'invalid_request_error', 'the body was cut off');
  }
  return decoded(() => text.end());
}

function decoded<Result>(decode: () => Result): Result {
  try {
    return decode();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new Refusal(400, 'invalid_request_error', 'the body is not UTF-8');
  }
}

const WORDS: Readonly<Record<CutBodyError['reason'], string>> = {
  not_json: 'the body is not JSON',
  no_object: 'the body is not a JSON object',
  name_twice: 'an object in the body contains the same name twice',
  too_deep: 'the body is nested too deeply',
  too_many_values: 'the body contains too many values',
  too_many_entries: 'the list contains too many entries',
};

function refusalOf({ reason }: CutBodyError): Refusal {
  const isTooLarge = reason === 'too_many_entries';
  return new Refusal(isTooLarge ? 413 : 400, isTooLarge ? 'request_too_large' : 'invalid_request_error', WORDS[reason]);
}
