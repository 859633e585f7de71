import { rmSync } from 'node:fs'
import pg from 'pg'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import type { AppOptions } from '../../src/app.ts'
import { BACKENDS, KINDS, newFile, newState } from '../backends.ts'
import { issueToken, payment, readRows, signInPartner, times } from '../callers.ts'
import { openSandbox, type Started } from '../started.ts'

const AT_ONCE = () => AbortSignal.abort()

function attemptsIn(sandbox: Started) {
  return readRows(sandbox, 'SELECT event_id, reason FROM attempts')
}

async function reset({ control }: Started): Promise<number> {
  const { status } = await control('POST', '/reset')
  return status
}

/**
 * Sends an event to this many webhooks of a receiver that does not respond, and waits for the first
 * four deliveries.
 */
async function holdUp(sandbox: Started, count = 1) {
  const { partner, shop } = sandbox
  const respond = shop.hold()
  for (let i = 0; i < count; i++)
    await partner.webhooks.create({ type: 'transfer', url: `${shop.url}/${i}` })
  await sandbox.pay()
  await shop.came(Math.min(count, 4))
  return { shop, respond }
}

describe.each(BACKENDS)('POST /reset on %s', (kind) => {
  const open = async (options: AppOptions = {}) =>
    openSandbox({ ...(await newState(kind)), ...options })

  test('abandons deliveries that do not end; none arrives or is recorded later', async () => {
    const sandbox = await open({ limitOf: AT_ONCE })
    const { shop } = await holdUp(sandbox, 20)
    expect(await reset(sandbox)).toBe(204)

    await shop.ended()
    await sandbox.worker.idle()
    expect(shop.got).toHaveLength(4)
    expect(await attemptsIn(sandbox)).toEqual([])
    expect((await sandbox.state()).webhooks).toEqual([])
  })

  test('lets a fast delivery finish', async () => {
    const sandbox = await open()
    const { shop, respond } = await holdUp(sandbox)
    const resetting = reset(sandbox)
    respond()
    expect(await resetting).toBe(204)
    expect(shop.got).toMatchObject([{ path: '/deliveries/0', isAborted: false }])
    expect((await sandbox.state()).webhooks).toEqual([])
  })

  test('is not starved by eight clients that keep paying', async () => {
    const sandbox = await open({ limitOf: AT_ONCE })
    await holdUp(sandbox, 4)

    let isOver = false
    onTestFinished(() => {
      isOver = true
    })
    const statuses = new Set<number>()
    const payers = times(8).map(async () => {
      while (!isOver) {
        const ask = await signInPartner(sandbox)
        const { status } = await ask(...payment())
        statuses.add(status)
      }
    })
    await expect.poll(async () => (await sandbox.state()).transfers.length).toBeGreaterThan(20)

    expect(await reset(sandbox)).toBe(204)
    expect(await reset(sandbox)).toBe(204)
    expect(await reset(sandbox)).toBe(204)

    isOver = true
    await Promise.all(payers)
    // A request that waits for the reset finds its token gone.
    const unexpected = [...statuses].filter((status) => status !== 201 && status !== 401)
    expect(unexpected).toEqual([])
    expect(await sandbox.findings()).toEqual([])
  })

  test('refuses a payment whose token was checked before, and which arrives after', async () => {
    const sandbox = await open()
    const authorization = await issueToken(sandbox)

    const pull = async (controller: ReadableStreamDefaultController) => {
      await reset(sandbox)
      const [, , { body }] = payment()
      controller.enqueue(Buffer.from(JSON.stringify(body)))
      controller.close()
    }

    const body = new ReadableStream({ pull }, { highWaterMark: 0 })
    const headers = { authorization, 'content-type': 'application/json' }
    const url = 'http://sandbox.test/mobile-bff/v1/pix/out/'
    const request = new Request(url, { method: 'POST', headers, body, duplex: 'half' })

    const { status } = await sandbox.service(request)
    expect(status).toBe(401)
    expect((await sandbox.state()).transfers).toEqual([])
  })

  test('restores the seed data and the time of the system', async () => {
    const sandbox = await open()
    const { control, partner, shop } = sandbox
    await partner.webhooks.create({ type: 'all', url: shop.url })
    await control('POST', '/faults', { kind: 'reset', operation: 'checkCode' })
    await control('POST', '/clock', { advance_seconds: 3 * 86_400, freeze: true })
    await sandbox.pay('10.00')
    await reset(sandbox)

    const state = await sandbox.state()
    expect(state.accounts.map(({ balance, held }) => ({ balance, held }))).toEqual([
      { balance: '100000.00', held: '0.00' },
      { balance: '100000.00', held: '0.00' },
      { balance: '20000.00', held: '0.00' },
      { balance: '20000.00', held: '0.00' },
    ])
    expect(state.transfers).toEqual([])
    expect(state.webhooks).toEqual([])
    expect(state.requests).toEqual([])
    expect(state.faults).toEqual([])
    expect(state.qrcodes).toHaveLength(2)

    const clock = await control('GET', '/clock')
    expect(clock.body).toMatchObject({ frozen: false, ahead_seconds: 0 })

    const { id } = await partner.webhooks.create({ type: 'all', url: shop.url })
    const { created_at } = await partner.webhooks.get(id)
    expect(Date.parse(String(created_at))).toBeLessThanOrEqual(Date.now())
  })
})

