import { env } from 'cloudflare:workers'
import { readSecrets } from '@partner-payments/webhooks'
import { receive } from './web.ts'

const secrets = readSecrets(env.WEBHOOK_SECRETS)

/** A database of D1 with the table `inbox (id TEXT PRIMARY KEY, body TEXT NOT NULL)`. */
const insert = env.INBOX.prepare('INSERT INTO inbox VALUES (?, ?) ON CONFLICT DO NOTHING')

async function keep(id: string, body: Uint8Array): Promise<void> {
  await insert.bind(id, new TextDecoder().decode(body)).run()
}

export default {
  fetch(request) {
    const isDelivery = request.method === 'POST' && new URL(request.url).pathname === '/webhooks'
    if (!isDelivery) return new Response(null, { status: 404 })
    return receive(request, secrets, keep)
  },
} satisfies ExportedHandler
