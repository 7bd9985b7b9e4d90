import { type Incoming, type Transport, TransportError } from '@proto/core/transport';
import { replay } from '@proto/recording';

import { servedAnswer } from '../steps/control.ts';
import { Inbox } from '../steps/inbox.ts';
import { runSteps } from '../steps/run-steps.ts';
import { createScope } from '../steps/scope.ts';
import { send, type Step } from '../steps/step.ts';
import { AgentMessages, INITIALIZE_ANSWER } from './agent-messages.ts';
import { ChaoticWriter, FakeDeath, type FakeChaos, SURVIVABLE_CHAOS } from './chaos.ts';
import { createJumpingClock, type FakeClock } from './fake-clock.ts';
import { checkFakeScript, type FakeScript, type FakeSide } from './fake-script.ts';
import { agentVerbs, type FakeScope, hostVerbs } from './fake-verbs.ts';
import { createWirePair, type FakeWire, transportOf } from './fake-wire.ts';

/** Options for playing a script. */
export interface FakeOptions {
  /** The kinds of chaos. `true` means every kind except `death`. Default: none. */
  readonly chaos?: boolean | readonly FakeChaos[];
  /** The seed for the chaos: the same seed results in the same disturbances. Default 1. */
  readonly seed?: number;
  /** The clock for `wait` steps and delays. Default: a clock on which waits take no time. */
  readonly clock?: FakeClock;
}

/** How a fake ended. */
export interface FakeEnd {
  /** How the fake ended: `script` if the script was played to its end, `death` if the fake died because of a `die` step or because of chaos. */
  readonly by: 'script' | 'death';
  /** The exit code from the `exit` step, otherwise 0. 137 if the fake died. A fake in this process reports the code but does not exit. */
  readonly exitCode: number;
}

/** A fake in this process. */
export interface Fake {
  /** The transport for the program under test. */
  readonly transport: Transport;
  /** Fulfils when the script has been played and the program has ended its side. If a step fails, `done` rejects and the transport breaks. */
  readonly done: Promise<FakeEnd>;
}

/**
 * Creates an agent that follows a script, for a host under test. The agent answers `initialize` automatically, unless a `hold` step turns this off.
 *
 * @throws {FakeScriptError} if the script contains an unknown step.
 */
export function createFakeAgent(script: FakeScript, options: FakeOptions = {}): Fake {
  return createFake('agent', script, options);
}

/**
 * Creates a host that follows a script, for an agent under test.
 *
 * @throws {FakeScriptError} if the script contains an unknown step.
 */
export function createFakeHost(script: FakeScript, options: FakeOptions = {}): Fake {
  return createFake('host', script, options);
}

function createFake(side: FakeSide, script: FakeScript, options: FakeOptions): Fake {
  checkFakeScript(script, side);
  const { wire, transport } = createWirePair();
  const done = playFake(side, script, wire, options);
  // The transport also reports the failure to the program under test.
  done.catch(() => {});
  return { transport, done };
}

/** Plays one side of a session over any medium. Rejects if the peer does not do what the script expects. */
export async function playFake(
  side: FakeSide,
  script: FakeScript,
  wire: FakeWire,
  { chaos = [], seed = 1, clock = createJumpingClock() }: FakeOptions = {},
): Promise<FakeEnd> {
  const kinds = chaos === true ? SURVIVABLE_CHAOS : chaos === false ? [] : chaos;
  const writer = new ChaoticWriter(wire, { kinds, seed, clock });
  const transport = transportOf(wire, writer);
  try {
    if ('header' in script) await replay(script, transport, { as: side });
    else return await playSteps(side, script, { wire, writer, transport, clock });
  } catch (error) {
    if (writer.isDead || isDeath(error)) return { by: 'death', exitCode: 137 };
    transport.abort(error);
    throw error;
  }
  wire.close(0);
  return { by: 'script', exitCode: 0 };
}

interface Stage {
  readonly wire: FakeWire;
  readonly writer: ChaoticWriter;
  readonly transport: Transport;
  readonly clock: FakeClock;
}

async function playSteps(side: FakeSide, steps: readonly Step[], stage: Stage): Promise<FakeEnd> {
  const { wire, writer, transport, clock } = stage;
  const inbox = new Inbox();
  const party = { name: side, inbox, sendText: (text: string) => writer.write(text) };
  const scope: FakeScope = {
    ...createScope({
      parties: [party],
      served: new Map(side === 'agent' ? [['initialize', INITIALIZE_ANSWER]] : []),
    }),
    clock,
    messages: new AgentMessages(),
    end: () => transport.end(),
    die: () => wire.die(),
    exitCode: undefined,
  };
  const receiving = receive(transport, scope, inbox);
  await runSteps(steps, scope, side === 'agent' ? agentVerbs : hostVerbs);
  // A host ends the agent's input. The agent then exits.
  if (side === 'host') await transport.end();
  if (scope.exitCode === undefined) await receiving;
  await writer.flush();
  wire.close(scope.exitCode ?? 0);
  return { by: 'script', exitCode: scope.exitCode ?? 0 };
}

/** Answers the requests that `serve` names. Ends when the input ends. */
async function receive(transport: Transport, scope: FakeScope, inbox: Inbox): Promise<void> {
  const party = [...scope.parties.values()][0];
  try {
    for await (const items of transport.incoming) {
      for (const item of items) {
        const value = valueOf(item);
        if (value === undefined || item.kind !== 'message') continue;
        inbox.add({ value, text: item.text, at: scope.clock.now() });
        const answer = servedAnswer(value, scope);
        // A fake that has died cannot send the answer.
        if (answer !== undefined && party !== undefined) send(party, answer).catch(() => {});
      }
    }
    inbox.end('the peer has ended its side');
  } catch (error) {
    inbox.end('the peer closed the connection unexpectedly');
    if (!TransportError.is(error)) throw error;
  }
}

function valueOf(item: Incoming): unknown {
  return item.kind === 'message' ? item.read().message : undefined;
}

function isDeath(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) if (cause instanceof FakeDeath) return true;
  return false;
}
