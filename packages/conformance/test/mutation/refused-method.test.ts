import { expect, it } from 'vitest'
import { check } from '../../src/check.ts'
import { mechanicalFaults } from '../../src/mutation/faults.ts'
import { createMutatingTransport } from '../../src/mutation/mutating-transport.ts'
import { configuration, openService, read } from './in-process-sandbox.ts'

it.each([
  ['response:createWebhook:405:/title dropped', 'response-schema'],
  ['response:createWebhook:405:header x-request-id dropped', 'response-headers'],
  ['response:listWebhooks:405:/ with an undeclared property', 'undeclared-fields'],
])('looks at the refusal of a method as the contract describes it: %s', async (id, rule) => {
  const service = await openService()
  const fault = mechanicalFaults(read).find((it) => it.id === id)
  if (!fault) throw new Error(`no fault ${id}`)
  const transport = createMutatingTransport(read, service.transport, fault)
  const only = ['http', rule]
  const { findings } = await check({ ...configuration, transport, only, operations: [fault.operation] })
  await service.close()
  expect(findings.map(({ rule, operation }) => `${rule} ${operation}`)).toContain(
    `${rule} ${fault.operation}`,
  )
})
