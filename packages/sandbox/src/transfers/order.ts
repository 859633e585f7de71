import type { Caller } from '../auth/tokens.ts'
import { initiationLifetimeMs } from '../behaviour.ts'
import { requirePayableAmounts } from '../codes/payable.ts'
import {
  type Payee,
  type ResolvedCharge,
  type ResolvedStatic,
  resolveCode,
} from '../codes/resolve.ts'
import type { HandlerContext } from '../context.ts'
import type { BodyOf } from '../contract.ts'
import { findEntry, INITIATION, type Initiation } from '../keys.ts'
import { formatCentavos, parseCentavos } from '../money/centavos.ts'
import { dayOf } from '../money/days.ts'
import { refuse } from '../problems.ts'
import type { ChargeRow } from '../qrcodes/record.ts'
import { unseal } from '../seal.ts'
import type { Queries } from '../store/store.ts'
import { isTaxIdOf } from '../tax-ids.ts'

type Request = BodyOf<'createTransfer'>
type EmvRequest = Extract<Request, { type: 'emv' }>
type DictRequest = Extract<Request, { type: 'dict' }>

export interface Order {
  readonly payee: Payee
  readonly initiation_type: 'DICT' | 'QRES' | 'QRDN'
  readonly tx_id: string
  /** The charge that it pays, as it was read. */
  readonly charge: ChargeRow | null
  /** The id of the key lookup that it consumes. */
  readonly initiation: string | null
}

/**
 * Validates a transfer request against the current state, and returns its order: who is paid, and
 * by what (a code or a looked-up key).
 *
 * @throws {Refusal} if it must not be paid
 */
export async function resolveOrder(
  queries: Queries,
  context: HandlerContext,
  caller: Caller,
  body: Request,
): Promise<Order> {
  requireToday(body, context.now())
  if (parseCentavos(body.amount) === 0n) {
    refuse('amount_not_allowed', '/amount', '"amount" must be more than 0.')
  }

  const order =
    body.type === 'emv'
      ? await createOrderOfCode(queries, context, body)
      : await createOrderOfKey(queries, context, caller, body)
  requireBeneficiary(order.payee, body.beneficiary)
  return order
}

function requireToday({ payment_date }: Request, now: number): void {
  const isToday = payment_date === undefined || payment_date === dayOf(now)
  if (isToday) return
  refuse('payment_date_not_allowed', '/payment_date', '"payment_date" must be today, or absent.')
}

/**
 * The order of a transfer that pays a code. A code with an amount accepts no other, unless it lets
 * the payer change it (Manual de Padrões para Iniciação do Pix 2.10.0, section 2.7.1.1).
 *
 * @throws {Refusal} if the code cannot be paid now, or not with this amount
 */
async function createOrderOfCode(
  queries: Queries,
  { now }: HandlerContext,
  { emv, amount }: EmvRequest,
): Promise<Order> {
  const resolved = await resolveCode(queries, emv)
  if (resolved.kind === 'Static') return createOrderOfStaticCode(resolved, amount)
  return createOrderOfCharge(resolved, amount, now())
}

/**
 * The order that pays a static code. Refuses another amount than that of the code, if it has one.
 */
function createOrderOfStaticCode(resolved: ResolvedStatic, amount: string): Order {
  const isPayersChoice = resolved.amount === undefined
  if (!isPayersChoice) requireAmount(resolved.amount, amount)
  return {
    payee: resolved.payee,
    // A static code, as the standard abbreviates it.
    initiation_type: 'QRES',
    tx_id: resolved.tx_id,
    charge: null,
    initiation: null,
  }
}

/**
 * The order that pays a charge. Refuses another amount than is due, unless the payer may change it.
 */
function createOrderOfCharge({ payee, row }: ResolvedCharge, amount: string, now: number): Order {
  requireAmountOfCharge(row, amount, now)
  return {
    payee,
    // A dynamic code.
    initiation_type: 'QRDN',
    tx_id: row.tx_id,
    charge: row,
    initiation: null,
  }
}

