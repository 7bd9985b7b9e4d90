import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { createHostSession, type HostSession } from '@proto/host';
import { createSessionView, type SessionView } from '@proto/host/view';
import { openSession, openViewer, sessionUrl } from '@proto/remote';
import type { Scenario } from '@proto/test-support';
import { shownAtEnd } from '../../../packages/host/src/view/view.test-support.ts';
import { EditorWorld } from '../editor/editor-world.ts';

const MOMENT_MS = 2;
const CUTS = ['editor', 'agent'].flatMap((who) =>
  ['rst', 'fin'].flatMap((how) => [0, 1, 90, 260, 700].map((bytes) => `${who}: ${how} after ${bytes}`)),
);

/** Two people look at one session of a server: links are cut at any byte, pages are opened again, and the server restarts. */
export const remoteViews: Scenario = {
  name: 'remote session in two pages',
  steps: [
    'prompt by ws',
    'prompt by ws',
    'prompt by sse',
    'the agent says',
    'the agent says',
    'the agent says much',
    'the agent calls',
    'the agent calls',
    'the turn ends',
    'the turn ends',
    'allow by ws',
    'allow by sse',
    'interrupt by ws',
    'open again by ws',
    'open again by sse',
    'the server restarts',
    'wait 10',
    'wait 10',
    'wait 40',
    'wait 1000',
    ...CUTS,
  ],
  maxSteps: 22,
  passages: [
    ['prompt by ws', 'the agent calls', 'wait 30', 'allow by sse', 'the agent says', 'open again by ws'],
    ['prompt by ws', 'the agent says', 'prompt by sse', 'the turn ends', 'the server restarts', 'the agent says'],
    ['prompt by ws', 'prompt by ws', 'interrupt by ws', 'the agent says much', 'editor: rst after 260'],
  ],
  async run(schedule) {
    const world = await EditorWorld.open();
    const run = new Run(world);
    try {
      await run.begin();
      for (const step of schedule) {
        run.take(step);
        await delay(step.startsWith('wait ') ? Number(step.slice('wait '.length)) : MOMENT_MS);
      }
      await run.end();
    } finally {
      await run.close();
      await world.close();
    }
  },
};

type Link = 'ws' | 'sse';

/** A page that shows the session. */
interface ViewedPage {
  readonly view: SessionView;
  readonly session: HostSession;
}

class Run {
  readonly #world: EditorWorld;
  readonly #pages = new Map<Link, ViewedPage>();
  readonly #closing: Promise<void>[] = [];
  #id = '';
  #prompts = 0;
  #restarting: Promise<void> = Promise.resolve();

  constructor(world: EditorWorld) {
    this.#world = world;
  }

  async begin(): Promise<void> {
    const { id } = await openSession({ base: this.#world.url, session: 'new', token: this.#world.token });
    this.#id = id;
    this.#world.startAgent(id);
    for (const link of ['ws', 'sse'] as const) this.#pages.set(link, this.#open(link));
  }

  take(step: string): void {
    const world = this.#world;
    const [word, , by] = step.split(' ');
    const [, who, how, bytes] = /^(\w+): (\w+) after (\d+)$/.exec(step) ?? [];
    if (who !== undefined) return world.cut(who as 'editor', how as 'rst', Number(bytes));
    if (word === 'wait') return;
    if (word === 'prompt') return this.#prompt(by as Link, `prompt ${(this.#prompts += 1)}`);
    if (word === 'allow') return this.#allow(by as Link);
    if (word === 'interrupt')
      return void this.#page(by as Link)
        .session.interrupt()
        .catch(() => {});
    if (word === 'open') return this.#openAgain(step.endsWith('ws') ? 'ws' : 'sse');
    switch (step) {
      case 'the agent says':
        return world.agent.order('says');
      case 'the agent says much':
        return world.agent.order(...Array.from({ length: 30 }, () => 'says' as const));
      case 'the agent calls':
        return world.agent.order('calls');
      case 'the turn ends':
        return world.agent.order('ends');
      case 'the server restarts':
        this.#restarting = this.#restarting.then(() => world.restart());
        return;
      default:
        throw new Error(`there is not a step "${step}"`);
    }
  }

  /** The permissions are allowed, the turns end, and a last prompt is answered. Then both pages, and a page that is opened now, show the same. */
  async end(): Promise<void> {
    await this.#restarting;
    this.#world.mend();
    this.#prompt('ws', 'the last prompt');
    const { view } = this.#page('ws');
    await this.#world.until(() => {
      this.#allow('ws');
      this.#world.agent.finish();
      return isAnswered(view, 'the last prompt') && view.getSnapshot().queue.length === 0;
    }, 'the last prompt is answered');
    const fresh = this.#open('ws');
    this.#pages.set('ws', fresh);
    const views = [view, this.#page('sse').view, fresh.view];
    const shown = () => views.map((one) => JSON.stringify(shownAtEnd(one)));
    await this.#world.until(() => new Set(shown()).size === 1, 'all pages show the same').catch(() => {});
    const [first, ...others] = views.map(shownAtEnd);
    for (const [index, other] of others.entries()) {
      assert.deepEqual(
        other,
        first,
        `the page ${index === 0 ? 'by sse' : 'that was opened last'} shows another session`,
      );
    }
  }

  async close(): Promise<void> {
    for (const { session } of this.#pages.values()) this.#closing.push(session.close());
    await Promise.all(this.#closing);
  }

  #open(prefer: Link): ViewedPage {
    const view = createSessionView();
    const { url, token } = this.#world;
    const viewer = openViewer({ url: sessionUrl(url, this.#id), prefer, credential: token });
    const session = createHostSession(viewer, view.callbacks);
    void view.follow(session);
    return { view, session };
  }

  #openAgain(link: Link): void {
    this.#closing.push(this.#page(link).session.close());
    this.#pages.set(link, this.#open(link));
  }

  #prompt(by: Link, text: string): void {
    this.#page(by)
      .view.prompt(text)
      .accepted.catch(() => {});
  }

  #allow(by: Link): void {
    for (const question of this.#page(by).view.getSnapshot().questions) {
      if (question.kind === 'permission') question.allow();
    }
  }

  #page(link: Link): ViewedPage {
    return this.#pages.get(link) as ViewedPage;
  }
}

/** Whether a turn with this prompt has ended. */
function isAnswered(view: SessionView, prompt: string): boolean {
  return view
    .getSnapshot()
    .turns.some(
      ({ items, outcome }) =>
        outcome !== undefined && items.some((item) => item.kind === 'prompt' && item.content === prompt),
    );
}
