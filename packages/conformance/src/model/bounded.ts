/** A map that forgets what was set first when it is full. */
export class Bounded<K, V> extends Map<K, V> {
  readonly #maxEntries: number
  /**
   * Goes through the keys, the oldest first. A new iterator passes all entries that were deleted, of which a map keeps
   * the places for a while. An old one keeps all values that the map had since, also replaced ones. So it is renewed
   * after as many sets as the map has entries.
   */
  #oldestKeys = this.keys()
  #setsOfIterator = 0
  /** How many entries it has forgotten. */
  forgotten = 0

  constructor(maxEntries: number) {
    super()
    this.#maxEntries = maxEntries
  }

  /** Sets an entry, as the newest one. If that is one too many, forgets the oldest, and counts it in `forgotten`. */
  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    const isOneTooMany = this.size > this.#maxEntries
    // The keys of a map are in the order in which they were set. All that the iterator has passed are deleted.
    if (isOneTooMany) this.forget(this.#oldestKeys.next().value as K)

    this.#setsOfIterator++
    if (this.#setsOfIterator >= this.size) this.#renewIterator()
    return this
  }

  #renewIterator(): void {
    this.#oldestKeys = this.keys()
    this.#setsOfIterator = 0
  }

  /** Deletes an entry, and counts it in `forgotten` if it was there. */
  forget(key: K): void {
    if (this.delete(key)) this.forgotten++
  }
}
