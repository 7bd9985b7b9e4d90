import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifies } from '@proto/test-support/verifies';
import { describe, expect, test } from 'vitest';
import { answer, messagesIn, run, SJP_HOME, STREAM, user } from '../run.test-support.ts';
import { FLAG_EFFECTS, type FlagEffect } from './flag-effects.ts';
import { FLAGS } from './flags.ts';
import type { FlagOptions } from './options.ts';
import { parseArgv } from './parse-argv.ts';

/** Checks the effect of each flag that hosts pass, using the table in the wire protocol. */

const ID = '01234567-89ab-4def-8123-456789abcdef';

type Row = readonly [flags: string, value: string | undefined, effect: FlagEffect | 'unknown'];

/** Every flag in the protocol as hosts write it, with an accepted value and its effect in an agent that declares no `reads`. */
const TABLE: readonly Row[] = [
  ['--output-format', 'stream-json', 'runner'],
  ['--input-format', 'stream-json', 'runner'],
  ['--verbose', undefined, 'runner'],
  ['--print -p', undefined, 'runner'],
  ['--system-prompt', '', 'agent'],
  ['--append-system-prompt', 'text', 'agent'],
  ['--system-prompt-file', '/tmp/x', 'agent'],
  ['--model', 'm', 'runner'],
  ['--fallback-model', 'a,b', 'agent'],
  ['--max-turns', '3', 'promise'],
  ['--max-budget-usd', '1.50', 'promise'],
  ['--task-budget', '1000', 'none'],
  ['--thinking', 'adaptive', 'none'],
  ['--thinking-display', 'omitted', 'none'],
  ['--max-thinking-tokens', '0', 'none'],
  ['--effort', 'low', 'none'],
  ['--betas', 'a,b', 'none'],
  ['--allowedTools --allowed-tools', 'Bash', 'agent'],
  ['--disallowedTools --disallowed-tools', 'Bash', 'promise'],
  ['--tools', 'Bash', 'promise'],
  ['--permission-mode', 'plan', 'runner'],
  ['--permission-prompt-tool', 'stdio', 'runner'],
  ['--permission-prompts', 'none', 'runner'],
  ['--allow-dangerously-skip-permissions', undefined, 'agent'],
  ['--dangerously-skip-permissions', undefined, 'runner'],
  ['--continue -c', undefined, 'runner'],
  ['--resume -r', ID, 'runner'],
  ['--session-id', ID, 'runner'],
  ['--fork-session', undefined, 'runner'],
  // Accepted only together with the flag in the row above.
  [`--resume=${ID} --resume-session-at`, ID, 'runner'],
  [`--resume=${ID} --resume-session-at=${ID} --resume-drops-turn`, ID, 'runner'],
  ['--no-session-persistence', undefined, 'runner'],
  ['--session-mirror', undefined, 'runner'],
  ['--settings', '{"unknown":1}', 'agent'],
  ['--managed-settings', '{}', 'promise'],
  ['--setting-sources', '', 'none'],
  ['--add-dir', '/tmp', 'agent'],
  ['--project-config-root', '/tmp', 'none'],
  ['--mcp-config', '{"mcpServers":{}}', 'runner'],
  ['--strict-mcp-config', undefined, 'none'],
  ['--plugin-dir', '/tmp', 'none'],
  ['--plugin-dir-no-mcp', '/tmp', 'none'],
  ['--agent', 'a', 'agent'],
  ['--agents', '{}', 'agent'],
  ['--json-schema', '{}', 'promise'],
  ['--include-partial-messages', undefined, 'runner'],
  ['--include-hook-events', undefined, 'none'],
  ['--replay-user-messages', undefined, 'runner'],
  ['--forward-subagent-text', undefined, 'none'],
  ['--prompt-suggestions', undefined, 'none'],
  ['--exclude-dynamic-system-prompt-sections', undefined, 'none'],
  ['--system-prompt-snapshot', 'off', 'none'],
  ['--debug', undefined, 'runner'],
  ['--debug-file', '/tmp/x', 'runner'],
  ['--debug-to-stderr', undefined, 'runner'],
  ['--await-initialize', undefined, 'runner'],
  ['--await-claim', undefined, 'unknown'],
  ['--initialize-fields', undefined, 'unknown'],
  ['--managed-settings-in-initialize', undefined, 'unknown'],
  ['--sdk-url', 'wss://host', 'runner'],
  ['--enable-auth-status', undefined, 'runner'],
  ['--workload', 'w', 'none'],
  ['--rewind-files', ID, 'none'],
  ['--init', undefined, 'none'],
  ['--maintenance', undefined, 'none'],
  ['--anything-else', undefined, 'unknown'],
];
/** Flags of this project, which the table does not list. */
const OWN: readonly (keyof FlagOptions)[] = ['mirror', 'sessionLayout', 'teleport'];

