import { readProperty } from './property.ts'

/** Every browser calls itself Mozilla; Node, Deno, Bun and edge workers do not. */
export function isBrowser(): boolean {
  return /^Mozilla/.test(globalThis.navigator?.userAgent)
}

/** React Native and Expo, which have no user agent. */
export function isReactNative(): boolean {
  return readProperty(globalThis.navigator, 'product') === 'ReactNative'
}
