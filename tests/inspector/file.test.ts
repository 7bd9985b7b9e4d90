/** `sjp inspect FILE` in a real browser. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isSkipped } from '../runtimes/chromium.ts';
import { AGENT, BIN, createFolder, inspect, InspectorPage } from './inspector-page.test-support.ts';
import { entry, HEADER, sampleRecording } from './sample-recording.test-support.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

describe.skipIf(isSkipped)('a file in the page', { timeout: 120_000 }, () => {
  let page: InspectorPage;
  beforeAll(async () => {
    page = await InspectorPage.open('about:blank');
  }, 120_000);
  afterAll(() => page[Symbol.asyncDispose]());

  /** Shows a recording while a test runs. */
  async function showing(text: string, run: (file: string, folder: string) => Promise<void>, name = 'fix.jsonl') {
    using folder = createFolder();
    const file = folder.write(name, text);
    await using command = await inspect([file], folder.path);
    await page.goto(command.link);
    await run(file, folder.path);
    expect(command.stdout()).toBe('');
  }
  const sample = sampleRecording(10);

  verifies(
    'COMMAND-5',
    'shows both directions, pairs requests with answers, latencies, sizes and unknown messages',
    async () => {
      await showing(sample, async () => {
        await page.fill('#filter', 'type:can_use_tool');
        await page.until(`document.querySelectorAll('.frame').length === 5`);
        await page.sees('.frame', 'can_use_tool');
        const rows = await page.rows();
        expect(rows[0]).toMatch(/← control_request\/can_use_tool Bash\(npm test\) ⟶ 120 ms \d+ B/);
        await page.fill('#filter', 'dir:host type:control_response');
        await page.until(
          `document.querySelectorAll('.frame').length === 5 && document.querySelector('.frame .way').innerText === '→'`,
        );
        expect((await page.rows())[0]).toMatch(/→ control_response\/success allow .* 120 ms \d+ B/);
        await page.fill('#filter', 'status:unknown');
        await page.until(`document.querySelectorAll('.frame').length === 2`);
        await page.sees('.frame', 'vcs_state_changed');
        expect((await page.rows())[0]).toMatch(/vcs_state_changed unknown/);
        expect(await page.text('.counts')).toContain('2 unknown');
      });
    },
  );

  test('a filter shows what passes, and how many frames these are', () =>
    showing(sample, async () => {
      await page.fill('#filter', 'status:error span:tool');
      await page.sees('#filter-state', '4 of');
      await page.fill('#filter', 'type:result duration:>1s');
      await page.until(`/^\\d of/.test(document.querySelector('#filter-state').innerText)`);
      await page.fill('#filter', '"Step 4" dir:host');
      await page.sees('#filter-state', '1 of');
      await page.sees('.frame', 'Step 4: mend');
      await page.click('.shortcuts button', 'Permissions');
      await page.sees('#filter-state', '10 of');
    }));

  test('a wrong filter says what is wrong, and leaves the list as it is', () =>
    showing(sample, async () => {
      await page.fill('#filter', 'type:result');
      await page.sees('#filter-state', '10 of');
      await page.fill('#filter', 'kind:result');
      await page.sees('#filter-state', 'unknown key kind');
      expect(await page.page.evaluate(`document.querySelector('#filter').getAttribute('aria-invalid')`)).toBe('true');
      await page.sees('.frame', 'result/success');
    }));

  test('a filter without a match says how to show all frames', () =>
    showing(sample, async () => {
      await page.fill('#filter', 'nobody-says-this');
      await page.sees('.empty', 'No frame matches the filter');
      await page.key('Escape');
      await page.sees('.frame');
    }));

  test('keys move in the list, to the partner, and to the filter', () =>
    showing(sample, async () => {
      await page.sees('.frame');
      await page.page.evaluate(`document.querySelector('#frames').focus()`);
      await page.key('ArrowDown');
      await page.until(`document.querySelector('[aria-selected=true].frame .number')?.innerText === '2'`);
      await page.key('j');
      await page.key('End');
      await page.until(
        `document.querySelector('.details-header .number')?.innerText.replace(/\\D/g, '') === '${sample.split('\n').length - 2}'`,
      );
      await page.sees('.details-header h2', 'result/');
      await page.key('p');
      await page.sees('.details-header', 'begins turn');
      await page.key('Home');
      await page.until(`document.querySelector('.details-header .number')?.innerText === '#1'`);
      await page.key('/');
      await page.until(`document.activeElement.id === 'filter'`);
      await page.key('Escape');
      await page.until(`document.activeElement.id === 'frames'`);
    }));

  test('a frame is shown as a tree, raw, and explained by the sentences of the schemas', () =>
    showing(sample, async () => {
      await page.fill('#filter', 'type:can_use_tool');
      await page.click('.frame', 'can_use_tool');
      await page.sees('.tree .leaf', 'command: "npm test"');
      await page.key('2');
      await page.key('Escape');
      await page.click('[role=tab]', 'Raw');
      await page.sees('.raw', '{"type":"control_request","request_id":"perm_0"');
      await page.click('[role=tab]', 'Explained');
      await page.sees('.explained', 'Asks whether the agent may call a tool.');
      expect(await page.text('.detail')).toContain('The schemas describe every part.');
    }));

  test('parts that no schema has are marked', () => {
    const message = {
      type: 'control_request',
      request_id: 'r',
      request: { subtype: 'interrupt', why: 'because' },
      novel: 1,
    };
    return showing(HEADER + entry(0, 'host', message), async () => {
      await page.click('.frame', 'interrupt');
      await page.click('[role=tab]', 'Explained');
      await page.sees('.detail', 'do not describe 2 parts');
      const marked = await page.page.evaluate(
        `[...document.querySelectorAll('.is-unknown .key')].map((key) => key.innerText)`,
      );
      expect(marked).toEqual(['why', 'novel']);
    });
  });

  test('a message with invalid parts says which', () =>
    showing(
      HEADER + entry(0, 'agent', { type: 'control_request', request_id: 7, request: { subtype: 'can_use_tool' } }),
      async () => {
        await page.click('.frame', 'can_use_tool');
        await page.sees('.details-header .trouble', 'request_id');
      },
    ));

  test('markup, control characters and texts that turn around are shown as text', () => {
    const attack =
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>\u0000\u001b[2J\u202egnp.exe\u200b';
    const message = { type: attack, [attack]: attack, message: { role: 'user', content: attack } };
    const lines =
      HEADER +
      entry(0, 'agent', message) +
      entry(1, 'host', { type: 'user', message: { role: 'user', content: attack } });
    return showing(
      lines,
      async () => {
        await page.until(`document.querySelectorAll('.frame').length === 2`);
        for (const at of [0, 1]) {
          await page.page.evaluate(`document.querySelectorAll('.frame')[${at}].click()`);
          for (const tab of ['Raw', 'Explained', 'Tree']) await page.click('[role=tab]', tab);
          await page.sees('.tree', '\\u{202e}gnp.exe\\u{200b}');
        }
        expect(
          await page.page.evaluate(
            `[window.hacked, document.querySelectorAll('#app img, #app script').length, /[\\0\\x1b\\u202e\\u200b]/.test(document.body.innerText)]`,
          ),
        ).toEqual([null, 0, false].map((value) => value ?? null));
      },
      '<b>name</b>.jsonl',
    );
  });

  test('a line of 10 MB is listed at once, and read in parts', () => {
    const text = 'x'.repeat(10 * 2 ** 20);
    const lines = HEADER + entry(0, 'agent', { type: 'huge', text }) + entry(1, 'agent', { type: 'after' });
    return showing(lines, async () => {
      await page.sees('.frame', 'after');
      await page.click('.frame', 'huge');
      await page.sees('.tree', '(10485760 characters)');
      await page.click('[role=tab]', 'Raw');
      await page.sees('.detail button', 'show more');
      expect(Number(await page.page.evaluate(`document.body.innerText.length`))).toBeLessThan(100_000);
    });
  });

  test('plain lines without times are read, and the axis counts frames', () => {
    const plain = sample
      .split('\n')
      .slice(1, -1)
      .map((line) => `${(JSON.parse(line) as { line: string }).line}\n`)
      .join('');
    return showing(plain, async () => {
      await page.sees('#filter-state', 'frames');
      await page.sees('.timeline-foot', 'the axis counts frames');
      await page.fill('#filter', 'type:can_use_tool');
      await page.click('.frame', 'can_use_tool');
      await page.sees('.spans', 'begins permission Bash allow');
      await page.click('[role=tab]', 'Latency');
      await page.sees('.figures', 'no timestamps');
    });
  });

  test('lines that are not JSON are listed as invalid', () =>
    showing(`${HEADER}this is not an entry\n${entry(1, 'agent', { type: 'keep_alive' })}`, async () => {
      await page.sees('.frame .flag.is-error', 'lost');
      await page.click('.frame', 'this is not an entry');
      await page.sees('.raw, .tree, .empty');
      await page.sees('.counts', '1 lost');
    }));

  test('an empty file says so', () => showing('', () => page.sees('.empty', 'This recording has no frames')));

  test('a file that grows is followed', () =>
    showing(HEADER + entry(0, 'host', { type: 'keep_alive' }), async (file) => {
      await page.sees('#filter-state', '1 frames');
      appendFileSync(file, entry(5, 'agent', { type: 'later' }));
      await page.sees('.frame', 'later');
    }));

  test('a file of this machine is opened in place of the session, and goes to no server', () =>
    showing(sample, async (_, folder) => {
      using other = createFolder();
      const file = other.write('other.jsonl', HEADER + entry(0, 'agent', { type: 'from-the-other-file' }));
      await page.chooseFile(file);
      await page.sees('.frame', 'from-the-other-file');
      await page.sees('h1', 'other.jsonl');
      expect(readdirSync(folder)).toEqual(expect.not.arrayContaining(['other.jsonl']));
    }));

  test('a filter that is entered as soon as its field appears is applied', async () => {
    const source = `new MutationObserver((_, observer) => {
      const field = document.querySelector('#filter');
      if (field === null) return;
      observer.disconnect();
      field.value = 'type:can_use_tool';
      field.dispatchEvent(new Event('input', { bubbles: true }));
    }).observe(document, { childList: true, subtree: true })`;
    await page.page.send('Page.enable');
    const { identifier } = await page.page.send('Page.addScriptToEvaluateOnNewDocument', { source });
    try {
      await showing(sample, async () => {
        await page.sees('#filter-state', ' of ');
        await page.until(`document.querySelectorAll('.frame').length === 5`);
      });
    } finally {
      await page.page.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
    }
  });

  test('a second file with the same name is shown without the filter of the first', () =>
    showing(sample, async () => {
      using folder = createFolder();
      using other = createFolder();
      await page.chooseFile(folder.write('same.jsonl', HEADER + entry(0, 'agent', { type: 'in-the-first' })));
      await page.sees('.frame', 'in-the-first');
      await page.fill('#filter', 'type:in-the-first');
      await page.sees('#filter-state', '1 of 1');
      await page.chooseFile(other.write('same.jsonl', HEADER + entry(0, 'agent', { type: 'in-the-second' })));
      await page.sees('.frame', 'in-the-second');
      expect(await page.page.evaluate(`document.querySelector('#filter').value`)).toBe('');
    }));

  test('a file that is dropped on the page is opened', () =>
    showing(sample, async () => {
      const text = HEADER + entry(0, 'agent', { type: 'was-dropped' });
      await page.sees('.frame');
      await page.page.evaluate(`(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([${JSON.stringify(text)}], 'dropped.jsonl'));
        window.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, cancelable: true }));
      })()`);
      await page.sees('.frame', 'was-dropped');
    }));

  test('an export has no secrets, and can be replayed', () => {
    const secret = 'sk-ant-api03-' + 'a1B2'.repeat(12);
    const asked = entry(2, 'host', {
      type: 'user',
      message: { role: 'user', content: `use ${secret}` },
      parent_tool_use_id: null,
      session_id: '',
    });
    return showing(sample + asked, async (_, folder) => {
      await page.sees('.frame');
      await page.page.send('Page.setDownloadBehavior', { behavior: 'allow', downloadPath: folder });
      await page.click('.top button', 'Export redacted');
      await page.sees('.notice', 'Secrets were removed from 1 frames');
      const file = join(folder, 'fix-redacted.jsonl');
      await expect.poll(() => readdirSync(folder), { timeout: 20_000 }).toContain('fix-redacted.jsonl');
      const text = readFileSync(file, 'utf8');
      expect(text).not.toContain(secret);
      expect(text).toContain('use [redacted]');
      expect(text.split('\n', 1)[0]).toBe('{"recording":1,"side":"host","redacted":true}');
      const host = sample
        .split('\n')
        .slice(1, -1)
        .map((line) => JSON.parse(line) as { dir: string; line: string });
      const input = [
        ...host.filter(({ dir }) => dir === 'from-host').map(({ line }) => line),
        JSON.stringify({
          type: 'user',
          message: { role: 'user', content: 'use [redacted]' },
          parent_tool_use_id: null,
          session_id: '',
        }),
      ];
      const replayed = spawnSync(process.execPath, [BIN, 'replay', file, '--as', 'agent'], {
        input: `${input.join('\n')}\n`,
      });
      expect(replayed.stderr.toString()).toBe('');
      expect(replayed.status).toBe(0);
      expect(replayed.stdout.toString()).toContain('"subtype":"can_use_tool"');
      // The page can read the recording that it has written.
      await page.chooseFile(file);
      await page.sees('.frame', 'user');
    });
  });

  test('a frame and its partner are copied as a fixture', () =>
    showing(sample, async () => {
      await page.fill('#filter', 'type:can_use_tool');
      await page.click('.frame', 'can_use_tool');
      await page.page.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
      await page.click('.tabs button', 'Copy as fixture');
      const lines = String(await page.until('window.copied'))
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as { type: string });
      expect(lines.map(({ type }) => type)).toEqual(['control_request', 'control_response']);
    }));

  test('the turn of a frame is copied as a case, which the agent of the recording passes, and another does not', async () => {
    using folder = createFolder();
    const home = { cwd: folder.path, env: { ...process.env, SJP_HOME: join(folder.path, 'home') } };
    const recorded = spawnSync(
      process.execPath,
      [
        BIN,
        'run',
        '/bash echo ${HOME}',
        '--permissions',
        'allow',
        '--record',
        'rec.jsonl',
        '--',
        process.execPath,
        AGENT,
      ],
      home,
    );
    expect(recorded.status, recorded.stderr.toString()).toBe(0);
    await showing(readFileSync(join(folder.path, 'rec.jsonl'), 'utf8'), async () => {
      await page.fill('#filter', 'type:can_use_tool dir:agent');
      await page.click('.frame', 'can_use_tool');
      await page.page.evaluate(`navigator.clipboard.writeText = async (text) => { window.copied = text; }`);
      await page.click('.tabs button', 'Copy as case');
      const text = String(await page.until('window.copied'));
      expect(text).toContain('"subtype":"can_use_tool","tool_name":"Bash"');
      const check = (cases: string, ...more: readonly string[]) =>
        spawnSync(
          process.execPath,
          [
            BIN,
            'conformance',
            'agent',
            '--cases',
            folder.write('cases.yaml', cases),
            ...more,
            '--',
            process.execPath,
            AGENT,
          ],
          home,
        );
      const passed = check(text);
      expect(passed.stderr.toString() + passed.stdout.toString()).toContain('1 passed, 0 failed');
      expect(passed.status).toBe(0);
      const failed = check(text.replaceAll('"Bash"', '"Write"'), '--timeout-scale', '0.2');
      expect(failed.stdout.toString()).toContain('FAIL agent/recorded/turn');
      expect(failed.status).toBe(6);
    });
  });

  test('the figures show how long spans took, and link to the slowest span', () =>
    showing(sample, async () => {
      await page.click('[role=tab]', 'Latency');
      await page.sees('.figures tbody tr', 'permission');
      await page.click('.figures tbody button');
      await page.sees('.details-header', 'begins turn');
      await page.click('[role=tab]', 'Throughput');
      await page.sees('.figures', 'frames a second on average');
    }));

  test('the timeline is zoomed by keys, and a click goes to a frame', () =>
    showing(sample, async () => {
      await page.sees('.timeline canvas');
      const label = String(
        await page.page.evaluate(`document.querySelector('.timeline canvas').getAttribute('aria-label')`),
      );
      expect(label).toMatch(/^Timeline: \d+ spans of \d+ frames over/);
      await page.key('+');
      await page.until(`document.querySelector('[aria-label="Zoom out"]').disabled === false`);
      await page.key('0');
      await page.until(`document.querySelector('[aria-label="Zoom out"]').disabled === true`);
      const at = Object(
        await page.page.evaluate(
          `(({ x, y, width }) => ({ x: x + width / 2, y: y + 30 }))(document.querySelector('.timeline canvas').getBoundingClientRect())`,
        ),
      );
      for (const type of ['mousePressed', 'mouseReleased'])
        await page.page.send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
      await page.sees('.details-header .number');
    }));

  test('axe finds no error, in light and in dark, with details, with help, and at the entrance', () =>
    showing(sample, async () => {
      await page.click('.frame', 'assistant');
      await page.sees('.details-header h2', 'assistant');
      await page.sees('.tree li');
      await page.page.evaluate(axe);
      const check = async (what: string) => {
        const found = await page.page.evaluate(
          `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).slice(0, 3).join(' | ')))`,
        );
        expect(found, what).toEqual([]);
      };
      for (const theme of ['first', 'other']) {
        for (const tab of ['Tree', 'Raw', 'Explained', 'Latency', 'Throughput', 'Timeline'])
          await page.click('[role=tab]', tab).then(() => check(`${tab}, ${theme} theme`));
        await page.key('?');
        await page.sees('dialog[open]');
        await check(`help, ${theme} theme`);
        await page.click('dialog button', 'Close');
        await page.key('t');
      }
      await page.page.send('Network.clearBrowserCookies');
      await page.page.send('Page.reload');
      await page.sees('.entrance', 'Access denied');
      await page.page.evaluate(axe);
      await check('entrance');
    }));
});
