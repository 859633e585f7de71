import { expect, it } from 'vitest'
import { check } from '../../src/engine/check.ts'
import { mechanicalFaults } from '../../src/mutation/faults.ts'
import { createProvingWire } from '../../src/mutation/proving-wire.ts'
import { CannotRun } from '../../src/transport/cannot-run.ts'
import type { Wire } from '../../src/transport/transport.ts'
import { configuration, openService, read } from './service.ts'

it.each([
  ['answer:signIn:200:/access_token dropped', 'response-schema'],
  ['answer:signIn:200:/access_token null', 'response-schema'],
  ['answer:signIn:200:body truncated', 'json-is-json'],
  ['answer:signIn:200:content-type=text/html', 'response-media-type'],
])('says of %s what is wrong, though nothing else can be asked', async (id, law) => {
  const service = await openService()
  const fault = mechanicalFaults(read).find((it) => it.id === id)
  if (!fault) throw new Error(`no fault ${id}`)
  const wire = createProvingWire(read, service.wire, fault)
  const { findings } = await check({ ...configuration, wire })
  await service.close()
  expect(findings.map(({ law, operation }) => `${law} ${operation}`)).toContain(`${law} signIn`)
})

it('cannot run where the credentials are refused', async () => {
  const service = await openService()
  const credentials = { clientKey: 'partner', clientSecret: 'wrong' }
  const wire: Wire = service.wire
  await expect(check({ ...configuration, credentials, wire })).rejects.toThrow(CannotRun)
  await service.close()
})
