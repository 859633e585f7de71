import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { type App, createApp } from '../src/index.ts'
import { reconcile } from '../src/ledger/reconcile.ts'
import { formatCentavos } from '../src/money/centavos.ts'
import { PARTNERS } from '../src/seed/data.ts'
import {
  type Ask,
  createAsker,
  newPayer,
  type Payer,
  payment,
  readBalance,
  readRows,
  signInPartner,
} from './callers.ts'

const SETTLES_AFTER_MS = 100
const KEY = 'beltrana@example.com'
const OPENING = 2_000_000n

let sandbox: App
let shop: Ask

interface Pending {
  readonly amount: bigint
  readonly due: number
  readonly charge: Charge | undefined
}

interface Charge {
  readonly id: string
  readonly emv: string
  readonly amount: bigint
  status: string
  isTaken: boolean
}

/** The expected state. */
interface Model {
  readonly payer: Payer
  balance: bigint
  /** What the shop has received so far. */
  received: bigint
  pending: Pending[]
  readonly charges: Charge[]
}

const cents = fc.oneof(
  fc.bigInt(1n, 5_000n),
  fc.bigInt(1n, 900_000n),
  fc.bigInt(999_001n, 999_010n),
)
const step = fc.oneof(
  fc.record({ kind: fc.constant('payKey' as const), amount: cents }),
  fc.record({ kind: fc.constant('charge' as const), amount: cents }),
  fc.record({ kind: fc.constant('payCharge' as const), pick: fc.nat(20) }),
  fc.record({ kind: fc.constant('payCharge' as const), pick: fc.nat(20) }),
  fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(20) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(250) }),
)
type Step = typeof step extends fc.Arbitrary<infer It> ? It : never

/** Any sequence of commands must give the balances and statuses of a small model. */
export function testLedgerModel(runs: number): void {
  beforeAll(async () => {
    sandbox = await createApp({
      checksResponses: true,
      limitsRates: false,
      settleAfterMs: SETTLES_AFTER_MS,
    })
    sandbox.clock.freeze()
    shop = await signInPartner(sandbox)
    return sandbox.close
  })

  test('lookups, transfers, charges, cancellations, rejections and time match the model', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
        const before = await shopBalance()
        const payer = await newPayer(sandbox, OPENING)
        const model: Model = { payer, balance: OPENING, received: 0n, pending: [], charges: [] }

        for (const command of steps) await take(model, command)
        await compare(model, before)

        await wait(model, SETTLES_AFTER_MS)
        expect(model.pending).toEqual([])

        await compare(model, before)
      }),
      { numRuns: runs },
    )
  })
}

function askOf({ payer }: Model): Ask {
  return createAsker(sandbox.service, payer.token)
}

async function take(model: Model, command: Step): Promise<void> {
  if (command.kind === 'wait') return wait(model, command.ms)
  if (command.kind === 'charge') return makeCharge(model, command.amount)
  if (command.kind === 'payKey') return payKey(model, command.amount)

  const charge = model.charges[command.pick % Math.max(model.charges.length, 1)]
  if (!charge) return

  if (command.kind === 'cancel') await cancel(charge)
  else await payCharge(model, charge)
}

async function payKey(model: Model, amount: bigint): Promise<void> {
  const check = await askOf(model)('POST', '/pix/dict/check/', { body: { dict_key: KEY } })
  const { initiation_id } = check.body
  await pay(model, { type: 'dict', dict_key: KEY, initiation_id }, amount)
}

async function payCharge(model: Model, charge: Charge): Promise<void> {
  const { emv, amount, status, isTaken } = charge
  const isPayable = status === 'ATIVA' && !isTaken
  if (isPayable) return pay(model, { type: 'emv', emv }, amount, charge)

  const refused = await askOf(model)(...payment(emv, formatCentavos(amount)))
  const isCancelled = status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
  expect(refused.body.code).toBe(isCancelled ? 'code_cancelled' : 'code_paid')
}

async function pay(model: Model, order: object, amount: bigint, charge?: Charge) {
  const body = { ...order, amount: formatCentavos(amount) }
  const response = await askOf(model)('POST', '/pix/out/', { body })
  if (amount > model.balance) return expect(response.body.code).toBe('insufficient_funds')
  expect(response).toMatchObject({ status: 201, body: { status: 'pending' } })

  model.balance -= amount
  model.pending.push({ amount, due: sandbox.clock.now() + SETTLES_AFTER_MS, charge })
  if (charge) charge.isTaken = true
}

async function makeCharge(model: Model, amount: bigint): Promise<void> {
  const tx_id = crypto.randomUUID().replaceAll('-', '')
  const body = { dict_key: '12ABC34501DE35', tx_id, amount: { original: formatCentavos(amount) } }
  const created = await shop('POST', '/pix/qrcode/dynamic/immediate', { body })
  const { id = '', emv = '', status = '' } = created.body
  model.charges.push({
    id,
    emv,
    amount,
    status,
    isTaken: false,
  })
}

async function cancel(charge: Charge): Promise<void> {
  const path = `/pix/qrcode/dynamic/immediate/${charge.id}`
  const response = await shop('DELETE', path)
  if (charge.isTaken)
    return expect(response).toMatchObject({ status: 409, body: { code: 'qrcode_paid' } })

  charge.status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
  expect(response).toMatchObject({ status: 200, body: { status: charge.status } })
}

async function wait(model: Model, ms: number): Promise<void> {
  await sandbox.worker.moveTo(sandbox.clock.now() + ms)
  const isDue = ({ due }: Pending) => due <= sandbox.clock.now()
  for (const transfer of model.pending.filter(isDue)) end(model, transfer)
  model.pending = model.pending.filter((transfer) => !isDue(transfer))
}

function end(model: Model, { amount, charge }: Pending): void {
  // Each of the ten amounts from R$ 9,990.01 forces a rejection.
  const isRejected = amount >= 999_001n && amount <= 999_010n
  if (isRejected) {
    model.balance += amount
    // The charge can be paid again.
    if (charge) charge.isTaken = false
    return
  }

  // A payment to a key goes to somebody else than the shop.
  if (!charge) return
  charge.status = 'CONCLUIDA'
  model.received += amount
}

async function compare(
  { payer, balance, received, pending, charges }: Model,
  before: bigint,
): Promise<void> {
  const held = pending.reduce((sum, { amount }) => sum + amount, 0n)
  expect(await readBalance(sandbox, payer.account_id)).toBe(balance)
  expect(await readBalance(sandbox, `${payer.account_id}/held`)).toBe(held)
  expect((await shopBalance()) - before).toBe(received)

  const statusOf = 'SELECT status FROM qrcodes WHERE id = ?'
  for (const { id, status } of charges)
    expect(await readRows(sandbox, statusOf, [id])).toEqual([{ status }])
  expect(await sandbox.store.read(reconcile)).toEqual([])
}

async function shopBalance(): Promise<bigint> {
  return (await readBalance(sandbox, PARTNERS[0].account_id)) ?? 0n
}
