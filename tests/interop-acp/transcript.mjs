/**
 * What each session of a client has shown, as facts by name: the texts, the last state of each tool call, the permission requests, the title, the modes
 * and the usage. Facts do not depend on ids, times, and the sizes of chunks.
 * @param {import('./acp-client.mjs').AcpClient} client
 * @param {string} cwd
 * @returns {readonly Map<string, unknown>[]}
 */
export function transcriptOf(client, cwd) {
  const sessions = new Map();
  for (const { method, params } of client.received) {
    if (!method.startsWith('session/')) continue;
    const facts = sessions.get(params.sessionId) ?? new Facts(cwd);
    sessions.set(params.sessionId, facts);
    if (method === 'session/update') facts.add(params.update);
    else facts.ask(params);
  }
  const titleOf = (facts) => String(facts.get('call 1: title'));
  // Sessions that were opened at the same time have no order.
  return [...sessions.values()]
    .map((facts) => facts.all)
    .toSorted((one, other) => titleOf(one).localeCompare(titleOf(other)));
}

class Facts {
  all = new Map();
  #calls = new Map();
  #asked = 0;
  #cwd;

  constructor(cwd) {
    this.#cwd = cwd;
  }

  add({ sessionUpdate: kind, ...update }) {
    if (kind.endsWith('_chunk')) this.#put(kind, (this.all.get(kind) ?? '') + (update.content.text ?? '[image]'));
    else if (kind.startsWith('tool_call')) this.#call(update);
    else if (kind === 'session_info_update') this.#put('title', update.title);
    else if (kind === 'available_commands_update')
      this.#put(
        'commands',
        update.availableCommands.map(({ name }) => name),
      );
    else if (kind === 'config_option_update')
      this.#mode(update.configOptions.find(({ id }) => id === 'mode').currentValue);
    else if (kind === 'usage_update') this.#put('usage', update);
    else if (kind !== 'current_mode_update') this.#put(kind, update);
  }

  ask({ toolCall, options }) {
    this.#asked += 1;
    this.#call(toolCall);
    this.#put(`permission ${this.#asked}: options`, options.map(({ kind }) => kind).toSorted());
  }

  #call({ toolCallId, _meta, ...state }) {
    if (!this.#calls.has(toolCallId)) this.#calls.set(toolCallId, this.#calls.size + 1);
    for (const [member, value] of Object.entries(state))
      this.#put(`call ${this.#calls.get(toolCallId)}: ${member}`, value);
  }

  #mode(mode) {
    this.#put('modes', [...(this.all.get('modes') ?? []), mode]);
  }

  #put(name, value) {
    const text = JSON.stringify(value, (key, member) => (key === '_meta' ? undefined : member));
    const plain = text?.replaceAll(this.#cwd, '.').replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, 'ID');
    this.all.set(name, plain === undefined ? undefined : JSON.parse(plain));
  }
}
