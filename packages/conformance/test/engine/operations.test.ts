import { expect, onTestFinished, test } from 'vitest'
import { check } from '../../src/check.ts'
import { startService } from '../sandbox-proxy.ts'

/** Findings and rules of a run with some operations, on a service without x-request-id. */
async function checked(operations: readonly string[], only?: readonly string[]) {
  const service = await startService()
  onTestFinished(() => service.close())
  service.change = (response) => {
    const { 'x-request-id': _, ...headers } = response.headers
    return { ...response, headers }
  }
  const credentials = { clientKey: 'partner', clientSecret: 'secret' }
  const options = { url: service.url, target: 'sandbox', credentials, operations } as const
  return { service, ...(await check({ ...options, ...(only && { only }) })) }
}

test('reports nothing about excluded operations that prepare others', async () => {
  const { findings, service } = await checked(['updateWebhook'], ['records', 'responses'])
  expect(new Set(findings.map(({ operation }) => operation))).toEqual(new Set(['updateWebhook']))
  expect(service.passed.some(({ method, path }) => method === 'POST' && path.endsWith('/webhook'))).toBe(true)
})

test('does not assess a rule without included operations', async () => {
  const { rules, service } = await checked(['getUser'])
  const of = (id: string) => rules.find(({ rule }) => rule === id)
  expect(of('one-time-values')?.reason).toBe('none of its operations is selected')
  expect(of('deliveries-sent')?.reason).toBe('none of its operations is selected')
  expect(of('record-changes')).toMatchObject({ status: 'not-assessed', cases: 0 })
  expect(service.passed.filter(({ path }) => /webhook|pix\/out/.test(path))).toEqual([])
})

test('tries the steps of a record if one of them is included', async () => {
  const { rules } = await checked(['getWebhook'], ['record-changes', 'record-shown'])
  const tried = rules.filter(({ status }) => status === 'passed').map(({ rule }) => rule)
  expect(tried.toSorted()).toContain('record-changes')
})
