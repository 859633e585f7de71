import { stringAt } from '../contract/json.ts'
import { OPEN } from '../contract/words.ts'
import type { Input } from '../send/requests.ts'
import { chargeRows, MOMENTS } from './charges.ts'
import { checkCodes, createDueDateCode } from './later/codes.ts'
import {
  createCodeDueToday,
  createEndingCodes,
  useAfterEnd,
  waitForEndOfCharge,
} from './later/ending-codes.ts'
import {
  GRACE_SECONDS,
  instantOf,
  MINUTE_SECONDS,
  mondayAfter,
  passSeconds,
  passTimeUntil,
} from './later/time.ts'
import { expireTokens, waitForEndOfToken } from './later/tokens.ts'
import type { Plan, PlanContext } from './plan.ts'
import { DUE_DATE_CODES } from './records.ts'
import { EXAMPLE, prepareValidRequest } from './valid-requests.ts'
import { recordsOnPage, walkList } from './walk-list.ts'

/**
 * Checks charges with each adjustment today and, on a sandbox, whose clock it moves, on the days
 * around their dates. Then tokens, look-ups and codes expire.
 */
export const later: Plan = {
  id: 'later',
  beside: 'waits',
  wants: ['money-due', 'codes-ended', 'codes-expiration'],
  /**
   * Creates charges and checks what is due for them. On a sandbox, moves its clock through a week and
   * checks again; elsewhere, waits until a short-lived charge and token have expired.
   */
  async run(context) {
    const { clock, mayWait } = context
    const monday = mondayAfter(clock.day())
    const charges = await createCharges(context, monday)
    await checkCodes(context, charges)

    if (clock.isControlled) {
      await moveThroughWeek(context, charges, monday)
    } else if (mayWait) {
      await checkOverdueCodes(context)
      await waitForEndOfCharge(context)
      await waitForEndOfToken(context)
    }
  },
}

/** So many overdue charges are checked, and looked for on so many pages. */
const MAX_OVERDUE = 3
const MAX_PAGES = 10

/**
 * Finds overdue charges in the list, which are from before this run, and checks what is due for them, and for a
 * new one. Where the clock cannot be moved, only such charges have a fine and interest. Does nothing on a live service.
 */
async function checkOverdueCodes(context: PlanContext): Promise<void> {
  const { clock, maySearch } = context
  if (!maySearch) return

  const query = { limit: '100' }
  const pages = await walkList(context, DUE_DATE_CODES.list, { query, maxPages: MAX_PAGES })
  const charges = pages.flatMap(recordsOnPage)
  const today = clock.day()
  const overdue = charges.filter((charge) => isOverdue(charge, today))
  for (const charge of overdue.slice(0, MAX_OVERDUE)) {
    await context.send('checkCode', { body: { emv: stringAt(charge, '/emv') } })
  }
  await createOverdueCode(context)
}

/** An amount to which a fine and interest are added after the due date. */
const LATE_AMOUNT = {
  original: '100.00',
  fine: { amount: '2.00', modality: '1' },
  interest: { amount: '1.00', modality: '1' },
}

/** So many days after its due date, a charge is overdue, whatever days the service counts. */
const LATE_DAYS = 15

/**
 * Creates a charge that is overdue already, and checks what is due for it. The contract assumes that a service
 * refuses a past due date, but not every service does.
 */
async function createOverdueCode(context: PlanContext): Promise<void> {
  const calendar = { due_date: context.clock.day(-LATE_DAYS), expiration_days: 30 }
  const emv = await createDueDateCode(context, LATE_AMOUNT, calendar)
  if (emv !== undefined) await context.send('checkCode', { body: { emv } })
}

function isOverdue(charge: unknown, today: string): boolean {
  const dueDate = stringAt(charge, '/calendar/due_date')
  const isOpen = stringAt(charge, '/status') === OPEN
  return isOpen && dueDate !== undefined && dueDate < today
}

/** So many charges are created at a service whose clock cannot be moved. */
const FEW_CHARGES = 6

interface Code {
  /** Undefined if the service refused to create it. */
  readonly emv: string | undefined
}

interface Charge extends Code {
  /** The indexes of the MOMENTS at which it is checked. */
  readonly checkedAt: readonly number[]
}

/**
 * Creates the due-date charges whose amounts change over the week of `monday`. Returns their codes, each
 * with the indexes of the `MOMENTS` at which to check it: `[{ emv: '0002…', checkedAt: [1, 2] }]`. Where the clock
 * cannot be moved, the first few are enough.
 */
