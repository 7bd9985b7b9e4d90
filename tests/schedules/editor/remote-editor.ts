import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Scenario } from '@proto/test-support';
import { EditorLife, type Shown } from './editor-life.ts';
import { EditorWorld } from './editor-world.ts';

/** Long enough for a message to arrive, and short enough for most steps to come while something is on its way. */
const MOMENT_MS = 2;
const CUTS = ['editor', 'agent'].flatMap((who) =>
  ['rst', 'fin'].flatMap((how) => [0, 1, 90, 260, 700].map((bytes) => `${who}: ${how} after ${bytes}`)),
);
const OPENINGS = ['load by sse', 'load by ws', 'resume by sse', 'resume by ws'];

/** An editor whose session is on a server: it is closed and opened, links are cut at any byte, and the server restarts. */
export const remoteEditor: Scenario = {
  name: 'remote session of an editor',
  steps: [
    'prompt',
    'prompt',
    'the agent says',
    'the agent says',
    'the agent says much',
    'the agent calls',
    'the agent calls',
    'the turn ends',
    'allow',
    'allow',
    'the editor is killed',
    ...OPENINGS,
    ...OPENINGS,
    'the server restarts',
    'wait 10',
    'wait 10',
    'wait 40',
    'wait 40',
    'wait 1000',
    ...CUTS,
  ],
  maxSteps: 22,
  passages: [
    ['prompt', 'the agent calls', 'wait 30', 'the editor is killed', 'load by sse'],
    ['prompt', 'the agent calls', 'wait 30', 'allow', 'the editor is killed', 'the agent says', 'load by ws'],
    ['prompt', 'the agent says', 'the server restarts', 'the agent says', 'the editor is killed', 'load by sse'],
    ['prompt', 'the agent calls', 'wait 30', 'resume by ws', 'wait 30', 'allow', 'the agent says'],
  ],
  async run(schedule) {
    const world = await EditorWorld.open();
    const run = new Run(world);
    try {
      await run.begin();
      for (const step of schedule) {
        await run.take(step);
        await delay(MOMENT_MS);
      }
      await run.end();
    } finally {
      run.closeAll();
      await world.close();
    }
  },
};

/** An editor, and how far the session was when it opened the session. */
interface Life {
  readonly editor: EditorLife;
  readonly isResumed: boolean;
  readonly before: number;
  /** How far the session was when the session was open. Infinite until then. */
  after: number;
  readonly entered: Promise<void>;
}

class Run {
  readonly #world: EditorWorld;
  readonly #lives: Life[] = [];
  #session = '';
  #prompts = 0;

  constructor(world: EditorWorld) {
    this.#world = world;
  }

  async begin(): Promise<void> {
    const editor = new EditorLife(this.#world.sessions('sse'));
    this.#session = await editor.create();
    this.#lives.push({ editor, isResumed: false, before: 0, after: 0, entered: Promise.resolve() });
    this.#world.startAgent(this.#session);
    this.#world.agent.order('says');
    void this.#prompt('the first prompt').catch(() => {});
    await this.#world.until(() => editor.shown.length > 0, 'the agent answers');
  }

  async take(step: string): Promise<void> {
    const world = this.#world;
    const [word = '', ...rest] = step.split(' ');
    if (OPENINGS.includes(step)) return this.#enter(word as 'load', rest[1] as 'ws');
    if (word === 'wait') return delay(Number(rest[0])).then(() => {});
    const [, who, how, bytes] = /^(\w+): (\w+) after (\d+)$/.exec(step) ?? [];
    if (who !== undefined) return world.cut(who as 'editor', how as 'rst', Number(bytes));
    switch (step) {
      case 'prompt':
        return void this.#prompt(`prompt ${(this.#prompts += 1)}`).catch(() => {});
      case 'the agent says':
        return world.agent.order('says');
      case 'the agent says much':
        return world.agent.order(...Array.from({ length: 30 }, () => 'says' as const));
      case 'the agent calls':
        return world.agent.order('calls');
      case 'the turn ends':
        return world.agent.order('ends');
      case 'allow':
        return this.#editor?.allow();
      case 'the editor is killed':
        return this.#editor?.close();
      case 'the server restarts':
        return world.restart();
      default:
        throw new Error(`there is not a step "${step}"`);
    }
  }

  /** Everything gets to its end: the permissions are allowed, the turns end, and a last prompt is answered. */
  async end(): Promise<void> {
    this.#world.mend();
    await this.#enter('load', 'sse');
    const { editor, entered } = this.#lives.at(-1) as Life;
    await entered;
    let isAnswered = false;
    const last = this.#prompt('the last prompt').then(() => (isAnswered = true));
    await Promise.race([
      last,
      this.#world.until(() => {
        editor.allow();
        this.#world.agent.finish();
        return isAnswered;
      }, 'the last prompt is answered'),
    ]);
    const all = await this.#world.inLog(this.#session);
    const denied = all.filter((each) => each.startsWith('failed'));
    assert.deepEqual(denied, [], 'a call was denied, although no editor has denied a call');
    const again = await this.#fresh();
    this.#compare(again.shown, all, 'an editor that loads the whole session');
    for (const [index, life] of this.#lives.entries()) this.#check(life, all, `editor ${index + 1}`);
    this.#compare(editor.shown, without(all, editor.own), 'the last editor');
  }

