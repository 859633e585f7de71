import { encode } from '@partner-payments/brcode'
import { SCALE } from '@partner-payments/campaign'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../src/index.ts'
import { reconcile } from '../src/ledger/reconcile.ts'
import { formatCentavos } from '../src/money/centavos.ts'
import { PARTNERS } from '../src/seed/data.ts'
import { balanceOf, call, newPayer, type Payer, partnerToken } from './state/world.ts'

// Whatever is done in whatever order, balances and statuses are those of a model of thirty lines.

const SETTLES_AFTER = 100
const REJECTED = encode({ merchantName: 'Recusa', merchantCity: 'BRASILIA', key: 'ac03@reject.example.com' })
const KEY = 'beltrana@example.com'
const OPENING = 2_000_000n

let sandbox: Sandbox
let shop: string
beforeAll(async () => {
  sandbox = await createSandbox({ checksResponses: true, limitsRates: false, settleAfterMs: SETTLES_AFTER })
  sandbox.clock.freeze()
  shop = await partnerToken(sandbox)
})
afterAll(() => sandbox.close())

interface Pending {
  readonly amount: bigint
  readonly due: number
  readonly isRejected: boolean
  readonly charge?: Charge
}

interface Charge {
  readonly id: string
  readonly emv: string
  readonly amount: bigint
  status: string
  isTaken: boolean
}

/** What should be, beside what is. */
interface World {
  readonly payer: Payer
  own: bigint
  /** What the shop has received since. */
  received: bigint
  pending: Pending[]
  readonly charges: Charge[]
}

const cents = fc.oneof(fc.bigInt(1n, 5_000n), fc.bigInt(1n, 900_000n))
const step = fc.oneof(
  fc.record({ kind: fc.constant('payKey' as const), amount: cents }),
  fc.record({ kind: fc.constant('payKey' as const), amount: fc.bigInt(999_001n, 999_010n) }),
  fc.record({ kind: fc.constant('payRejecting' as const), amount: cents }),
  fc.record({ kind: fc.constant('charge' as const), amount: cents }),
  fc.record({ kind: fc.constant('payCharge' as const), pick: fc.nat(20) }),
  fc.record({ kind: fc.constant('payCharge' as const), pick: fc.nat(20) }),
  fc.record({ kind: fc.constant('cancel' as const), pick: fc.nat(20) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.nat(250) }),
)
type Step = typeof step extends fc.Arbitrary<infer It> ? It : never

test('look-ups, transfers, charges, cancellations, rejections and time leave what the model has', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const before = await shopBalance()
      const payer = await newPayer(sandbox, OPENING)
      const world: World = { payer, own: OPENING, received: 0n, pending: [], charges: [] }
      for (const it of steps) await take(world, it)
      await compare(world, before)
      await wait(world, SETTLES_AFTER)
      expect(world.pending).toEqual([])
      await compare(world, before)
    }),
    { numRuns: 15 * SCALE },
  )
})

async function take(world: World, it: Step): Promise<void> {
  if (it.kind === 'wait') return wait(world, it.ms)
  if (it.kind === 'charge') return makeCharge(world, it.amount)
  if (it.kind === 'payKey') return payKey(world, it.amount)
  if (it.kind === 'payRejecting') return pay(world, { type: 'emv', emv: REJECTED }, it.amount, true)
  const charge = world.charges[it.pick % Math.max(world.charges.length, 1)]
  if (charge) await (it.kind === 'cancel' ? cancel(charge) : payCharge(world, charge))
}

async function payKey(world: World, amount: bigint): Promise<void> {
  const check = ['POST', '/pix/dict/check/', { dict_key: KEY }] as const
  const { initiation_id } = (await call(sandbox.service, world.payer.token, check)).body
  await pay(world, { type: 'dict', dict_key: KEY, initiation_id }, amount, isMagic(amount))
}

