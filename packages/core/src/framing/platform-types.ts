/**
 * Names of the platform that the types of this package mention. A program usually gets them from the DOM, from Node's types or from a `lib` of the
 * compiler, but the types must compile without these too. An interface that is declared twice has the members of both declarations, so these empty
 * declarations do not change a known interface. Otherwise they are interfaces without members.
 */
declare global {
  interface AbortSignal {}
  interface URL {}

  // As `lib: ["ESNext.Disposable"]` has them.
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
  interface AsyncDisposable {
    [Symbol.asyncDispose](): PromiseLike<void>;
  }
}

export {};
