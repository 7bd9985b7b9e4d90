import { createLineDecoder, encodeLine, parseLine } from '@proto/core/framing';

/** Returns what is wrong with a message, or undefined for a valid message. Replace this function with a check for your own format. */
export function checkRecord({ type, text }) {
  if (!['info', 'warning', 'error'].includes(type)) return 'unknown-type';
  return typeof text === 'string' ? undefined : 'no-text';
}

/**
 * Creates a stream from NDJSON bytes to NDJSON bytes. Each line that is not blank becomes one line: `{ line, record }`, or `{ line, error, … }` with
 * the reason why the line is refused. A bad line does not stop the stream. If a body exceeds `maxBodyBytes`, the stream ends with a last line that
 * reports this error.
 *
 * A `TransformStream` has back pressure: while nobody reads its output, it accepts no more input.
 */
export function checkLines({ maxLineBytes, maxBodyBytes, counts, check = checkRecord }) {
  const decoder = createLineDecoder({ maxLineBytes });
  const encoder = new TextEncoder();
  let line = 0;
  let bytes = 0;

  const refuse = (details) => {
    counts.refused++;
    return encodeLine({ line, ...details });
  };
  function answer(item) {
    line++;
    if (typeof item !== 'string') return refuse({ error: 'line-too-large', bytes: item.bytes, limit: item.limit });
    const { message, malformed } = parseLine(item);
    const error = malformed ?? check(message);
    if (error !== undefined) return refuse({ error });
    counts.accepted++;
    return encodeLine({ line, record: message });
  }
  // One piece of output for each piece of input, however many lines it has.
  function put(controller, items) {
    if (items.length > 0) controller.enqueue(encoder.encode(items.map(answer).join('')));
  }

  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      counts.bytes += chunk.length;
      if (bytes <= maxBodyBytes) return put(controller, decoder.push(chunk));
      line++;
      controller.enqueue(encoder.encode(refuse({ error: 'body-too-large', limit: maxBodyBytes })));
      return controller.terminate();
    },
    flush: (controller) => put(controller, decoder.end()),
  });
}
