import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Lookup } from '../../src/deliveries/dial.ts'
import { createPoster, type PosterOptions } from '../../src/deliveries/post.ts'
import { createTargetCheck } from '../../src/deliveries/target.ts'
import {
  certificate,
  createOpening,
  post,
  receiver,
  respondWith,
  tlsReceiver,
} from './receivers.ts'
import { refusedUrls } from './urls.ts'

const url = 'https://hooks.loja.teste/pix?a=1'
const delivery = { url, headers: { 'webhook-id': 'msg_1' }, body: '{"é":1}' }

test('posts the bytes, with the headers and the name, to the address that was checked', async () => {
  await using shop = await tlsReceiver(respondWith(204))
  const { open, opened } = createOpening(shop.port)
  const outcome = await post(url, { lookup: createLookup('8.8.8.8'), open })
  expect(outcome).toEqual({ ok: true, status: 204, durationMs: expect.any(Number) })
  expect(opened).toEqual([{ address: '8.8.8.8', port: 443, servername: 'hooks.loja.teste' }])

  const [head, body] = shop.received().split('\r\n\r\n')
  expect(head?.split('\r\n')).toEqual([
    'POST /pix?a=1 HTTP/1.1',
    'host: hooks.loja.teste',
    'connection: close',
    'webhook-id: msg_1',
    'content-length: 8',
  ])
  expect(Buffer.from(body ?? '', 'latin1').toString()).toBe('{"é":1}')
})

test('trusts a certificate of the system for its host alone', async () => {
  const trusted = getCACertificates('default')
  setDefaultCACertificates([...trusted, certificate])
  onTestFinished(() => setDefaultCACertificates(trusted))
  await using shop = await tlsReceiver(respondWith(200))
  const postTo = (host: string) => post(`https://${host}:${shop.port}/`, { allowLoopback: true })
  expect(await postTo('localhost')).toMatchObject({ ok: true, status: 200 })

  const detail = 'no secure connection (ERR_TLS_CERT_ALTNAME_INVALID)'
  expect(await postTo('127.0.0.1')).toMatchObject({ ok: false, reason: 'tls', detail })
  expect(shop.received().match(/^POST.*|^host.*/gm)).toEqual([
    'POST / HTTP/1.1',
    `host: localhost:${shop.port}`,
  ])
})

/**
 * How the guard judges a URL when it is registered, and when it is delivered to: undefined, or what
 * is wrong.
 */
const judges = {
  registered: (options: PosterOptions, to: string) => createTargetCheck(options)(to),
  'delivered to': async (options: PosterOptions, to: string) => {
    const outcome = await post(to, options)
    expect(outcome).toMatchObject({ ok: false, reason: 'target_not_allowed' })

    return outcome
  },
}

describe.each(Object.entries(judges))('a URL that is %s', (_, judge) => {
  test('is neither resolved nor connected to if it is not allowed', async () => {
    const { open, opened } = createOpening(1)
    const lookup = createLookup('8.8.8.8')
    const detail = expect.stringMatching(/^"url" must /)
    for (const refused of refusedUrls) {
      const judgement = await judge({ open, lookup }, refused)
      expect(judgement, refused).toMatchObject({ detail })
    }
    expect(opened).toEqual([])
    expect(lookup.asked).toEqual([])
  })

  test.each(['10.0.0.1', '169.254.169.254', '::1', 'fd00:ec2::254', '::ffff:8.8.8.8', '127.0.0.1'])(
    'is refused if its name resolves to %s, even beside public ones, and with allowLoopback',
    async (address) => {
      const { open, opened } = createOpening(1)
      const detail = expect.stringMatching(/(public host|address that is not public)/)
      for (const addresses of [[address], ['8.8.8.8', address], [address, '8.8.8.8']]) {
        for (const allowLoopback of [false, true]) {
          const options = { open, lookup: createLookup(...addresses), allowLoopback }
          expect(await judge(options, url)).toMatchObject({ detail })
        }
      }
      expect(opened).toEqual([])
    },
  )
})

describe('the check of a URL that is registered', () => {
  test('accepts a name whose addresses are all public', async () => {
    const lookup = createLookup('8.8.8.8', '2606:4700:4700::1111')
    expect(await createTargetCheck({ lookup })(url)).toBeUndefined()
    expect(lookup.asked).toEqual(['hooks.loja.teste'])
  })

  test('accepts reserved names, IP addresses and loopback without a lookup', async () => {
    const lookup = createLookup('10.0.0.1')
    const checkTarget = createTargetCheck({ lookup, allowLoopback: true })
    for (const taken of ['https://loja.example/', 'https://8.8.8.8/', 'http://localhost:3000/'])
      expect(await checkTarget(taken)).toBeUndefined()
    expect(lookup.asked).toEqual([])
  })

  test('accepts a name that does not resolve', async () => {
    for (const lookup of [() => Promise.reject(new Error('ENOTFOUND')), createLookup()])
      expect(await createTargetCheck({ lookup })(url)).toBeUndefined()
  })
})

