import { fieldsOf, stringAt, valueAt } from '../contract/json.ts'
import { addDays } from '../model/amounts.ts'
import type { Input, Outcome, Sender } from '../send/sender.ts'
import { chargeRows, MOMENTS } from './charges.ts'
import { created, type Plan, type PlanContext, sendValid, validBody, validRequest } from './plan.ts'

/**
 * Checks charges with each adjustment today and, on a sandbox, whose clock it moves, on the days
 * around their dates. Then tokens, look-ups and codes expire.
 */
export const later: Plan = {
  id: 'later',
  wants: ['money-due', 'codes-ended', 'codes-expiration'],
  async run(context) {
    const { clock } = context
    const monday = mondayAfter(clock.day())
    const rows = chargeRows(clock.day(), monday).slice(0, clock.isControlled ? undefined : FEW)
    const charges: Charge[] = []
    for (const { amount, due: due_date, days: expiration_days, moments } of rows)
      charges.push({ emv: await chargeOf(context, amount, { due_date, expiration_days }), moments })
    await checkAll(context, charges)
    if (!clock.isControlled) return
    const ends = await createEnding(context, monday)
    await useEnded(context, ends.soon)
    await changeRecords(context)
    await expireTokens(context)
    await expireLookUps(context)
    for (const [i, moment] of MOMENTS.entries()) {
      if (!(await moveTo(context, instantOf(monday, moment)))) return
      const due = charges.filter(({ moments }) => moments.includes(i))
      await checkAll(context, i === LAST ? [...due, ends.night] : due)
      // The day in UTC is the next one.
      if (i === LAST) await dueToday(context, '0.04')
      if (i === OVER) await context.send('listImmediateQrCodes')
    }
    await useEnded(context, ends.today)
  },
}

/** Charges that a service without a clock to move is asked for. */
const FEW = 6
/** The last moment of an immediate charge, and the next one, when it has expired. */
const [LAST, OVER] = [1, 2]
const MINUTE = 60
const DAY = 86_400

