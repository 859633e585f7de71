import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { serve } from '@hono/node-server'
import { checkCode, impersonate } from '@partner-payments/client/fixtures'
import { serve as serveMock } from '@partner-payments/mock'
import { build } from 'vite'
import { type BackEndOptions, createBackEnd } from '../server.ts'

/** What nobody but the back end may know. */
export const secrets = {
  clientKey: 'loja-exemplo',
  clientSecret: 'the-secret-of-the-client',
  webhookSecret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD',
}

export interface Example {
  readonly url: string
  readonly mock: string
  /** The operationIds that reached the mock, in their order. */
  readonly called: string[]
  close(): Promise<void>
}

/** The page, built anew, its back end and a mock, each on a port of its own. */
export async function startExample(options: Partial<BackEndOptions> = {}): Promise<Example> {
  const page = mkdtempSync(join(tmpdir(), 'example-'))
  const root = fileURLToPath(new URL('..', import.meta.url))
  await build({ root, logLevel: 'warn', build: { outDir: page, emptyOutDir: true } })
  const called: string[] = []
  const log = (line: string) => called.push(line.split(' ').at(-3) ?? line)
  const mock = await serveMock({ port: 0, verbose: true, log })
  const customer = impersonate.request.actForCustomer
  const { fetch } = createBackEnd({
    ...secrets,
    baseUrl: mock.url,
    customer,
    code: checkCode.request.static.emv,
    settlementOf: () => undefined,
    page,
    onEvent: () => {},
    ...options,
  })
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1' })
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mock: mock.url,
    called,
    async close() {
      server.close()
      await mock.close()
      rmSync(page, { recursive: true })
    },
  }
}
