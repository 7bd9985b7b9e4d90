const MAX_ID_LENGTH = 256;

/** The id that a client gave something; undefined for what is none. Ids are kept beside what they name, so there is an end to them. */
export function idOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_LENGTH ? value : undefined;
}
