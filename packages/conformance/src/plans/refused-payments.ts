import { fieldsOf } from '../contract/json.ts'
import type { Input, Sender } from '../send/requests.ts'
import { validBody } from './bodies.ts'
import { payExample } from './caused-events.ts'
import { findOtherKey } from './causes/pay-keys.ts'
import { checkAsPayer } from './pay-as-others.ts'
import type { PlanContext } from './plan.ts'
import {
  type ReceivingWebhook,
  waitForDeliveries,
  waitForUnexpectedDeliveries,
} from './receiving-webhooks.ts'
import { CODE_KINDS, type CodeKind } from './records.ts'
import { createRecord, EXAMPLE, prepareValidRequest, withAmount } from './valid-requests.ts'

/**
 * Sends payments that the service must refuse, and waits for the events that it must not send. Each has an amount that
 * nothing else has: if money is moved all the same, an event shows that amount. Sends nothing to a live service, which
 * may accept them.
 *
 * @param allEvents A webhook that gets all events.
 */
export async function receiveRefusedPayments(
  context: PlanContext,
  allEvents: ReceivingWebhook,
): Promise<void> {
  const { mayPayWrongly, isChosen } = context
  if (!mayPayWrongly || !isChosen('createTransfer')) return

  await payForRefusals(context)
  // The event of a payment that is sent after them shows how long theirs could take.
  const events = await payExample(context, EXAMPLE.key, 'partner')
  const tookMs = await waitForDeliveries(context, [allEvents], events)
  await waitForUnexpectedDeliveries(context, [allEvents], tookMs)
}

/** Pays once or twice for each reason for which the service must refuse a payment. */
async function payForRefusals(context: PlanContext): Promise<void> {
  const [first = '', second = '', ofOtherKey = '', ofCustomer = '', tooMuch = '', ...ofCodes] =
    drawAmounts(context)
  await payTwiceByOneLookUp(context, first, second)
  await payOtherKey(context, ofOtherKey)
  await payByLookUpOfCustomer(context, ofCustomer)
  await payMoreThanHeld(context, tooMuch)

  const [cancelled = '', paid = '', other = ''] = ofCodes
  for (const kind of CODE_KINDS) {
    await payCancelledCode(context, kind, cancelled)
    await payCodeTwice(context, kind, paid)
  }
  await payOtherAmount(context, other)
}

/**
 * Draws nine amounts by chance, from 12.34 to 98.76. Each has four different digits, of which none is zero, so that
 * hardly anybody else pays the same at the same time.
 */
function drawAmounts({ uniqueText }: PlanContext): readonly string[] {
  const digitsLeft = [...'123456789']
  const digits: string[] = []
  while (digitsLeft.length > 0) {
    // Such as `3F`.
    const index = Number.parseInt(uniqueText(2), 16) % digitsLeft.length
    digits.push(...digitsLeft.splice(index, 1))
  }

  const twice = [...digits, ...digits].join('')
  return digits.map((_, at) => `${twice.slice(at, at + 2)}.${twice.slice(at + 2, at + 4)}`)
}

/** Pays a key, and uses the `initiation_id` of this payment again: for another amount, and for the same one. */
async function payTwiceByOneLookUp(
  context: PlanContext,
  amount: string,
  otherAmount: string,
): Promise<void> {
  const input = await prepareKeyPayment(context)
  if (!input) return

  const { isAccepted } = await context.send('createTransfer', withAmount(input, amount))
  if (!isAccepted) return
  await context.send('createTransfer', withAmount(input, otherAmount))
  await context.send('createTransfer', withAmount(input, amount))
}

/** Pays another key than the one that was looked up. */
async function payOtherKey(context: PlanContext, amount: string): Promise<void> {
  const dict_key = await findOtherKey(context)
  const input = await prepareKeyPayment(context)
  if (!input || dict_key === undefined) return

  const body = { ...fieldsOf(input.body), dict_key, amount }
  await context.send('createTransfer', { ...input, body })
}

/** Pays as the partner with the `initiation_id` that a look-up of its customer has issued. */
async function payByLookUpOfCustomer(context: PlanContext, amount: string): Promise<void> {
  const ofCustomer = await prepareKeyPayment(context, 'customer')
  if (ofCustomer)
    await context.send('createTransfer', { ...withAmount(ofCustomer, amount), by: 'partner' })
}

/** Pays almost a billion more than an amount, which no account holds. */
async function payMoreThanHeld(context: PlanContext, amount: string): Promise<void> {
  const input = await prepareKeyPayment(context, 'customer')
  if (input) await context.send('createTransfer', withAmount(input, `9999999${amount}`))
}

/** Creates a code with an amount, cancels it and pays it. */
async function payCancelledCode(
  context: PlanContext,
  kind: CodeKind,
  amount: string,
): Promise<void> {
  const code = await createCodeToPay(context, kind, amount)
  if (!code) return

  const { isAccepted } = await context.send(kind.cancel, { path: { id: code.id } })
  if (isAccepted) await context.send('createTransfer', code.payment)
}

/** Creates a code with an amount, and pays it twice. */
async function payCodeTwice(context: PlanContext, kind: CodeKind, amount: string): Promise<void> {
  const code = await createCodeToPay(context, kind, amount)
  if (!code) return

  const { isAccepted } = await context.send('createTransfer', code.payment)
  if (isAccepted) await context.send('createTransfer', code.payment)
}

/** Pays another amount than a code has. */
async function payOtherAmount(context: PlanContext, amount: string): Promise<void> {
  const options = { example: EXAMPLE.immediateCode, by: 'payer' } as const
  const input = await prepareValidRequest(context, 'createTransfer', options)
  if (input) await context.send('createTransfer', withAmount(input, amount))
}

/** Builds a payment of the key of the example, with a look-up of its own. Undefined if that was refused. */
function prepareKeyPayment(context: PlanContext, by?: Sender): Promise<Input | undefined> {
  return prepareValidRequest(context, 'createTransfer', { example: EXAMPLE.key, by })
}

/** A code that can be paid and cancelled, and its payment, which is not sent yet. */
interface CodeToPay {
  readonly id: string
  readonly payment: Input
}

/** Creates a code with an amount, and checks it as its payer. Undefined if the service refuses to create it. */
async function createCodeToPay(
  context: PlanContext,
  { create }: CodeKind,
  amount: string,
): Promise<CodeToPay | undefined> {
  const body = { ...validBody(context, create), amount: { original: amount } }
  const { id, emv } = await createRecord(context, create, { body })
  if (id === undefined || emv === undefined) return undefined

  await checkAsPayer(context, emv)
  return { id, payment: { body: { type: 'emv', emv, amount }, by: 'payer' } }
}
