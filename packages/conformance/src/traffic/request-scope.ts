import type { Contract } from '../model/contract.ts'
import { below, nodeOf } from '../model/document.ts'

/**
 * The base URL of a service: the given one, or the first server of the contract (OpenAPI 3.1, "Server Object").
 *
 * @throws {TypeError} if the URL is not absolute
 */
export function baseUrlOf({ document }: Contract, given: string | undefined): URL {
  const server = nodeOf(document.at(below('', 'servers', '0')))
  const serverUrl = String(server.url ?? '').replaceAll(/\{([^{}]*)\}/g, (_, name: string) =>
    String(nodeOf(nodeOf(server.variables)[name]).default ?? ''),
  )
  const url = given ?? serverUrl
  if (URL.canParse(url)) return new URL(url)
  throw new TypeError(`the base URL must be absolute, such as http://127.0.0.1:4020, got "${url}"`)
}

/**
 * The path and query of a URL relative to a base. Undefined for other hosts, and for paths outside the contract,
 * such as pages of an app on the same host.
 */
export function pathBelow(base: URL, { operations }: Contract, url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname, search } = new URL(url)
  const prefix = base.pathname.replace(/\/$/, '')
  if (origin !== base.origin || !isBelow(pathname, prefix)) return undefined
  const path = pathname.slice(prefix.length) || '/'
  return rootsOf(operations.map((it) => it.path)).some((root) => isBelow(path, root))
    ? path + search
    : undefined
}

function isBelow(path: string, prefix: string): boolean {
  return `${path}/`.startsWith(`${prefix}/`)
}

/** The common prefix of all paths, or the first segment of each. */
function rootsOf(paths: readonly string[]): string[] {
  const fixed = paths.map((path) => path.split('{', 1)[0]?.split('/').filter(Boolean) ?? [])
  const [first = []] = fixed
  const differs = first.findIndex((segment, i) => fixed.some((it) => it[i] !== segment))
  const common = differs === -1 ? first : first.slice(0, differs)
  const roots =
    common.length > 0 ? [common] : fixed.map(([segment]) => (segment === undefined ? [] : [segment]))
  return [...new Set(roots.map((it) => it.map((segment) => `/${segment}`).join('')))]
}

/** Whether a browser sent the request on its own (Fetch, "CORS-preflight request"). */
export function isPreflight({
  method,
  headers,
}: {
  method: string
  headers: Readonly<Record<string, string>>
}): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}