async function payCharge(world: World, charge: Charge): Promise<void> {
  const order = { type: 'emv', emv: charge.emv }
  if (charge.status === 'ATIVA' && !charge.isTaken)
    return pay(world, order, charge.amount, isMagic(charge.amount), charge)
  const code = charge.status === 'REMOVIDA_PELO_USUARIO_RECEBEDOR' ? 'code_cancelled' : 'code_paid'
  const body = { ...order, amount: formatCentavos(charge.amount) }
  expect((await call(sandbox.service, world.payer.token, ['POST', '/pix/out/', body])).body.code).toBe(code)
}

async function pay(world: World, order: object, amount: bigint, isRejected: boolean, charge?: Charge) {
  const body = { ...order, amount: formatCentavos(amount) }
  const answer = await call(sandbox.service, world.payer.token, ['POST', '/pix/out/', body])
  if (amount > world.own) return expect(answer.body.code).toBe('insufficient_funds')
  expect(answer).toMatchObject({ status: 201, body: { status: 'pending' } })
  world.own -= amount
  world.pending.push({
    amount,
    due: sandbox.clock.now() + SETTLES_AFTER,
    isRejected,
    ...(charge && { charge }),
  })
  if (charge) charge.isTaken = true
}

async function makeCharge(world: World, amount: bigint): Promise<void> {
  const tx_id = crypto.randomUUID().replaceAll('-', '')
  const body = { dict_key: '12ABC34501DE35', tx_id, amount: { original: formatCentavos(amount) } }
  const made = await call(sandbox.service, shop, ['POST', '/pix/qrcode/dynamic/immediate', body])
  const { id = '', emv = '', status = '' } = made.body
  world.charges.push({ id, emv, amount, status, isTaken: false })
}

async function cancel(charge: Charge): Promise<void> {
  const path = `/pix/qrcode/dynamic/immediate/${charge.id}`
  const answer = await call(sandbox.service, shop, ['DELETE', path])
  if (charge.isTaken) return expect(answer).toMatchObject({ status: 409, body: { code: 'qrcode_paid' } })
  charge.status = 'REMOVIDA_PELO_USUARIO_RECEBEDOR'
  expect(answer).toMatchObject({ status: 200, body: { status: charge.status } })
}

async function wait(world: World, ms: number): Promise<void> {
  await sandbox.worker.moveTo(sandbox.clock.now() + ms)
  const isDue = ({ due }: Pending) => due <= sandbox.clock.now()
  for (const transfer of world.pending.filter(isDue)) end(world, transfer)
  world.pending = world.pending.filter((transfer) => !isDue(transfer))
}

function end(world: World, { amount, isRejected, charge }: Pending): void {
  if (isRejected) world.own += amount
  if (isRejected && charge) charge.isTaken = false
  if (!isRejected && charge) charge.status = 'CONCLUIDA'
  if (!isRejected && charge) world.received += amount
}

async function compare({ payer, own, received, pending, charges }: World, before: bigint): Promise<void> {
  const held = pending.reduce((sum, { amount }) => sum + amount, 0n)
  expect(await balanceOf(sandbox, payer.account_id)).toBe(own)
  expect(await balanceOf(sandbox, `${payer.account_id}/held`)).toBe(held)
  expect((await shopBalance()) - before).toBe(received)
  for (const { id, status } of charges) expect(await statusOf(id)).toBe(status)
  expect(await sandbox.store.read(reconcile)).toEqual([])
}

async function shopBalance(): Promise<bigint> {
  return (await balanceOf(sandbox, PARTNERS[0].account_id)) ?? 0n
}

async function statusOf(id: string): Promise<string | undefined> {
  const sql = 'SELECT status FROM qrcodes WHERE id = ?'
  const row = await sandbox.store.read((queries) => queries.get<{ status: string }>(sql, [id]))
  return row?.status
}

/** The ten amounts from R$ 9,990.01 force a rejection each. */
function isMagic(amount: bigint): boolean {
  return amount >= 999_001n && amount <= 999_010n
}