/** Each spelling of each flag, with its value in both forms, and with the flags that it requires. */
function spellingsOf([flags, value]: Row): readonly (readonly string[])[] {
  const words = flags.split(' ');
  const needed = words.filter((word) => word.includes('='));
  const spelled = words.filter((word) => !word.includes('='));
  return spelled.flatMap((flag) => {
    if (value === undefined) return [[...needed, flag]];
    const apart = [...needed, flag, value];
    return flag.startsWith('--') ? [apart, [...needed, `${flag}=${value}`]] : [apart];
  });
}

const nameOf = (flags: string) => {
  const flag = flags.split(' ').findLast((word) => word.startsWith('--') && !word.includes('='));
  const names = Object.keys(FLAGS) as (keyof FlagOptions)[];
  return names.find((name) => new RegExp(`${flag}(?![\\w-])`).test(FLAGS[name].notation));
};

describe('each flag of the protocol', () => {
  verifies('PROGRAM-16', 'has the effect that the table names', () => {
    const decided = TABLE.map(([flags, , effect]) => [flags, effect === 'unknown' ? undefined : effect]);
    expect(TABLE.map(([flags]) => [flags, FLAG_EFFECTS[nameOf(flags) ?? ('' as 'print')]])).toEqual(decided);
    const listed = new Set([...TABLE.map(([flags]) => nameOf(flags)), ...OWN]);
    expect(Object.keys(FLAGS).filter((name) => !listed.has(name as keyof FlagOptions))).toEqual([]);
  });

  test.each(TABLE.filter(([, , effect]) => effect !== 'unknown'))('%s is accepted in all its spellings', (...row) => {
    for (const argv of spellingsOf(row)) {
      expect(parseArgv([...STREAM, ...argv], 'v'), argv.join(' ')).toMatchObject({ kind: 'run', warnings: [] });
    }
  });

  test('is listed by --explain-flags only if it has no effect or is refused', async () => {
    const { stdout } = await run(['--explain-flags']);
    const [idle = '', refused = ''] = stdout.split('Refused');
    for (const [flags, , effect] of TABLE) {
      const name = nameOf(flags);
      if (name === undefined) continue;
      const line = `  ${FLAGS[name].notation}\n`;
      expect([flags, idle.includes(line)]).toEqual([flags, effect === 'none' || effect === 'agent']);
      expect([flags, refused.includes(line)]).toEqual([flags, effect === 'promise']);
    }
  });

  test.each(TABLE.filter(([, , effect]) => effect === 'unknown'))('%s is refused in one line', async (flag) => {
    const stderr = `error: unknown option '${flag}'\n`;
    expect(await run([...STREAM, flag])).toEqual({ code: 1, stdout: '', stderr });
  });

  test.each(TABLE.filter(([, , effect]) => effect === 'promise'))(
    '%s is refused before any frame by an agent that does not declare it in its reads',
    async (...row) => {
      const name = nameOf(row[0]) as keyof FlagOptions;
      for (const argv of spellingsOf(row)) {
        const { code, stdout, stderr } = await run([...STREAM, ...argv], user('x'));
        expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
        expect(stderr).toMatch(
          new RegExp(
            `^Error: --[a-z-]+ is not supported: this agent does not declare support for '${name}' in \`reads\`\\n$`,
          ),
        );
        expect(await run([...STREAM, ...argv], user('x'), { reads: [name] })).toMatchObject({ code: 0, stderr: '' });
      }
    },
  );
});

