import { request } from 'node:http'
import { beforeEach, describe, expect, test } from 'vitest'
import { type App, createApp } from '../src/app.ts'
import { fromAddress } from '../src/operation/source.ts'
import { serve } from '../src/serve.ts'
import {
  type Ask,
  basic,
  type Callers,
  createAsker,
  type ParsedResponse,
  signInCallers,
} from './callers.ts'
import { findFaults } from './hostile/responses.ts'

let sandbox: App
let ask: Ask
let callers: Callers
beforeEach(async () => {
  sandbox = await createApp({ checksResponses: true })
  ask = createAsker(sandbox.service)
  callers = await signInCallers(sandbox)
  return () => sandbox.close()
})

const signIn = (key: string, secret: string) =>
  ask('POST', '/auth/partner/token/', { authorization: basic(key, secret) })
const lookUp = (caller: Ask, dict_key: string) =>
  caller('POST', '/pix/dict/check/', { body: { dict_key } })

/** Expects this number, plus what was refilled during the test. */
function expectAbout(count: number, expected: number): void {
  expect(count).toBeGreaterThanOrEqual(expected)
  expect(count).toBeLessThan(expected * 2)
}

async function expectToWait({ status, headers, text, body }: ParsedResponse): Promise<void> {
  expect(await findFaults(new Response(text, { status, headers }))).toEqual([])
  expect(body.code).toBe('rate_limited')
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(body.detail).toContain(headers.get('retry-after'))
}

describe('signing in', () => {
  const guess = (i: number) => signIn('partner', `guess ${i}`)

  /** The statuses of this many sign-ins with the correct secret. */
  const signInRightly = async (count: number) => {
    const statuses = new Set<number>()
    for (let i = 0; i < count; i++) {
      const { status } = await signIn('partner', 'secret')
      statuses.add(status)
    }
    return [...statuses]
  }

  test('it limits a burst of wrong secrets, whatever the headers about the address and the sandbox clock say', async () => {
    const authorization = basic('partner', 'x')
    const guessing = (i: number) => {
      const headers = { 'x-forwarded-for': `192.0.2.${i}`, forwarded: `for=192.0.2.${i}` }
      return ask('POST', '/auth/partner/token/', { authorization, headers })
    }

    const { limited, before } = await untilLimited(guessing)
    await expectToWait(limited)
    expectAbout(before, 30)

    sandbox.clock.moveTo(sandbox.clock.now() + 365 * 86_400_000)
    expect((await guess(0)).status).toBe(429)
  })

  test('it admits correct secrets while others guess, from one address and from many', async () => {
    await untilLimited(guess)
    expect(await signInRightly(322)).toEqual([200])

    await untilLimited((i) => fromAddress(`192.0.2.${i % 250}`, () => guess(i)))
    expect(await signInRightly(322)).toEqual([200])
  })

  test('it limits the guesses of many addresses at one key', async () => {
    const guessFromOwnAddress = (i: number) =>
      fromAddress(`198.51.${i >> 8}.${i & 255}`, () => guess(i))
    const { before } = await untilLimited(guessFromOwnAddress)
    expectAbout(before, 300)

    const otherKey = await fromAddress('203.0.113.1', () => signIn('other', 'guess'))
    expect(otherKey.status).toBe(401)
    expect(await signInRightly(1)).toEqual([200])
  })

  test('it takes the address from the connection', async () => {
    const server = await serve({ port: 0 })
    const url = `${server.url}/mobile-bff/v1/auth/partner/token/`
    const attempt = (localAddress: string, secret: string) =>
      new Promise<number | undefined>((resolve, reject) => {
        const options = { method: 'POST', localAddress, auth: `partner:${secret}` }
        const sent = request(url, options, (response) => resolve(response.resume().statusCode))
        sent.on('error', reject).end()
      })

    let failures = 0
    while ((await attempt('127.0.0.2', 'guess')) === 401 && failures < 100) failures += 1
    expectAbout(failures, 30)
    expect(await attempt('127.0.0.3', 'guess')).toBe(401)
    expect(await attempt('127.0.0.2', 'secret')).toBe(200)

    await server.close()
  })
})

describe('looking keys up', () => {
  const scan = (caller: Ask) => (i: number) => lookUp(caller, `nobody${i}@example.com`)

  /**
   * Scans until a registered key is refused too, because the limit refills in hundredths of a
   * second.
   */
  const scanThenFind = (scanning: Ask, finding: Ask) => async (i: number) => {
    await scan(scanning)(i)
    return lookUp(finding, 'beltrana@example.com')
  }

  test('is limited after a burst of unknown keys, for known keys too', async () => {
    const { limited, before } = await untilLimited(scan(callers.partner))
    await expectToWait(limited)
    expect(before).toBeLessThan(300)

    await untilLimited(scanThenFind(callers.partner, callers.partner))
  })

  test('is limited for a partner and all its customers together, and for nobody else', async () => {
    await untilLimited(scanThenFind(callers.customer, callers.partner))
    expect((await lookUp(callers.other, 'beltrana@example.com')).status).toBe(200)
  })
})

test.each([
  { length: '65,536 bytes', bytes: 65_536, status: 200 },
  { length: 'a byte more', bytes: 65_537, status: 413 },
])('takes a body of $length or not', async ({ bytes: size, status }) => {
  const body = '{"dict_key":"beltrana@example.com"}'.padEnd(size)
  expect((await callers.partner('POST', '/pix/dict/check/', { body })).status).toBe(status)
})

/** Repeats a request until it is limited, which must happen soon. */
async function untilLimited(
  once: (i: number) => Promise<ParsedResponse>,
): Promise<{ limited: ParsedResponse; before: number }> {
  for (let i = 0; i < 1_000; i++) {
    const response = await once(i)
    if (response.status === 429) return { limited: response, before: i }
  }
  throw new Error('no limit applied')
}
