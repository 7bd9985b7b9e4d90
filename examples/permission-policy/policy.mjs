import { isAbsolute, relative, resolve } from 'node:path';

/**
 * Creates a function for `canUseTool` from rules. The first rule that returns a decision applies; if no rule does, or a rule throws, the call is denied.
 * `record` is called with every decision.
 */
export function createPolicy({ rules, record }) {
  return (request) => {
    const { tool_name: tool, input, tool_use_id: id } = request;
    let decision = { behavior: 'deny', message: `No rule allows ${tool}.` };
    try {
      for (const rule of rules) {
        const answer = rule(tool, input);
        if (answer === undefined) continue;
        decision = answer;
        break;
      }
    } catch (error) {
      decision = { behavior: 'deny', message: `The policy failed: ${error.message}` };
    }
    record({ id, tool, behavior: decision.behavior, reason: decision.message });
    return decision;
  };
}

/** Allows these tools with any input. */
export const allowTools =
  (...names) =>
  (tool) =>
    names.includes(tool) ? { behavior: 'allow' } : undefined;

/** Allows writing files only below this folder. */
export const writeBelow = (folder) => (tool, input) => {
  if (tool !== 'Write') return undefined;
  const path = relative(folder, resolve(folder, input.file_path));
  const isBelow = path !== '' && !path.startsWith('..') && !isAbsolute(path);
  return isBelow ? { behavior: 'allow' } : { behavior: 'deny', message: `${input.file_path} is outside.` };
};

/** Allows only these exact commands; `rewrite` replaces a command with another command. */
export const commands = (allowed) => (tool, input) => {
  if (tool !== 'Bash') return undefined;
  if (!Object.hasOwn(allowed, input.command)) return { behavior: 'deny', message: `Not a command for you.` };
  return { behavior: 'allow', updatedInput: { ...input, command: allowed[input.command] } };
};