test('connects to the address that it checked, even if the name resolves to another later', async () => {
  await using shop = await tlsReceiver(respondWith(200))
  const { open, opened } = createOpening(shop.port)
  const lookup = createLookup('8.8.8.8')
  let resolve: Lookup = lookup
  const poster = createPoster({ open, lookup: (name) => resolve(name) })
  expect(await poster.post(delivery)).toMatchObject({ outcome: { ok: true } })
  expect(lookup.asked).toHaveLength(1)

  resolve = createLookup('127.0.0.1')
  expect(await poster.post(delivery)).toMatchObject({ outcome: { reason: 'target_not_allowed' } })
  expect(opened.map(({ address }) => address)).toEqual(['8.8.8.8'])
})

test('does not resolve localhost by DNS, and tries IPv6 after IPv4', async () => {
  await using shop = await receiver(respondWith(200))
  const { open, opened } = createOpening(shop.port)
  const nobody = createOpening(1)
  const lookup = createLookup('10.0.0.1')
  const onlyIpv6: typeof open = (endpoint) => {
    if (endpoint.address === '::1') return open(endpoint)
    return nobody.open(endpoint)
  }
  const outcome = await post('http://localhost:3000/', {
    allowLoopback: true,
    lookup,
    open: onlyIpv6,
  })
  expect(outcome).toMatchObject({ ok: true })

  expect(nobody.opened.map(({ address }) => address)).toEqual(['127.0.0.1'])
  expect(opened.map(({ address }) => address)).toEqual(['::1'])
  expect(lookup.asked).toEqual([])
})

test('sends no server name to an IP address, and uses no TLS for http', async () => {
  const { open, opened } = createOpening(1)
  await post('https://[2400::1]:8443/', { open })
  await post('http://127.0.0.1/', { open, allowLoopback: true })
  expect(opened).toEqual([
    { address: '2400::1', port: 8443, servername: '' },
    { address: '127.0.0.1', port: 80 },
  ])
})

test('tries four addresses of a name at most', async () => {
  const { open, opened } = createOpening(1)
  const many = Array.from({ length: 50 }, (_, n) => `8.8.8.${n}`)
  expect(await post(url, { open, lookup: createLookup(...many) })).toMatchObject({
    reason: 'refused',
  })
  expect(opened.map(({ address }) => address)).toEqual(many.slice(0, 4))
})

test('sends nothing to the network for a reserved name', async () => {
  const { open, opened } = createOpening(1)
  const lookup = createLookup('8.8.8.8')
  const outcome = await post('https://loja.example/', { open, lookup })
  const detail = 'loja.example is reserved for documentation and tests'
  expect(outcome).toMatchObject({ ok: false, reason: 'reserved_name', detail })
  expect(opened).toEqual([])
  expect(lookup.asked).toEqual([])
})

test.each([301, 302, 303, 307, 308])(
  'does not follow a %i to a private address',
  async (status) => {
    await using inside = await receiver(respondWith(200))
    await using shop = await receiver(respondWith(status, `location: ${inside.url}\r\n`))
    const outcome = await post(shop.url, { allowLoopback: true })
    expect(outcome).toMatchObject({ ok: false, reason: 'redirect', status })
    expect(inside.connections().made).toBe(0)
  },
)

test('closes when the deliveries in progress have ended', async () => {
  const held: (() => void)[] = []
  await using slow = await receiver((socket) => held.push(() => respondWith(200)(socket)))
  const poster = createPoster({ allowLoopback: true })
  const post = poster.post({ ...delivery, url: slow.url })
  await expect.poll(() => held.length).toBe(1)

  const closed = poster.close(60_000)
  held[0]?.()
  expect(await post).toMatchObject({ outcome: { ok: true } })

  await closed
  expect(await poster.post({ ...delivery, url: slow.url })).toMatchObject({
    outcome: { reason: 'closed' },
  })
})

test('starts no delivery that was posted just before it was closed', async () => {
  const { open, opened } = createOpening(1)
  const poster = createPoster({ open, lookup: createLookup('8.8.8.8') })
  const post = poster.post(delivery)
  await poster.close(60_000)
  expect(await post).toMatchObject({ outcome: { ok: false, reason: 'closed' } })
  expect(opened).toEqual([])
})

test.each([{ 'webhook-id': 'a\r\nx: 1' }, { 'content-length': '3' }])(
  'does not send %j',
  async (headers) => {
    await using shop = await receiver(respondWith(200))
    const outcome = await post(shop.url, { allowLoopback: true }, headers)
    expect(outcome).toMatchObject({ ok: false, reason: 'internal' })
    expect(shop.received()).toBe('')
  },
)

/** A lookup with these addresses for each name, which records the names. */
function createLookup(...addresses: string[]): Lookup & { readonly asked: string[] } {
  const asked: string[] = []
  const lookup: Lookup = async (name) => {
    asked.push(name)
    return addresses.map((address) => ({ address }))
  }

  return Object.assign(lookup, { asked })
}
