import { expect, it } from 'vitest'
import { check } from '../../src/check.ts'
import { configuration, openService } from '../in-process-sandbox.ts'

it('creates new one-time values in a second run with the same seed', async () => {
  const service = await openService()
  const run = () =>
    check({
      ...configuration,
      transport: service.transport,
      only: ['values-unique'],
      operations: ['createImmediateQrCode'],
    })
  await run()
  const { rules } = await run()
  await service.close()
  expect(rules.find(({ rule }) => rule === 'values-unique')).toMatchObject({
    status: 'passed',
    inconclusive: 0,
  })
})
