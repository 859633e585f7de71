import { readContract, stringAt } from '@partner-payments/contract'
import contract from '@partner-payments/spec/openapi.json' with { type: 'json' }
import type { EventType } from '../behaviour.ts'
import type { Context } from '../context.ts'
import { emit, type Subject } from '../deliveries/emit.ts'
import { Refusal } from '../problems.ts'
import { PARTNERS } from '../seed/data.ts'

/**
 * Delivers the example that the contract has for a type of event, to the webhooks of the first
 * partner that receive this type. It changes no record: for events that nothing in the sandbox
 * causes yet.
 *
 * @param type such as `qrcode.paid`
 * @returns the id of the record that the example is about
 * @throws {Refusal} if the contract has no such event
 */
export async function sendSample(context: Context, type: string) {
  const { events } = readContract({ document: contract, behaviour: {} })
  const event = events.find(({ path }) => path === type)
  const example = event?.request?.examples[0]?.value
  if (!example) {
    const names = events.map(({ path }) => path).join(', ')
    throw new Refusal('not_found', { detail: `No event is named so. There are ${names}.` })
  }

  const { data } = example as Pick<Subject, 'data'>
  const id = stringAt(data, '/id') ?? type
  const subject = { partner_id: PARTNERS[0].id, id, data }
  await context.store.write((queries) => emit(queries, context, [type as EventType], subject))
  context.wakeWorker()
  return { id, type }
}
