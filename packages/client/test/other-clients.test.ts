import ky, { type Options } from 'ky'
import { afterAll, describe, expect, it } from 'vitest'
import { OutcomeUnknownError } from '../src/index.ts'
import { cases, startService } from './clients/cases.ts'
import { noResponse, problem, service as serviceOf, TRANSFER } from './service.ts'

const SAMPLES = ['openapi-fetch', 'ky', 'fetch']
const OUT = 'mobile-bff/v1/pix/out/'

const service = await startService()
afterAll(() => service.close())

describe.each(SAMPLES)('%s on createSafeFetch', (name) => {
  it.each(Object.entries(cases))('%s', async (_, run) => {
    const { pay } = await import(`./clients/${name}.ts`)
    await run(service, pay)
  })
})

describe('ky with other options', () => {
  const payingWith = (options: Options, all: ReturnType<typeof serviceOf>) => {
    const client = ky.create({ prefix: all.options.baseUrl, fetch: all.safeFetch, ...options })
    return client.post(OUT, { json: TRANSFER }).json()
  }
  const retry = { limit: 2, methods: ['post' as const], delay: () => 0 }

  it.each([{}, { retry }])(
    'does not send a payment of unknown outcome again: %j',
    async (options) => {
      const all = serviceOf(() => problem(503, 'unavailable'))
      await expect(payingWith(options, all)).rejects.toBeInstanceOf(OutcomeUnknownError)
      expect(all.sent).toHaveLength(1)
    },
  )

  it('hides an unknown outcome behind its own timeout', async () => {
    const all = serviceOf((sent) => noResponse(sent))
    await expect(payingWith({ timeout: 20 }, all)).rejects.toThrow('timed out')
    expect(all.sent).toHaveLength(1)
  })

  it.each([
    {
      title: 'sends a payment again if it retries after a timeout',
      options: { timeout: 20, retry: { ...retry, retryOnTimeout: true } },
    },
    {
      title: 'sends a payment again if its `shouldRetry` says so',
      options: { timeout: 20, retry: { ...retry, shouldRetry: () => true } },
    },
  ])('$title', async ({ options }) => {
    const all = serviceOf((sent) => noResponse(sent))
    await expect(payingWith(options as Options, all)).rejects.toThrow()
    expect(all.sent.length).toBeGreaterThan(1)
  })
})
