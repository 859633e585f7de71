/** The storage of a tab of a browser, which is empty at first. */
export function emptyStore() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    keys: () => items.keys(),
  }
}
