/** Every browser calls itself Mozilla; Node, Deno, Bun and edge workers do not. */
export function isBrowser(): boolean {
  return /^Mozilla/.test(globalThis.navigator?.userAgent)
}
