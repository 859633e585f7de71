import { beforeEach, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../src/sandbox.ts'
import { type Answer, type Ask, askerOf, basic, type Callers, callersOf } from './callers.ts'
import { faultsOf } from './hostile/held.ts'

let sandbox: Sandbox
let ask: Ask
let callers: Callers
beforeEach(async () => {
  sandbox = await createSandbox({ checksAnswers: true })
  ask = askerOf(sandbox.service)
  callers = await callersOf(sandbox.service)
  return () => sandbox.close()
})

const signIn = (key: string, secret: string) =>
  ask('POST', '/auth/partner/token/', { authorization: basic(key, secret) })
const lookUp = (as: Ask, dict_key: string) => as('POST', '/pix/dict/check/', { body: { dict_key } })

/** Asks until it is told to wait, which has to come soon. */
async function untilLimited(
  once: (i: number) => Promise<Answer>,
): Promise<{ limited: Answer; before: number }> {
  for (let i = 0; i < 1_000; i++) {
    const answer = await once(i)
    if (answer.status === 429) return { limited: answer, before: i }
  }
  throw new Error('nothing limits this')
}

async function expectToWait({ status, headers, text, body }: Answer): Promise<void> {
  expect(await faultsOf(new Response(text, { status, headers }))).toEqual([])
  expect(body.code).toBe('rate_limited')
  expect(headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
  expect(body.detail).toContain(headers.get('retry-after'))
}

describe('signing in', () => {
  test('has to wait after a burst of wrong secrets, right or wrong', async () => {
    const { limited, before } = await untilLimited((i) => signIn('partner', `guess ${i}`))
    await expectToWait(limited)
    expect(before).toBeLessThan(100)
    expect((await signIn('partner', 'secret')).status).toBe(429)
  })

  test('stays open to other partners, and tokens stay good', async () => {
    await untilLimited((i) => signIn('partner', `guess ${i}`))
    expect((await signIn('other', 'secret')).status).toBe(200)
    expect((await callers.partner('GET', '/partner/user')).status).toBe(200)
  })

  test('waits by real time: a clock that is moved on brings no more guesses', async () => {
    await untilLimited((i) => signIn('partner', `guess ${i}`))
    sandbox.clock.moveTo(sandbox.clock.now() + 365 * 86_400_000)
    expect((await signIn('partner', 'guess')).status).toBe(429)
  })

  test('is not limited for hundreds of right secrets', async () => {
    for (let i = 0; i < 300; i++) expect((await signIn('partner', 'secret')).status).toBe(200)
  })
})

describe('looking keys up', () => {
  const scan = (as: Ask) => (i: number) => lookUp(as, `nobody${i}@example.com`)

  test('has to wait after a burst of keys that are not there, for keys that are too', async () => {
    const { limited, before } = await untilLimited(scan(callers.partner))
    await expectToWait(limited)
    expect(before).toBeLessThan(300)
    expect((await lookUp(callers.partner, 'beltrana@example.com')).status).toBe(429)
  })

  test('is limited for a partner and all its customers together, and for nobody else', async () => {
    await untilLimited(scan(callers.customer))
    expect((await lookUp(callers.partner, 'beltrana@example.com')).status).toBe(429)
    expect((await lookUp(callers.other, 'beltrana@example.com')).status).toBe(200)
  })

  test('costs nothing where the text is no key', async () => {
    for (let i = 0; i < 500; i++) expect((await lookUp(callers.partner, 'x')).status).toBe(422)
    expect((await lookUp(callers.partner, 'beltrana@example.com')).status).toBe(200)
  })

  test('is not limited for hundreds of keys that are there', async () => {
    for (let i = 0; i < 500; i++)
      expect((await lookUp(callers.partner, 'beltrana@example.com')).status).toBe(200)
  })
})

test('no limits where they are switched off', async () => {
  const free = await createSandbox({ limitsRates: false })
  const guess = { authorization: basic('partner', 'guess') }
  for (let i = 0; i < 700; i++)
    expect((await askerOf(free.service)('POST', '/auth/partner/token/', guess)).status).toBe(401)
  await free.close()
})

test.each([
  ['65,536 bytes', 65_536, 200],
  ['a byte more', 65_537, 413],
])('takes a body of %s or not', async (_, size, status) => {
  const body = '{"dict_key":"beltrana@example.com"}'.padEnd(size)
  expect((await callers.partner('POST', '/pix/dict/check/', { body })).status).toBe(status)
})
