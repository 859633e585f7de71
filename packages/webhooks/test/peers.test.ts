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

  test('a replay with another webhook-id passes svix, which prefers its own headers, and fails here', async () => {
    const captured = await sign('{}', secret, { id: 'msg_1', headerPrefix })
    const replayed = { ...(await sign('{}', `whsec_${'B'.repeat(32)}`, { id: 'msg_2' })), ...captured }
    expect(() => new Svix(secret).verify('{}', replayed)).not.toThrow()
    await expect(verify('{}', replayed, secret)).rejects.toMatchObject({ code: 'signature-mismatch' })
  })
})

describe('stricter than standardwebhooks', () => {
  const secret = `whsec_${'A'.repeat(32)}`

  test('letters after the timestamp', async () => {
    const headers = await sign('{}', secret, { id: 'msg_1' })
    const lettered = { ...headers, 'webhook-timestamp': `${headers['webhook-timestamp']}abc` }
    expect(new Official(secret).verify('{}', lettered)).toEqual({})
    await expect(verify('{}', lettered, secret)).rejects.toMatchObject({ code: 'timestamp-invalid' })
  })

  test('an id with a full stop, which separates the signed content', async () => {
    const signature = new Official(secret).sign('msg.1', new Date(), '{}')
    const headers = { ...(await sign('{}', secret, { id: 'msg_1' })), 'webhook-id': 'msg.1' }
    expect(new Official(secret).verify('{}', { ...headers, 'webhook-signature': signature })).toEqual({})
    await expect(verify('{}', headers, secret)).rejects.toMatchObject({ code: 'id-invalid' })
  })

  test('a secret of 3 bytes', async () => {
    const signature = new Official('whsec_AAAA').sign('msg_1', new Date(), '{}')
    expect(signature).toMatch(/^v1,/)
    await expect(sign('{}', 'whsec_AAAA', { id: 'msg_1' })).rejects.toMatchObject({ code: 'secret-invalid' })
  })

  test.each([
    ['a secret whose last bits base64 leaves unused', `${'A'.repeat(42)}B=`],
    ['a secret with half its padding', `${'A'.repeat(34)}=`],
  ])('%s', async (_, loose) => {
    expect(new Official(loose).sign('msg_1', new Date(), '{}')).toMatch(/^v1,/)
    await expect(sign('{}', loose, { id: 'msg_1' })).rejects.toMatchObject({ code: 'secret-invalid' })
  })

  test('a repeated signature header, the valid one last', async () => {
    const headers = await sign('{}', secret, { id: 'msg_1' })
    const twice = { ...headers, 'webhook-signature': `v1,AAAA, ${headers['webhook-signature']}` }
    expect(new Official(secret).verify('{}', twice)).toEqual({})
    await expect(verify('{}', twice, secret)).rejects.toMatchObject({ code: 'signature-invalid' })
  })

  test('a string with a lone surrogate instead of the signed one', async () => {
    const headers = await sign('"\uFFFD"', secret, { id: 'msg_1' })
    expect(new Official(secret).verify('"\uD800"', headers)).toBe('\uD800')
    await expect(verify('"\uD800"', headers, secret)).rejects.toMatchObject({ code: 'body-not-utf8' })
  })

  test('a body that is not UTF-8 instead of the signed one', async () => {
    const [replaced, invalid] = [Buffer.from('"\uFFFD"'), Buffer.of(0x22, 0xff, 0x22)]
    const headers = await sign(replaced, secret, { id: 'msg_1' })
    expect(new Official(secret).verify(invalid, headers)).toBe('\uFFFD')
    await expect(verify(invalid, headers, secret)).rejects.toMatchObject({ code: 'signature-mismatch' })
  })
})
