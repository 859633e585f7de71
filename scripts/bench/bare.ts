// `node bare.ts` serves in a process of its own, and prints its URL.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }

const { credential, webhook, emailKey, keySettled } = contract.components.examples
interface Prepared {
  readonly status: number
  readonly body: string
}

const RESPONSES: Readonly<Record<string, Prepared>> = {
  'POST /mobile-bff/v1/partner/webhook': {
    status: 201,
    body: JSON.stringify(credential.value),
  },
  'POST /mobile-bff/v1/pix/dict/check/': {
    status: 200,
    body: JSON.stringify(emailKey.value),
  },
  'POST /mobile-bff/v1/pix/out/': {
    status: 201,
    body: JSON.stringify(keySettled.value),
  },
}
const OTHER: Prepared = { status: 200, body: JSON.stringify(webhook.value) }

/** Reads the whole request, and responds with an example of the contract. */
const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    if (parts.length > 0) JSON.parse(Buffer.concat(parts).toString())
    const { status, body } = RESPONSES[`${request.method} ${request.url}`] ?? OTHER
    response.writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      'x-request-id': 'req_01JBQ4Y3T7M9',
    })
    response.end(body)
  })
})
await once(server.listen(0, '127.0.0.1'), 'listening')
console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
