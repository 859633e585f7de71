/** A map that forgets what was set first when it is full. */
export class Bounded<K, V> extends Map<K, V> {
  readonly #maxEntries: number
  /** How many entries it has forgotten. */
  forgotten = 0

  constructor(maxEntries: number) {
    super()
    this.#maxEntries = maxEntries
  }

  override set(key: K, value: V): this {
    this.delete(key)
    super.set(key, value)
    if (this.size > this.#maxEntries) this.forget(this.keys().next().value as K)
    return this
  }

  forget(key: K): void {
    if (this.delete(key)) this.forgotten++
  }
}
