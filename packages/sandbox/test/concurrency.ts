import { setTimeout as sleep } from 'node:timers/promises'
import { encode } from '@partner-payments/brcode'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { type App, createApp } from '../src/index.ts'
import { reconcile } from '../src/ledger/reconcile.ts'
import { newState } from './backends.ts'
import {
  type Ask,
  createAsker,
  issueToken,
  newPayer,
  newTxId,
  type Payer,
  payment,
  readBalance,
  readRows,
  SHOP,
  signInPartner,
  tally,
  times,
} from './callers.ts'
import { openSandbox } from './started.ts'

const KEY = 'beltrana@example.com'

const CANCEL = `UPDATE qrcodes SET status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR' WHERE id = ?`
const WAITING = `SELECT pid FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'`

/** Lets each change of QR codes wait at its end while somebody holds the lock 1. */
const PAUSE_AFTER_UPDATE = [
  `CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN PERFORM pg_advisory_xact_lock_shared(1); RETURN NULL; END $$`,
  'CREATE TRIGGER pause AFTER UPDATE ON qrcodes FOR EACH STATEMENT EXECUTE FUNCTION pause()',
]

/** On a busy machine, connections may have to wait long. */
const limits = { connectMs: 60_000, responseMs: 60_000, statementMs: 60_000 }

/**
 * Concurrent requests, on one instance and split over two that share a database.
 *
 * @param rounds How often each race is run, a multiple of 4.
 * @param payments How many payments two instances settle at once.
 */
