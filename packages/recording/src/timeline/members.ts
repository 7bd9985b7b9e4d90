/** The unchecked members of a message. */
export type Members = Readonly<Record<string, unknown>>;

export function membersOf(value: unknown): Members | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Members) : undefined;
}

export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

export function blocksOf(message: Members): readonly Members[] {
  const content = membersOf(message['message'])?.['content'];
  return Array.isArray(content) ? content.map(membersOf).filter((block) => block !== undefined) : [];
}
