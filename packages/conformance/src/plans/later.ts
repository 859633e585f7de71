import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import { addDays } from '../model/amounts.ts'
import type { Outcome, Sender } from '../send/sender.ts'
import { validBody } from './bodies.ts'
import { chargeRows, MOMENTS } from './charges.ts'
import type { Plan, PlanContext } from './plan.ts'
import { sendValid, type ValidOutcome } from './send-valid.ts'
import { createRecord, validRequest } from './valid-requests.ts'

/**
 * Checks charges with each adjustment today and, on a sandbox, whose clock it moves, on the days
 * around their dates. Then tokens, look-ups and codes expire.
 */
export const later: Plan = {
  id: 'later',
  beside: 'waits',
  wants: ['money-due', 'codes-ended', 'codes-expiration'],
  async run(context) {
    const { clock } = context
    const monday = mondayAfter(clock.day())
    const charges = await createCharges(context, monday)
    await checkAll(context, charges)
    if (!clock.isControlled) {
      await waitForEnds(context)
      return
    }

    const ends = await createEnding(context, monday)
    await useEnded(context, ends.soon)
    await changeRecords(context)
    await expireTokens(context)
    await expireLookUps(context)
    for (const [i, moment] of MOMENTS.entries()) {
      const isMoved = await moveTo(context, instantOf(monday, moment))
      if (!isMoved) return
      const due = charges.filter(({ moments }) => moments.includes(i))
      await checkAll(context, i === LAST_MOMENT ? [...due, ends.night] : due)
      // The day in UTC is the next one.
      if (i === LAST_MOMENT) await dueToday(context, '0.04')
      if (i === EXPIRED_MOMENT) await context.send('listImmediateQrCodes')
    }
    await useEnded(context, ends.today)
  },
}

/** Milliseconds until the end of a charge, where the clock of the service cannot be moved. */
const SHORT_MS = 2_000
/** Milliseconds that a run waits for the end of a token. */
const MOST_WAIT_MS = 60_000

/** What ends within seconds on a service whose clock cannot be moved: a charge, and short tokens. */
async function waitForEnds(context: PlanContext): Promise<void> {
  if (!context.mayWait) return
  await waitForCharge(context)
  await waitForToken(context)
}

/** Lists, checks, pays and cancels a charge around its end, and checks one that lasts. */
async function waitForCharge(context: PlanContext): Promise<void> {
  const { clock, send } = context
  const lasting = await immediateOf(context, clock.now() + HOUR_MS)
  const soon = await immediateOf(context, clock.now() + SHORT_MS)
  await send('listImmediateQrCodes')
  await checkAll(context, [lasting, soon])
  if (soon.emv === undefined) return

  const validUses = await useValid(context)
  await moveAfter(context, soon)
  // What the list shows of the end must not depend on what a request does to the charge.
  await send('listImmediateQrCodes')
  if (validUses) await sendEnded(context, soon, validUses)
  // Its end is counted from its creation, and not from the check.
  await checkAll(context, [lasting])
}

/** Uses a token with a short life before and after its end. */
async function waitForToken(context: PlanContext): Promise<void> {
  const { send } = context
  const signedIn = await send('signIn')
  const token = senderOf(signedIn)
  const lifetimeMs = Number(valueAt(signedIn.json, '/expiration')) * 1000
  const isShort = lifetimeMs > 0 && lifetimeMs <= MOST_WAIT_MS
  if (token === undefined || !isShort) return
  await send('listUsers', { by: token })
  await context.wait(lifetimeMs + GRACE_SECONDS * 1000)
  await send('listUsers', { by: token })
}

const HOUR_MS = 3_600_000

/** Charges that a service without a clock to move is asked for. */
const FEW = 6
/** The index of the last moment of an immediate charge. */
const LAST_MOMENT = 1
/** The index of the next one, when it has expired. */
const EXPIRED_MOMENT = 2
const MINUTE_SECONDS = 60
const DAY_SECONDS = 86_400

interface Charge {
  readonly emv: string | undefined
  readonly moments: readonly number[]
}

async function createCharges(context: PlanContext, monday: string): Promise<Charge[]> {
  const { clock } = context
  const rows = chargeRows(clock.day(), monday)
  const wanted = clock.isControlled ? rows : rows.slice(0, FEW)
  const charges: Charge[] = []
  for (const { amount, due, days, moments } of wanted) {
    const emv = await chargeOf(context, amount, { due_date: due, expiration_days: days })
    charges.push({ emv, moments })
  }
  return charges
}

