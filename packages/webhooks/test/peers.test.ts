import fc from 'fast-check'
import { Webhook as Official } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { describe, expect, test } from 'vitest'
import { sign, verify } from '../src/index.ts'
import { ids, secrets, spellings } from './arbitraries.ts'

const messages = fc.record({
  secret: secrets,
  id: ids,
  body: fc.json({ stringUnit: 'binary' }).filter((text) => text.isWellFormed()),
})

describe.each([
  ['standardwebhooks', Official],
  ['svix', Svix],
])('%s', (_, Peer) => {
  test('verifies messages that we signed', async () => {
    const verified = fc.asyncProperty(messages, async ({ secret, id, body }) => {
      const headers = await sign(body, secret, { id })
      new Peer(secret).verify(Buffer.from(body), headers)
    })
    await fc.assert(verified)
  })

  test('signs messages that we verify', async () => {
    const verified = fc.asyncProperty(messages, async ({ secret, id, body }) => {
      const sent = new Date()
      const headers = {
        'webhook-id': id,
        'webhook-timestamp': `${Math.floor(sent.getTime() / 1000)}`,
        'webhook-signature': new Peer(secret).sign(id, sent, body),
      }
      expect(await verify(Buffer.from(body), headers, secret)).toEqual(JSON.parse(body))
    })
    await fc.assert(verified)
  })

  test('has the same key for each spelling of a secret', async () => {
    const shared = fc.asyncProperty(secrets, fc.constantFrom(...spellings), async (secret, spell) => {
      const headers = await sign('{}', spell(secret), { id: 'msg_1' })
      new Peer(spell(secret)).verify('{}', headers)
      const sent = new Date(Number(headers['webhook-timestamp']) * 1000)
      const signature = new Peer(spell(secret)).sign('msg_1', sent, '{}')
      expect(await verify('{}', { ...headers, 'webhook-signature': signature }, spell(secret))).toEqual({})
    })
    await fc.assert(shared)
  })

  test('refuses the URL alphabet of base64 in a secret, as we do', async () => {
    expect(() => new Peer('-'.repeat(32))).toThrow('incorrect characters')
    await expect(sign('{}', '-'.repeat(32), { id: 'msg_1' })).rejects.toMatchObject({
      code: 'secret-invalid',
    })
  })

  test('refuses what we signed with another secret', async () => {
    const headers = await sign('{}', `whsec_${'A'.repeat(32)}`, { id: 'msg_1' })
    expect(() => new Peer(`whsec_${'B'.repeat(32)}`).verify('{}', headers)).toThrow('No matching signature')
  })
})

describe('svix headers', () => {
  const secret = `whsec_${'A'.repeat(32)}`
  const headerPrefix = 'svix'

  test('svix verifies what we signed', async () => {
    const headers = await sign('{}', secret, { id: 'msg_1', headerPrefix })
    expect(() => new Svix(secret).verify('{}', headers)).not.toThrow()
    expect(() => new Svix(secret).verify('{"a":1}', headers)).toThrow('No matching signature')
  })

  test('we verify what svix signed', async () => {
    const sent = new Date()
    const headers = {
      'svix-id': 'msg_1',
      'svix-timestamp': `${Math.floor(sent.getTime() / 1000)}`,
      'svix-signature': new Svix(secret).sign('msg_1', sent, '{}'),
    }
    expect(await verify('{}', headers, secret, { headerPrefix })).toEqual({})
  })
})