it.each(KINDS)(
  'deletes no rows one by one in %s, so its time does not grow with them',
  async (kind) => {
    const sandbox = await openSandbox(await newState(kind))
    const { accounts } = await sandbox.state()
    await sandbox.pay()
    await sandbox.worker.idle()
    await sandbox.partner.webhooks.create({ type: 'all', url: sandbox.shop.url })

    const statements = kind === 'postgres' ? FAILING_TRIGGER : [FAILING_TRIGGER_OF_SQLITE]
    for (const sql of statements) await sandbox.store.write((queries) => queries.run(sql))
    expect(await reset(sandbox)).toBe(204)
    expect(await sandbox.state()).toMatchObject({ accounts, transfers: [], webhooks: [] })
    expect(await sandbox.findings()).toEqual([])
  },
)

const FAILING_TRIGGER_OF_SQLITE = `
  CREATE TRIGGER one_by_one BEFORE DELETE ON transfers BEGIN SELECT RAISE(ABORT, 'row by row'); END`
const FAILING_TRIGGER = [
  `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE EXCEPTION ''row by row''; END'`,
  'CREATE TRIGGER one_by_one BEFORE DELETE ON transfers FOR EACH ROW EXECUTE FUNCTION fail()',
]

it('is durable in a file, keeps the key that seals initiation ids, and reports 503 if the file was removed', async () => {
  const file = newFile()
  const sandbox = await openSandbox({ file })
  const keySql = `SELECT value FROM settings WHERE name = 'sealing_key'`
  const before = await readRows(sandbox, keySql)
  await sandbox.pay()
  await reset(sandbox)
  await sandbox.close()

  const next = await openSandbox({ file })
  expect(await readRows(next, keySql)).toEqual(before)
  expect(await next.state()).toMatchObject({ transfers: [] })

  rmSync(file)
  const { status, body } = await next.control('POST', '/reset')
  expect(status).toBe(503)
  expect(body.detail).toContain('was removed')
})

it('changes nothing and reports 503 while another program reads the tables of PostgreSQL', async () => {
  const where = await newState('postgres')
  const sandbox = await openSandbox({ ...where, limits: { lockMs: 50 } })
  await sandbox.partner.webhooks.create({ type: 'all', url: sandbox.shop.url })
  await sandbox.control('POST', '/clock', { freeze: true, advance_seconds: 600 })
  const { clock } = await sandbox.state()

  const reader = new pg.Client(where.databaseUrl)
  await reader.connect()
  await reader.query('BEGIN; SELECT count(*) FROM webhooks')
  const refused = await sandbox.control('POST', '/reset')
  expect(refused.status).toBe(503)
  expect(refused.body.code).toBe('unavailable')

  const after = await sandbox.state()
  expect(after.webhooks).toHaveLength(1)
  expect(after.clock).toMatchObject({ now: clock.now, frozen: true })

  await reader.end()
  expect(await reset(sandbox)).toBe(204)
  expect((await sandbox.state()).webhooks).toEqual([])
})

test('a reset of one instance abandons the deliveries of another on its database', async () => {
  const where = await newState('postgres')
  const one = await openSandbox(where)
  const two = await openSandbox(where)
  await one.worker.close()

  const { shop } = await holdUp(two, 20)
  expect(await reset(one)).toBe(204)

  await shop.ended()
  await two.worker.idle()
  expect(shop.got).toHaveLength(4)
  expect(await attemptsIn(one)).toEqual([])
})

test('a reset does not wait for a stopped instance', async () => {
  const where = await newState('postgres')
  const one = await openSandbox({ ...where, limitOf: AT_ONCE })
  const { respond } = await holdUp(one)
  await one.store.write((queries) =>
    queries.run(`UPDATE deliveries SET claimed_until = ${one.store.time} + 50000`),
  )

  const two = await openSandbox({ ...where, limitOf: AT_ONCE })
  expect(await reset(two)).toBe(204)

  respond()
  await one.worker.idle()
  expect(await attemptsIn(two)).toEqual([])
})

test('the clock advances past a delivery that does not end, which is sent once', async () => {
  const sandbox = await openSandbox({ limitOf: AT_ONCE })
  const { shop, respond } = await holdUp(sandbox)
  const moved = await sandbox.control<{ ahead_seconds: number }>('POST', '/clock', {
    advance_seconds: 3600,
  })
  expect(moved.status).toBe(200)
  expect(Math.round(moved.body.ahead_seconds)).toBe(3600)

  const frozen = await sandbox.control('POST', '/clock', { freeze: true })
  expect(frozen.body).toMatchObject({ frozen: true })

  respond()
  await sandbox.worker.idle()
  expect(shop.got).toMatchObject([{ path: '/deliveries/0', isAborted: false }])
  expect(await attemptsIn(sandbox)).toEqual([{ event_id: expect.any(String), reason: '' }])
})

test('it limits the wait of an advance from its request, not from its turn', async () => {
  const limits: AbortController[] = []
  const limitOf = () => {
    const limit = new AbortController()
    limits.push(limit)
    return limit.signal
  }

  const sandbox = await openSandbox({ limitOf })
  const { respond } = await holdUp(sandbox)

  const advances = times(3).map(() => sandbox.control('POST', '/clock', { advance_seconds: 60 }))
  // If the test fails earlier, they end with the sandbox.
  void Promise.allSettled(advances)
  await expect.poll(() => limits).toHaveLength(3)

  for (const limit of limits) limit.abort()
  const responses = await Promise.all(advances)
  expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])

  respond()
})
