/** What the error classes of this package share: a code to match on, and a brand that holds across copies and realms. */
export abstract class CodedError<Code extends string> extends Error {
  readonly code: Code;
  readonly retryable: boolean;

  constructor(
    name: string,
    code: Code,
    message: string,
    options: { readonly cause?: unknown; readonly retryable?: boolean },
  ) {
    super(message, options);
    this.name = name;
    this.code = code;
    this.retryable = options.retryable ?? false;
    Object.defineProperty(this, brandOf(name), { value: true });
  }
}

/** Whether a value is the error class of that name, of any copy of this package: `instanceof` fails across two copies. */
export function isCoded(value: unknown, name: string): boolean {
  return Object.hasOwn(Object(value), brandOf(name));
}

/** What a thrown value says. Never throws, as a value that converts to no string would make it. */
export function messageOf(thrown: unknown): string {
  try {
    return thrown instanceof Error ? thrown.message : String(thrown);
  } catch {
    return typeof thrown;
  }
}

function brandOf(name: string): symbol {
  return Symbol.for(`@proto/core.${name}`);
}
