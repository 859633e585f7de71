import process from 'node:process'
import { readSecrets } from '@partner-payments/webhooks'
import { inbox } from './inbox.ts'
import { receive } from './web.ts'

const secrets = readSecrets(process.env.WEBHOOK_SECRETS)

Deno.serve({ port: Number(process.env.PORT ?? 3000) }, (request) => {
  const isDelivery = request.method === 'POST' && new URL(request.url).pathname === '/webhooks'
  if (!isDelivery) return new Response(null, { status: 404 })
  return receive(request, secrets, inbox.add)
})
