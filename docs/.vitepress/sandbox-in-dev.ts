import type { Plugin } from 'vitepress'

/** The paths that a development server passes on to the sandbox, as Vite writes them. */
export const SANDBOX_PATHS = '^/mobile-bff/'

/**
 * Leads `sandbox.html` to the page of the sandbox behind a development server, names its address in `sandbox.json`, and lets Vite see each path as the
 * sandbox resolves it. Otherwise, `/mobile-bff/%2e%2e/_sandbox/state` would reach what only this machine may call.
 */
export function sandboxInDev(): Plugin {
  return {
    name: 'sandbox-in-dev',
    // Before VitePress, which decodes each path.
    enforce: 'pre',
    configureServer({ middlewares, config }) {
      const { target } = Object(config.server.proxy?.[SANDBOX_PATHS])
      middlewares.use((request, response, next) => {
        const url = normalizeTarget(request.url ?? '')
        if (url === undefined) return response.writeHead(400, TEXT).end(REFUSED)
        if (url === '/sandbox.html' && target) return response.writeHead(302, { location: target }).end()
        if (url === '/sandbox.json' && target) return response.end(JSON.stringify({ url: target }))
        Object.assign(request, { url, originalUrl: url })
        next()
      })
    },
  }
}

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
const REFUSED =
  'The path is invalid: expected a path without a lone %, a backslash, a control character, an empty segment, and encoded dots or slashes that lead elsewhere.\n'
/** A path that is still encoded after so many times is refused. */
const MAX_ENCODINGS = 4
/** An empty segment, a backslash, a segment `.` or `..`, or a control character, which URL parsers may drop. */
const AMBIGUOUS = /\/\/|\\|\/\.\.?(\/|$)|[^ -\uffff]/

/** The target of a request with its dot segments resolved; undefined if a server behind could read another path in it. */
function normalizeTarget(target: string): string | undefined {
  if (!target.startsWith('/') || !isDecodable(target.split('?', 1)[0] ?? '')) return undefined
  // Not relative to a base, where `//host` would name another host.
  const { pathname, search } = new URL(`http://localhost${target}`)
  let path = pathname
  for (let times = 0; times < MAX_ENCODINGS; times += 1) {
    if (AMBIGUOUS.test(path)) return undefined
    const decoded = decodeBytes(path)
    if (decoded === path) return pathname + search
    path = decoded
  }
  return undefined
}

function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== ''
  } catch {
    return false
  }
}

/** Decodes byte by byte, because bytes that are no UTF-8 may still hide a slash. */
function decodeBytes(text: string): string {
  return text.replaceAll(/%([\da-f]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
}
