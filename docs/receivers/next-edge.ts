// app/webhooks/route.ts
import { readSecrets } from '@partner-payments/webhooks'
import { keep } from './keep.ts'
import { receive } from './web.ts'

export const runtime = 'edge'

const secrets = readSecrets(process.env.WEBHOOK_SECRETS)

export function POST(request: Request): Promise<Response> {
  return receive(request, secrets, keep)
}
