import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { listRejectingValues } from '../../src/transfers/rejections.ts'
import { BACKENDS, newState } from '../backends.ts'
import {
  DEBTOR,
  newTxId,
  payment,
  signInCallers,
  signInPartner,
  summarize,
  tally,
  times,
} from '../callers.ts'
import { type Started, start } from '../started.ts'

const LOJA = 'c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7001'
const NOBODY = '00000000-0000-4000-8000-000000000000'
const KEY = '12ABC34501DE35'

describe.each(BACKENDS)('on %s', (backend) => {
  let sandbox: Started
  beforeAll(async () => {
    sandbox = await start({ ...(await newState(backend)), limitsRates: false })
    return sandbox.close
  })
  beforeEach(async () => {
    await sandbox.control('POST', '/reset')
    sandbox.shop.got.length = 0
    return async () => expect(await sandbox.findings()).toEqual([])
  })

  async function balance(): Promise<string | undefined> {
    const { accounts } = await sandbox.state()
    const loja = accounts.find(({ id }) => id === LOJA)
    return loja?.balance
  }

  function deposit(id: string, body: object) {
    return sandbox.control('POST', `/accounts/${id}/deposit`, body)
  }

  /** The charge of this kind in the seed data. */
  async function seeded(kind: string) {
    const { qrcodes } = await sandbox.state()
    return qrcodes.find((qrcode) => qrcode.kind === kind) ?? { id: '', emv: '' }
  }

  function pay(id: string) {
    return sandbox.control('POST', `/qrcodes/${id}/pay`)
  }

  function createDueDate(amount: object, expiration_days = 30) {
    return sandbox.partner.qrcodes.createDueDate({
      dict_key: KEY,
      tx_id: newTxId(),
      amount,
      calendar: { due_date: inDays(10), expiration_days },
      payer: DEBTOR,
    })
  }

  describe('POST /accounts/{id}/deposit', () => {
    test('adds to the balance, to the centavo', async () => {
      const { status, body } = await deposit(LOJA, { amount: '0.07' })
      expect(status).toBe(201)
      expect(body).toMatchObject({ account_id: LOJA, amount: '0.07', balance: '100000.07' })
      expect(await balance()).toBe('100000.07')
    })

    test('refuses nothing, and more than the account outside has', async () => {
      const nothing = await deposit(LOJA, { amount: '0.00' })
      expect(summarize(nothing)).toBe('422 amount_not_allowed /amount')

      const depositing = times(12).map(() => deposit(LOJA, { amount: '999999999999.00' }))
      const responses = await Promise.all(depositing)
      const refused = responses.filter(({ status }) => status !== 201)
      expect(refused.map(summarize)).toEqual(Array(3).fill('422 amount_not_allowed /amount'))
      expect(await balance()).toBe('9000000099991.00')
    })

    test('knows only the accounts of partners and customers', async () => {
      for (const id of [NOBODY, 'outside%2Fbeltrana', `${LOJA}%2Fheld`, 'outside%2Fworld']) {
        const response = await deposit(id, { amount: '5.00' })
        expect(summarize(response)).toBe('404 not_found')
      }
    })
  })

  describe('POST /qrcodes/{id}/pay', () => {
    test.each([
      { kind: 'DueDate', amount: '95.00', after: '100095.00' },
      { kind: 'Immediate', amount: '35.90', after: '100035.90' },
    ])('pays a charge of kind $kind, and emits its events', async ({ kind, amount, after }) => {
      await sandbox.partner.webhooks.create({ type: 'all', url: sandbox.shop.url })
      const { id } = await seeded(kind)
      const { status, body } = await pay(id)
      expect(status).toBe(200)
      expect(body).toMatchObject({ id, status: 'CONCLUIDA', amount, payment: { amount } })
      expect(await balance()).toBe(after)

      await sandbox.worker.idle()
      const events = sandbox.shop.got.map(({ body }) => JSON.parse(body))
      expect(events).toHaveLength(2)
      expect(events).toContainEqual(
        expect.objectContaining({
          type: 'qrcode.paid',
          data: expect.objectContaining({ id, status: 'CONCLUIDA' }),
        }),
      )
    })

    test('pays once: the second time is a conflict, and so are others at the same time', async () => {
      const { id } = await seeded('DueDate')
      const paying = times(16).map(() => pay(id))
      expect(tally(await Promise.all(paying))).toEqual({ 200: 1, 409: 15 })
      expect(await balance()).toBe('100095.00')
      expect(summarize(await pay(id))).toBe('409 code_paid')
    })

    test('never pays a charge twice with a concurrent transfer', async () => {
      await sandbox.control('POST', '/clock', { freeze: true })
      const { emv, id } = await seeded('Immediate')

      // A payment to oneself is rejected, and then the charge can be paid again.
      const { other } = await signInCallers(sandbox)
      const transfer = () => other(...payment(emv, '35.90'))
      const paying: Promise<{ status: number }>[] = [transfer(), pay(id), transfer(), pay(id)]
      const responses = await Promise.all(paying)
      const paid = responses.filter(({ status }) => status < 300)
      await sandbox.advance(1)
      expect(paid).toHaveLength(1)
    })

    test.each(['200000.00', '9999999999.99'])('refuses too much interest: %s', async (percent) => {
      const interest = { modality: '2', amount: percent }
      const { id } = await createDueDate({ original: '9999999999.99', interest })
      await sandbox.advance(30 * 86_400)
      expect(summarize(await pay(id))).toBe('422 amount_not_allowed')
      expect(await balance()).toBe('100000.00')
    })

    test('refuses what nobody can pay, with the reason', async () => {
      const cancelled = await seeded('Immediate')
      await sandbox.partner.qrcodes.cancelImmediate(cancelled.id)
      const lapsed = await createDueDate({ original: '100.00' }, 1)

      expect(summarize(await pay(cancelled.id))).toBe('422 code_cancelled')
      expect(summarize(await pay(NOBODY))).toBe('404 not_found')

      await sandbox.advance(40 * 86_400)
      expect(summarize(await pay(lapsed.id))).toBe('422 code_expired')
      expect(await balance()).toBe('100000.00')
    })

    test('refuses a charge whose discount is the whole amount since the clock went back', async () => {
      await sandbox.advance(20 * 86_400)
      const discount = { modality: '3', amount: '90.00' } as const
      const due_date = inDays(30)
      const { id } = await sandbox.partner.qrcodes.createDueDate({
        dict_key: KEY,
        tx_id: newTxId(),
        amount: { original: '1500.00', discount },
        calendar: { due_date },
        payer: DEBTOR,
      })
      await sandbox.control('POST', '/clock', { reset: true })
      expect(summarize(await pay(id))).toBe('422 amount_not_allowed')
    })

    test('pays a static code any number of times, also at once', async () => {
      const code = { dict_key: KEY, amount: '2.50' }
      const { id } = await sandbox.partner.qrcodes.createStatic(code)
      const paying = times(8).map(() => pay(id))
      const responses = await Promise.all(paying)
      expect(tally(responses)).toEqual({ 200: 8 })
      expect(responses[0]?.body).toMatchObject({ id, status: 'ATIVA', amount: '2.50' })
      expect(await balance()).toBe('100020.00')
    })

    test('takes the amount due on the day of the payment', async () => {
      const fine = { modality: '2', amount: '2.00' }
      const { id } = await createDueDate({ original: '100.00', fine }, 60)
      await sandbox.advance(40 * 86_400)
      expect((await pay(id)).body).toMatchObject({ id, amount: '102.00' })
    })
  })

  describe('GET /reconcile', () => {
    function changeWorld(change: '+ 1' | '- 1') {
      const sql = `UPDATE accounts SET balance = balance ${change} WHERE id = 'outside/world'`
      return sandbox.store.write((queries) => queries.run(sql))
    }

    test('reports what does not add up', async () => {
      await changeWorld('+ 1')
      expect(await sandbox.findings()).toEqual([
        'a balance is not the sum of its entries: outside/world',
      ])

      await changeWorld('- 1')
    })

    test('reports no false finding while payments settle', async () => {
      const partner = await signInPartner(sandbox)
      const paying = times(100).map(() => partner(...payment()))
      const reconciling = Promise.all(times(3).map(sandbox.findings))
      expect(tally(await Promise.all(paying))).toEqual({ 201: 100 })

      const findings = await reconciling
      expect(findings.flat()).toEqual([])
    })
  })
})

test('every magic key and amount forces its documented rejection', async () => {
  const sandbox = await start()
  const { body } = await sandbox.control<ReturnType<typeof listRejectingValues>>('GET', '/magic')
  expect(body.keys).toHaveLength(10)
  expect(body.amounts).toHaveLength(10)

  for (const { dict_key } of body.keys) await sandbox.pay('1.00', dict_key)
  for (const { amount } of body.amounts) {
    await sandbox.pay(amount)
    // The balance is too low to hold all amounts at once.
    await sandbox.advance(1)
  }

  const { transfers } = await sandbox.state()
  const ended = transfers.map(({ status, rejection_message }) => ({ status, rejection_message }))
  const expected = [...body.keys, ...body.amounts].map(({ rejection_message }) => ({
    status: 'rejected',
    rejection_message,
  }))
  expect(ended.reverse()).toEqual(expected)

  await sandbox.close()
})

function inDays(count: number): string {
  const DAY_MS = 86_400_000
  return new Date(Date.now() + count * DAY_MS).toISOString().slice(0, 10)
}
