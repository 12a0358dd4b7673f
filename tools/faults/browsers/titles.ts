/**
 * Titles of added tasks. An addition that was undone before it was sent need not be stored: undo removes a
 * tab's newest additions first.
 */
export class Titles {
  readonly #added: string[] = [];
  readonly #mayBeAbsent = new Set<string>();
  readonly #lastOfTabs = new Set<string>();
  readonly #newest = new WeakMap<object, string[]>();

  added(tab: object, title: string): void {
    this.#added.push(title);
    this.#newest.set(tab, [...(this.#newest.get(tab) ?? []), title]);
  }

  undone(tab: object): void {
    const title = this.#newest.get(tab)?.pop();
    if (title !== undefined) this.#mayBeAbsent.add(title);
  }

  /** The app showed the refusal and the text to the user. */
  refused(title: string): void {
    this.#mayBeAbsent.add(title);
  }

  /** A tab's steps of undo end with it. */
  forget(tab: object): void {
    this.#lastOfTabs.add(this.#newest.get(tab)?.at(-1) ?? '');
    this.#newest.delete(tab);
  }

  get count(): number {
    return this.#added.length;
  }

  /** A sentence for each title that was not created exactly once. */
  findFaults(created: ReadonlyMap<string, readonly string[]>): string[] {
    return this.#added.flatMap((title) => {
      const count = created.get(title)?.length ?? 0;
      if (count === 1 || (count === 0 && this.#mayBeAbsent.has(title))) return [];
      const when = this.#lastOfTabs.has(title) ? ', the last one of a tab that ended' : '';
      return `«${title}» was created ${count} times${when}`;
    });
  }
}
