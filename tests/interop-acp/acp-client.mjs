import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/**
 * A client of the Agent Client Protocol: JSON-RPC over the stdio of an adapter. It records every update of every session, and asks
 * `onPermission` for each permission request.
 */
export class AcpClient {
  /** The notifications so far, in order. */
  notifications = [];
  /** The notifications and requests so far, in order. */
  received = [];
  /** The permission requests so far, in order. */
  permissions = [];
  stderr = '';
  /**
   * Answers a permission request, at once or later. Replace it in a scenario. Default: the request is refused.
   *
   * @type {(request: any) => object | Promise<object>}
   */
  onPermission = (request) => chosen(request, 'reject_once');
  #child;
  #open = new Map();
  #waiting = new Set();
  #nextId = 0;

  constructor(command, args, options) {
    this.#child = spawn(command, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    createInterface({ input: this.#child.stdout }).on('line', (line) => void this.#receive(JSON.parse(line)));
    this.exited = new Promise((resolve) => this.#child.on('close', (code, signal) => resolve({ code, signal })));
    void this.exited.then((end) => {
      for (const { reject } of this.#open.values()) reject(new Error(`the adapter has ended: ${JSON.stringify(end)}`));
    });
  }

  /** Sends a request. Rejects with the error of the adapter, whose `code` and `data` are those of JSON-RPC. */
  request(method, params = {}) {
    const id = this.#nextId++;
    const answer = new Promise((resolve, reject) => this.#open.set(id, { resolve, reject }));
    this.#send({ id, method, params });
    return answer;
  }

  notify(method, params) {
    this.#send({ method, params });
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

  #send(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async #receive(message) {
    const { id, method, params, result, error } = message;
    if (method !== undefined) this.received.push({ method, params });
    if (method === undefined) {
      const { resolve, reject } = this.#open.get(id);
      this.#open.delete(id);
      if (error === undefined) resolve(result);
      else reject(Object.assign(new Error(error.message), { code: error.code, data: error.data }));
    } else if (id === undefined) this.notifications.push({ method, params });
    else if (method === 'session/request_permission') {
      this.permissions.push(params);
      for (const look of this.#waiting) look();
      this.#send({ id, result: { outcome: await this.onPermission(params) } });
    } else this.#send({ id, error: { code: -32_601, message: `Method not found: ${method}` } });
    for (const look of this.#waiting) look();
  }
}

/** Returns the outcome that chooses the option of this kind. */
export function chosen({ options }, kind) {
  const option = options.find((offered) => offered.kind === kind);
  if (option === undefined) throw new Error(`no option ${kind} in ${JSON.stringify(options)}`);
  return { outcome: 'selected', optionId: option.optionId };
}