describe('settings of the command line', () => {
  const fileWith = (text: string) => {
    const path = join(mkdtempSync(join(SJP_HOME, 'settings-')), 'settings.json');
    writeFileSync(path, text);
    return path;
  };

  test.each([
    [{ permissions: { deny: ['Bash'] } }, 'permissions.deny'],
    [{ permissions: { ask: ['Bash'] } }, 'permissions.ask'],
    [{ permissions: { disableBypassPermissionsMode: 'disable' } }, 'permissions.disableBypassPermissionsMode'],
    [{ sandbox: { enabled: true } }, 'sandbox.enabled'],
  ])('that forbid something are refused by an agent that does not read them: %j', async (settings, what) => {
    const text = JSON.stringify(settings);
    for (const value of [text, fileWith(text)]) {
      const stderr = expect.stringContaining(`Error: --settings with ${what} is not supported`);
      expect(await run([...STREAM, '--settings', value], user('x'))).toMatchObject({ code: 1, stdout: '', stderr });
      expect(await run([...STREAM, '--settings', value], user('x'), { reads: ['settings'] })).toMatchObject({
        code: 0,
      });
    }
  });

  test('that forbid nothing are accepted, also from a file', async () => {
    const seen: unknown[] = [];
    const settings = { permissions: { deny: [], allow: ['Bash'] }, sandbox: { enabled: false } };
    const { code } = await run([...STREAM, '--settings', fileWith(JSON.stringify(settings))], user('x'), {
      async *runTurn(turn) {
        seen.push(turn.options.settings);
        yield* answer(turn);
      },
    });
    expect({ code, seen }).toEqual({ code: 0, seen: [settings] });
  });

  test.each([
    ['/nowhere/settings.json', /^Error: --settings: the file cannot be read: \/nowhere\/settings\.json \(ENOENT\)\n$/],
    [fileWith('{'), /^Error: --settings: the file does not contain a JSON object: .*\n$/],
    [fileWith('{"permissions":{"deny":["Bash"],"deny":[]}}'), /^Error: --settings: .*: "deny" occurs twice/],
    ['{"permissions":{"deny":["Bash"],"deny":[]}}', /--settings.*"deny" occurs twice/],
  ])('in an unreadable or invalid file, or with a name twice, are refused', async (path, stderr) => {
    const outcome = await run([...STREAM, '--settings', path], user('x'));
    expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) });
  });
});

test('--tools=default and an empty --disallowedTools set no limit', async () => {
  for (const flag of ['--tools=default', '--disallowedTools=']) {
    expect(await run([...STREAM, flag], user('x')), flag).toMatchObject({ code: 0, stderr: '' });
  }
});

describe('--await-initialize', () => {
  const FLAGS_GIVEN = [...STREAM, '--await-initialize'];
  const initialize = '{"type":"control_request","request_id":"1","request":{"subtype":"initialize"}}\n';

  test('starts the session when the first line is initialize, which is answered', async () => {
    const { code, stderr, stdout } = await run(FLAGS_GIVEN, initialize + user('one'));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(messagesIn(stdout).map(({ type }) => type)).toEqual(['control_response', 'system', 'assistant', 'result']);
  });

  test.each([
    ['a prompt', user('one') + initialize],
    ['another request', '{"type":"control_request","request_id":"1","request":{"subtype":"interrupt"}}\n'],
    ['nothing', ''],
    ['a line that was cut', initialize.trimEnd()],
    ['no JSON', 'x\n'],
  ])('is refused when the first line is %s', async (_, input) => {
    const { code, stderr, stdout } = await run(FLAGS_GIVEN, input);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^With --await-initialize the first line .*\n$/);
    expect(messagesIn(stdout)).toMatchObject([
      {
        type: 'result',
        subtype: 'error_during_execution',
        startup_failure_reason: 'initialize_not_first',
        num_turns: 0,
      },
    ]);
  });

  test('requires --input-format=stream-json', async () => {
    const stderr = 'Error: --await-initialize requires --input-format=stream-json.\n';
    expect(await run(['-p', 'x', '--await-initialize'])).toEqual({ code: 1, stdout: '', stderr });
  });
});
