import { isIP } from 'node:net'
import { serveStatic } from '@hono/node-server/serve-static'
import { type ActingFor, createPayments, PaymentsError } from '@partner-payments/client'
import { verify, WebhookError, type WebhookEvent } from '@partner-payments/client/webhooks'
import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { secureHeaders } from 'hono/secure-headers'
import type { Settlement } from './settlements.ts'

/** The secrets and settings of the back end, and the folder of the page. */
export interface BackEndOptions {
  readonly baseUrl: string
  readonly clientKey: string
  readonly clientSecret: string
  readonly webhookSecret: string
  /** The customer for whom the page acts. A real application takes it from its own sign-in. */
  readonly customer: ActingFor
  /** A payment code that the page offers to begin with. */
  readonly code: string
  /** How a transfer ended, or undefined while nobody knows. */
  readonly settlementOf: (id: string) => Settlement | undefined
  /** Names of this server, besides localhost and IP addresses; none by default. */
  readonly hosts?: readonly string[]
  /** Folder of the built page. */
  readonly page: string
  /** Called once for each delivery that is genuine. */
  readonly onEvent: (event: WebhookEvent) => void
}

/** Serves the page, gives it tokens, and receives webhooks. */
export function createBackEnd({ baseUrl, customer, page, ...options }: BackEndOptions): Hono {
  const { clientKey, clientSecret, webhookSecret, code, settlementOf, onEvent, hosts = [] } = options
  const payments = createPayments({ baseUrl, auth: { clientKey, clientSecret } })
  const app = new Hono()

  app.use(secureHeaders({ contentSecurityPolicy: policyFor(baseUrl), referrerPolicy: 'no-referrer' }))

  const limited = bodyLimit({ maxSize: 64 * 1024, onError: (context) => context.body(null, 413) })
  app.post('/webhooks', limited, async (context) => {
    const { raw } = context.req
    onEvent(await verify(await raw.arrayBuffer(), raw.headers, webhookSecret))
    return context.body(null, 204)
  })

  // Deliveries come from elsewhere, and are signed. Everything else is for the page.
  app.use(pageOnly(hosts))

  app.get('/config', (context) => context.json({ baseUrl, code }))

  app.get('/payments/:id', (context) => context.json(settlementOf(context.req.param('id')) ?? null))

  // The access token alone: who has the refresh token can go on for longer than the session of the page.
  app.post('/token', async (context) => {
    const { access_token } = await payments.auth.impersonate(customer)
    return context.json(access_token, 200, { 'cache-control': 'no-store' })
  })

  app.use(serveStatic({ root: page }))

  app.onError((error, context) => {
    if (error instanceof WebhookError) return context.json({ code: error.code }, 400)
    console.error(error instanceof PaymentsError ? error.message : error)
    return context.body(null, error instanceof PaymentsError ? 502 : 500)
  })
  return app
}

/**
 * Refuses requests that the page of another site makes the browser send: under a name of that site which leads here
 * (DNS rebinding), or across origins. Any site may link to the page.
 */
function pageOnly(hosts: readonly string[]): MiddlewareHandler {
  return async ({ req, text }, next) => {
    const url = URL.parse(req.url)
    const isSafe = req.method === 'GET' || req.method === 'HEAD'
    if (url && isOwnHost(url.hostname, hosts) && (isSafe || isOwnPage(req.raw.headers, url))) return next()
    return text(REFUSED, 403)
  }
}

const REFUSED = `Refused: expected a request of this server's own page, at localhost, an IP address or a name in "hosts".\n`

function isOwnHost(hostname: string, hosts: readonly string[]): boolean {
  return hostname === 'localhost' || isIP(hostname.replace(/^\[|\]$/g, '')) !== 0 || hosts.includes(hostname)
}

/** Browsers say from where a page sends: in one header, or in both. A proxy may have ended its TLS. */
function isOwnPage(headers: Headers, { host }: URL): boolean {
  const origin = headers.get('origin')
  const site = headers.get('sec-fetch-site')
  return (origin === null || URL.parse(origin)?.host === host) && (site === null || site === 'same-origin')
}

/** The page loads from here and calls the service, and nothing else. The images of QR codes are data. */
function policyFor(baseUrl: string) {
  return {
    defaultSrc: ["'self'"],
    connectSrc: ["'self'", new URL(baseUrl).origin],
    imgSrc: ["'self'", 'data:'],
    baseUri: ["'none'"],
    formAction: ["'none'"],
    frameAncestors: ["'none'"],
  }
}
