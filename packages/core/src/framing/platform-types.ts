/**
 * Names of platform types that the types of this package use. A program usually gets these types from the DOM, from Node's types or from a `lib` of
 * the compiler, but this package must also compile without them. An interface that is declared twice has the members of both declarations, so these
 * empty declarations do not change an interface that is already declared. If an interface is not declared elsewhere, it has no members.
 */
declare global {
  interface AbortSignal {}
  interface URL {}

  // As in `lib: ["ESNext.Disposable"]`.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
  interface AsyncDisposable {
    [Symbol.asyncDispose](): PromiseLike<void>;
  }
}

export {};
