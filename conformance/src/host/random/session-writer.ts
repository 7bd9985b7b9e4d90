import { AgentMessages, INITIALIZE_ANSWER } from '@proto/testkit/fakes';
import type { Random, Step } from '@proto/testkit/steps';

import { Choices } from '../../random/choices.ts';
import type { HostStart } from '../host-steps.ts';

const EVENTS = [
  { event: 'PreToolUse', matcher: 'Bash' },
  { event: 'PreToolUse', matcher: 'Write|Edit' },
  { event: 'PreToolUse' },
  { event: 'PostToolUse' },
  { event: 'UserPromptSubmit' },
  { event: 'Stop' },
  { event: 'ConformanceEvent', matcher: 'Bash' },
  { event: 'toString' },
];
const MATCHERS = [
  'Bash|mcp__.*',
  '^Bash$',
  '.*',
  '*',
  '',
  'mcp__lab__echo ü',
  'Write , Edit',
  '(a|b)\\.c',
  'Notebook.+$',
];
const LARGE_TIMES = 40_000;
// If a large text is cut several times, at least one cut is within a character of two UTF-16 units, wherever the cuts are.
const WIDE = '\u{1F600}\u{1F600}a';

type Prompt = NonNullable<HostStart['prompts']>[number];

const LAST_UUID = '00000000-0000-4000-8000-00000000ffff';

/** A message without LF, after which the agent exits. */
export const LAST_LINE = JSON.stringify({
  ...new AgentMessages().assistant([{ type: 'text', text: 'The last line.' }]),
  uuid: LAST_UUID,
  session_id: 's',
});

/** How a generated session ends: after everything is done, or in the middle. */
type End = 'settled' | 'exit' | 'close';

export class SessionWriter extends Choices {
  readonly start: HostStart;
  readonly features: ReadonlySet<string>;
  /** The ids of the agent's requests so far. */
  readonly requests: string[] = [];
  /** Steps with which the user decides questions later, each with the id of the agent's request. */
  readonly undecided: { readonly id: string; readonly step: Step }[] = [];
  /** The MCP servers to which the agent has connected. */
  readonly connected = new Set<string>();
  /** The `tool_use_id` of the newest permission request. */
  askedCall: string | undefined;
  isInTurn = false;
  readonly #end: End;
  /** Whether the user has asked for the input to stay open, so that the agent can ask at any time. */
  readonly isOpen: boolean;
  #prompts: number;
  #answered = 0;
  #numbers = 0;
  #isInitializeHeld = false;
  #hasReported = false;

