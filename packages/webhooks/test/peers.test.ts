import fc from 'fast-check'
import { Webhook as Official } from 'standardwebhooks'
import { Webhook as Svix } from 'svix'
import { describe, expect, test } from 'vitest'
import { sign, verify } from '../src/index.ts'
import { ids, secrets, spellings, unit } from './arbitraries.ts'

const messages = fc.record({ secret: secrets, id: ids, body: fc.json({ stringUnit: unit }) })

describe.each([
  { name: 'standardwebhooks', Peer: Official, headerPrefix: 'webhook' },
  { name: 'svix', Peer: Svix, headerPrefix: 'webhook' },
  { name: 'svix with its own headers', Peer: Svix, headerPrefix: 'svix' },
] as const)('$name', ({ Peer, headerPrefix }) => {
  test('verifies messages that we signed', async () => {
    const verified = fc.asyncProperty(messages, async ({ secret, id, body }) => {
      const headers = await sign(body, secret, { id, headerPrefix })
      new Peer(secret).verify(Buffer.from(body), headers)
      expect(() => new Peer(secret).verify(`${body} `, headers)).toThrow('No matching signature')
    })
    await fc.assert(verified)
  })

  test('signs messages that we verify', async () => {
    const verified = fc.asyncProperty(messages, async ({ secret, id, body }) => {
      const sent = new Date()
      const headers = {
        [`${headerPrefix}-id`]: id,
        [`${headerPrefix}-timestamp`]: `${Math.floor(sent.getTime() / 1000)}`,
        [`${headerPrefix}-signature`]: new Peer(secret).sign(id, sent, body),
      }
      expect(await verify(Buffer.from(body), headers, secret, { headerPrefix })).toEqual(
        JSON.parse(body),
      )
    })
    await fc.assert(verified)
  })

  test('has the same key for each spelling of a secret', async () => {
    const shared = fc.asyncProperty(
      secrets,
      fc.constantFrom(...spellings),
      async (secret, spell) => {
        const headers = await sign('{}', spell(secret), { id: 'msg_1' })
        new Peer(spell(secret)).verify('{}', headers)
        const sent = new Date(Number(headers['webhook-timestamp']) * 1000)
        const signature = new Peer(spell(secret)).sign('msg_1', sent, '{}')
        expect(
          await verify('{}', { ...headers, 'webhook-signature': signature }, spell(secret)),
        ).toEqual({})
      },
    )
    await fc.assert(shared)
  })
})
