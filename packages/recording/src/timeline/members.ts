/** The members of a message, not checked. */
export type Members = Readonly<Record<string, unknown>>;

/** The members of a value; undefined if the value is not an object. */
export function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

/** True if the value is a text that is not empty. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function blocksOf(message: Members): readonly Members[] {
  const content = membersOf(message['message'])?.['content'];
  return Array.isArray(content) ? content.map(membersOf).filter((block) => block !== undefined) : [];
}