  constructor(random: Random, features: ReadonlySet<string>) {
    super(random);
    this.features = features;
    this.isOpen = features.has('open-input') && this.isLucky(0.85);
    const count = features.has('open-input') ? 1 + this.below(3) : 1;
    this.#prompts = count;
    this.#isInitializeHeld = this.isOpen && this.isLucky(0.15);
    const options = this.#options();
    this.start = {
      prompts: Array.from({ length: count }, () => this.promptText()),
      ...(count > 1 && this.isLucky(0.3) ? { together: true } : {}),
      ...(this.isOpen ? { open: true } : {}),
      options,
      hold: ['set_model', 'interrupt', ...(this.#isInitializeHeld ? ['initialize'] : [])],
      ...(this.canAnswer ? {} : { answers: { permission: { value: this.oneOf([{ behavior: 'allow' }, DENY]) } } }),
    };
    this.#end = this.isOpen ? this.#chooseEnd() : 'settled';
  }

  /** Whether the user can answer questions while the session runs. */
  get canAnswer(): boolean {
    return this.features.has('adapter');
  }

  /** Whether the agent may ask something now, so that the host has to answer. */
  get canAsk(): boolean {
    return this.isOpen || this.#answered < this.#prompts;
  }

  canCall(method: string): boolean {
    return this.isOpen && this.features.has(method) && this.canAnswer && !this.#isInitializeHeld;
  }

  /** Whether the user may call a method although the agent has not answered `initialize`. */
  canCallEarly(method: string): boolean {
    return this.isOpen && this.features.has(method) && this.canAnswer && this.#isInitializeHeld;
  }

  number(): number {
    return ++this.#numbers;
  }

  /** The text of a prompt, which differs from the texts of all other prompts. */
  promptText(): Prompt {
    const name = `prompt ${this.number()}`;
    if (this.features.has('blocks') && this.isLucky(0.2))
      return [
        { type: 'text', text: name },
        { type: 'text', text: `\u2028 second block of ${name}` },
      ];
    return this.oneOf<Prompt>([
      name,
      name,
      name,
      `  ${name}\twith \n\n white  space `,
      `${name} \u2028 \u0085 "ä" \u{1F600}`,
      // A large prompt fills the pipe to the agent. A host without adapter gets its prompts as arguments, which cannot be large.
      ...(this.canAnswer
        ? [
            { $repeat: `${name} `, times: 10_000 },
            { $repeat: WIDE, times: 80_000 },
          ]
        : []),
    ]);
  }

  begin(): readonly Step[] {
    const { hooks = [] } = this.start.options ?? {};
    return [
      { serve: SERVED },
      ...(hooks.length > 0
        ? [
            {
              expect: { type: 'control_request', request: { subtype: 'initialize', hooks: registered(hooks) } },
              anywhere: true,
              as: 'initialize',
              spec: 'HOK-38',
            },
          ]
        : []),
    ];
  }

  /** Answers `initialize` if it is still open. */
  initialize(): readonly Step[] {
    if (!this.#isInitializeHeld) return [];
    this.#isInitializeHeld = false;
    return [{ serve: { initialize: INITIALIZE_ANSWER } }];
  }

  prompt(): readonly Step[] {
    this.#prompts += 1;
    return [{ call: 'prompt', with: { text: this.promptText() }, as: `call-${this.number()}` }];
  }

  decideOne(): readonly Step[] {
    return this.undecided.splice(this.below(this.undecided.length), 1).map(({ step }) => step);
  }

  /** The end of a turn. It answers a prompt only if the host has sent the prompt before. */
  endTurn(members: object = {}): readonly Step[] {
    const isAnswer = !this.#isInitializeHeld && (!this.isOpen || this.isLucky(0.5));
    const steps = isAnswer ? this.settle() : [];
    if (isAnswer) this.#answered = Math.min(this.#answered + 1, this.#prompts);
    this.isInTurn = false;
    return [...steps, { 'end-turn': members }];
  }

  /** Whether the agent may run a turn without ending the session. */
  get hasTurn(): boolean {
    return this.isOpen || this.#answered + 1 < this.#prompts;
  }

  /** Reports a state. An agent that has reported a state also reports `idle` after its last result. */
  reportState(state: string): readonly Step[] {
    this.#hasReported = true;
    return [{ say: { type: 'system', subtype: 'session_state_changed', state, uuid: '${uuid}', session_id: 's' } }];
  }

  /** Lets the host catch up, and checks that it has done everything. */
  settle(): readonly Step[] {
    if (!this.canAsk) return [];
    const id = `probe-${this.number()}`;
    const probe = { type: 'control_request', request_id: id, request: { subtype: 'conformance_probe' } };
    return [{ say: probe }, { await: 'settled' }];
  }

  end(): readonly Step[] {
    if (this.#end === 'exit') return this.#exit();
    if (this.#end === 'close')
      return [
        ...(this.isInTurn || this.#isInitializeHeld || this.isLucky(0.4) ? [] : [{ 'begin-turn': {} }]),
        { call: 'close', as: 'close' },
        { expect: { event: 'end-of-input' }, anywhere: true, spec: 'CLI-26' },
        { exit: 0 },
      ];
    const steps = [
      ...this.initialize(),
      { serve: SERVED },
      ...this.shuffled(this.undecided).map(({ step }) => step),
      ...this.settle(),
    ];
    while (this.#answered < this.#prompts || this.isInTurn) steps.push(...this.endTurn());
    if (this.#hasReported) steps.push(...this.reportState('idle'));
    return this.isOpen ? [...steps, ...this.settle()] : [...steps, ...this.#afterTheInput()];
  }

  /** Sometimes, the agent writes a message without LF after the host has ended its input. */
  #afterTheInput(): readonly Step[] {
    if (!this.features.has('messages') || this.isLucky(0.5)) return [];
    return [
      { expect: { event: 'end-of-input' }, anywhere: true, spec: 'CLI-26' },
      ...(this.isLucky(0.5) ? [{ say: { type: 'keep_alive' }, spec: 'FRM-27' }] : []),
      // The agent still works for a while.
      ...(this.isLucky(0.3) ? [{ pieces: '{"type":"keep_alive"}\n', bytes: 12, every: 1200, spec: 'TRN-15' }] : []),
      ...this.#lastLine(),
    ];
  }

  #lastLine(): readonly Step[] {
    return [
      this.isLucky(0.6)
        ? { 'say-text': LAST_LINE + this.oneOf(['', ' \r']) }
        : { pieces: LAST_LINE, bytes: 1 + this.below(LAST_LINE.length), every: 20 },
      { exit: this.oneOf([0, 0, 1]) },
      { 'expect-handed-on': { type: 'assistant', uuid: LAST_UUID }, spec: 'FRM-6' },
    ];
  }

  #exit(): readonly Step[] {
    if (this.features.has('messages') && this.isLucky(0.3))
      return [
        // An answer of the agent must not follow a line without LF.
        ...this.settle(),
        ...this.#lastLine(),
      ];
    const cut = this.isLucky(0.3) ? [{ 'say-text': '{"type":"assistant","message":{"role"' }] : [];
    return [
      ...cut,
      this.isLucky(0.7) ? { exit: this.oneOf([0, 0, 1]) } : { kill: 'SIGKILL' },
      { 'expect-result': {}, spec: 'TRN-43' },
    ];
  }

  #chooseEnd(): End {
    if (this.isLucky(0.15)) return 'exit';
    return this.features.has('close') && this.canAnswer && this.isLucky(this.#isInitializeHeld ? 0.3 : 0.1)
      ? 'close'
      : 'settled';
  }

  #hook(): { readonly event: string; readonly matcher?: string } {
    const hook = this.oneOf(EVENTS);
    return 'matcher' in hook && this.isLucky(0.6) ? { ...hook, matcher: this.oneOf(MATCHERS) } : hook;
  }

  #options(): NonNullable<HostStart['options']> {
    const has = (name: string) => this.features.has(name) && this.isLucky(0.7);
    const hooks = Array.from({ length: 1 + this.below(4) }, () => this.#hook());
    return {
      ...(has('permissions') ? { permissions: true } : {}),
      ...(this.canAnswer && has('hooks') ? { hooks } : {}),
      ...(has('servers') ? { servers: this.isLucky(0.5) ? ['lab'] : ['lab', 'yard'] } : {}),
      ...(this.canAnswer && has('elicitation') ? { elicitation: true } : {}),
      ...(this.canAnswer && has('dialogs') ? { dialogs: this.isLucky(0.5) ? ['confirm'] : ['confirm', 'choose'] } : {}),
    };
  }
}

function registered(hooks: readonly { readonly event: string }[]): object {
  return Object.fromEntries(hooks.map(({ event }) => [event, { $type: 'array' }]));
}

export const DENY = { behavior: 'deny', message: 'Not this one.' };

/** How the agent answers the requests of the host, unless a step specifies a different answer. */
export const SERVED = { set_model: { model: '${served.request.model}' }, interrupt: { still_queued: [] } };

/** A text that does not fit into a pipe. */
export function largeText(): object {
  return { $repeat: `0123456789${WIDE}`, times: LARGE_TIMES };
}
