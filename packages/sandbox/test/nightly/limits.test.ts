import { expect, test } from 'vitest'
import { fromAddress } from '../../src/operation/source.ts'
import { createSandbox } from '../../src/sandbox.ts'
import { askerOf, basic } from '../callers.ts'
import { untilLimited } from '../limits.ts'

test('a guesser stays limited after many addresses invented 10,000 keys', async () => {
  const sandbox = await createSandbox()
  const ask = askerOf(sandbox.service)
  const signIn = (key: string, secret: string, address: string) =>
    fromAddress(address, () => ask('POST', '/auth/partner/token/', { authorization: basic(key, secret) }))
  const guess = (i: number) => signIn('partner', `guess ${i}`, '192.0.2.1')
  await untilLimited(guess)
  for (let i = 0; i < 10_000; i++) await signIn(`nobody${i}`, 'secret', `198.51.${(i >> 8) & 255}.${i & 255}`)
  expect((await untilLimited(guess)).before).toBeLessThan(25)
  expect((await signIn('partner', 'secret', '192.0.2.1')).status).toBe(200)
  await sandbox.close()
})
