import { verify, WebhookError } from '@partner-payments/webhooks'
import express, { type ErrorRequestHandler } from 'express'
import { inbox } from './inbox.ts'

const secrets = (process.env.WEBHOOK_SECRETS ?? '').split(' ').filter(Boolean)
const app = express()

// Before any express.json(), and for every content type: the signature is of the bytes, not of what they mean.
app.post('/webhooks', express.raw({ type: () => true, limit: '64kb' }), async (request, response) => {
  const event = await verify(request.body, request.headers, secrets)
  inbox.add(request.get('webhook-id') ?? '', event)
  response.status(204).end()
})

const refuse: ErrorRequestHandler = (error, _request, response, _next) => {
  if (error instanceof WebhookError) return response.status(400).json({ code: error.code })
  // Express itself would answer with the stack.
  console.error(error)
  response.status(error.status ?? 500).end()
}
app.use(refuse)

export const server = app.listen(Number(process.env.PORT ?? 3000))