/** The Monday after the next day. */
function mondayAfter(today: string): string {
  const day = addDays(today, 2)
  return addDays(day, (8 - new Date(day).getUTCDay()) % 7)
}

/** Milliseconds since 1970 of a minute of a day in Brazil. */
function instantOf(
  monday: string,
  { day, minute }: { readonly day: number; readonly minute: number },
): number {
  return Date.parse(`${addDays(monday, day)}T00:00:00-03:00`) + minute * 60_000
}

/** Moves the clock, after which no token is certainly valid. */
async function pass({ clock, identities }: PlanContext, seconds: number): Promise<boolean> {
  const isMoved = seconds <= 0 || (await clock.advance(Math.ceil(seconds)))
  identities.renew()
  return isMoved
}

/** Moves the clock to an instant, or waits for it where it cannot be moved. */
async function moveTo(context: PlanContext, instant: number): Promise<boolean> {
  const { clock, wait } = context
  if (!clock.isControlled) {
    await wait(Math.max(0, instant - clock.now()))
    return true
  }
  return pass(context, (instant - context.clock.now()) / 1000)
}

/** The code of a new due-date charge. */
async function chargeOf(
  context: PlanContext,
  amount: object,
  calendar: { readonly due_date: string; readonly expiration_days: number },
): Promise<string | undefined> {
  const body = { ...validBody(context, 'createDueDateQrCode'), amount, calendar }
  return (await createRecord(context, 'createDueDateQrCode', { body })).emv
}

/** A new immediate charge that expires at a time. */
async function immediateOf(context: PlanContext, end: number): Promise<Ending> {
  const amount = '35.91'
  const calendar = { expiration: Math.floor((end - context.clock.now()) / 1000) }
  const body = {
    ...validBody(context, 'createImmediateQrCode'),
    amount: { original: amount },
    calendar,
  }
  return { ...(await createRecord(context, 'createImmediateQrCode', { body })), end, amount }
}

/** Checks each code, in turn as the partner and as a customer. */
async function checkAll(
  { send, random }: PlanContext,
  charges: readonly Pick<Charge, 'emv'>[],
): Promise<void> {
  let isCustomer = random() < 0.5
  for (const { emv } of charges) {
    isCustomer = !isCustomer
    if (emv === undefined) continue
    const by = isCustomer ? 'customer' : 'partner'
    await send('checkCode', { body: { emv }, by })
  }
}

/** A code, and when it expires by the clock of the service. */
interface Ending {
  readonly emv: string | undefined
  /** The id of an immediate charge. */
  readonly id?: string | undefined
  readonly amount: string
  readonly end: number
}

/** Codes that expire after half a minute, in the night before the Thursday, and after today. */
async function createEnding(context: PlanContext, monday: string) {
  const { clock } = context
  const midnight = instantOf(clock.day(), { day: 1, minute: 0 })
  const thursday = instantOf(monday, { day: 3, minute: 0 })
  const halfMinuteMs = (MINUTE_SECONDS / 2) * 1000
  const amount = '0.03'
  const soon = await immediateOf(context, clock.now() + halfMinuteMs)
  const night = await immediateOf(context, thursday)
  const today: Ending = { emv: await dueToday(context, amount), amount, end: midnight }
  await checkAll(context, [soon, night, today])
  return { soon, night, today }
}

function dueToday(context: PlanContext, original: string): Promise<string | undefined> {
  return chargeOf(context, { original }, { due_date: context.clock.day(), expiration_days: 0 })
}

/** Milliseconds after the end of a code at which it is used: more where the clocks may differ. */
const AFTER_MS = 2_500
const AFTER_UNSURE_MS = 6_000

/**
 * Checks, pays and cancels a code just after its end, as a code was checked and paid just before.
 */
async function useEnded(context: PlanContext, ending: Ending): Promise<void> {
  const validUses = await useValid(context)
  if (!validUses || ending.emv === undefined) return

  const isMoved = await moveAfter(context, ending)
  if (isMoved) await sendEnded(context, ending, validUses)
}

/** The accepted requests of which those with an ended code are variants. */
interface ValidUses {
  readonly paid: ValidOutcome
  readonly checked: ValidOutcome
}

/** Who uses an ended code. */
const PAYER = 'customer'

/** Checks and pays a valid code; undefined if what they need was refused. */
async function useValid(context: PlanContext): Promise<ValidUses | undefined> {
  const options = { example: 1, by: PAYER } as const
  const paid = await sendValid(context, 'createTransfer', options)
  const checked = await sendValid(context, 'checkCode', options)
  return paid && checked && { paid, checked }
}

