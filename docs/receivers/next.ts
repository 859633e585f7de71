// app/webhooks/route.ts
import { readSecrets } from '@partner-payments/webhooks'
import { inbox } from './inbox.ts'
import { receive } from './web.ts'

// `next build` loads this file too, so the variable must be set there.
const secrets = readSecrets(process.env.WEBHOOK_SECRETS)

export function POST(request: Request): Promise<Response> {
  return receive(request, secrets, inbox.add)
}
