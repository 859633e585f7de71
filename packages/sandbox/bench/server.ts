// A server to be measured, in a process of its own: node server.ts <bare | prism | sqlite [file] | postgres <url>>.
// Prints its URL; exits when its standard input ends.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve as serveMock } from '@partner-payments/mock'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { serve } from '../src/index.ts'

const { credential, webhook, emailKey } = contract.components.examples

/** Reads the whole request, and responds with an example of the contract. */
async function bare(): Promise<string> {
  const responses: Record<string, [status: number, body: string]> = {
    'POST /mobile-bff/v1/partner/webhook': [201, JSON.stringify(credential.value)],
    'POST /mobile-bff/v1/pix/dict/check/': [200, JSON.stringify(emailKey.value)],
  }
  const other: [number, string] = [200, JSON.stringify(webhook.value)]
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const [status, body] = responses[`${request.method} ${request.url}`] ?? other
      if (parts.length > 0) JSON.parse(Buffer.concat(parts).toString())
      response.writeHead(status, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        'x-request-id': 'req_01JBQ4Y3T7M9',
      })
      response.end(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on a port has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function sandbox(where: { file?: string; databaseUrl?: string | undefined }): Promise<string> {
  // A run registers more webhooks than a partner may have.
  const unlimited = { limitsRates: false, maxWebhooks: Number.POSITIVE_INFINITY }
  return (await serve({ ...where, ...unlimited, port: 0, allowLoopback: true, ownsProcess: true })).url
}

function newFile(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbox-bench-'))
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'state.db')
}

const [kind = '', place] = process.argv.slice(2)
const starts: Record<string, () => Promise<string>> = {
  bare,
  prism: async () => (await serveMock({ port: 0 })).url,
  sqlite: () => sandbox({ file: place ?? newFile() }),
  postgres: () => sandbox({ databaseUrl: place }),
}
const start = starts[kind]
if (!start) throw new Error(`expected ${Object.keys(starts).join(' or ')}, got "${kind}"`)
console.log(await start())
process.stdin.on('end', () => process.exit(0)).resume()
