/** @typedef {import('./traces.mjs').Moment} Moment */
/** @typedef {import('./traces.mjs').Data} Data */
/** @typedef {{ steps: readonly Data[], features: ReadonlySet<string> }} Draft The steps of a case, and what happens in it. */

const PARTIES = ['viewer1', 'viewer2', 'worker1', 'worker2'];
const UUID = '00000000-0000-4000-8000-';

/**
 * Turns a run of the model into steps for a server that can be observed only from outside. A step sends each request when the server of the model
 * accepts the request. The answer is lost if the sender in the model does not receive it. `undefined` if the server of the run is killed before it
 * has stored what it accepted, because no step can cause this.
 * @param {readonly Moment[]} moments
 * @returns {Draft | undefined}
 */
export function caseOfTrace(moments) {
  const run = new Run(moments);
  for (let at = 1; at < moments.length; at++) {
    if (!run.take(at)) return undefined;
  }
  return run.end();
}

class Run {
  /** @type {Data[]} */
  #steps = [{ worker: 'lease1' }];
  /** @type {Set<string>} */
  #features = new Set();
  /** @type {Map<string, string>} The name of the open link of a reader. */
  #links = new Map();
  /** @type {Map<string, Data>} The messages by their ids. Each message is one object, so that the YAML contains it once. */
  #messages = new Map();
  /** @type {Map<string, ReadonlySet<string>>} The requests that were answered when a link was opened. */
  #settled = new Map();
  #opened = 0;
  #moments;

  /** @param {readonly Moment[]} moments */
  constructor(moments) {
    this.#moments = moments;
    for (const reader of ['viewer1', 'viewer2', 'worker1']) this.#open(reader, 0, 0);
  }

  /** Adds the steps of a moment. Returns false if no step can cause the moment. @param {number} at */
  take(at) {
    const { action, picks } = this.#moment(at);
    const before = this.#moment(at - 1).state;
    const { party, reader, serial } = picks;
    if (action === 'restarts') return this.#restart(picks['kept'] === before['log'].length);
    if (action === 'takesLease') this.#lease(at, picks['worker']);
    if (action === 'takes') this.#post(at, picks['post']);
    if (action === 'requestBreaks' && picks['isLost']) this.#lose(before['posts'].find(isPost(party, serial)));
    if (action === 'connects') this.#open(reader, at, before['clients'][reader].cursor);
    if (action === 'streamBreaks') this.#cut(reader);
    if (action === 'gets') this.#expect(reader, before['links'][reader].copies[0]);
    return true;
  }

  /** Adds the steps that read the whole log, which has to be the same as the log of the model. @returns {Draft} */
  end() {
    const { log } = this.#moment(this.#moments.length - 1).state;
    if (log.length > 0) {
      const settled = settledIn(log);
      this.#settled.set('whole', settled);
      this.#steps.push({ open: 'whole', from: 0 });
      for (const [index, { message }] of log.entries()) this.#expected('whole', index + 1, message);
      if (settled.size === 0) this.#steps.push({ 'expect-numbers': { first: 1, last: log.length }, of: ['whole'] });
    }
    return { steps: this.#steps, features: this.#features };
  }

  /** @param {number} at @returns {Moment} */
  #moment(at) {
    const moment = this.#moments[at];
    if (moment === undefined) throw new Error(`The run has no moment ${at}.`);
    return moment;
  }

