import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { State } from '../../src/control/state.ts'
import { type Receiver, receiver } from '../receiver.ts'
import { sharedPostgres } from '../state/backends.ts'
import { type Started, start } from './start.ts'

const LOJA = 'c3a4b5d6-1d5c-4e0b-9d57-0d6c3f1a7001'
const NOBODY = '00000000-0000-4000-8000-000000000000'

const postgres = sharedPostgres()

describe.each(['sqlite', 'postgres'] as const)('on %s', (backend) => {
  let sandbox: Started
  let shop: Receiver
  beforeAll(async () => {
    const databaseUrl = backend === 'postgres' ? await postgres.newDatabase() : undefined
    ;[sandbox, shop] = await Promise.all([start({ databaseUrl }), receiver()])
  })
  afterAll(async () => {
    await sandbox.close()
    await shop.close()
  })
  beforeEach(async () => {
    await sandbox.control('POST', '/reset')
    shop.got.length = 0
  })

  const stateNow = async () => (await sandbox.control<State>('GET', '/state')).body
  const balance = async () => (await stateNow()).accounts.find(({ id }) => id === LOJA)?.balance
  const findings = async () =>
    (await sandbox.control<{ findings: string[] }>('GET', '/reconcile')).body.findings
  const seeded = async (kind: string) => (await stateNow()).qrcodes.find((it) => it.kind === kind)?.id ?? ''
  const pay = (id: string) => sandbox.control('POST', `/qrcodes/${id}/pay`)

  describe('POST /accounts/{id}/deposit', () => {
    test('adds to the balance, to the centavo, and the ledger adds up', async () => {
      const { status, body } = await sandbox.control('POST', `/accounts/${LOJA}/deposit`, { amount: '0.07' })
      expect(status).toBe(201)
      expect(body).toMatchObject({ account_id: LOJA, amount: '0.07', balance: '100000.07' })
      expect(await balance()).toBe('100000.07')
      expect(await findings()).toEqual([])
    })

    test.each([
      ['no amount', {}, 400, '/amount'],
      ['a number', { amount: 5 }, 400, '/amount'],
      ['one decimal', { amount: '5.0' }, 400, '/amount'],
      ['a sign', { amount: '-5.00' }, 400, '/amount'],
      ['more digits than an account holds', { amount: `${'9'.repeat(13)}.00` }, 400, '/amount'],
      ['nothing', { amount: '0.00' }, 422, '/amount'],
    ])('refuses %s', async (_, body, status, pointer) => {
      const response = await sandbox.control('POST', `/accounts/${LOJA}/deposit`, body)
      expect([response.status, response.body.errors?.[0]?.pointer]).toEqual([status, pointer])
      expect(await balance()).toBe('100000.00')
    })

    test('refuses more than the account outside has, and the ledger adds up', async () => {
      const all = { amount: '999999999999.00' }
      const deposits = Array.from({ length: 12 }, () =>
        sandbox.control('POST', `/accounts/${LOJA}/deposit`, all),
      )
      const refused = (await Promise.all(deposits)).filter(({ status }) => status !== 201)
      expect(refused.map(({ status, body }) => [status, body.code])).toEqual(
        Array(3).fill([422, 'amount_not_allowed']),
      )
      expect(await balance()).toBe('9000000099991.00')
      expect(await findings()).toEqual([])
    })

    test.each([NOBODY, 'outside%2Fbeltrana', `${LOJA}%2Fheld`, 'outside%2Fworld'])(
      'knows no account %s',
      async (id) => {
        const response = await sandbox.control('POST', `/accounts/${id}/deposit`, { amount: '5.00' })
        expect([response.status, response.body.code]).toEqual([404, 'not_found'])
        expect(await findings()).toEqual([])
      },
    )
  })

  describe('POST /qrcodes/{id}/pay', () => {
    test.each([
      ['DueDate', '95.00', '100095.00'],
      ['Immediate', '35.90', '100035.90'],
    ])(
      'pays a charge of kind %s: the money is there, and the event is emitted',
      async (kind, amount, after) => {
        await sandbox.payments.webhooks.create({ type: 'all', url: shop.url })
        const id = await seeded(kind)
        const { status, body } = await pay(id)
        expect([status, body]).toEqual([200, { id, status: 'CONCLUIDA', amount }])
        expect(await balance()).toBe(after)
        await sandbox.app.worker.idle()
        expect(shop.got.map(({ body }) => JSON.parse(body))).toMatchObject([
          { type: 'qrcode.paid', data: { id, status: 'CONCLUIDA' } },
        ])
        expect(await findings()).toEqual([])
      },
    )

    test('pays once: the second time is a conflict, and so are others at the same time', async () => {
      const id = await seeded('DueDate')
      const responses = await Promise.all(Array.from({ length: 16 }, () => pay(id)))
      expect(responses.map(({ status }) => status).sort()).toEqual([200, ...Array(15).fill(409)])
      expect(await balance()).toBe('100095.00')
      expect((await pay(id)).body).toMatchObject({ code: 'code_paid' })
      expect((await pay(id)).body).not.toHaveProperty('errors')
      expect(await findings()).toEqual([])
    })

    test.each([
      ['more than there is', '200000.00'],
      ['more than a column holds', '9999999999.99'],
    ])('refuses a charge that comes to %s', async (_, percent) => {
      const { body } = await sandbox.control<{ now: string }>('GET', '/clock')
      const { id } = await sandbox.payments.qrcodes.createDueDate({
        dict_key: '12ABC34501DE35',
        tx_id: 'PEDIDO1009PEDIDO1009PEDIDO1009',
        amount: { original: '9999999999.99', interest: { modality: '2', amount: percent } },
        calendar: { due_date: body.now.slice(0, 10), expiration_days: 30 },
      })
      await sandbox.control('POST', '/clock', { advance_seconds: 20 * 86_400 })
      const response = await pay(id)
      expect([response.status, response.body.code]).toEqual([422, 'amount_not_allowed'])
      expect(await balance()).toBe('100000.00')
      expect(await findings()).toEqual([])
    })

    test('never pays a charge twice with a concurrent transfer', async () => {
      const { accounts, qrcodes } = await stateNow()
      const { emv = '', id = '' } = qrcodes.find(({ kind }) => kind === 'Immediate') ?? {}
      const transfer = async () => {
        const code = await sandbox.payments.codes.check(emv)
        return code.pay()
      }
      const outcomes = await Promise.allSettled([transfer(), pay(id), transfer(), pay(id)])
      await sandbox.control('POST', '/clock', { advance_seconds: 1 })
      const paid = outcomes.filter(
        (it) => it.status === 'fulfilled' && !('status' in it.value && it.value.status === 409),
      )
      expect(paid).toHaveLength(1)
      expect(accounts).toHaveLength(4)
      expect(await findings()).toEqual([])
    })

    test('refuses a cancelled code, a static code and an unknown code', async () => {
      const id = await seeded('Immediate')
      await sandbox.payments.qrcodes.cancelImmediate(id)
      const fixed = await sandbox.payments.qrcodes.createStatic({
        dict_key: '12ABC34501DE35',
        amount: '1.00',
      })
      const responses = [await pay(id), await pay(fixed.id), await pay(NOBODY)]
      expect(responses.map(({ status, body }) => [status, body.code])).toEqual([
        [422, 'code_cancelled'],
        [422, 'invalid_code'],
        [404, 'not_found'],
      ])
      expect(await balance()).toBe('100000.00')
      expect(await findings()).toEqual([])
    })
  })

  describe('POST /reset', () => {
    test('restores the seed data', async () => {
      await sandbox.payments.webhooks.create({ type: 'all', url: shop.url })
      await sandbox.control('POST', '/faults', { kind: 'reset', operation: 'checkCode' })
      const payee = await sandbox.payments.keys.check('beltrana@example.com')
      await payee.pay({ amount: '10.00' })
      const { status } = await sandbox.control('POST', '/reset')
      expect(status).toBe(204)
      const { accounts, transfers, webhooks, qrcodes, requests } = await stateNow()
      expect(accounts.map(({ balance, held }) => [balance, held])).toEqual([
        ['100000.00', '0.00'],
        ['100000.00', '0.00'],
        ['20000.00', '0.00'],
        ['20000.00', '0.00'],
      ])
      expect([transfers, webhooks, requests]).toEqual([[], [], []])
      expect(qrcodes).toHaveLength(2)
      expect((await sandbox.control('GET', '/faults')).body).toEqual({ data: [] })
      expect(await findings()).toEqual([])
    })
  })
})