interface Charge {
  readonly emv: string | undefined
  readonly moments: readonly number[]
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

function moveTo(context: PlanContext, instant: number): Promise<boolean> {
  return pass(context, (instant - context.clock.now()) / 1000)
}

/** The code of a new due-date charge. */
async function chargeOf(
  context: PlanContext,
  amount: object,
  calendar: { readonly due_date: string; readonly expiration_days: number },
): Promise<string | undefined> {
  const body = { ...validBody(context, 'createDueDateQrCode'), amount, calendar }
  return (await created(context, 'createDueDateQrCode', { body })).emv
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
  return { ...(await created(context, 'createImmediateQrCode', { body })), end, amount }
}

/** Checks each code, in turn as the partner and as a customer. */
async function checkAll(
  { send, random }: PlanContext,
  charges: readonly Pick<Charge, 'emv'>[],
): Promise<void> {
  let isCustomer = random() < 0.5
  for (const { emv } of charges) {
    isCustomer = !isCustomer
    if (emv !== undefined)
      await send('checkCode', { body: { emv }, by: isCustomer ? 'customer' : 'partner' })
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
  const amount = '0.03'
  const midnight = instantOf(clock.day(), { day: 1, minute: 0 })
  const ends = {
    soon: await immediateOf(context, clock.now() + (MINUTE / 2) * 1000),
    night: await immediateOf(context, instantOf(monday, { day: 3, minute: 0 })),
    today: { emv: await dueToday(context, amount), amount, end: midnight },
  }
  await checkAll(context, Object.values(ends))
  return ends
}

function dueToday(context: PlanContext, original: string): Promise<string | undefined> {
  return chargeOf(context, { original }, { due_date: context.clock.day(), expiration_days: 0 })
}

/** Milliseconds after the end of a code at which it is used. */
const AFTER = 2_500

/**
 * Checks, pays and cancels a code just after its end, as a code was checked and paid just before.
 */
async function useEnded(context: PlanContext, { emv, id, amount, end }: Ending): Promise<void> {
  const [example, by] = [1, 'customer'] as const
  const paid = await sendValid(context, 'createTransfer', { example, by })
  const checked = await sendValid(context, 'checkCode', { example, by })
  if (!paid || !checked || emv === undefined || !(await moveTo(context, end + AFTER))) return
  await context.send('checkCode', {
    body: { emv },
    by,
    intent: { variantOf: checked.sentAt, edit: '/emv' },
  })
  const body = { ...fieldsOf(paid.input.body), emv, amount }
  await context.send('createTransfer', {
    body,
    by,
    intent: { variantOf: paid.sentAt, edit: '/emv' },
  })
  if (id !== undefined) await context.send('cancelImmediateQrCode', { path: { id } })
}

/** Changes records a minute after their creation, and looks at them before and after. */
async function changeRecords(context: PlanContext): Promise<void> {
  const { send } = context
  const changes = ['updateWebhook', 'cancelImmediateQrCode', 'cancelDueDateQrCode']
  const inputs: (Input | undefined)[] = []
  for (const it of changes) inputs.push(await validRequest(context, it))
  if (!(await pass(context, MINUTE))) return
  const look = async () => {
    if (inputs[0]?.path) await send('getWebhook', { path: inputs[0].path })
    for (const it of ['listWebhooks', 'listImmediateQrCodes', 'listDueDateQrCodes']) await send(it)
  }
  await look()
  for (const [i, input] of inputs.entries()) if (input) await send(changes[i] ?? '', input)
  await look()
}

/** Uses tokens a minute before their end, and after it with every operation. */
async function expireTokens(context: PlanContext): Promise<void> {
  const { send, contract } = context
  const acting = await sendValid(context, 'impersonate')
  const signedIn = await send('signIn')
  const [partner, customer] = [signedIn, acting].map(senderOf)
  const seconds = Number(valueAt(signedIn.json, '/expiration'))
  // A token that lives for more than a day is used until it is refused.
  if (partner === undefined || !(seconds > MINUTE && seconds <= DAY)) return
  const use = async () => {
    await send('listUsers', { by: partner })
    if (customer !== undefined) await send('listImmediateQrCodes', { by: customer })
  }
  await use()
  if (!(await pass(context, seconds - MINUTE))) return
  await use()
  // A token of a customer does not end with that of the partner who asked for it.
  const young = senderOf(await send('impersonate', { body: acting?.input.body, by: partner }))
  if (young) await send('listImmediateQrCodes', { by: young })
  if (!(await pass(context, MINUTE + GRACE))) return
  if (young) await send('listImmediateQrCodes', { by: young })
  for (const { id, scheme, isAlias } of contract.operations) {
    if (scheme === 'basic' || isAlias || !context.isChosen(id)) continue
    const byCustomer = customer !== undefined && /Code|Key|Transfer/.test(id) ? [customer] : []
    for (const by of [partner, ...byCustomer]) {
      const owner = id === 'createTransfer' && by === customer ? 'customer' : undefined
      const input = await validRequest(context, id, { by: owner })
      if (input) await send(id, { ...input, by })
    }
  }
}

/** Seconds after which a token has certainly expired. */
const GRACE = 10

function senderOf(signIn: Outcome | undefined): Sender | undefined {
  const token = stringAt(signIn?.json, '/access_token')
  return token === undefined ? undefined : { authorization: `Bearer ${token}` }
}

/** Uses a look-up after 29 minutes, and another one after more than 30. */
async function expireLookUps(context: PlanContext): Promise<void> {
  const [example, by] = [3, 'partner'] as const
  const first = await validRequest(context, 'createTransfer', { example, by })
  const second = await validRequest(context, 'createTransfer', { example, by })
  if (!first || !second || !(await context.clock.advance(29 * MINUTE))) return
  const { sentAt } = await context.send('createTransfer', first)
  if (!(await context.clock.advance(MINUTE + GRACE))) return
  await context.send('createTransfer', {
    ...second,
    intent: { variantOf: sentAt, edit: '/initiation_id' },
  })
}