/** Moves the clock to just after the end of a code. */
function moveAfter(context: PlanContext, { end }: Ending): Promise<boolean> {
  const afterMs = context.clock.isControlled ? AFTER_MS : AFTER_UNSURE_MS
  return moveTo(context, end + afterMs)
}

/** Checks, pays and cancels a code that has ended. */
async function sendEnded(
  { send }: PlanContext,
  { emv, id, amount }: Ending,
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

/** Changes records a minute after their creation, and looks at them before and after. */
async function changeRecords(context: PlanContext): Promise<void> {
  const { send } = context
  const update = await validRequest(context, 'updateWebhook')
  const cancelImmediate = await validRequest(context, 'cancelImmediateQrCode')
  const cancelDueDate = await validRequest(context, 'cancelDueDateQrCode')
  const isMoved = await pass(context, MINUTE_SECONDS)
  if (!isMoved) return

  async function look(): Promise<void> {
    if (update?.path) await send('getWebhook', { path: update.path })
    await send('listWebhooks')
    await send('listImmediateQrCodes')
    await send('listDueDateQrCodes')
  }

  await look()
  if (update) await send('updateWebhook', update)
  if (cancelImmediate) await send('cancelImmediateQrCode', cancelImmediate)
  if (cancelDueDate) await send('cancelDueDateQrCode', cancelDueDate)
  await look()
}

/** Uses tokens a minute before their end, and after it with every operation. */
async function expireTokens(context: PlanContext): Promise<void> {
  const { send } = context
  const acting = await sendValid(context, 'impersonate')
  const signedIn = await send('signIn')
  const partner = senderOf(signedIn)
  const customer = senderOf(acting)
  const seconds = Number(valueAt(signedIn.json, '/expiration'))
  // A token that lives for more than a day is used until it is refused.
  const isShortLived = seconds > MINUTE_SECONDS && seconds <= DAY_SECONDS
  if (partner === undefined || !isShortLived) return

  async function useBoth(): Promise<void> {
    await send('listUsers', { by: partner })
    if (customer !== undefined) await send('listImmediateQrCodes', { by: customer })
  }

  await useBoth()
  const isBeforeEnd = await pass(context, seconds - MINUTE_SECONDS)
  if (!isBeforeEnd) return
  await useBoth()

  // A token of a customer does not end with that of the partner who asked for it.
  const young = senderOf(await send('impersonate', { body: acting?.input.body, by: partner }))
  if (young) await send('listImmediateQrCodes', { by: young })
  const isAfterEnd = await pass(context, MINUTE_SECONDS + GRACE_SECONDS)
  if (!isAfterEnd) return
  if (young) await send('listImmediateQrCodes', { by: young })

  await useExpired(context, partner, customer)
}

/** Sends each operation with the expired token of the partner, and with that of its customer. */
async function useExpired(
  context: PlanContext,
  partner: Sender,
  customer: Sender | undefined,
): Promise<void> {
  const { send, contract, isChosen } = context
  for (const { id, scheme, isAlias, tokens } of contract.operations) {
    if (scheme === 'basic' || isAlias || !isChosen(id)) continue

    const byPartner = await validRequest(context, id)
    if (byPartner) await send(id, { ...byPartner, by: partner })

    if (customer === undefined || !tokens.includes('customer')) continue
    // A transfer of the customer starts from a look-up of its own.
    const owner = id === 'createTransfer' ? 'customer' : undefined
    const byCustomer = await validRequest(context, id, { by: owner })
    if (byCustomer) await send(id, { ...byCustomer, by: customer })
  }
}

/** Seconds after which a token has certainly expired. */
const GRACE_SECONDS = 10

function senderOf(signIn: Outcome | undefined): Sender | undefined {
  const token = stringAt(signIn?.json, '/access_token')
  return token === undefined ? undefined : { authorization: `Bearer ${token}` }
}

/** Uses a look-up after 29 minutes, and another one after more than 30. */
async function expireLookUps(context: PlanContext): Promise<void> {
  const { send, clock } = context
  const options = { example: 3, by: 'partner' } as const
  const first = await validRequest(context, 'createTransfer', options)
  const second = await validRequest(context, 'createTransfer', options)
  if (!first || !second) return

  const isBeforeEnd = await clock.advance(29 * MINUTE_SECONDS)
  if (!isBeforeEnd) return
  const { sentAt } = await send('createTransfer', first)

  const isAfterEnd = await clock.advance(MINUTE_SECONDS + GRACE_SECONDS)
  if (!isAfterEnd) return
  const intent = { variantOf: sentAt, edit: '/initiation_id' }
  await send('createTransfer', { ...second, intent })
}
