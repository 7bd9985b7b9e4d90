import type { Clock } from '@proto/core/reconnect';
import { withDeadline, toTransportError } from '@proto/core/network';
import { TransportError } from '@proto/core/transport';
import type { HttpResponse } from '../http.ts';
import { RequestFailed } from '../requests.ts';

export interface AnswerLimits {
  readonly clock: Clock;
  readonly maxBytes: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/**
 * Reads the text of an answer.
 * @throws {RequestFailed} with the action `retry`, for an answer that was cut off, is late or is too long. If the signal aborts, throws its reason.
 */
export async function answerText(response: HttpResponse, limits: AnswerLimits): Promise<string> {
  const { clock, timeoutMs: ms, signal } = limits;
  try {
    return await withDeadline(read(response, limits.maxBytes), { clock, ms, signal }, () => {
      throw new TransportError('timeout', 'sse: the answer did not end in time');
    });
  } catch (error) {
    signal.throwIfAborted();
    throw new RequestFailed(toTransportError(error), 'retry');
  }
}

async function read({ body }: HttpResponse, maxBytes: number): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let bytes = 0; reader !== undefined; ) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes += value?.byteLength ?? 0;
    if (bytes > maxBytes) {
      await reader.cancel();
      throw new TransportError('too-large', `sse: an answer is larger than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
  return text;
}
