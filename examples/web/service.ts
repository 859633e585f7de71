import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { type ActingFor, createPayments } from '@partner-payments/client'
import { impersonate } from '@partner-payments/client/fixtures'
import { createApp } from '@partner-payments/sandbox'
import { Hono } from 'hono'
import { cors } from 'hono/cors'

/** What a partner knows of the service, before anybody opens the page. */
export interface Service {
  readonly baseUrl: string
  readonly clientKey: string
  readonly clientSecret: string
  readonly webhookSecret: string
  /** For whom the page acts. */
  readonly customer: ActingFor
  /** A code that can be paid. */
  readonly code: string
}

/** The partner and the customer that every sandbox begins with, and a key of each. */
const PARTNER = { clientKey: 'partner', clientSecret: 'secret' }
const PARTNER_KEY = '12ABC34501DE35'
const CUSTOMER = impersonate.request.actForCustomer
const CUSTOMER_KEY = 'fulano@example.com'
const MONTH_MS = 30 * 86_400_000

/**
 * Starts a sandbox, whose state is in memory, and does there what a partner does once: registers the webhook of the back
 * end, and makes a code to be paid and one for the list of the customer.
 *
 * @param backEnd Where the back end listens. Pages from there alone may call the sandbox.
 */
export async function startService(backEnd: string): Promise<Service> {
  const baseUrl = await listen(backEnd)
  const payments = createPayments({ baseUrl, auth: PARTNER })
  const webhook = await payments.webhooks.create({ type: 'transfer', url: `${backEnd}/webhooks` })
  const { emv } = await payments.qrcodes.createStatic({ dict_key: PARTNER_KEY, amount: '10.50' })
  await payments.as(CUSTOMER).qrcodes.createDueDate({
    dict_key: CUSTOMER_KEY,
    tx_id: 'PEDIDO1001PEDIDO1001PEDIDO1001',
    amount: { original: '95.00' },
    calendar: { due_date: new Date(Date.now() + MONTH_MS).toISOString().slice(0, 10) },
  })
  return { baseUrl, ...PARTNER, customer: CUSTOMER, webhookSecret: webhook.secret, code: emv }
}

/** A browser lets a page call another origin only where that allows it, and the sandbox allows none by itself. */
async function listen(backEnd: string): Promise<string> {
  const sandbox = await createApp({ allowLoopback: true })
  const origin = [backEnd, backEnd.replace('127.0.0.1', 'localhost')]
  const app = new Hono()
    .use(cors({ origin, exposeHeaders: ['x-request-id', 'www-authenticate', 'retry-after'] }))
    .all('*', ({ req }) => sandbox.fetch(req.raw))
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
