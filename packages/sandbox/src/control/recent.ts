/** The most recent items of a kind, by name. The oldest is dropped when there are more than `most`. */
export interface Recent<T> {
  put(name: string, item: T): void
  get(name: string): T | undefined
  /** Newest first. */
  last(): T[]
  clear(): void
}

export function createRecent<T>(most: number): Recent<T> {
  const items = new Map<string, T>()
  return {
    put(name, item) {
      items.set(name, item)
      for (const oldest of items.keys()) {
        if (items.size <= most) break
        items.delete(oldest)
      }
    },
    get: (name) => items.get(name),
    last: () => [...items.values()].reverse(),
    clear: () => items.clear(),
  }
}
