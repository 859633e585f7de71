/** `pnpm example [--port 4030]`: the page and its back end, beside a sandbox of the service. */
import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { serve } from '@hono/node-server'
import { createPayments } from '@partner-payments/client'
import { impersonate } from '@partner-payments/client/fixtures'
import { serve as serveSandbox } from '@partner-payments/sandbox'
import { createApp } from './server/app.ts'
import { createBackend } from './server/backend.ts'
import { reconcile } from './server/reconcile.ts'

const { values } = parseArgs({ options: { port: { type: 'string', default: '4030' } } })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => process.exit(0))

// It listens before there is an app: the webhook that is registered with the service names its
// port.
const { promise: app, resolve } = Promise.withResolvers<ReturnType<typeof createApp>>()
const fetch = async (request: Request) => (await app).fetch(request)
const server = serve({ fetch, port: Number(values.port), hostname: '127.0.0.1' }) as Server
await once(server, 'listening')
const { port } = server.address() as AddressInfo
const origins = [`http://127.0.0.1:${port}`, `http://localhost:${port}`]

// What a partner has before it begins: credentials, a customer, a registered webhook. Yours come
// from your secret store.
const { url: baseUrl } = await serveSandbox({ port: 0, allowLoopback: true })
const partner = createPayments({ baseUrl, auth: { clientKey: 'partner', clientSecret: 'secret' } })
const webhook = await partner.webhooks.create({ type: 'all', url: `${origins[0]}/webhooks` })
const actingFor = impersonate.request.actForCustomer
const { customers } = await partner.users.get(actingFor.user_id)
const customer = customers.find(({ id }) => id === actingFor.customer_id)
if (!customer) throw new Error(`the service has no customer ${actingFor.customer_id}`)
const service = {
  client: partner.as(actingFor),
  ownKey: 'fulano@example.com',
  ownAccount: customer.account_id,
  webhookSecrets: [webhook.secret],
}

// Somebody else's code, to pay.
const shop = createPayments({ baseUrl, auth: { clientKey: 'other', clientSecret: 'secret' } })
const dict_key = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const { emv } = await shop.qrcodes.createStatic({ dict_key, amount: '10.50' })
const demo = { sandbox: baseUrl, key: 'beltrana@example.com', code: emv }

// In memory, because the sandbox forgets with this process too. Yours is a file.
const backend = createBackend(service, ':memory:')
resolve(
  createApp(backend, { origins, demo, page: fileURLToPath(new URL('dist', import.meta.url)) }),
)
process.stderr.write(`
  page     ${origins[0]}
  sandbox  ${baseUrl}

  Pay and be paid on the page. The page of the sandbox pays its QR codes, and simulates failures.

  Ctrl-C stops.
`)
for (;;) {
  await reconcile(backend).catch(console.error)
  await setTimeout(5000)
}