  /** @param {boolean} isStored */
  #restart(isStored) {
    this.#links.clear();
    this.#features.add('restart');
    this.#steps.push({ restart: {} });
    return isStored;
  }

  /** @param {number} at @param {string} worker */
  #lease(at, worker) {
    for (const name of ['worker1', 'worker2']) this.#links.delete(name);
    const { epoch, clients } = this.#moment(at).state;
    this.#features.add(clients[worker].waiting.length > 0 ? 'lease-with-unsent' : 'lease');
    this.#steps.push({ worker: `lease${epoch}` });
  }

  /** @param {number} at @param {Data} post */
  #post(at, post) {
    const { log, clients } = this.#moment(at - 1).state;
    const { replies } = this.#moment(at).state;
    const { conflict, refused } = replies.find((/** @type {Data} */ reply) =>
      isPost(post.from, post.serial)(reply.post),
    );
    const isLearnt = this.#moments.slice(at).some(({ action, picks, state: _ }, later) => {
      if (action !== 'learns' || !isPost(post.from, post.serial)(picks['reply'].post)) return false;
      return this.#moment(at + later - 1).state['clients'][post.from].underWay.includes(post.serial);
    });
    const known = post.messages.filter((/** @type {Data} */ message) =>
      log.some((/** @type {Data} */ event) => same(event.message, message)),
    );
    if (conflict) this.#features.add('conflict');
    else if (known.length > 0)
      this.#features.add(known.length < post.messages.length ? 'repeated-with-new' : 'repeated');
    if (!conflict && refused.length > 0) this.#features.add('late-answer');
    if (!clients[post.from].underWay.includes(post.serial)) this.#features.add('late-request');
    else if (!isLearnt) this.#features.add('answer-lost');
    this.#steps.push({
      ...this.#request(post),
      ...(isLearnt
        ? conflict
          ? { status: 409, spec: 'WRK-4' }
          : refused.length > 0 && { status: { $any: true } }
        : { loses: 'answer' }),
    });
  }

  /** @param {Data | undefined} post */
  #lose(post) {
    // If `post` is undefined, the server has already accepted the request, so only its answer is lost.
    if (post === undefined) return;
    this.#features.add('request-lost');
    this.#steps.push({ ...this.#request(post), loses: 'request' });
  }

  /** @param {Data} post */
  #request({ messages, epoch }) {
    const post = messages.map((/** @type {Data} */ message) => this.#message(message));
    return { post, ...(epoch > 0 && { role: `lease${epoch}` }) };
  }

  /** Opens a link that delivers something before it ends. @param {string} reader @param {number} at @param {number} from */
  #open(reader, at, from) {
    const { epoch, log } = this.#moment(at).state;
    const rest = this.#moments.slice(at + 1);
    const endsAt = rest.findIndex(({ action, picks }) =>
      action === 'streamBreaks' || action === 'connects' ? picks['reader'] === reader : endsLinks(action, reader),
    );
    const life = endsAt < 0 ? rest : rest.slice(0, endsAt);
    if (!life.some(({ action, picks }) => action === 'gets' && picks['reader'] === reader)) return;
    this.#opened += 1;
    const link = `${reader}-${this.#opened}`;
    this.#links.set(reader, link);
    if (reader.startsWith('viewer')) this.#settled.set(link, settledIn(log));
    const isCut = rest[endsAt]?.action === 'streamBreaks';
    if (from > 0) this.#features.add(reader.startsWith('worker') ? 'worker-resumes' : 'viewer-resumes');
    this.#steps.push({
      open: link,
      ...(reader.startsWith('worker') && { role: `lease${epoch}` }),
      from,
      ...(isCut && { proxied: true }),
    });
  }

  /** @param {string} reader */
  #cut(reader) {
    const link = this.#links.get(reader);
    this.#links.delete(reader);
    if (link !== undefined) this.#steps.push({ cut: link });
  }

  /** @param {string} reader @param {Data} copy */
  #expect(reader, { place, message }) {
    const link = this.#links.get(reader);
    if (link === undefined) throw new Error(`${reader} reads without a link.`);
    if (message.kind.tag === 'Answers') this.#features.add('answer-read');
    this.#expected(link, place, message);
  }

  /** A server may keep a request from a viewer that connects after it was answered (REM-30). @param {string} by @param {number} id @param {Data} message */
  #expected(by, id, message) {
    const { uuid } = this.#message(message);
    if (this.#settled.get(by)?.has(uuid)) return;
    const spec = specOf(by, message);
    this.#steps.push({
      expect: { uuid, frame: { kind: 'client_event', id } },
      by,
      ...(spec !== undefined && { spec }),
    });
  }

  /** @param {Data} message @returns {Data} */
  #message({ id, kind }) {
    const uuid = uuidOf(id);
    const known = this.#messages.get(uuid);
    if (known !== undefined) return known;
    const made = { uuid, ...contentOf(id, kind) };
    this.#messages.set(uuid, made);
    return made;
  }
}

/** @param {Data} id @param {Data} kind @returns {Data} */
function contentOf(id, kind) {
  const text = `${id.from} ${id.number}`;
  if (kind.tag === 'Asks') {
    const request = { subtype: 'can_use_tool', tool_name: 'Bash', input: {}, tool_use_id: text };
    return { type: 'control_request', request_id: text, request };
  }
  if (kind.tag === 'Answers') {
    const request_id = `${kind.value.from} ${kind.value.number}`;
    const response = { behavior: 'deny', message: text };
    return { type: 'control_response', response: { subtype: 'success', request_id, response } };
  }
  if (id.from.startsWith('viewer'))
    return { type: 'user', parent_tool_use_id: null, message: { role: 'user', content: text } };
  return { type: 'assistant', message: { role: 'assistant', content: [{ type: 'text', text }] } };
}

/** @param {Data} id */
function uuidOf({ from, number }) {
  return `${UUID}${String(PARTIES.indexOf(from) + 1).padStart(6, '0')}${String(number).padStart(6, '0')}`;
}

/**
 * The requirement that is broken if a link does not deliver a message; `undefined` for the link that reads the whole log at the end.
 * @param {string} by
 * @param {Data} message
 */
function specOf(by, { kind }) {
  if (by.startsWith('worker')) return kind.tag === 'Answers' ? 'REM-53' : 'REM-26';
  return by.startsWith('viewer') ? 'EVS-31' : undefined;
}

/** The ids of the requests that a log answers. @param {readonly Data[]} log @returns {ReadonlySet<string>} */
function settledIn(log) {
  const answers = log.filter(({ message }) => message.kind.tag === 'Answers');
  return new Set(answers.map(({ message }) => uuidOf(message.kind.value)));
}

/** Whether an action ends the link of a reader without naming the reader. @param {string} action @param {string} reader */
function endsLinks(action, reader) {
  return action === 'restarts' || (action === 'takesLease' && reader.startsWith('worker'));
}

/** @param {string} from @param {number} serial @returns {(post: Data) => boolean} */
function isPost(from, serial) {
  return (post) => post['from'] === from && post['serial'] === serial;
}

/** @param {Data} a @param {Data} b */
function same(a, b) {
  return a['id'].from === b['id'].from && a['id'].number === b['id'].number;
}
