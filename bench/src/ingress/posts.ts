/** An agent's message of about the usual length. */
const TEXT = 'The tests pass now. '.repeat(8);

let posted = 0;

/** Bodies of POSTs of the worker, each with its own messages. */
export function workerBodies(count: number, events: number): readonly string[] {
  return Array.from({ length: count }, () => bodyOf(events, { worker_epoch: 1 }));
}

/** Bodies of POSTs of a client, each with its own messages. */
export function clientBodies(count: number, events: number): readonly string[] {
  return Array.from({ length: count }, () => bodyOf(events, {}));
}

function bodyOf(count: number, members: object): string {
  const events = Array.from({ length: count }, () => {
    const uuid = `00000000-0000-4000-8000-${String(++posted).padStart(12, '0')}`;
    const message = { role: 'assistant', content: [{ type: 'text', text: TEXT }] };
    return { payload: { type: 'assistant', uuid, session_id: 's', message } };
  });
  return JSON.stringify({ ...members, events });
}