test('pays the amount due on the day of the payment', async () => {
  const sandbox = await start()
  const { id } = await sandbox.payments.qrcodes.createDueDate({
    dict_key: '12ABC34501DE35',
    tx_id: 'PEDIDO3001PEDIDO3001PEDIDO3001',
    amount: { original: '100.00', fine: { modality: '2', amount: '2.00' } },
    calendar: { due_date: inDays(10), expiration_days: 60 },
  })
  await sandbox.control('POST', '/clock', { advance_seconds: 40 * 86_400 })
  const { body } = await sandbox.control('POST', `/qrcodes/${id}/pay`)
  expect(body).toMatchObject({ id, amount: '102.00' })
  await sandbox.close()
})

test('refuses a charge that can no longer be paid, or whose amount is zero', async () => {
  const sandbox = await start()
  const { createDueDate } = sandbox.payments.qrcodes
  const lapsed = await createDueDate({
    dict_key: '12ABC34501DE35',
    tx_id: 'PEDIDO3002PEDIDO3002PEDIDO3002',
    amount: { original: '100.00' },
    calendar: { due_date: inDays(10), expiration_days: 1 },
  })
  const free = await createDueDate({
    dict_key: '12ABC34501DE35',
    tx_id: 'PEDIDO3003PEDIDO3003PEDIDO3003',
    amount: { original: '10.00', discount: { modality: '3', amount: '1.00' } },
    calendar: { due_date: inDays(100) },
  })
  await sandbox.control('POST', '/clock', { advance_seconds: 40 * 86_400 })
  const responses = [lapsed, free].map(({ id }) => sandbox.control('POST', `/qrcodes/${id}/pay`))
  expect((await Promise.all(responses)).map(({ status, body }) => [status, body.code])).toEqual([
    [422, 'code_expired'],
    [422, 'amount_not_allowed'],
  ])
  await sandbox.close()
})

function inDays(count: number): string {
  return new Date(Date.now() + count * 86_400_000).toISOString().slice(0, 10)
}
