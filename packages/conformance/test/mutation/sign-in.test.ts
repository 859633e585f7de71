import { expect, it } from 'vitest'
import { check } from '../../src/check.ts'
import { CannotRun } from '../../src/model/errors.ts'
import { mechanicalFaults } from '../../src/mutation/faults.ts'
import { createMutatingTransport } from '../../src/mutation/mutating-transport.ts'
import type { Transport } from '../../src/transport/transport.ts'
import { configuration, openService, read } from './in-process-sandbox.ts'

it.each([
  ['response:signIn:200:/access_token dropped', 'response-schema'],
  ['response:signIn:200:/access_token null', 'response-schema'],
  ['response:signIn:200:body truncated', 'valid-json'],
  ['response:signIn:200:content-type=text/html', 'response-media-type'],
])('says of %s what is wrong, though nothing else can be asked', async (id, rule) => {
  const service = await openService()
  const fault = mechanicalFaults(read).find((it) => it.id === id)
  if (!fault) throw new Error(`no fault ${id}`)
  const transport = createMutatingTransport(read, service.transport, fault)
  const { findings } = await check({ ...configuration, transport })
  await service.close()
  expect(findings.map(({ rule, operation }) => `${rule} ${operation}`)).toContain(`${rule} signIn`)
})

it('cannot run if the credentials are refused', async () => {
  const service = await openService()
  const credentials = { clientKey: 'partner', clientSecret: 'wrong' }
  const transport: Transport = service.transport
  await expect(check({ ...configuration, credentials, transport })).rejects.toThrow(CannotRun)
  await service.close()
})
