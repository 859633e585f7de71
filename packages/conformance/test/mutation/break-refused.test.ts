import { afterAll, beforeAll, expect, it } from 'vitest'
import { check } from '../../src/engine/check.ts'
import type { MechanicalFault } from '../../src/mutation/fault.ts'
import { mechanicalFaults } from '../../src/mutation/faults.ts'
import { createProvingWire } from '../../src/mutation/proving-wire.ts'
import { configuration, openService, read } from './service.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

it.each([
  [
    'check:createImmediateQrCode:body:/message /components/schemas/Message/maxLength',
    'a tx_id that was used',
  ],
  ['check:createImmediateQrCode:body:/tx_id /components/schemas/TxId/pattern', 'the tx_id itself'],
  ['check:createTransfer:body:/description /components/schemas/Message/maxLength', 'a code that was paid'],
])('finds that %s is not checked behind %s', async (id) => {
  const fault = mechanicalFaults(read).find((it) => it.id === id) as MechanicalFault
  const wire = createProvingWire(read, service.wire, fault)
  const { findings } = await check({
    ...configuration,
    wire,
    only: ['break-refused'],
    operations: [fault.operation],
  })
  expect(findings.map(({ law, operation, contract }) => ({ law, operation, contract }))).toEqual([
    { law: 'break-refused', operation: fault.operation, contract: fault.contract },
  ])
})
