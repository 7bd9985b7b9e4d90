import type { Direction } from '@proto/recording';
import type { Members } from '@proto/recording/timeline';

/** A message of a frame, and the side that sent it. */
export interface CopiedMessage {
  readonly dir: Direction;
  readonly message: Members;
}

/** A part of a session that is converted to a case. */
export interface CopiedPart {
  readonly messages: readonly CopiedMessage[];
  /** The `initialize` request of the host; undefined if the recording does not contain it. */
  readonly initialize: Members | undefined;
}

interface Steps {
  readonly lines: string[];
  /** The requirements that the steps check. */
  readonly spec: Set<string>;
  /** The names of requests, by the side that sent them and their ids. */
  readonly names: Record<Direction, Map<unknown, string>>;
  /** Requests from the agent that are answered outside the steps. */
  readonly leftOut: Set<unknown>;
  /** How many requests have a name. */
  named: number;
}

/**
 * Writes messages as a case of the conformance suite for agents: the host's messages are sent, and the agent's messages are expected, by their kinds
 * and names. Model texts, ids and times differ between runs, so no step expects them. The host's MCP servers are left out.
 */
export function caseOf({ messages, initialize }: CopiedPart): string {
  const steps: Steps = {
    lines: [],
    spec: new Set(),
    names: { 'from-host': new Map(), 'from-agent': new Map() },
    leftOut: new Set(),
    named: 0,
  };
  for (const { dir, message } of messages) {
    if (dir === 'from-host') sayStep(message, steps);
    else expectStep(message, steps);
  }
  return [
    `- id: agent/recorded/${slugOf(messages)}`,
    '  title: The agent behaves as in the recorded session.',
    `  spec: [${[...(steps.spec.size === 0 ? ['CTL-1'] : steps.spec)].join(', ')}]`,
    `  start: ${startOf(steps, initialize)}`,
    '  steps:',
    ...steps.lines,
    '',
  ].join('\n');
}

function startOf({ spec }: Steps, initialize: Members = {}): string {
  const { subtype: _, sdkMcpServers: __, ...members } = initialize;
  const asks = spec.has('PRM-2');
  return JSON.stringify({
    ...(asks && { args: ['--permission-prompt-tool', 'stdio'] }),
    ...(Object.keys(members).length > 0 && { initialize: asSent(members) }),
  });
}

function sayStep(message: Members, steps: Steps): void {
  const { lines, spec, names, leftOut } = steps;
  const { type, request_id: id } = message;
  const request = Object(message['request']) as Members;
  if (type === 'user') {
    const { content } = Object(message['message']) as Members;
    lines.push(`    - prompt: ${JSON.stringify(asSent(content))}`);
  } else if (
    type === 'control_request' &&
    request['subtype'] !== 'initialize' &&
    request['subtype'] !== 'mcp_message'
  ) {
    spec.add(request['subtype'] === 'interrupt' ? 'INT-1' : 'CTL-3');
    lines.push(`    - request: ${JSON.stringify(asSent(request))}`, `      as: ${nameOf(id, 'from-host', steps)}`);
  } else if (type === 'control_response') {
    const { request_id: answered, response, error } = Object(message['response']) as Members;
    const name = names['from-agent'].get(answered);
    if (name === undefined || leftOut.has(answered)) return;
    lines.push(`    - answer: ${name}`);
    lines.push(
      typeof error === 'string'
        ? `      error: ${JSON.stringify(plainText(error))}`
        : `      with: ${JSON.stringify(asSent(response ?? {}))}`,
    );
  } else if (type === 'control_cancel_request' && names['from-host'].has(id)) {
    lines.push(`    - cancel: ${names['from-host'].get(id)}`);
  }
}

function expectStep(message: Members, steps: Steps): void {
  const { lines, spec, names, leftOut } = steps;
  const { type, request_id: id } = message;
  const expect = (pattern: object) => lines.push(`    - expect: ${JSON.stringify(pattern)}`);
  if (type === 'control_request') {
    const request = Object(message['request']) as Members;
    if (request['subtype'] === 'mcp_message') return void leftOut.add(id);
    leftOut.delete(id);
    const requirement = REQUIREMENTS_BY_REQUEST[String(request['subtype'])];
    if (requirement !== undefined) spec.add(requirement);
    expect({ type, request: requestPattern(request) });
    lines.push(`      as: ${nameOf(id, 'from-agent', steps)}`);
  } else if (type === 'control_response') {
    const { request_id: answered, subtype } = Object(message['response']) as Members;
    const name = names['from-host'].get(answered);
    if (name === undefined) return;
    lines.push(`    - expect-answer: ${name}`);
    if (subtype === 'error') lines.push('      error: {"$type":"string"}');
  } else if (type === 'control_cancel_request' && names['from-agent'].has(id)) {
    expect({ type, request_id: { '$same-as': `${names['from-agent'].get(id)}.request_id` } });
  } else if (type === 'result') {
    spec.add('TRN-10');
    expect({ type, subtype: nameIn(message['subtype']), is_error: message['is_error'] === true });
  } else if (type === 'assistant' || type === 'user') {
    for (const pattern of blockPatterns(message)) expect({ type, message: { content: { $contains: pattern } } });
  }
  return undefined;
}

const REQUIREMENTS_BY_REQUEST: Readonly<Record<string, string>> = { can_use_tool: 'PRM-2', hook_callback: 'HOK-5' };

function requestPattern({ subtype, tool_name: tool, input }: Members): object {
  const { hook_event_name: event } = Object(input) as Members;
  return {
    subtype: nameIn(subtype),
    ...(tool !== undefined && { tool_name: nameIn(tool) }),
    ...(subtype === 'hook_callback' && event !== undefined && { input: { hook_event_name: nameIn(event) } }),
  };
}

function blockPatterns(message: Members): object[] {
  const { content } = Object(message['message']) as Members;
  return (Array.isArray(content) ? content : []).flatMap((block: unknown): object[] => {
    const { type, name, is_error: isError } = Object(block) as Members;
    if (type === 'tool_use') return [{ type, name: nameIn(name) }];
    // An agent may omit `is_error` in a result without an error.
    return type === 'tool_result' ? [{ type, ...(isError === true && { is_error: true }) }] : [];
  });
}

function nameOf(id: unknown, asker: Direction, steps: Steps): string {
  const name = `request${++steps.named}`;
  steps.names[asker].set(id, name);
  return name;
}

/** Returns a pattern for a name. If a name would be read as a template, the pattern matches anything. */
function nameIn(name: unknown): unknown {
  return typeof name === 'string' && !name.includes('${') ? name : { $any: true };
}

/** A value that is sent unchanged, even if it looks like a template. */
function asSent(value: unknown): unknown {
  return /\$\{|"\$/.test(JSON.stringify(value) ?? '') ? { $template: 'off', value } : value;
}

function plainText(text: string): string {
  return text.replaceAll('${', '$ {');
}

function slugOf(messages: readonly CopiedMessage[]): string {
  const { type, subtype, request } = messages[0]?.message ?? {};
  const { subtype: asked } = Object(request) as Members;
  const words = [type === 'user' ? 'turn' : type, subtype ?? asked].filter((word) => typeof word === 'string');
  const slug = words
    .join('-')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? 'session' : slug.slice(0, 60);
}
