import { readSecrets } from '@partner-payments/webhooks'
import { inbox } from './inbox.ts'
import { receive } from './web.ts'

const secrets = readSecrets(process.env.WEBHOOK_SECRETS)

Bun.serve({
  port: Number(process.env.PORT ?? 3000),
  routes: { '/webhooks': { POST: (request) => receive(request, secrets, inbox.add) } },
})
