import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { resultOf, toolResults } from './messages.mjs';

const call = (name, input) => ({ content: [{ type: 'tool_use', name, input }] });
const bash = (command) => call('Bash', { command, description: 'a command' });

/** Scenarios of requests from the agent to the host during tool calls. Each scenario gets its lab. */
export const TOOLS = {
  async 'a permission that is given'({ script, query, all, folder }) {
    script(bash('echo made > made.txt'), 'Done.');
    const asked = [];
    const canUseTool = ({ tool_name, input }) => {
      asked.push([tool_name, input.command]);
      return { behavior: 'allow' };
    };
    const messages = await all(query({ prompt: 'Make it', canUseTool }));
    assert.deepEqual(asked, [['Bash', 'echo made > made.txt']]);
    assert.equal(readFileSync(join(folder, 'made.txt'), 'utf8'), 'made\n');
    assert.equal(resultOf(messages).result, 'Done.');
    assert.deepEqual(resultOf(messages).permission_denials, []);
  },

  async 'a permission that is given with another input'({ script, query, all, folder }) {
    script(bash('echo no > wrong.txt'), 'Done.');
    const canUseTool = ({ input }) => ({
      behavior: 'allow',
      updatedInput: { ...input, command: 'echo yes > right.txt' },
    });
    await all(query({ prompt: 'Make it', canUseTool }));
    assert.deepEqual([existsSync(join(folder, 'wrong.txt')), existsSync(join(folder, 'right.txt'))], [false, true]);
  },

  async 'a permission that is refused'({ script, query, all, folder }) {
    script(bash('echo made > made.txt'), 'Then not.');
    const canUseTool = () => ({ behavior: 'deny', message: 'not today' });
    const messages = await all(query({ prompt: 'Make it', canUseTool }));
    assert.deepEqual(toolResults(messages), [{ text: 'not today', is_error: true }]);
    assert.equal(resultOf(messages).permission_denials[0].tool_name, 'Bash');
    assert.equal(resultOf(messages).result, 'Then not.');
    assert.equal(existsSync(join(folder, 'made.txt')), false);
  },

  async 'a permission callback that throws'({ script, query, all, folder }) {
    script(bash('echo made > made.txt'), 'Then not.');
    const canUseTool = () => Promise.reject(new Error('out of order'));
    const messages = await all(query({ prompt: 'Make it', canUseTool }));
    assert.equal(toolResults(messages)[0].is_error, true);
    assert.equal(existsSync(join(folder, 'made.txt')), false);
  },

  async 'a permission that is given later'({ script, query, all, folder }) {
    script(bash('echo made > made.txt'), 'Done.');
    const open = [];
    const canUseTool = (_, { requestId }) => {
      open.push(requestId);
      return null;
    };
    // This prompt is the last, but the input stays open.
    const session = query({
      prompt: 'Make it',
      canUseTool,
      onState: ({ questions }) => {
        if (questions === 1) setTimeout(() => session.respond(open[0], { behavior: 'allow' }), 50);
      },
    });
    const messages = await all(session);
    assert.equal(readFileSync(join(folder, 'made.txt'), 'utf8'), 'made\n');
    assert.equal(resultOf(messages).result, 'Done.');
    assert.equal(session.respond(open[0], { behavior: 'allow' }), false);
  },

  async 'an interrupt while a permission is asked for'({ script, host, all }) {
    script(bash('echo made > made.txt'), 'Still here.');
    let withdrawn = false;
    let ask;
    const isAsked = new Promise((resolve) => (ask = resolve));
    const canUseTool = (_, { signal }) => {
      signal.addEventListener('abort', () => (withdrawn = true));
      ask();
      return null;
    };
    const session = host({ canUseTool }, { permissionPromptTool: 'stdio' });
    await session.prompt('Make it').accepted;
    const messages = all(session.untilResult());
    await isAsked;
    assert.equal((await session.interrupt()).outcome, 'accepted');
    assert.equal(resultOf(await messages).subtype, 'error_during_execution');
    assert.ok(withdrawn);
    assert.equal(session.state.questions, 0);
    await session.prompt('Are you there?').accepted;
    assert.equal(resultOf(await all(session.untilResult())).result, 'Still here.');
    await session.close();
  },

  async hooks({ script, query, all, folder }) {
    script(bash('echo one > one.txt'), bash('echo two > two.txt'), 'Done.');
    const events = [];
    const note = (input) => {
      events.push(input.hook_event_name);
    };
    const before = (input) => {
      note(input);
      const permissionDecision = input.tool_input.command.includes('one') ? 'allow' : 'deny';
      return {
        hookSpecificOutput: {
          hookEventName: 'PreToolUse',
          permissionDecision,
          permissionDecisionReason: 'by the hook',
        },
      };
    };
    const messages = await all(
      query({
        prompt: 'Make both',
        canUseTool: () => assert.fail('the hooks decide'),
        hooks: {
          UserPromptSubmit: [{ hooks: [note] }],
          PreToolUse: [
            { matcher: 'Bash', hooks: [before], onFailure: 'block', timeoutMs: 5000 },
            { matcher: 'Read', hooks: [() => assert.fail('no match')] },
          ],
          PostToolUse: [{ hooks: [note] }],
          Stop: [{ hooks: [note] }],
        },
      }),
    );
    assert.deepEqual(events, ['UserPromptSubmit', 'PreToolUse', 'PostToolUse', 'PreToolUse', 'Stop']);
    assert.deepEqual([existsSync(join(folder, 'one.txt')), existsSync(join(folder, 'two.txt'))], [true, false]);
    assert.match(toolResults(messages)[1].text, /by the hook/);
  },

  async 'a hook that fails and blocks'({ script, query, all, folder }) {
    script(bash('echo made > made.txt'), 'Then not.');
    const failing = () => Promise.reject(new Error('policy broke'));
    const messages = await all(
      query({
        prompt: 'Make it',
        canUseTool: () => ({ behavior: 'allow' }),
        hooks: { PreToolUse: [{ hooks: [failing], onFailure: 'block' }] },
      }),
    );
    assert.equal(toolResults(messages)[0].is_error, true);
    assert.equal(existsSync(join(folder, 'made.txt')), false);
  },

  async 'an MCP server within this program'({ script, query, all }) {
    script(call('mcp__lab__add', { a: 2, b: 3 }), 'Five.');
    const lab = new McpServer({ name: 'lab', version: '1.0.0' });
    const described = { description: 'Adds two numbers', inputSchema: { a: z.number(), b: z.number() } };
    lab.registerTool('add', described, ({ a, b }) => ({ content: [{ type: 'text', text: String(a + b) }] }));
    const asked = [];
    const session = query({
      prompt: 'Two and three?',
      mcpServers: { lab },
      canUseTool: ({ tool_name }) => {
        asked.push(tool_name);
        return { behavior: 'allow' };
      },
    });
    const messages = await all(session);
    assert.deepEqual(asked, ['mcp__lab__add']);
    assert.deepEqual(toolResults(messages), [{ text: '5', is_error: false }]);
    assert.ok(messages.find(({ subtype }) => subtype === 'init').tools.includes('mcp__lab__add'));
    const { sdk_mcp_manifests_parked: parked } = await session.initialized;
    assert.deepEqual(parked, { lab: 'parked' });
    assert.equal(resultOf(messages).result, 'Five.');
  },

  async 'an MCP server that initialize brings'({ script, query, all }) {
    script(call('mcp__outside__token', {}), 'Done.');
    const server = fileURLToPath(new URL('mcp-server.mjs', import.meta.url));
    const outside = { type: 'stdio', command: process.execPath, args: [server], env: { TOKEN: 'a secret' } };
    const session = query({
      prompt: 'What is it?',
      // The host starts the agent with `--await-initialize`, so that the secret is in `initialize` and not on a command line.
      initialize: { mcpServers: { outside } },
      canUseTool: () => ({ behavior: 'allow' }),
    });
    const messages = await all(session);
    assert.equal((await session.initialized).mcp_servers_applied, true);
    assert.deepEqual(toolResults(messages), [{ text: 'a secret', is_error: false }]);
  },

  async 'an MCP server that initialize brings too late'({ host }) {
    const session = host({ initialize: { mcpServers: { gone: { command: '/nowhere/at/all' } } } });
    await assert.rejects(session.initialized, { code: 'unsupported_capability' });
    await assert.rejects(session.prompt('hi').accepted, { code: 'unsupported_capability' });
    await session.close();
  },
};
