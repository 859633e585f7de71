/**
 * Of which lists a history has read no second page, although a page says that there are more records. Then nothing
 * shows whether the list is whole.
 */
export class UnreadPages {
  /** By list: why there must be a second page, in words. */
  readonly #signs = new Map<string, string>()
  /** The lists of which a second page was read. */
  readonly #walkedLists = new Set<string>()

  /** Notes that a page of a list has led to this one. */
  noteLaterPage(list: string): void {
    this.#walkedLists.add(list)
  }

  /** Notes what a page says of further records, to which it does not lead: `a page has 10 records of 23`. */
  noteSign(list: string, sign: string): void {
    if (!this.#signs.has(list)) this.#signs.set(list, sign)
  }

  /** Lists the lists of which no second page was read, each with the sign that there is one. */
  list(): readonly (readonly [list: string, sign: string])[] {
    return [...this.#signs].filter(([list]) => !this.#walkedLists.has(list))
  }
}
