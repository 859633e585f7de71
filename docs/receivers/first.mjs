// Verifies and prints each delivery. It stores nothing, and limits no body: for a first look.
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { readSecrets, verify } from '@partner-payments/webhooks'

const secrets = readSecrets(process.env.WEBHOOK_SECRETS)
const server = createServer(async (request, response) => {
  try {
    const event = await verify(await buffer(request), request.headers, secrets)
    console.log(event.type, event.data)
    response.writeHead(204).end()
  } catch (error) {
    console.error(error)
    response.writeHead(error.status ?? 500).end()
  }
})
server.listen(Number(process.env.PORT ?? 3000), '127.0.0.1')
