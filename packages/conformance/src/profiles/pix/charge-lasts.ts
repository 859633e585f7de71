import type { Context } from '../../engine/context.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { resourcesOf } from '../../model/resources.ts'
import { isOf } from '../../rules/records/records.ts'
import { itemOf } from '../../rules/records/whole-list.ts'
import { CHARGING, payer, transfer } from './payments.ts'

const CREATE = 'createImmediateQrCode'

/** Seconds: a charge, most of its time, and the rest of it and some more. */
const LIFETIME = 7_200
const NEARLY = 7_000
const REST = 600

/** A sandbox can be told to move its clock; no other service is waited for. */
export const chargeLasts: Rule = {
  id: 'charge-lasts',
  phase: 'later',
  cites: { question: 'qr-statuses' },
  needs: [...CHARGING, 'listImmediateQrCodes'],
  stateful: true,
  isOfSandbox: true,
  impact: 'high',
  title: 'A charge is checked and paid to the end of its time, and stays ATIVA on its list after it.',
  advice: 'Compare the end of the charge with the clock where it is paid, and let its status alone.',
  run: async (context) => {
    const set = { '/amount': { original: '0.03' }, '/calendar': { expiration: LIFETIME } }
    const [paid, left] = [await context.accepted(CREATE, { set }), await context.accepted(CREATE, { set })]
    if (!paid || !left || !(await context.clock.move(NEARLY))) return context.inconclusive()
    await context.renewIdentities()
    await isOpen(context, paid)
    if (!(await context.clock.move(REST))) return context.inconclusive()
    await isListed(context, left)
  },
}

async function isOpen(context: Context, created: Exchange): Promise<void> {
  const { emv } = nodeOf(created.body)
  const checked = await context.send(context.contract.operation('checkCode'), { body: { emv } })
  const closed = `Expected a charge to be checked that has some minutes left, got ${checked.response.status}.`
  context.expect(checked, isSuccess(checked) ? undefined : closed, { about: 'check' })
  const paid = await transfer(context, { body: { type: 'emv', emv, amount: '0.03' } }, payer(context))
  const refused = `Expected a charge to be paid that has some minutes left, got ${paid.response.status}.`
  context.expect(paid, isSuccess(paid) ? undefined : refused, { about: 'pay' })
}

async function isListed(context: Context, created: Exchange): Promise<void> {
  const resource = resourcesOf(context.contract).find(({ create }) => create.id === CREATE)
  const item =
    resource?.cancel && resource.list && (await itemOf(context, resource, isOf(resource.cancel, created)))
  if (!resource?.list || item === undefined) return context.inconclusive()
  const { status } = nodeOf(item)
  const message = `Expected a charge that has expired to stay ${nodeOf(created.body).status}, got ${status}.`
  context.expect(created, status === nodeOf(created.body).status ? undefined : message, {
    operation: resource.list.id,
    contract: resource.list.pointer,
    about: 'list',
  })
}
