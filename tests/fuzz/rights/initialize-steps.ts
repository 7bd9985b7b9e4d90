import { openSocket } from '../server/raw-socket.ts';
import { fixed } from './marks.ts';
import type { Room } from './room.ts';
import { spelled } from './spelling.ts';
import type { Step } from './step.ts';

/** Steps that send an approver's `initialize`: the server answers, and the agent never receives the request. */
export const INITIALIZE_STEPS: Readonly<Record<string, Step>> = {
  'initialize-of-an-approver': async (room, random, step) => {
    if (random() < 0.7 && !(await hasInitialized(room))) await initializeAsDriver(room, step);
    const wasAnswered = await hasInitialized(room);
    const mark = room.marks.forbid(
      step,
      `an initialize of an approver ${wasAnswered ? 'after' : 'before'} the initialize of a driver`,
      'the agent',
    );
    const bySocket = random() < 0.5;
    const type = spelled(random, 'control_request');
    const text = `{"type":${type},"request_id":"${mark}","request":{"subtype":"initialize","promptSuggestions":true}}`;
    room.marks.describe(mark, bySocket ? 'over a WebSocket' : 'as a POST', text);
    if (bySocket) await initializeBySocket(room, step, text, mark, wasAnswered);
    else await room.post(step, 'approver', { body: `{"events":[{"payload":${text}}]}` });
    if (wasAnswered && !bySocket && !(await isAnswered(room, mark))) {
      room.found(step, 'an initialize of an approver is not answered', text);
    }
  },
};

async function initializeBySocket(room: Room, step: string, text: string, mark: string, isToBeAnswered: boolean) {
  const socket = await openSocket(room.session.sockets.viewer, { token: room.session.token('approver') });
  await socket.say(`${text}\n`);
  await socket.proved();
  if (isToBeAnswered && !(await isAnswered(room, mark))) {
    room.found(step, 'an initialize of an approver over a WebSocket is not answered', text);
  }
  socket.cut();
}

async function initializeAsDriver(room: Room, step: string): Promise<void> {
  const id = `initialize-${room.unique()}`;
  const request = { subtype: 'initialize', hooks: { PreToolUse: [{ hookCallbackIds: ['h'] }] } };
  await room.driverSays(step, { type: 'control_request', request_id: id, request, uuid: id });
  if (!(await isAnswered(room, id))) room.found(step, 'an initialize of a driver is not answered', id);
}

async function hasInitialized(room: Room): Promise<boolean> {
  return room.readers.some(({ text }) => text.includes(`"request_id":"initialize-${fixed(room.session.number)}-`));
}

/** Returns whether readers get an answer to this request. */
function isAnswered(room: Room, requestId: string): Promise<boolean> {
  const [driver] = room.readers;
  if (driver === undefined) return Promise.resolve(false);
  return driver.until(() =>
    driver.messages.some(({ type, response }) => {
      const { request_id } = Object(response) as { request_id?: unknown };
      return type === 'control_response' && request_id === requestId;
    }),
  );
}
