/** The variables of a process. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Whether a variable switches something on. */
export function isOn(value: string | undefined): boolean {
  return value !== undefined && ['1', 'true', 'yes', 'on'].includes(value.toLowerCase());
}
