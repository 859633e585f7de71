import { fieldsOf } from '../../contract/json.ts'
import { validBody } from '../bodies.ts'
import type { PlanContext } from '../plan.ts'
import { sendValidRequest, type ValidOutcome } from '../send-valid.ts'
import { createRecord, EXAMPLE } from '../valid-requests.ts'
import { checkCodes, createDueDateCode } from './codes.ts'
import { instantOf, passTimeUntil } from './time.ts'

/** Codes that expire during the run, and their use around their end. */

/** A code, and when it expires by the clock of the service. */
export interface EndingCode {
  readonly emv: string | undefined
  /** The id of an immediate charge. */
  readonly id?: string | undefined
  readonly amount: string
  /** Milliseconds since 1970. */
  readonly endsAt: number
}

/**
 * Creates three codes that expire: `soon` after half a minute, `night` at midnight before the Thursday of
 * the week of `monday`, and `today` at the end of this day. Such as
 * `{ soon: { emv: '0002…', amount: '35.91', endsAt: 1790000000000 }, … }`; `emv` is undefined if one was refused.
 */
export async function createEndingCodes(context: PlanContext, monday: string) {
  const { clock } = context
  const soon = await createImmediateCode(context, clock.now() + HALF_MINUTE_MS)

  const startOfThursday = instantOf(monday, { day: 3, minute: 0 })
  const night = await createImmediateCode(context, startOfThursday)

  const amount = '0.03'
  const endOfToday = instantOf(clock.day(), { day: 1, minute: 0 })
  const emv = await createCodeDueToday(context, amount)
  const today: EndingCode = { emv, amount, endsAt: endOfToday }
  return { soon, night, today }
}

/** Creates an immediate charge that expires at `endsAt`, in milliseconds since 1970. */
async function createImmediateCode(context: PlanContext, endsAt: number): Promise<EndingCode> {
  const amount = '35.91'
  const lifetimeMs = endsAt - context.clock.now()
  const body = {
    ...validBody(context, 'createImmediateQrCode'),
    amount: { original: amount },
    calendar: { expiration: Math.floor(lifetimeMs / 1000) },
  }
  const { id, emv } = await createRecord(context, 'createImmediateQrCode', { body })
  return { id, emv, amount, endsAt }
}

/** Creates a charge that is due today, and cannot be paid later. Returns its code. */
export function createCodeDueToday(
  context: PlanContext,
  original: string,
): Promise<string | undefined> {
  const calendar = { due_date: context.clock.day(), expiration_days: 0 }
  return createDueDateCode(context, { original }, calendar)
}

const HALF_MINUTE_MS = 30_000
const HOUR_MS = 3_600_000
/** Milliseconds until the end of a charge, where the clock of the service cannot be moved. */
const SHORT_MS = 2_000

/**
 * For a service whose clock cannot be moved: creates a charge that expires after seconds, waits for that,
 * and then lists, checks, pays and cancels it. Also checks a charge that lasts for an hour.
 */
export async function waitForEndOfCharge(context: PlanContext): Promise<void> {
  const { clock, send } = context
  const lasting = await createImmediateCode(context, clock.now() + HOUR_MS)
  const ending = await createImmediateCode(context, clock.now() + SHORT_MS)
  await send('listImmediateQrCodes')
  await checkCodes(context, [lasting, ending])
  if (ending.emv === undefined) return

  const validUses = await useValidCodes(context)
  await passEndOfCode(context, ending)
  // What the list shows of the end must not depend on what a request does to the charge.
  await send('listImmediateQrCodes')
  if (validUses) await sendEndedCode(context, ending, validUses)
  // Its end is counted from its creation, and not from the check.
  await checkCodes(context, [lasting])
}

/**
 * Checks, pays and cancels a code after its end. Checks and pays other, valid codes just before, so that only the end
 * can be the reason of a refusal. Does nothing if those were refused, or time cannot pass.
 */
export async function useAfterEnd(context: PlanContext, ending: EndingCode): Promise<void> {
  const validUses = await useValidCodes(context)
  if (!validUses || ending.emv === undefined) return

  const hasEnded = await passEndOfCode(context, ending)
  if (hasEnded) await sendEndedCode(context, ending, validUses)
}

/** Who uses an ended code. */
const PAYER = 'payer'

/** The accepted requests of which those with an ended code are variants. */
interface ValidUses {
  readonly paid: ValidOutcome
  readonly checked: ValidOutcome
}

/**
 * Pays and checks codes that have not ended. Undefined if the requests could not be built, since what they need, such
 * as the creation of a code, was refused.
 */
async function useValidCodes(context: PlanContext): Promise<ValidUses | undefined> {
  const options = { example: EXAMPLE.immediateCode, by: PAYER } as const
  const paid = await sendValidRequest(context, 'createTransfer', options)
  const checked = await sendValidRequest(context, 'checkCode', options)
  if (!paid || !checked) return undefined
  return { paid, checked }
}

/** A code is used so many milliseconds after its end: more where the clocks may differ. */
const AFTER_MS = 2_500
const AFTER_UNSURE_MS = 6_000

/** Moves the clock to just after the end of a code, or waits until then where it cannot be moved. */
function passEndOfCode(context: PlanContext, { endsAt }: EndingCode): Promise<boolean> {
  const afterMs = context.clock.isControlled ? AFTER_MS : AFTER_UNSURE_MS
  return passTimeUntil(context, endsAt + afterMs)
}

/**
 * Checks, pays and cancels a code that has expired, which the service must refuse. The requests are
 * recorded as variants of accepted ones, so that a rule can compare them.
 */
async function sendEndedCode(
  { send }: PlanContext,
  { emv, id, amount }: EndingCode,
  { paid, checked }: ValidUses,
): Promise<void> {
  await send('checkCode', {
    body: { emv },
    by: PAYER,
    intent: { variantOf: checked.sentAt, edit: '/emv' },
  })
  await send('createTransfer', {
    body: { ...fieldsOf(paid.input.body), emv, amount },
    by: PAYER,
    intent: { variantOf: paid.sentAt, edit: '/emv' },
  })
  if (id !== undefined) await send('cancelImmediateQrCode', { path: { id } })
}
