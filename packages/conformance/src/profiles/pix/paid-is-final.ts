import type { Context } from '../../engine/context.ts'
import { expectRefusal } from '../../engine/refusal.ts'
import type { Rule } from '../../engine/rule.ts'
import { nodeOf } from '../../model/document.ts'
import type { Exchange } from '../../model/exchange.ts'
import { isSuccess } from '../../model/exchange.ts'
import { type Resource, resourcesOf } from '../../model/resources.ts'
import { isOf } from '../../rules/records/records.ts'
import { itemOf } from '../../rules/records/whole-list.ts'
import { balancesAtRest } from './balances.ts'
import { CHARGING, charge, payer, transfer } from './payments.ts'
import { listedStatusOf, PAID } from './settlement.ts'

export const paidIsFinal: Rule = {
  id: 'paid-is-final',
  phase: 'records',
  cites: { question: 'qr-statuses' },
  needs: [...CHARGING, 'cancelImmediateQrCode', 'listImmediateQrCodes'],
  stateful: true,
  impact: 'high',
  title:
    'A charge that was paid is listed as paid, and is neither cancelled nor asked for again; one whose payment was rejected is open.',
  advice: 'Write the status in the transaction that settles, and move from ATIVA alone.',
  run: async (context) => {
    const made = await charge(context)
    const first =
      made && (await context.send(context.contract.operation('checkCode'), { body: { emv: made.emv } }))
    const paid = first && (await transfer(context, made.pay, payer(context)))
    const resource = resourcesOf(context.contract).find(({ create }) => create.id === made?.created.view?.id)
    if (!made || !resource?.cancel || !paid || !isSuccess(paid)) return context.inconclusive()
    const { cancel } = resource
    isListed(context, resource, {
      exchange: made.created,
      status: await listedStatusOf(context, made.created),
    })
    const { path, body } = { path: { id: String(nodeOf(made.created.body).id) }, body: undefined }
    const cancelled = await context.send(cancel.view, { path, body })
    const message = 'Expected the cancellation of a charge that was paid to be refused, and it was done.'
    expectRefusal(context, cancelled, message, { also: [404], about: 'cancel' })
    const checked = await context.send(context.contract.operation('checkCode'), { body: { emv: made.emv } })
    const open = 'Expected the code of a charge that was paid to be refused, and it was checked.'
    expectRefusal(context, checked, open, {
      also: [404],
      about: 'check',
      question: 'code-status-values',
    })
    if (context.clock.isControlled) await tryRejected(context, resource)
  },
}

/** A sandbox rejects what is paid to oneself: then nothing was paid, and whoever is asked to can still do it. */
async function tryRejected(context: Context, resource: Resource): Promise<void> {
  const made = await charge(context)
  const own = made && (await transfer(context, made.pay))
  if (!made || !resource.cancel || !own || !isSuccess(own) || !(await balancesAtRest(context)))
    return context.inconclusive()
  const { status } = nodeOf(await itemOf(context, resource, isOf(resource.cancel, made.created)))
  const message = `Expected a charge whose payment was rejected to stay open, got ${status}.`
  context.expect(made.created, status === nodeOf(made.created.body).status ? undefined : message, {
    operation: resource.list?.id,
    contract: resource.list?.pointer ?? '',
    about: 'rejected',
  })
  const paid = await transfer(context, made.pay, payer(context))
  const refused = `Expected a charge whose payment was rejected to be paid, got ${paid.response.status}.`
  context.expect(paid, isSuccess(paid) ? undefined : refused, { about: 'rejected' })
}

interface Listed {
  readonly status: unknown
  readonly exchange: Exchange
}

function isListed(context: Context, { list }: Resource, { status, exchange }: Listed): void {
  const message = `Expected a charge that was paid to be listed as ${PAID}, got ${status}.`
  context.expect(exchange, status === PAID ? undefined : message, {
    operation: list?.id,
    contract: list?.pointer ?? '',
    about: 'list',
  })
}
