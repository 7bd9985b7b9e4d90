/**
 * Names of the platform that our types mention. A program has them from the DOM, from Node's types or from a `lib` of the compiler,
 * but ours must compile without all of these too. An interface that is declared twice has the members of both declarations, so these change nothing where
 * the names are known, and elsewhere they are names of nothing in particular.
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