export function describeRaces(rounds: number, payments: number): void {
  describe.each([
    { kind: 'sqlite, in a file', instances: 1 },
    { kind: 'postgres', instances: 2 },
  ] as const)('at once on $kind, by $instances instances', ({ kind, instances }) => {
    const sandboxes: App[] = []
    let shop: Ask

    beforeAll(async () => {
      const where = await newState(kind)
      for (const _ of times(instances))
        sandboxes.push(await createApp({ ...where, limits, limitsRates: false }))
      shop = await signInPartner(first())
    })
    afterAll(() => Promise.all(sandboxes.map(({ close }) => close())))

    const first = () => sandboxes[0] as App

    /** Distributes the requests over the instances. */
    const askOf = ({ token }: Payer, i = 0) => {
      const { service } = sandboxes[i % instances] as App
      return createAsker(service, token)
    }

    const settled = async () => {
      await Promise.all(sandboxes.map(({ worker }) => worker.idle()))
      expect(await first().store.read(reconcile)).toEqual([])
    }

    test(`64 times R$ 1 out of R$ 10 is paid exactly 10 times`, async () => {
      const round = async () => {
        const payer = await newPayer(first(), 1000n)
        const paying = times(64).map((i) => askOf(payer, i)(...payment()))
        const responses = await Promise.all(paying)
        expect(tally(responses)).toEqual({ 201: 10, 422: 54 })

        const codes = new Set(responses.map(({ body }) => body.code))
        expect(codes).toEqual(new Set([undefined, 'insufficient_funds']))
        expect(await readBalance(first(), payer.account_id)).toBe(0n)
      }

      for (const _ of times(rounds / 4)) await Promise.all(times(4).map(round))
      await settled()
    })

    /** Sends a transfer 32 times at once, for each round. */
    async function expectOnce(next: (payer: Payer) => Promise<object>): Promise<void> {
      const payer = await newPayer(first(), 32n * 100n * BigInt(rounds))
      for (const _ of times(rounds)) {
        const body = await next(payer)
        const paying = times(32).map((i) => askOf(payer, i)('POST', '/pix/out/', { body }))
        expect(tally(await Promise.all(paying))).toEqual({ 201: 1, 409: 31 })
      }
      expect(await readBalance(first(), payer.account_id)).toBe(31n * 100n * BigInt(rounds))

      await settled()
    }

    test(`one initiation_id pays once in 32 attempts`, () =>
      expectOnce(async (payer) => {
        const check = await askOf(payer)('POST', '/pix/dict/check/', { body: { dict_key: KEY } })
        return {
          type: 'dict',
          dict_key: KEY,
          initiation_id: check.body.initiation_id,
          amount: '1.00',
        }
      }))

    test(`one charge is paid once in 32 attempts`, () =>
      expectOnce(async () => {
        const body = { dict_key: '12ABC34501DE35', tx_id: newTxId(), amount: { original: '1.00' } }
        const charge = await shop('POST', '/pix/qrcode/dynamic/immediate', { body })
        return { type: 'emv', emv: charge.body.emv, amount: '1.00' }
      }))
  })

  test('a payment of a charge that another instance cancels is refused as cancelled', async () => {
    const sandbox = await createApp({ ...(await newState('postgres')), limits })
    onTestFinished(() => sandbox.close())
    const shop = await signInPartner(sandbox)
    const payer = await newPayer(sandbox, 100n)
    const charge = { dict_key: '12ABC34501DE35', tx_id: newTxId(), amount: { original: '1.00' } }
    const { body } = await shop('POST', '/pix/qrcode/dynamic/immediate', { body: charge })

    const order = { type: 'emv', emv: body.emv, amount: '1.00' }
    const pay = () =>
      createAsker(sandbox.service, payer.token)('POST', '/pix/out/', { body: order })
    let paying: ReturnType<typeof pay> | undefined
    await sandbox.store.write(async (queries) => {
      await queries.run(CANCEL, [body.id])
      paying ??= pay()
      // It has read the charge, and waits for this transaction.
      while (!(await queries.get(WAITING))) await sleep(5)
    })
    expect((await paying)?.body).toMatchObject({ status: 422, code: 'code_cancelled' })
  })

  test('a charge that a rejected payment opens again meanwhile is not taken as cancelled', async () => {
    const sandbox = await createApp({ ...(await newState('postgres')), limits, settleAfterMs: 1e9 })
    onTestFinished(() => sandbox.close())
    const shop = await signInPartner(sandbox)
    const payer = await newPayer(sandbox, 100n)
    const charge = { dict_key: '12ABC34501DE35', tx_id: newTxId(), amount: { original: '1.00' } }
    const { body } = await shop('POST', '/pix/qrcode/dynamic/immediate', { body: charge })
    const order = { type: 'emv', emv: body.emv, amount: '1.00' }
    await createAsker(sandbox.service, payer.token)('POST', '/pix/out/', { body: order })

    for (const sql of PAUSE_AFTER_UPDATE) await sandbox.store.write((queries) => queries.run(sql))
    const cancel = () => shop('DELETE', `/pix/qrcode/dynamic/immediate/${body.id}`)
    let cancelling: ReturnType<typeof cancel> | undefined
    await sandbox.store.write(async (queries) => {
      await queries.run('SELECT pg_advisory_xact_lock(1)')
      await queries.run('UPDATE qrcodes SET transfer_id = NULL WHERE id = ?', [body.id])
      cancelling ??= cancel()
      // It has not cancelled the charge, which is being paid, and waits for this transaction.
      while (!(await queries.get(WAITING))) await sleep(5)
    })
    expect((await cancelling)?.body).toMatchObject({ status: 409, code: 'qrcode_paid' })
  })

  test('a charge that another instance claims meanwhile does not let the payer change its amount', async () => {
    const sandbox = await openSandbox({ ...(await newState('postgres')), limits })
    const charge = { dict_key: '12ABC34501DE35', tx_id: newTxId(), amount: { original: '1.00' } }
    const { id } = await sandbox.partner.qrcodes.createImmediate(charge)

    const change = () => sandbox.control('PATCH', `/qrcodes/${id}`, { allow_value_change: true })
    let changing: ReturnType<typeof change> | undefined
    await sandbox.store.write(async (queries) => {
      await queries.run(`UPDATE qrcodes SET transfer_id = 'other' WHERE id = ?`, [id])
      changing ??= change()
      // It waits for this transaction.
      while (!(await queries.get(WAITING))) await sleep(5)
    })
    expect((await changing)?.body).toMatchObject({ status: 409, code: 'code_paid' })
  })

  test('a charge whose payer may no longer choose the amount is not paid with another one', async () => {
    const sandbox = await openSandbox({ ...(await newState('postgres')), limits })
    const charge = { dict_key: '12ABC34501DE35', tx_id: newTxId(), amount: { original: '1.00' } }
    const { id, emv } = await sandbox.partner.qrcodes.createImmediate(charge)
    const setChoice = (isAllowed: boolean) =>
      sandbox.control('PATCH', `/qrcodes/${id}`, { allow_value_change: isAllowed })

    /** Pays while somebody changes whether the payer may choose the amount. */
    const payDuringChange = async (amount: string, isAllowed: 0 | 1) => {
      const payer = await newPayer(sandbox, 1000n)
      const ask = createAsker(sandbox.service, payer.token)
      let paying: ReturnType<Ask> | undefined
      await sandbox.store.write(async (queries) => {
        const change = 'UPDATE qrcodes SET allow_value_change = ? WHERE id = ?'
        await queries.run(change, [isAllowed, id])
        paying ??= ask('POST', '/pix/out/', { body: { type: 'emv', emv, amount } })
        // It waits for this transaction.
        while (!(await queries.get(WAITING))) await sleep(5)
      })
      return paying
    }

    await setChoice(true)
    const refused = await payDuringChange('0.07', 0)
    expect(refused?.body).toMatchObject({ status: 422, code: 'amount_not_allowed' })
    expect((await payDuringChange('1.00', 1))?.status).toBe(201)
  })

  test('two instances settle transfers in both directions without a deadlock, and deliver each event once', async () => {
    const where = { ...(await newState('postgres')), settleAfterMs: 5, limits }
    const sandboxes = [await openSandbox(where), await openSandbox(where)] as const
    const [{ store, shop, register }] = sandboxes
    await register(shop.url)

    const tokens = await Promise.all([
      issueToken(sandboxes[0]),
      issueToken(sandboxes[0], 'customer'),
    ])
    // Payments to the last key are rejected and return to the payer.
    const keys = ['fulano@example.com', '12ABC34501DE35', 'ac03@reject.example.com']
    const codes = keys.map((key) => encode({ ...SHOP, key }))
    const paying = times(payments).map((i) => {
      const { service } = sandboxes[i % 2] as App
      const token = tokens[(i >> 1) % 2]
      const code = codes[i % 3]
      return createAsker(service, token)(...payment(code))
    })
    expect(tally(await Promise.all(paying))).toEqual({ 201: payments })

    const idle = () => Promise.all(sandboxes.map(({ worker }) => worker.idle()))
    while (shop.got.length < payments) await idle()
    await idle()
    // The payee is of the same partner, and hears of each transfer that settled.
    const sql = `SELECT id FROM transfers WHERE status = 'settled'`
    const settled = await readRows(sandboxes[0], sql)
    expect(settled.length).toBeGreaterThan(0)
    expect(shop.got).toHaveLength(payments + settled.length)
    expect(new Set(shop.ids).size).toBe(payments + settled.length)

    const attempts = await readRows(
      sandboxes[0],
      'SELECT DISTINCT status, attempts FROM deliveries',
    )
    expect(attempts).toEqual([{ status: 'delivered', attempts: 1n }])
    expect(await store.read(reconcile)).toEqual([])
    expect(await deadlocks(store)).toBe(0n)
  })
}

/** The number of deadlocks. The server reports one after its connections are idle. */
async function deadlocks({ read }: App['store']): Promise<bigint | undefined> {
  const sql = 'SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()'
  await read((queries) => queries.get('SELECT pg_stat_force_next_flush()'))
  const row = await read((queries) => queries.get<{ deadlocks: bigint }>(sql))
  return row?.deadlocks
}
