/**
 * The base of the error classes of this package. An error has a `code` to compare, and a brand that is recognized across copies of the package and
 * across realms.
 */
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

/** `instanceof` would fail for an error from another copy of this package. */
export function isCoded(value: unknown, name: string): boolean {
  return Object.hasOwn(Object(value), brandOf(name));
}

// A chain of causes that never ends must not hang the search.
const MAX_CAUSES = 100;

/** Returns the first error that `is` accepts among the given error and its chain of causes. Checks at most 100 causes. */
export function findError<Wanted extends Error>(
  error: unknown,
  is: (candidate: unknown) => candidate is Wanted,
): Wanted | undefined {
  let candidate = error;
  for (let depth = 0; depth <= MAX_CAUSES; depth++) {
    if (is(candidate)) return candidate;
    if (!(candidate instanceof Error)) return undefined;
    candidate = candidate.cause;
  }
  return undefined;
}

/** Reads the message of a thrown value. Never throws, even for a value that cannot be converted to a string. */
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
