/**
 * Verifies and prints each delivery. It stores nothing: for trying out only.
 * WEBHOOK_SECRET: the secret of the webhook. PORT: the port to listen on (default 3000).
 */
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { verify, WebhookError } from '@partner-payments/webhooks'

const { WEBHOOK_SECRET = '', PORT = '3000' } = process.env

const server = createServer(async (request, response) => {
  try {
    const { type, data } = await verify(await buffer(request), request.headers, WEBHOOK_SECRET)
    const words = ['verified', type, data.status, data.payment?.amount, data.rejection_message]
    console.log(words.filter(Boolean).join(' '))
    response.writeHead(204).end()
  } catch (error) {
    const { code, status } = error instanceof WebhookError ? error : { code: 'failed', status: 500 }
    console.log(`refused ${code}`)
    response.writeHead(status).end()
  }
})
server.listen(Number(PORT), '127.0.0.1', () => console.log('waiting for deliveries'))
// Such as a port that is in use.
server.on('error', ({ message }) => {
  console.error(`${message}; PORT sets another port`)
  process.exitCode = 1
})
