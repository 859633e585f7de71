import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  type Arrival,
  CA,
  misusesIn,
  startConnectionServer,
  tlsFile,
} from '../scripts/connection-server.ts'
import type { Payments } from '../src/index.ts'
import { TRANSFER } from './service.ts'

/** A proxy for TLS, which counts the tunnels that it opens. */
async function startProxy() {
  let tunnels = 0
  const server = createServer()
  server.on('connect', ({ url = '' }, client) => {
    tunnels++
    const { hostname, port } = new URL(`http://${url}`)
    const target = connect(Number(port), hostname, () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      target.pipe(client).pipe(target)
    })
    for (const socket of [client, target]) socket.on('error', () => {})
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, tunnels: () => tunnels, close: () => server.close() }
}

async function payThrice(payments: Payments): Promise<string[]> {
  const kinds: string[] = []
  for (let count = 0; count < 3; count++) {
    await payments.users.list()
    const { kind } = await payments.transfers.create(TRANSFER).result()
    kinds.push(kind)
  }
  return kinds
}

/** Without the sign-in, for which a `fetch` of the caller may use any connection. */
function withoutSignIn(arrivals: readonly Arrival[]): Arrival[] {
  return arrivals.filter(({ path }) => !path.includes('/auth/'))
}

const proxy = await startProxy()
afterAll(() => proxy.close())

beforeAll(() => {
  setDefaultCACertificates([...getCACertificates(), readFileSync(CA, 'utf8')])
  vi.stubEnv('PROXY_URL', proxy.url)
  vi.stubEnv('CA_FILE', CA)
  vi.stubEnv('CERT_FILE', tlsFile('client.pem'))
  vi.stubEnv('KEY_FILE', tlsFile('client.key'))
})

describe('certificates.ts', () => {
  it('pays over fresh connections with a client certificate, and shares those of reads', async () => {
    const ca = readFileSync(CA)
    const server = await startConnectionServer({ ca, requestCert: true, rejectUnauthorized: true })
    vi.stubEnv('BASE_URL', `${server.url}/plain`)
    const { payments } = await import('./connections/certificates.ts')
    expect(await payThrice(payments)).toEqual(['ok', 'ok', 'ok'])
    expect(misusesIn(withoutSignIn(server.arrivalsOf('plain')))).toEqual([])

    const { createPayments } = await import('../src/index.ts')
    const auth = { token: () => 't' }
    const without = createPayments({ baseUrl: `${server.url}/plain`, auth, retries: 0 })
    expect((await without.users.list().result()).kind).toBe('connection')
    server.close()
  })
})

describe('proxy.ts', () => {
  it('pays over fresh connections through a proxy, and shares those of reads', async () => {
    const server = await startConnectionServer()
    vi.stubEnv('BASE_URL', `${server.url}/plain`)
    const { payments } = await import('./connections/proxy.ts')
    const before = proxy.tunnels()
    expect(await payThrice(payments)).toEqual(['ok', 'ok', 'ok'])
    expect(misusesIn(withoutSignIn(server.arrivalsOf('plain')))).toEqual([])
    expect(proxy.tunnels() - before).toBeGreaterThan(3)
    server.close()
  })
})

describe('environment.ts', () => {
  it('pays through the proxy and with the CA of the environment, each over a fresh connection', async () => {
    const server = await startConnectionServer()
    const before = proxy.tunnels()
    const env = {
      ...process.env,
      BASE_URL: `${server.url}/plain`,
      NODE_USE_ENV_PROXY: '1',
      HTTPS_PROXY: proxy.url,
      NODE_EXTRA_CA_CERTS: CA,
    }
    const program = `
      const { payments } = await import('./connections/environment.ts')
      await payments.users.list()
      const { status } = await payments.transfers.create(${JSON.stringify(TRANSFER)})
      console.log(status)`
    const cwd = fileURLToPath(new URL('.', import.meta.url))
    const args = ['--input-type=module', '--eval', program]
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env })
    expect(stdout).toBe('settled\n')
    // A sign-in, a read and a payment.
    expect(proxy.tunnels() - before).toBe(3)
    server.close()
  })
})
