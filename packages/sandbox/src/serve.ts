import { isIP } from 'node:net'
import { type App, type AppOptions, createApp } from './app.ts'
import { HOST, PORT } from './defaults.ts'
import { type Listening, type ListenOptions, listen } from './listen.ts'

/** Options of a sandbox and its server. */
export interface ServeOptions extends AppOptions, Pick<ListenOptions, 'ownsProcess'> {
  /** 4020 by default; 0 chooses a free port. */
  readonly port?: number
  /** 127.0.0.1 by default, because the control API is for people on this machine. */
  readonly host?: string
}

/** A listening sandbox. */
export interface RunningSandbox extends App {
  /** The base URL, without a trailing slash. */
  readonly url: string
  /**
   * Refuses new requests, responds to those in progress, and closes the state. What takes longer
   * than `graceMs` is cut.
   */
  close(graceMs?: number): Promise<void>
}

/**
 * Serves a sandbox over HTTP.
 *
 * @example
 * const sandbox = await serve({ port: 0 })
 * const authorization = `Basic ${btoa('partner:secret')}`
 * await fetch(`${sandbox.url}/mobile-bff/v1/auth/partner/token/`, { method: 'POST', headers: { authorization } })
 * await sandbox.close()
 *
 * @throws {StoreError} if the state cannot be opened
 * @throws {Error} with code EADDRINUSE if the port is in use
 */
export async function serve({
  port = PORT,
  host = HOST,
  ownsProcess = false,
  allowedHosts = [],
  ...options
}: ServeOptions = {}): Promise<RunningSandbox> {
  // Always accept the name that the sandbox listens on.
  const isName = host !== '' && isIP(host) === 0
  const hosts = isName ? [...allowedHosts, host] : allowedHosts
  const app = await createApp({ ...options, allowedHosts: hosts })
  const listening = await listenOrClose(app, { fetch: app.fetch, port, host, ownsProcess })
  return {
    ...app,
    url: listening.url,
    async close(graceMs) {
      app.drain()
      await listening.close(graceMs)
      await app.close(graceMs)
    },
  }
}

/** Serves the app. If it cannot be served, closes it, and throws why. */
async function listenOrClose(app: App, options: ListenOptions): Promise<Listening> {
  try {
    return await listen(options)
  } catch (error) {
    await app.close()
    throw error
  }
}
