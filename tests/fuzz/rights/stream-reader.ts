import { get } from 'node:http';
import { openSocket } from '../server/raw-socket.ts';

/** A reader of a session. */
export interface StreamReader {
  readonly name: string;
  /** The status of the answer, or 101. */
  readonly status: number;
  /** The received text, unchanged. */
  readonly text: string;
  /** The messages in the received text. */
  readonly messages: readonly Message[];
  /** Fulfils with true when the check passes, and with false after some seconds. */
  until(isSo: () => boolean): Promise<boolean>;
  close(): void;
}

/** The members of a message that the checks use. */
export type Message = Readonly<Record<string, unknown>>;

/** How a reader reads: by an event stream, by a WebSocket with plain lines, or by a WebSocket in resumable mode. */
export const MEDIA = ['sse', 'bare', 'sjp.v1'] as const;
export type Medium = (typeof MEDIA)[number];

const LONG_MS = 10_000;

/** Follows an event stream. */
export function readEvents(name: string, url: string, token?: string): Promise<StreamReader> {
  return new Promise((resolve) => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const asked = get(url, { agent: false, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', () => {});
      const messages = () =>
        text
          .split('\n\n')
          .slice(0, -1)
          .flatMap((frame) => {
            const data = /^data: (.*)$/m.exec(frame)?.[1];
            const payload = data === undefined ? undefined : (parsed(data)['payload'] as Message | undefined);
            return payload === undefined ? [] : [payload];
          });
      resolve(
        reader(
          name,
          response.statusCode ?? 0,
          () => text,
          messages,
          () => asked.destroy(),
        ),
      );
    });
    asked.once('error', () =>
      resolve(
        reader(
          name,
          0,
          () => '',
          () => [],
          () => {},
        ),
      ),
    );
  });
}

/** Follows a WebSocket. Returns the socket as well, to send messages. */
export async function readSocket(name: string, url: string, medium: Medium, token?: string) {
  const protocol = medium === 'sjp.v1' ? medium : undefined;
  const socket = await openSocket(url, { token, protocol });
  if (protocol !== undefined) await socket.say(`{"ack":0,"stream":"${name.replaceAll(' ', '-')}","from":1}\n`);
  const messages = () =>
    socket.messages
      .flatMap((frame) => frame.split('\n'))
      .filter((line) => line !== '')
      .map(parsed)
      .flatMap((line) => (protocol === undefined ? [line] : 'data' in line ? [line['data'] as Message] : []));
  return Object.assign(
    reader(
      name,
      socket.status,
      () => socket.messages.join(''),
      messages,
      () => socket.cut(),
    ),
    {
      socket,
    },
  );
}

function reader(
  name: string,
  status: number,
  text: () => string,
  messages: () => readonly Message[],
  close: () => void,
): StreamReader {
  // The text is parsed again only if more text has arrived.
  let [known, length]: [readonly Message[], number] = [[], 0];
  return {
    name,
    status,
    get text() {
      return text();
    },
    get messages() {
      const now = text().length;
      if (now !== length) [known, length] = [messages(), now];
      return known;
    },
    async until(isSo) {
      for (const end = performance.now() + LONG_MS; !isSo(); ) {
        if (performance.now() > end) return false;
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      return true;
    },
    close,
  };
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}
