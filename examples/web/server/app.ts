import { serveStatic } from '@hono/node-server/serve-static'
import { PaymentsError } from '@partner-payments/client'
import { WebhookError } from '@partner-payments/client/webhooks'
import { type ErrorHandler, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { csrf } from 'hono/csrf'
import { HTTPException } from 'hono/http-exception'
import { secureHeaders } from 'hono/secure-headers'
import { validator } from 'hono/validator'
import { amountOf, codeOf, keyOf, type Reader } from '../shared/input.ts'
import type { Demo } from '../shared/payment.ts'
import { live, paymentOf } from './activity.ts'
import type { Backend } from './backend.ts'
import { createCharge } from './charges.ts'
import { receive } from './inbox.ts'
import { checkCode, checkKey, pay } from './payments.ts'
import { applyDeliveries } from './reconcile.ts'
import { isRefusal, reasonOf } from './refusals.ts'

export interface AppOptions {
  /** Where browsers find the page, such as `https://shop.example`. */
  readonly origins: readonly string[]
  /** Folder of the built page. */
  readonly page: string
  readonly demo?: Demo
}

/** The page, what it calls, and the receiver of webhooks. */
export function createApp(backend: Backend, { origins, page, demo }: AppOptions): Hono {
  const app = new Hono()
  app.onError(handleError)
  app.use(secureHeaders({ contentSecurityPolicy: POLICY, referrerPolicy: 'no-referrer' }))

  // Deliveries come from elsewhere, and are signed. Everything below is for the page alone.
  app.post('/webhooks', limit(128), async ({ req, body }) => {
    await receive(backend, req.raw)
    applyDeliveries(backend)
    return body(null, 204)
  })

  // A page of another site may reach this server under a name of its own (DNS rebinding), or send
  // it a form.
  const hosts = origins.map((origin) => new URL(origin).host)
  app.use(async ({ req }, next) => {
    const { host } = new URL(req.url)
    if (!hosts.includes(host)) refuse(403, FOREIGN)
    await next()
  })
  app.use('/api/*', csrf({ origin: [...origins] }), limit(4))

  app.get('/api/demo', ({ json }) => json(demo ?? null))
  app.get('/api/live', live(backend))
  for (const { path, read, start } of STARTS)
    app.post(path, input(read), async ({ req, json }) =>
      json(await start(backend, req.valid('json'))),
    )
  app.get('/api/payments/:id', ({ req, json }) => {
    const payment = paymentOf(backend, req.param('id'))
    if (!payment) refuse(404, GONE)
    return json(payment)
  })
  app.post('/api/payments/:id', input(amountOf), async ({ req, json }) => {
    const payment = await pay(backend, req.param('id'), req.valid('json'))
    if (!payment) refuse(404, GONE)
    // It was not claimed, so nothing was sent.
    if (payment.state === 'checked') refuse(409, BLOCKED)
    return json(payment)
  })

  app.get('/receipts/:id', serveStatic({ root: page, path: 'index.html' }))
  app.use(serveStatic({ root: page }))
  return app
}

/** Where a payment starts: its path, what is typed, and what is done. */
const STARTS = [
  { path: '/api/keys', read: keyOf, start: checkKey },
  { path: '/api/codes', read: codeOf, start: checkCode },
  { path: '/api/charges', read: amountOf, start: createCharge },
] as const

/**
 * The page loads from here, calls nobody else, and is in nobody's frame. Pictures of QR codes are
 * data.
 */
const POLICY = {
  defaultSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
}

const FOREIGN = 'Refused: expected a name that is among the origins of this server.'
const GONE = 'This is not here any more. Check again.'
const BLOCKED =
  'Not sent: another payment to the same key or code has an unknown outcome. Try again when it is known.'

function limit(kilobytes: number) {
  return bodyLimit({ maxSize: kilobytes * 1024 })
}

/**
 * `{"value": "…"}`, read as the page reads it. A page of another site cannot send JSON without our
 * consent (CORS).
 */
function input(read: Reader) {
  return validator('json', (body: unknown) => {
    const typed = valueIn(body)
    const value = typed === undefined ? undefined : read(typed)
    if (!value) refuse(400, '"value" is invalid.')
    return value
  })
}

function valueIn(body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null || !('value' in body)) return undefined
  return typeof body.value === 'string' ? body.value : undefined
}

function refuse(status: 400 | 403 | 404 | 409, message: string): never {
  throw new HTTPException(status, { message })
}

/** The only place where an error becomes a response. */
const handleError: ErrorHandler = (error, { json }) => {
  if (error instanceof HTTPException)
    return json({ message: error.message || 'Refused.' }, error.status)
  if (error instanceof WebhookError && error.status === 400) return json({ code: error.code }, 400)

  if (error instanceof PaymentsError) {
    console.error(error.message)
    return json({ message: reasonOf(error) }, isRefusal(error) ? 422 : 502)
  }

  console.error(error)
  return json({ message: 'The server failed.' }, 500)
}
