// Faults of hosts; see ../faults.mjs.

/** @type {readonly import('./plant.mjs').Fault[]} */
export const host = [
  {
    id: 'host/forgets-the-handshake',
    in: 'host createHostSession',
    find: 'this.initialized = $options.hasInput === false ? this.#$listen() : $handshake.start();',
    becomes:
      'this.initialized = ($options.hasInput === false ? this.#$listen() : $handshake.start()).then(() => ({}) as never);',
    rows: ['S4-12'],
  },
  {
    id: 'host/leaves-calls-waiting',
    in: 'core createSession',
    find: '$pending.close($reason);',
    becomes: '',
    rows: ['R-6.2'],
  },
  {
    id: 'host/answers-what-was-taken-back',
    in: 'core createRequestHandlers',
    find: 'if ($entry.cancelled !== undefined) return;',
    becomes: '',
    rows: ['R-8.6'],
  },
  {
    id: 'host/leaves-after-the-turn',
    in: 'host MessageReader.untilResult',
    find: 'if ($isOver) return $DONE;',
    becomes: 'if ($isOver) return (await this.#items.return?.()) ?? $DONE;',
    rows: ['R-9.3'],
  },
  {
    id: 'host/asks-for-what-is-not-there',
    in: 'host HostWire',
    find: 'if ($unsupported !== undefined) return Promise.reject($unsupported);',
    becomes: '',
    rows: ['R-14.1'],
  },
  {
    id: 'host/loses-nothing',
    in: 'host createHostSession',
    find: "void this.closed.then(() => $deliveries.end($follower.promptsLeft > 0 ? 'lost' : 'done'));",
    becomes: '',
    rows: ['R-24.1'],
  },
  {
    id: 'host/down-is-no',
    in: 'host Permissions',
    find: "const $policy = this.#$options.onDisconnect ?? 'hold';",
    becomes: "const $policy = this.#$options.onDisconnect ?? 'deny';",
    rows: ['R-8.5'],
  },
  {
    id: 'host-turns/prompts-share-an-id',
    in: 'host HostInput',
    find: 'const { uuid: $uuid = this.#$createId() } = $members as { readonly uuid?: string };',
    becomes: "const { $uuid = 'prompt' } = $members as { readonly $uuid?: string };",
    rows: ['S4-07'],
  },
  {
    id: 'host-turns/ends-input-with-tasks',
    in: 'host mayEndInput',
    find: 'return $promptsEnded && $openRequests === 0 && $isIdle && $backgroundTasks === 0;',
    becomes: 'return $promptsEnded && $openRequests === 0 && $isIdle;',
    rows: ['R-3.1'],
  },
  {
    id: 'host-turns/interrupt-too-early',
    in: 'host createHostSession',
    find: 'await this.initialized.catch(() => {});',
    becomes: '',
    rows: ['R-17.2'],
  },
  {
    id: 'host-turns/only-messages-are-life',
    in: 'host Watchdog',
    find: 'const $heardAt = Math.max(this.#$since, $lastByteAt, $lastMessageAt);',
    becomes: 'const $heardAt = Math.max(this.#$since, $lastMessageAt);',
    rows: ['R-29.1'],
  },
  {
    id: 'host-turns/text-twice',
    in: 'host createTextAssembler',
    find: 'if ($given.startsWith($text)) { $$rest }',
    becomes: 'if ($given === `${$text} `) { $$rest }',
    rows: ['R-35.1'],
  },
  {
    id: 'host-turns/result-is-no-end',
    in: 'host INITIAL_STREAM_REPORT',
    find: "if (!$pending.delete($toolUseId)) $extra.push({ code: 'extra-tool-result', toolUseId: $toolUseId });",
    becomes: "if (!$pending.has($toolUseId)) $extra.push({ code: 'extra-tool-result', $toolUseId });",
    rows: ['S4-24'],
  },
];
