/** The members of a tool's input that are compared with rules. */
export interface ToolSubject {
  readonly kind: 'command' | 'path' | 'search' | 'url' | 'name';
  /** The members that the input of a call must contain. */
  readonly required: readonly string[];
  /** Only members that are present are compared. */
  readonly optional: readonly string[];
}

const subject = (
  kind: ToolSubject['kind'],
  required: readonly string[],
  optional: readonly string[] = [],
): ToolSubject => ({
  kind,
  required,
  optional,
});

// If a call names its file twice, both names are compared, because an agent may use either name.
const FILE = subject('path', ['file_path'], ['notebook_path', 'path']);
const NOTEBOOK = subject('path', ['notebook_path'], ['file_path', 'path']);
const AGENT = subject('name', ['subagent_type']);

const SUBJECTS: ReadonlyMap<string, ToolSubject> = new Map(
  Object.entries({
    Bash: subject('command', ['command']),
    PowerShell: subject('command', ['command']),
    Read: FILE,
    Edit: FILE,
    Write: FILE,
    MultiEdit: FILE,
    NotebookRead: NOTEBOOK,
    NotebookEdit: NOTEBOOK,
    Glob: subject('search', ['pattern'], ['path']),
    Grep: subject('search', [], ['path', 'glob']),
    LS: subject('search', [], ['path']),
    WebFetch: subject('url', ['url']),
    WebSearch: subject('name', ['query']),
    Agent: AGENT,
    Task: AGENT,
    Skill: subject('name', ['skill']),
    SlashCommand: subject('name', ['command']),
  }),
);

/** Returns `undefined` for an unknown tool, such as a tool of an MCP server. */
export function subjectOfTool(tool: string): ToolSubject | undefined {
  return SUBJECTS.get(tool);
}

const MAX_TEXTS = 10_000;

/** Includes nested strings. Returns `undefined` for an input with more than 10 000 values, which are too many to compare. */
export function textsIn(input: unknown): readonly string[] | undefined {
  const texts: string[] = [];
  const open: unknown[] = [input];
  for (let count = 0; open.length > 0; count++) {
    if (count > MAX_TEXTS) return undefined;
    const value = open.pop();
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'object' && value !== null) {
      const values: readonly unknown[] = Object.values(value);
      if (values.length > MAX_TEXTS) return undefined;
      open.push(...values);
    }
  }
  return texts;
}
