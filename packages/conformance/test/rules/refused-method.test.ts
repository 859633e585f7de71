import { expect, it } from 'vitest'
import { check } from '../../src/check.ts'
import type { HttpResponse } from '../../src/model/http.ts'
import { configuration, edited, openService } from '../in-process-sandbox.ts'

const ROWS: readonly [string, (response: HttpResponse) => Partial<HttpResponse>][] = [
  ['response-schema', ({ text }) => ({ text: text.replace('"title"', '"headline"') })],
  ['response-headers', ({ headers: { 'x-request-id': _, ...headers } }) => ({ headers })],
  ['undeclared-fields', ({ text }) => ({ text: text.replace('{', '{"more":1,') })],
]

it.each(ROWS)('judges the refusal of a method as the contract describes it: %s', async (rule, edit) => {
  const { transport, close } = await openService()
  const { findings } = await check({
    ...configuration,
    transport: edited(transport, (_, { status }) => status === 405, edit),
    only: ['http', rule],
    operations: ['createWebhook'],
  })
  await close()
  expect(findings.map((it) => `${it.rule} ${it.operation}`)).toContain(`${rule} createWebhook`)
})
