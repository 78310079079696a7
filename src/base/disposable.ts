/** Something that holds a resource until it is told to let go. Disposing twice does nothing. */
export interface Disposable {
  dispose(): void;
}

/** Wraps a function so that it runs at most once. */
export function toDisposable(run: () => void): Disposable {
  let done = false;
  return {
    dispose() {
      if (done) return;
      done = true;
      run();
    },
  };
}

/** Owns several disposables. What is added after disposal is disposed at once. */
export class DisposableStore implements Disposable {
  #items: Disposable[] | undefined = [];

  add<T extends Disposable>(item: T): T {
    if (this.#items === undefined) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    const items = this.#items ?? [];
    this.#items = undefined;
    // Last acquired goes first, so that nothing outlives what it was built on.
    for (const item of items.toReversed()) item.dispose();
  }
}
