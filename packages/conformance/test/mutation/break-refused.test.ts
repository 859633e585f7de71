import { afterAll, beforeAll, expect, it } from 'vitest'
import { check } from '../../src/check.ts'
import type { MechanicalFault } from '../../src/mutation/fault.ts'
import { mechanicalFaults } from '../../src/mutation/faults.ts'
import { createMutatingTransport } from '../../src/mutation/mutating-transport.ts'
import { configuration, openService, read } from './in-process-sandbox.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

it.each([
  [
    'request:createImmediateQrCode:body:/message /components/schemas/Message/maxLength',
    'a tx_id that was used',
  ],
  ['request:createImmediateQrCode:body:/tx_id /components/schemas/TxId/pattern', 'the tx_id itself'],
  ['request:createTransfer:body:/description /components/schemas/Message/maxLength', 'a code that was paid'],
])('finds that %s is not checked behind %s', async (id) => {
  const fault = mechanicalFaults(read).find((it) => it.id === id) as MechanicalFault
  const transport = createMutatingTransport(read, service.transport, fault)
  const { findings } = await check({
    ...configuration,
    transport,
    only: ['break-refused'],
    operations: [fault.operation],
  })
  expect(findings.map(({ rule, operation, contract }) => ({ rule, operation, contract }))).toEqual([
    { rule: 'break-refused', operation: fault.operation, contract: fault.contract },
  ])
})
