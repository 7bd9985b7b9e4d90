/** A body that breaks off after so many bytes. */
export function bodyCutAfter(text: string, bytes: number): ReadableStream<Uint8Array> {
  const part = new TextEncoder().encode(text).subarray(0, bytes);
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent || part.length === 0) return controller.error(new TypeError('terminated'));
      isSent = true;
      controller.enqueue(part);
    },
  });
}

/** A response whose body is there as a whole. */
export async function textOf(response: Response): Promise<Response> {
  const { status, headers } = response;
  const text = await response.text();
  return new Response(text === '' ? null : text, { status, headers });
}
