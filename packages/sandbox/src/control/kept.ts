/** The last things of a kind by their names; the oldest goes when there are more than `most`. */
export interface Kept<T> {
  put(name: string, thing: T): void
  get(name: string): T | undefined
  /** The newest first. */
  last(): T[]
  clear(): void
}

export function createKept<T>(most: number): Kept<T> {
  const things = new Map<string, T>()
  return {
    put(name, thing) {
      things.set(name, thing)
      for (const oldest of things.keys()) {
        if (things.size <= most) break
        things.delete(oldest)
      }
    },
    get: (name) => things.get(name),
    last: () => [...things.values()].reverse(),
    clear: () => things.clear(),
  }
}
