const URL_OF_PROBE = 'http://localhost/'

/**
 * Keeps responses out of caches: they hold tokens and one-time ids. Next.js stores them on disk
 * otherwise, even those of a POST.
 *
 * Empty where the option does harm: Cloudflare Workers threw until November 2024, and the `fetch`
 * of React Native adds a query parameter to each GET.
 */
export function chooseCache(): { readonly cache?: 'no-store' } {
  return canForbidStoring() ? { cache: 'no-store' } : {}
}

/** The class that was asked, since tests and polyfills replace it. */
let askedClass: unknown
let isPossible = false

/**
 * Whether this runtime accepts the option `cache: 'no-store'`. Tries it once, and again only if a
 * test or a polyfill has replaced the global `Request` since.
 */
function canForbidStoring(): boolean {
  if (askedClass === globalThis.Request) return isPossible

  askedClass = globalThis.Request
  isPossible = isLeftAlone()
  return isPossible
}

/** Whether `new Request` takes `cache: 'no-store'` without an error, and leaves the URL as it is. */
function isLeftAlone(): boolean {
  try {
    return new Request(URL_OF_PROBE, { cache: 'no-store' }).url === URL_OF_PROBE
  } catch {
    return false
  }
}
