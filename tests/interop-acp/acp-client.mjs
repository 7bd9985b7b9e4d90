import { spawn } from 'node:child_process';
import { Readable, Writable } from 'node:stream';
import { client, methods, ndJsonStream } from '@agentclientprotocol/sdk';

/**
 * An editor: the published client library of the Agent Client Protocol over the stdio of an adapter. It records everything that the adapter sends, and
 * asks `onPermission` and `onForm` for each question.
 */
export class AcpClient {
  /** The notifications so far, in order. */
  notifications = [];
  /** The notifications and requests so far, in order. */
  received = [];
  /** The permission requests so far, in order. */
  permissions = [];
  /** The forms that the user was asked to fill in so far, in order. */
  forms = [];
  stderr = '';
  /**
   * Answers a permission request, at once or later. Replace it in a scenario. Default: the request is refused.
   *
   * @type {(request: any) => object | Promise<object>}
   */
  onPermission = (request) => chosen(request, 'reject_once');
  /**
   * Fills in a form. Replace it in a scenario. Default: the form is declined.
   *
   * @type {(request: any) => object | Promise<object>}
   */
  onForm = () => ({ action: 'decline' });
  #child;
  #connection;
  #waiting = new Set();

  constructor(command, args, options) {
    this.#child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    this.exited = new Promise((resolve) => this.#child.on('close', (code, signal) => resolve({ code, signal })));
    const { readable, writable } = ndJsonStream(Writable.toWeb(this.#child.stdin), Readable.toWeb(this.#child.stdout));
    const record = new TransformStream({
      transform: (message, controller) => {
        this.#record(message);
        controller.enqueue(message);
      },
    });
    this.#connection = client({ name: 'interop' })
      .onNotification(methods.client.session.update, () => {})
      .onRequest(methods.client.session.requestPermission, async ({ params }) => ({
        outcome: await this.onPermission(params),
      }))
      .onRequest(methods.client.elicitation.create, ({ params }) => this.onForm(params))
      .connect({ readable: readable.pipeThrough(record), writable });
  }

  /** Sends a request. Rejects with the error of the adapter, whose `code` and `data` are those of JSON-RPC. */
  request(method, params = {}) {
    return this.#connection.agent.request(method, params).finally(() => this.#look());
  }

  notify(method, params) {
    return this.#connection.agent.notify(method, params);
  }

  /** The updates of a session, or those of one kind. */
  updates(sessionId, kind) {
    return this.notifications
      .filter(({ method, params }) => method === 'session/update' && params.sessionId === sessionId)
      .map(({ params }) => params.update)
      .filter(({ sessionUpdate }) => kind === undefined || sessionUpdate === kind);
  }

  /** The text of all chunks of one kind. */
  text(sessionId, kind = 'agent_message_chunk') {
    return this.updates(sessionId, kind)
      .map(({ content }) => content.text ?? '')
      .join('');
  }

  /** Fulfils with the first value of `find` that is not undefined. It is called now and after each message of the adapter. */
  until(find) {
    return new Promise((resolve) => {
      const look = () => {
        const found = find();
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** Closes the input, which ends the adapter. Fulfils with how it has ended. */
  close() {
    this.#child.stdin.end();
    return this.exited;
  }

  kill() {
    this.#child.kill('SIGKILL');
    return this.exited;
  }

  #record({ id, method, params }) {
    if (method === undefined) return;
    this.received.push({ method, params });
    if (id === undefined) this.notifications.push({ method, params });
    if (method === methods.client.session.requestPermission) this.permissions.push(params);
    if (method === methods.client.elicitation.create) this.forms.push(params);
    // The library handles the message after it has been recorded.
    setImmediate(() => this.#look());
  }

  #look() {
    for (const look of this.#waiting) look();
  }
}

/** Returns the outcome that chooses the option of this kind. */
export function chosen({ options }, kind) {
  const option = options.find((offered) => offered.kind === kind);
  if (option === undefined) throw new Error(`no option ${kind} in ${JSON.stringify(options)}`);
  return { outcome: 'selected', optionId: option.optionId };
}
