import { expect, onTestFinished } from 'vitest'
import { check } from '../src/check.ts'
import type { CheckOptions } from '../src/engine/check-options.ts'
import { MAX_IN_ALL } from '../src/transport/tracked-resources.ts'
import { type Service, startService } from './sandbox-proxy.ts'

export const credentials = { clientKey: 'partner', clientSecret: 'secret' }
export const PAY = '/mobile-bff/v1/pix/out'

/** Checks a sandbox as if it was a live service. */
export async function checkLive(options: Partial<CheckOptions> = {}) {
  const service = await startService()
  onTestFinished(() => service.close())
  const other = { clientKey: 'other', clientSecret: 'secret' }
  const live = { url: service.url, target: 'live', credentials, other, rate: 5_000 } as const
  return { service, result: await check({ ...live, ...options }) }
}

/** Requests that create records; no other POST request succeeds. */
export const created = ({ passed }: Service) =>
  passed.filter(
    ({ method, path, status }) => method === 'POST' && /webhook|qrcode/.test(path) && status < 300,
  )
export const madeBy = (service: Service) => [
  ...new Set(created(service).map(({ body }) => JSON.parse(body).id)),
]
export const removedBy = ({ passed }: Service) => {
  const removals = passed.filter(({ method, status }) => method === 'DELETE' && status < 300)
  return [...new Set(removals.map(({ path }) => path.replace(/\/$/, '').split('/').at(-1)))]
}

/** Expects that a run sends no payment to a live service, and removes what it creates. */
export async function expectSafe(options: Partial<CheckOptions>): Promise<void> {
  const { service, result } = await checkLive(options)
  const paths = [`${PAY}/`, '/pix/out']
  const payments = service.passed.filter(({ method, path }) => method === 'POST' && /pix\/out/.test(path))
  // Each payment operation gets one body, which cannot be executed.
  expect(payments.map(({ path, body }) => [path, JSON.parse(body).code])).toEqual(
    paths.map((path) => [path, 'malformed_body']),
  )
  expect(service.passed.filter(({ path, method }) => method === 'POST' && /static/.test(path))).toEqual([])
  expect(created(service).length).toBeGreaterThan(20)
  expect(created(service).length).toBeLessThanOrEqual(MAX_IN_ALL)
  expect(removedBy(service).toSorted()).toEqual(madeBy(service).toSorted())
  expect(result.leftovers).toEqual([])
  expect(result.findings).toEqual([])
  expect(result.rules.find(({ rule }) => rule === 'one-time-values')?.status).toBe('not-assessed')
}
