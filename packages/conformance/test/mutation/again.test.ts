import { expect, it } from 'vitest'
import { check } from '../../src/engine/check.ts'
import { configuration, openService } from './service.ts'

it('makes what is used once anew in a second run with the same seed', async () => {
  const service = await openService()
  const run = () =>
    check({
      ...configuration,
      wire: service.wire,
      only: ['unique-refused'],
      operations: ['createImmediateQrCode'],
    })
  await run()
  const { laws } = await run()
  await service.close()
  expect(laws.find(({ law }) => law === 'unique-refused')).toMatchObject({ status: 'held', masked: 0 })
})
