import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import { type Exchange, isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { userOf } from '../../rules/common/record-requests.ts'
import { itemOf } from '../../rules/lists/walk.ts'
import { dayAt } from '../../transport/service-clock.ts'
import { type AmountDue, addDays, amountDue } from './amount-due.ts'
import { centavosOf, reaisOf } from './centavos.ts'
import { type ChargeRow, chargeRows, MOMENTS } from './charge-rows.ts'

/** The last moment of an immediate charge, and the next one, when it has expired. */
const [, LAST, OVER] = MOMENTS
/** Milliseconds by which an end may be rounded. */
const ROUNDING = 1_000

/** Judges the amounts of today, and on a sandbox those of the next two weeks, by moving its clock. */
export const chargeAmounts: Rule = {
  id: 'charge-amounts',
  phase: 'later',
  isTraffic: true,
  cites: { question: 'final-amount' },
  needs: ['createDueDateQrCode', 'createImmediateQrCode', 'checkCode'],
  stateful: true,
  impact: 'high',
  title:
    'The amount of a charge follows its deduction, discount, fine and interest on each day until it expires.',
  advice:
    "Follow annex III of the central bank's manual: each part truncated to centavos, days of Brazil's time.",
  run: async (context) => {
    const today = context.clock.day()
    const monday = mondayAfter(today)
    const charges = await createCharges(context, chargeRows(today, monday))
    const ending = await createEnding(context, instantOf(monday, OVER) - 60_000)
    await judgeAll(context, charges, 'now')
    const checked = ending && (await checkOf(context, ending, 'partner'))
    const isOpen = checked !== undefined && isSuccess(checked)
    if (ending && isOpen) expectEnd(context, ending, checked)
    else context.inconclusive()
    for (const moment of MOMENTS) {
      if (!context.clock.isControlled) return
      const ms = instantOf(monday, moment) - context.clock.now()
      if (!(await context.clock.move(Math.ceil(ms / 1000)))) return context.inconclusive()
      await context.renewIdentities()
      await judgeAll(context, charges, `on day ${moment.day}`)
      if (ending && isOpen && moment === LAST) await expectOpen(context, ending)
      if (ending && moment === OVER) await expectListed(context, ending)
    }
  },
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

interface Charge {
  readonly row: ChargeRow
  readonly created: Exchange
}

async function createCharges(context: Context, rows: readonly ChargeRow[]): Promise<Charge[]> {
  const charges: Charge[] = []
  await context.each(rows, async (row) => {
    const calendar = { due_date: row.due, expiration_days: 30 }
    const set = { '/amount': row.amount, '/calendar': calendar }
    const created = await context.accepted('createDueDateQrCode', { set })
    if (created && hasCode(created)) charges.push({ row, created })
    else context.inconclusive()
  })
  return charges
}

function checkOf(context: Context, { body }: Exchange, identity: 'partner' | 'customer'): Promise<Exchange> {
  const input = { body: { emv: nodeOf(body).emv } }
  return context.send(context.contract.operation('checkCode'), input, { identity })
}

async function judgeAll(context: Context, charges: readonly Charge[], words: string): Promise<void> {
  const identities = (['partner', 'customer'] as const).filter(context.identities.has)
  const cases = charges.flatMap((charge) => identities.map((identity) => ({ charge, identity })))
  const refused: { checked: Exchange; row: ChargeRow }[] = []
  let accepted = 0
  await context.each(cases, async ({ charge: { row, created }, identity }) => {
    const checked = await checkOf(context, created, identity)
    if (!isSuccess(checked)) return void refused.push({ checked, row })
    accepted++
    judge(context, { checked, row, words: `${words} for the ${identity}` })
  })
  // If the service refuses every check, a single refusal is inconclusive.
  for (const { checked, row } of refused)
    if (accepted > 0) expectPayable(context, checked, `${row.words} ${words}`)
    else context.inconclusive()
}

interface Case {
  readonly checked: Exchange
  readonly row: ChargeRow
  readonly words: string
}

function judge(context: Context, { checked, row, words }: Case): void {
  const day = dayAt(checked.at ?? context.clock.now())
  const shown = nodeOf(checked.body)
  const due = Object.entries(amountDue(row.amount, row.due, day)) as [keyof AmountDue, bigint][]
  const wrong = due.find(([name, value]) => centavosOf(shown[name]) !== value)
  const message =
    wrong &&
    `${wrong[0]} of a charge with ${row.words} is ${shown[wrong[0]]} ${words}; expected ${reaisOf(wrong[1])}.`
  context.expect(checked, message, { about: row.words })
}

/** Every charge is payable for 30 days after its due date. */
function expectPayable(context: Context, checked: Exchange, words: string): void {
  const { status } = checked.response
  const message = `checkCode refused a charge with ${words} (${status}); expected it to be payable for 30 days.`
  context.expect(checked, message, { about: 'payable', question: 'due-date-fields' })
}

/** Creates an immediate charge that expires at `end`. */
async function createEnding(context: Context, end: number): Promise<Exchange | undefined> {
  const expiration = Math.floor((end - context.clock.now()) / 1000)
  const set = { '/amount': { original: '35.91' }, '/calendar': { expiration } }
  const created = await context.accepted('createImmediateQrCode', { set })
  if (created && hasCode(created)) return created
  context.inconclusive()
  return undefined
}

function hasCode({ body }: Exchange): boolean {
  return typeof nodeOf(body).emv === 'string'
}

function expectEnd(context: Context, created: Exchange, checked: Exchange): void {
  const { final_amount, expiration } = nodeOf(checked.body)
  const other = `final_amount of an immediate charge over 35.91 is ${final_amount}; expected 35.91.`
  context.expect(checked, centavosOf(final_amount) === 3591n ? undefined : other, { about: 'immediate' })
  const lifetime = nodeOf(nodeOf(created.input.body).calendar).expiration
  const end = Date.parse(String(nodeOf(created.body).created_at)) + Number(lifetime) * 1000
  if (Number.isNaN(end)) {
    context.inconclusive()
    return
  }
  const isNear = Math.abs(Date.parse(String(expiration)) - end) <= ROUNDING
  const message = `expiration of an immediate charge is ${expiration}; expected ${new Date(end).toISOString()}.`
  context.expect(checked, isNear ? undefined : message, { about: 'expiration', question: 'code-expiration' })
}

async function expectOpen(context: Context, created: Exchange): Promise<void> {
  const checked = await checkOf(context, created, userOf(context) === 'customer' ? 'customer' : 'partner')
  const message = `checkCode refused a charge some minutes before its end (${checked.response.status}); expected it to be payable.`
  context.expect(checked, isSuccess(checked) ? undefined : message, {
    about: 'open',
    question: 'qr-statuses',
  })
}

/** An expired charge keeps its status. */
async function expectListed(context: Context, created: Exchange): Promise<void> {
  const known = resourcesOf(context.contract).find(({ create }) => create.id === created.view?.id)
  const { id, status } = nodeOf(created.body)
  const item = known && (await itemOf(context, known, (it) => nodeOf(it).id === id))
  if (!known?.list || item === undefined || status === undefined) return context.inconclusive()
  const shown = nodeOf(item).status
  const message = `${known.list.id} shows an expired charge as ${shown}; expected ${status}.`
  const at = {
    operation: known.list.id,
    contract: known.list.pointer,
    about: 'listed',
    question: 'qr-statuses',
  }
  context.expect(created, shown === status ? undefined : message, at)
}