/**
 * Throws the refusal of a transfer that cannot pay a charge now, or not with this amount, unless the
 * payer may change it.
 */
export function requireAmountOfCharge(row: ChargeRow, amount: string, now: number): void {
  const { final } = requirePayableAmounts(row, now, 'transfer')
  const isSuggestion = row.allow_value_change === 1n
  if (!isSuggestion) requireAmount(final, amount)
}

/** Throws the refusal of a transfer whose amount is not the one that the code demands, in centavos. */
function requireAmount(demanded: bigint, amount: string): void {
  const isDemanded = parseCentavos(amount) === demanded
  if (isDemanded) return

  const detailOfField = `"amount" must be "${formatCentavos(demanded)}", got "${amount}".`
  const detailOfResponse = 'The code fixes the amount.'
  refuse('amount_not_allowed', '/amount', detailOfField, { detail: detailOfResponse })
}

/**
 * The order of a transfer that pays the owner of a key. The look-up of the key issued an initiation
 * id, which says who may pay which owner, until when. It pays once.
 *
 * @throws {Refusal} if the initiation id is of another caller or another key, has expired, or was used
 */
async function createOrderOfKey(
  queries: Queries,
  context: HandlerContext,
  caller: Caller,
  body: DictRequest,
): Promise<Order> {
  // Undefined if this sandbox did not issue it.
  const initiation = unseal<Initiation>(context, INITIATION, body.initiation_id)
  if (!initiation) refuseInitiation()
  if (initiation.caller !== caller.account_id) refuseInitiation()

  const isOfOtherKey = initiation.dict_key !== body.dict_key
  const hasExpired = initiation.at + initiationLifetimeMs() < context.now()
  const payee = await findEntry(queries, body.dict_key)
  // A key that has moved since the look-up has another owner than the payer saw, or none.
  const hasMoved = !payee || payee.id !== initiation.owner
  if (isOfOtherKey || hasExpired || hasMoved) {
    // Whoever has paid with it must look for that transfer, and not look the key up to pay again.
    await requireUnused(queries, initiation.nonce)
    refuseInitiation()
  }

  return {
    payee,
    initiation_type: 'DICT',
    tx_id: '',
    charge: null,
    // Stored with the transfer, so that a second one with the same id is refused.
    initiation: initiation.nonce,
  }
}

/** Throws the refusal of an initiation id that was used already, in its lifetime or later. */
async function requireUnused(queries: Queries, initiation: string): Promise<void> {
  const transfer = await queries.get('SELECT id FROM transfers WHERE initiation = ?', [initiation])
  if (transfer) refuseUsedInitiation()
}

/** Throws the refusal of an initiation id that a transfer has used. */
export function refuseUsedInitiation(): never {
  refuse(
    'initiation_used',
    '/initiation_id',
    'A transfer has used it: look for that transfer first.',
  )
}

function refuseInitiation(): never {
  refuse('initiation_invalid', '/initiation_id', 'Look the key up again.')
}

/**
 * Throws the refusal of a transfer whose payee is another one than the request describes. Each
 * detail of the request may be absent.
 */
function requireBeneficiary(payee: Payee, beneficiary: Request['beneficiary'] = {}): void {
  const { account_number, account_type, branch, ispb, name, tax_id } = beneficiary
  const details = [
    { field: 'account_number', sent: account_number, actual: payee.number },
    { field: 'account_type', sent: account_type, actual: payee.type },
    { field: 'branch', sent: branch, actual: payee.branch },
    { field: 'ispb', sent: ispb, actual: payee.ispb },
    { field: 'name', sent: name, actual: payee.name },
  ]
  for (const { field, sent, actual } of details) {
    const isOther = sent !== undefined && sent !== actual
    if (isOther) refuseBeneficiary(field)
  }

  const isOtherTaxId = tax_id !== undefined && !isTaxIdOf(tax_id, payee.tax_id)
  if (isOtherTaxId) refuseBeneficiary('tax_id')
}

function refuseBeneficiary(field: string): never {
  refuse('beneficiary_mismatch', `/beneficiary/${field}`, `"${field}" differs from the owner's.`)
}
