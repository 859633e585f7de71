import { ConfigError, show } from './errors.ts'
import { version } from './generated/version.ts'
import type { Named } from './operation.ts'
import type { CallOptions } from './options.ts'
import { readProperty } from './property.ts'
import { isBrowser } from './runtime.ts'

/**
 * Headers that describe the connection (RFC 9110, section 7.6.1) or ask for something before the
 * body (section 10.1.1). `fetch` fails on them when a payment already counts as sent, and a gateway
 * may read them as the end of one request and the start of another.
 */
const CONNECTION_HEADERS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'connection',
  'expect',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Headers that the client sets for each request. */
const CLIENT_HEADERS: ReadonlySet<string> = /* @__PURE__ */ new Set([
  'authorization',
  'content-length',
  'content-type',
])

/**
 * Copies the headers of a call, with names in lower case. Throws `ConfigError` for headers of the
 * connection, such as `transfer-encoding`, and for invalid ones.
 */
export function copyCallHeaders(
  headers: CallOptions['headers'],
  operation?: Named,
): Record<string, string> {
  const copied = copyHeaders(headers, operation)
  for (const name of Object.keys(copied)) {
    if (!CONNECTION_HEADERS.has(name)) continue
    throw new ConfigError(`the header "${name}" belongs to the connection: leave it out`, operation)
  }

  // Another client may have set it: this one sends its own text, with the length of that.
  delete copied['content-length']
  return copied
}

/**
 * Copies the headers that the caller wants in all requests, with a `user-agent`. Throws
 * `ConfigError` for those that the client sets itself, and for invalid ones.
 */
export function copyClientHeaders(headers: CallOptions['headers']): Record<string, string> {
  const copied = copyHeaders(headers)
  for (const name of Object.keys(copied)) {
    const isSetByClient = CLIENT_HEADERS.has(name) || CONNECTION_HEADERS.has(name)
    if (!isSetByClient) continue
    throw new ConfigError(`"headers" must not have "${name}", which the client sets itself`)
  }

  const agent = userAgent()
  return agent ? { 'user-agent': agent, ...copied } : copied
}

/**
 * Throws `ConfigError` for a header that HTTP forbids, such as one with a line break in its value.
 * Later, `new Headers` would refuse it with an error that shows the value, which may be a secret.
 * Passes over what is no plain object of strings.
 */
export function requireValidHeaders(headers: unknown): void {
  if (typeof headers !== 'object' || headers === null || Symbol.iterator in headers) return
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') copyHeaders({ [name]: value })
  }
}

/**
 * Copies headers into an object with names in lower case: from an object, a list of pairs or a
 * `Headers`. Throws `ConfigError` for anything else, and for a value that HTTP forbids.
 */
function copyHeaders(headers: CallOptions['headers'], operation?: Named): Record<string, string> {
  if (!headers) return {}

  const isPromise = typeof readProperty(headers, 'then') === 'function'
  if (isPromise) throw new ConfigError('"headers" is a Promise: await it first', operation)

  requireStrings(headers, operation)
  try {
    return Object.fromEntries(new Headers(headers))
  } catch {
    // The error of the runtime shows the value, which may be a key of a gateway.
    throw new ConfigError(
      `"headers" must be names with valid values${nameInvalidHeader(headers)}`,
      operation,
    )
  }
}

/** Names the header with an invalid value, if its name is valid. */
function nameInvalidHeader(headers: object): string {
  for (const [name, value] of Object.entries(headers)) {
    const isNamed = /^[\w-]+$/.test(name) && typeof value === 'string'
    if (isNamed && !isValue(value)) return `: that of "${name}" has a character that HTTP forbids`
  }
  return ''
}

/** Whether a text can be the value of a header: HTTP forbids some characters, such as line breaks. */
function isValue(value: string): boolean {
  try {
    return new Headers({ x: value }).has('x')
  } catch {
    return false
  }
}

/**
 * Throws `ConfigError` unless the value of each header is a string: `new Headers` would send
 * `undefined` and `[object Object]` as words.
 */
function requireStrings(headers: object, operation: Named | undefined): void {
  // An object of the class checks its values itself.
  const isHeaders = typeof headers === 'object' && Symbol.iterator in headers
  if (isHeaders) return

  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string') continue
    throw new ConfigError(`the header "${name}" must be a string, got ${show(value)}`, operation)
  }
}

/**
 * `partner-payments-client/0.1.0 node/24`. `undefined` in browsers, which do not let a page choose
 * it, and in runtimes that do not say what they are.
 */
function userAgent(): string | undefined {
  if (isBrowser()) return undefined

  const runtime = runtimeName()
  if (!runtime) return undefined
  return `partner-payments-client/${version} ${runtime}`
}

/**
 * The name of the runtime with its major version: `node/24`, `bun/1`, `deno/2`, `workerd`.
 * `undefined` if it is not known.
 */
function runtimeName(): string | undefined {
  const agent = readProperty(globalThis.navigator, 'userAgent')
  if (agent === 'Cloudflare-Workers') return 'workerd'

  const versions = versionsOfRuntime()
  // Deno and Bun have a version of Node too, for the packages that ask for it.
  for (const name of ['deno', 'bun', 'node']) {
    const version = readProperty(versions, name)
    if (typeof version === 'string') return `${name}/${version.split('.', 1)[0]}`
  }
  return undefined
}

/**
 * The versions of the runtime, such as `{ node: '24.1.0', … }`; `undefined` without a `process`. Edge
 * runtimes may have one that throws at what it does not support.
 */
function versionsOfRuntime(): unknown {
  try {
    return readProperty(readProperty(globalThis, 'process'), 'versions')
  } catch {
    return undefined
  }
}
