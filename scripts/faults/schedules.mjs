// Faults of sessions across the network, for random schedules to find; see ../faults.mjs.

/** @type {readonly import('./plant.mjs').Fault[]} */
export const schedules = [
  {
    id: 'remote-session/no-dedupe',
    in: 'ingress placeOf',
    find: 'if ($holder === undefined) return { keepAs: $event.id };',
    becomes: 'return { keepAs: $event.id };',
    scenario: 'remote session',
  },
  {
    id: 'remote-session/deliver-before-append',
    in: 'ingress Session',
    find: 'const $events = $plans.flatMap(($plan) => $plan.events.map(({ event: $event }) => $event));',
    becomes:
      'const $events = $plans.flatMap(($plan) => $plan.events.map(({ $event }) => $event)); $events.forEach(($event, n) => this.#readers.push({ ...event, sequence: this.#last + 1 + n, createdAt: 0 }));',
    scenario: 'remote session',
  },
  {
    id: 'remote-session/cursor-includes',
    in: 'ingress MemoryStream.read',
    find: 'const $from = this.#$start + Math.max(0, $after + 1 - $first);',
    becomes: 'const $from = this.#$start + Math.max(0, $after - $first);',
    scenario: 'remote session',
  },
  {
    id: 'remote-session/subscribe-after-replay',
    in: 'ingress EventReader',
    find: 'if (this.#$cursor >= $pushed() && this.#$caughtUp($events)) return this.#$goLive();',
    becomes:
      'if (this.#$cursor >= $pushed() && this.#$caughtUp($events)) return void log.read(stream, this.#$cursor).then(() => this.#$goLive());',
    scenario: 'remote session',
  },
  {
    id: 'remote-session/epoch-unchecked',
    in: 'ingress Session.whileSeated',
    find: 'if ($conflict === undefined) await $work();',
    becomes: 'await $work();',
    scenario: 'remote session',
  },
  {
    id: 'remote-session/ack-before-commit',
    in: 'ingress viewerRoutes',
    find: "return $c.json({ events: await $session.postFromClient($posted, { source: 'client', name: $name, role: $role }) });",
    becomes:
      "return $c.json({ events: (void $session.postFromClient($posted, { source: 'client', $name, $role }).catch(() => {}), []) });",
    scenario: 'remote session',
  },
  {
    id: 'moves/no-flush-on-move',
    in: 'core FallbackOutput.carryOver',
    find: 'for (const $batch of $unproved) this.#$carried.push($batch);',
    becomes: '',
    scenario: 'remote session with sockets',
  },
  {
    id: 'moves/begins-anew',
    in: 'core FallbackDriver',
    find: '$way.open(this.#$input.cursor, $$rest)',
    becomes: '$way.open(undefined, $$rest)',
    scenario: 'remote session with sockets',
  },
  {
    id: 'moves/hears-itself',
    in: 'core FallbackInput.take',
    find: 'if (this.#$hasMoved && this.#$isEcho($item)) continue;',
    becomes: '',
    scenario: 'remote session with sockets',
  },
  {
    id: 'moves/acknowledges-what-is-not-stored',
    in: 'ingress Inbox',
    find: 'await this.#$options.store($lines);',
    becomes: 'void this.#$options.store($lines).catch(() => {});',
    scenario: 'remote session with sockets',
  },
  {
    id: 'remote-session/retry-under-new-uuid',
    in: 'transport-sse PostQueue',
    find: 'again($failure) { if ($test) { $$dropped; $events = $eventsOf($left); } return $more; }',
    becomes:
      'again($failure) { if ($test) { $$dropped; $events = $eventsOf($left); } $events = $events.replace(/"uuid":"[^"]*"/g, () => `"uuid":"${crypto.randomUUID()}"`); return $more; }',
    scenario: 'remote session',
  },
];
