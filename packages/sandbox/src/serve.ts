import { isIP } from 'node:net'
import { type App, type AppOptions, createApp } from './app.ts'
import { type ListenOptions, listen } from './listen.ts'

/** Where a sandbox listens, and what it is made of. */
export interface ServeOptions extends AppOptions, Pick<ListenOptions, 'ownsProcess'> {
  /** 4020 by default; 0 takes a free one. */
  readonly port?: number
  /** 127.0.0.1 by default: the control is for people on this machine. */
  readonly host?: string
}

/** A sandbox that listens. */
export interface RunningSandbox extends App {
  /** Where it listens, without a slash at the end. */
  readonly url: string
  /** Takes no more requests, answers those under way, and closes the state. */
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
 * @throws {StoreError} when the state cannot be opened
 * @throws {Error} with code EADDRINUSE when the port is taken
 */
export async function serve({
  port = 4020,
  host = '127.0.0.1',
  ownsProcess = false,
  allowedHosts = [],
  ...options
}: ServeOptions = {}): Promise<RunningSandbox> {
  // Requests to the name that the sandbox listens on are for that name.
  const app = await createApp({
    ...options,
    allowedHosts: isIP(host) || host === '' ? allowedHosts : [...allowedHosts, host],
  })
  const listening = await listen({ fetch: app.fetch, port, host, ownsProcess }).catch(
    async (error: unknown) => {
      await app.close()
      throw error
    },
  )
  return {
    ...app,
    url: listening.url,
    async close(graceMs) {
      app.drain()
      await listening.close(graceMs)
      await app.close()
    },
  }
}