  closeAll(): void {
    for (const { editor } of this.#lives) editor.close();
  }

  get #editor(): EditorLife | undefined {
    return this.#lives.at(-1)?.editor;
  }

  async #prompt(text: string): Promise<void> {
    const life = this.#lives.at(-1) as Life;
    await life.entered;
    await life.editor.prompt(text);
  }

  async #enter(how: 'load' | 'resume', prefer: 'ws' | 'sse'): Promise<void> {
    this.#editor?.close();
    const before = (await this.#world.inLog(this.#session)).length;
    const editor = new EditorLife(this.#world.sessions(prefer));
    const entered = editor.enter(this.#session, how).then(async () => {
      const shown = editor.shown.length;
      if (how === 'load') assert.ok(shown >= before, `${shown} of ${before} were there when the session was loaded`);
      life.after = (await this.#world.inLog(this.#session)).length;
    });
    const life: Life = { editor, isResumed: how === 'resume', before, after: Infinity, entered };
    // A link that is cut before the session is open makes the request fail. The editor of the end must succeed.
    entered.catch(() => {});
    this.#lives.push(life);
  }

  async #fresh(): Promise<EditorLife> {
    const editor = new EditorLife(this.#world.sessions('ws'));
    try {
      await editor.enter(this.#session, 'load');
      return editor;
    } finally {
      editor.close();
    }
  }

  #check({ editor, isResumed, before, after }: Life, all: readonly Shown[], who: string): void {
    const { shown, own, asked } = editor;
    assert.deepEqual(asked, [...new Set(asked)], `${who} was asked twice`);
    if (!isResumed) return this.#compare(shown, without(all, own).slice(0, shown.length), who);
    if (shown.length === 0) return;
    const starts = Array.from({ length: Math.min(after, all.length) - before + 1 }, (_, index) => before + index);
    const fits = starts.some((start) => {
      const expected = without([...openCalls(all.slice(0, start)), ...all.slice(start)], own);
      return JSON.stringify(shown) === JSON.stringify(expected.slice(0, shown.length));
    });
    assert.ok(fits, `${who} resumed between ${before} and ${after} of ${all.join(', ')}, and got ${shown.join(', ')}`);
  }

  #compare(shown: readonly Shown[], expected: readonly Shown[], who: string): void {
    assert.deepEqual(shown, expected, `${who} was sent ${shown.join(', ')} in place of ${expected.join(', ')}`);
  }
}

function without(all: readonly Shown[], own: ReadonlySet<Shown>): Shown[] {
  return all.filter((each) => !own.has(each));
}

/** The calls without a result. An editor that resumes the session gets them again, because it may be asked about them. */
function openCalls(all: readonly Shown[]): Shown[] {
  return all.filter((each) => each.startsWith('begin ') && !all.includes(each.replace('begin', 'completed')));
}
