import { expect, it } from 'vitest'
import type { HttpResponse } from '../../src/model/http.ts'
import { alters, withHeader } from './broken.ts'
import { openSandbox } from './in-process.ts'

const run = openSandbox()

it.each<[rule: string, edit: (response: HttpResponse) => HttpResponse]>([
  ['response-schema', (it) => ({ ...it, text: it.text.replace('"title"', '"headline"') })],
  ['response-headers', (it) => withHeader(it, 'x-request-id')],
  ['undeclared-fields', (it) => ({ ...it, text: it.text.replace('{', '{"more":1,') })],
])('judges by %s the refusal of a method as the contract describes it', async (rule, edit) => {
  const fault = alters(undefined, (it) => (it.status === 405 ? edit(it) : it))
  const { findings } = await run(rule, { beside: ['http'], operations: ['createWebhook'] }, fault)
  expect(findings.map((it) => `${it.rule} ${it.operation}`)).toContain(`${rule} createWebhook`)
})
