// Faults of views of sessions; see ../faults.mjs.

/** @type {readonly import('./plant.mjs').Fault[]} */
export const view = [
  {
    id: 'view/keeps-texts-with-holes',
    in: 'host ViewedSession.link',
    find: 'this.#$streaming.dropAll();',
    becomes: '',
    breaks: ['VIEW-1'],
  },
  {
    id: 'view/shows-complete-blocks-twice',
    in: 'host ViewedSession',
    find: "this.#$streaming.complete(callIdOf($message), Object($message['message']).id, blocksIn($message));",
    becomes: '',
    breaks: ['VIEW-1'],
  },
  {
    id: 'view/doubles-own-prompts',
    in: 'host Prompts.add',
    find: 'const $known = $uuid === undefined ? undefined : this.#$known.get($uuid);',
    becomes: 'const $known = undefined as never;',
    breaks: ['VIEW-1'],
  },
  {
    id: 'view/guesses-the-turn-of-prompts-on-their-way',
    in: 'host Prompts.place',
    find: "$item.state !== 'lost' && ($isConfirmed || !this.#$confirms)",
    becomes: "$item.state !== 'lost'",
    breaks: ['VIEW-1'],
  },
  {
    id: 'view/ends-prompts-before-their-turns',
    in: 'host createSessionView',
    find: '$order.after($followed?.counters.messages ?? 0, $run)',
    becomes: '$order.after(0, $run)',
    breaks: ['VIEW-1'],
  },
  {
    id: 'view/copies-turns-for-increments',
    in: 'host ViewedSession',
    find: 'if (this.#$streaming.add($message) || $isBeginning) this.#$changed();',
    becomes:
      'this.#conversation.turns.last?.changed();\n    if (this.#$streaming.add($message) || $isBeginning) this.#$changed();',
    breaks: ['VIEW-2'],
  },
  {
    id: 'view/new-snapshot-for-nothing',
    in: 'host ViewedSession.snapshot',
    find: 'if (this.#$snapshot === undefined || !isSame(this.#$snapshot, $next)) this.#$snapshot = $next;',
    becomes: 'this.#$snapshot = $next;',
    breaks: ['VIEW-2'],
  },
  {
    id: 'view/answers-twice',
    in: 'host WaitingQuestions',
    find: 'const $settle = this.#$waiting.get($id)?.settle;',
    becomes: 'const $settle = this.#$waiting.get($id)?.settle ?? (() => {});',
    breaks: ['VIEW-3'],
  },
  {
    id: 'view/keeps-withdrawn-questions',
    in: 'host WaitingQuestions.ask',
    find: 'this.close($id);',
    becomes: '',
    breaks: ['VIEW-3'],
  },
  {
    id: 'view/drops-blocks-of-unknown-type',
    in: 'host Conversation',
    find: "return $thread.add({ kind: 'block', id: this.#$id(), $block });",
    becomes: 'return undefined;',
    breaks: ['VIEW-4'],
  },
  {
    id: 'view/drops-results-of-unknown-calls',
    in: 'host Conversation',
    find: 'const $slot = this.#$slotOf(String($id), $at);',
    becomes: 'const $slot = this.#calls.get(String($id));\n    if ($slot === undefined) return;',
    breaks: ['VIEW-4'],
  },
];
