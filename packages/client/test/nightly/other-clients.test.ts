import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSafeFetch } from '../../src/index.ts'
import { cases, startService } from '../clients/cases.ts'
import { problem, TRANSFER } from '../service.ts'

const pathOf = (url: string) => fileURLToPath(new URL(url, import.meta.url))

let service: Awaited<ReturnType<typeof startService>>
beforeAll(async () => {
  service = await startService()
  const contract = fileURLToPath(import.meta.resolve('@partner-payments/spec/openapi.json'))
  const generate = pathOf('../../../../scripts/tools/generate.ts')
  await promisify(execFile)(process.execPath, [generate, contract, pathOf('clients')])
})
afterAll(() => service.close())

describe.each(['hey-api', 'orval', 'kubb'])('%s on createSafeFetch', (name) => {
  it.each(Object.entries(cases))('%s', async (_, run) => {
    const { pay } = await import(`./clients/${name}.ts`)
    await run(service, pay)
  })
})

it('the samples compile', async () => {
  const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))
  await promisify(execFile)(process.execPath, [tsc, '-p', pathOf('clients/tsconfig.json')])
})

it('kubb takes a refusal for a success without throwHttpErrors', async () => {
  service.set(() => problem(409, 'initiation_used'))
  const auth = { clientKey: 'partner', clientSecret: 'secret' }
  const safeFetch = createSafeFetch({ baseUrl: service.url, auth })
  const { createTransfer } = await import(`./clients/kubb/clients/${'createTransfer'}.ts`)
  const own = globalThis.fetch
  globalThis.fetch = safeFetch
  const called = createTransfer(TRANSFER, { baseURL: service.url })
  globalThis.fetch = own
  expect(await called).toMatchObject({ code: 'initiation_used' })
})