async function createCharges(context: PlanContext, monday: string): Promise<readonly Charge[]> {
  const { clock } = context
  const rows = chargeRows(clock.day(), monday)
  const rowsToCreate = clock.isControlled ? rows : rows.slice(0, FEW_CHARGES)
  return context.sideBySide(rowsToCreate, async ({ amount, due, payableDays, checkedAt }) => {
    const calendar = { due_date: due, expiration_days: payableDays }
    return { emv: await createDueDateCode(context, amount, calendar), checkedAt }
  })
}

/** The index of the last moment before the code `night` ends, at midnight before the Thursday. */
const MOMENT_BEFORE_END = 1
/** The index of the next moment, when that code has expired. */
const MOMENT_AFTER_END = 2

/**
 * Moves the clock of a sandbox to each moment of a week, and checks the charges whose amount may change
 * around it. Before that, on the first day, uses tokens, look-ups and codes before and after they expire. Stops if
 * the clock cannot be moved.
 */
async function moveThroughWeek(
  context: PlanContext,
  charges: readonly Charge[],
  monday: string,
): Promise<void> {
  // Codes that expire: in half a minute, in a night of the week, and at the end of today.
  const ending = await createEndingCodes(context, monday)
  await checkCodes(context, [ending.soon, ending.night, ending.today])
  await useAfterEnd(context, ending.soon)
  await changeRecords(context)
  await expireTokens(context)
  await expireLookUps(context)

  for (const [i, moment] of MOMENTS.entries()) {
    const isMoved = await passTimeUntil(context, instantOf(monday, moment))
    if (!isMoved) return

    // The code `night` ends between these two moments, at midnight in Brazil.
    const isBeforeMidnight = i === MOMENT_BEFORE_END
    const isAfterMidnight = i === MOMENT_AFTER_END

    const codes: Code[] = charges.filter(({ checkedAt }) => checkedAt.includes(i))
    if (isBeforeMidnight) codes.push(ending.night)
    await checkCodes(context, codes)

    // Two minutes before midnight in Brazil, the next day has begun in UTC: a service must count the days of Brazil.
    if (isBeforeMidnight) await createCodeDueToday(context, '0.04')
    // The list may show that the code `night` has ended.
    if (isAfterMidnight) await context.send('listImmediateQrCodes')
  }
  await useAfterEnd(context, ending.today)
}

/**
 * Updates a webhook and cancels two codes a minute after their creation, so that the times of creation and of change
 * differ. Reads them before and after that.
 */
async function changeRecords(context: PlanContext): Promise<void> {
  const { send } = context
  const update = await prepareValidRequest(context, 'updateWebhook')
  const cancelImmediate = await prepareValidRequest(context, 'cancelImmediateQrCode')
  const cancelDueDate = await prepareValidRequest(context, 'cancelDueDateQrCode')
  const isMoved = await passSeconds(context, MINUTE_SECONDS)
  if (!isMoved) return

  await readRecords(context, update?.path)
  if (update) await send('updateWebhook', update)
  if (cancelImmediate) await send('cancelImmediateQrCode', cancelImmediate)
  if (cancelDueDate) await send('cancelDueDateQrCode', cancelDueDate)
  await readRecords(context, update?.path)
}

/** Reads a webhook, if there is one, and the lists of webhooks and codes. */
async function readRecords({ send }: PlanContext, webhook: Input['path']): Promise<void> {
  if (webhook) await send('getWebhook', { path: webhook })
  await send('listWebhooks')
  await send('listImmediateQrCodes')
  await send('listDueDateQrCodes')
}

/**
 * Pays with a look-up of a key 29 minutes after it, and with another one after more than 30: a look-up is
 * valid for 30 minutes, so that the service must accept the first payment and refuse the second.
 */
async function expireLookUps(context: PlanContext): Promise<void> {
  const { send, clock } = context
  const options = { example: EXAMPLE.key, by: 'partner' } as const
  const first = await prepareValidRequest(context, 'createTransfer', options)
  const second = await prepareValidRequest(context, 'createTransfer', options)
  if (!first || !second) return

  const isBeforeEnd = await clock.advance(29 * MINUTE_SECONDS)
  if (!isBeforeEnd) return

  const { sentAt } = await send('createTransfer', first)
  const isAfterEnd = await clock.advance(MINUTE_SECONDS + GRACE_SECONDS)
  if (!isAfterEnd) return

  const intent = { variantOf: sentAt, edit: '/initiation_id' }
  await send('createTransfer', { ...second, intent })
}
