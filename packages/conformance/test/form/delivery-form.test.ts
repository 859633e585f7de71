import { expect, test } from 'vitest'
import { readContract } from '../../src/contract/contract.ts'
import { declaredKinds } from '../../src/contract/kinds.ts'
import { learnEvents } from '../../src/form/delivery-form.ts'
import { ServiceForm } from '../../src/form/service-form.ts'
import type { RecordedDelivery } from '../../src/history.ts'

/** A delivery of a service that names its events in its own way, with ids beside the name. */
interface Delivered {
  readonly event: string
  readonly webhook: string
  readonly record: string
}

/** Each transfer ends in one of two ways, and each code is paid or cancelled. */
const CHANGES = [
  { id: 'transfer 1', events: ['transfer.settled', 'transfer.rejected'] },
  { id: 'code 1', events: ['qrcode.paid'] },
  { id: 'code 2', events: ['qrcode.paid'] },
  { id: 'code 3', events: ['qrcode.cancelled'] },
].map((change) => ({ ...change, exchange: created(change.id) }))

/** The request of a change: that of a transfer shows it in a word of the service. */
function created(id: string) {
  const kind = declaredKinds.find(({ name }) => name === 'transfer')
  const operation = readContract().operations.find((each) => each.id === 'createTransfer')
  if (!kind || !operation || !id.startsWith('transfer'))
    return { sentAt: 1, operation: undefined, records: [] }
  const record = { kind, id, fields: { status: 'SENT' }, at: '/data' }
  return { sentAt: 1, operation, records: [record] }
}

function delivery({ event, webhook, record }: Delivered, i: number): RecordedDelivery {
  const ofTransfer = { settled_at: '2026-11-02', status: 'DONE' }
  const payload = { id: record, ...(record.startsWith('transfer') && ofTransfer) }
  const body = {
    webhook_id: webhook,
    event_id: `evt_${i}`,
    account_id: 'acc-1',
    event,
    occurred_at: '2026-11-02T14:30:00Z',
    payload,
  }
  return {
    type: 'delivery',
    completeAt: 2 + i,
    url: `http://127.0.0.1/${webhook}`,
    headers: {},
    text: JSON.stringify(body),
    status: 204,
  }
}

function learnedFrom(delivered: readonly Delivered[]) {
  const form = new ServiceForm()
  const places = learnEvents(delivered.map(delivery), CHANGES, form)
  return { place: places.event, names: form.learned.map(({ name, value }) => `${name}=${value}`) }
}

test('it takes no id of a webhook or of a message for the name of an event', () => {
  const delivered = [
    { event: 'charge.paid', webhook: 'wh-a', record: 'code 1' },
    { event: 'charge.paid', webhook: 'wh-b', record: 'code 1' },
    { event: 'charge.paid', webhook: 'wh-c', record: 'code 2' },
    { event: 'charge.closed', webhook: 'wh-a', record: 'code 3' },
    { event: 'pix.sent', webhook: 'wh-a', record: 'transfer 1' },
  ]
  const { place, names } = learnedFrom(delivered)
  expect(place).toBe('/event')
  expect(names).toEqual([
    'event/qrcode.paid=charge.paid',
    'event/qrcode.cancelled=charge.closed',
    'event/transfer.settled=pix.sent',
    'transfer/status/settled=DONE',
    'transfer/status/pending=SENT',
  ])
})

test('it finds the name of the only event, which several webhooks receive', () => {
  const delivered = ['wh-a', 'wh-b', 'wh-c'].map((webhook) => ({
    event: 'charge.paid',
    webhook,
    record: 'code 1',
  }))
  const { place, names } = learnedFrom(delivered)
  expect(place).toBe('/event')
  expect(names).toEqual(['event/qrcode.paid=charge.paid'])
})

test('it takes the name, where each event has a webhook of its own', () => {
  const delivered = [
    { event: 'charge.paid', webhook: 'wh-a', record: 'code 1' },
    { event: 'charge.closed', webhook: 'wh-b', record: 'code 3' },
  ]
  expect(learnedFrom(delivered).place).toBe('/event')
})

test('it learns no name that is that of the contract, at another place', () => {
  const delivered = [
    { event: 'qrcode.paid', webhook: 'wh-a', record: 'code 1' },
    { event: 'charge.closed', webhook: 'wh-a', record: 'code 3' },
  ]
  const { place, names } = learnedFrom(delivered)
  expect(place).toBe('/event')
  expect(names).toEqual(['event/qrcode.cancelled=charge.closed'])
})

test('it takes no event for the meaning of a name if the event comes with its own name', () => {
  const both = [{ id: 'code 1', events: ['qrcode.paid', 'transfer.received'] }]
  const changes = both.map((change) => ({ ...change, exchange: created(change.id) }))
  const delivered = [
    { event: 'charge.paid', webhook: 'wh-a', record: 'code 1' },
    { event: 'transfer.received', webhook: 'wh-a', record: 'code 1' },
  ]
  const deliveries = delivered.map(delivery).map((each) => {
    return { ...each, text: each.text.replace('"event"', '"type"') }
  })
  const form = new ServiceForm()
  learnEvents(deliveries, changes, form)
  expect(form.learned.map(({ name, value }) => `${name}=${value}`)).toEqual([
    'event/qrcode.paid=charge.paid',
  ])
})

/** The words that a run has learned for the states of a code. */
function formWithStates(): ServiceForm {
  const form = new ServiceForm()
  for (const kind of declaredKinds.filter(({ name }) => name === 'immediateQrCode')) {
    form.learnWord({ kind, field: 'status', word: 'ATIVA' }, 'waiting')
    form.learnWord({ kind, field: 'status', word: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' }, 'withdrawn')
  }
  return form
}

test('it takes no event for a cancellation whose record is still open in it', () => {
  const creation = delivery({ event: 'charge.created', webhook: 'wh-a', record: 'code 3' }, 0)
  const cancellation = delivery({ event: 'charge.closed', webhook: 'wh-a', record: 'code 3' }, 1)
  const withStatus = (each: RecordedDelivery, status: string) => ({
    ...each,
    text: each.text.replace('"payload":{', `"payload":{"status":"${status}",`),
  })

  const form = formWithStates()
  learnEvents(
    [withStatus(creation, 'waiting'), withStatus(cancellation, 'withdrawn')],
    CHANGES,
    form,
  )
  expect(form.toContractEvent('charge.closed')).toBe('qrcode.cancelled')
  expect(form.toContractEvent('charge.created')).toBe('charge.created')
})

test('it takes no event for a cancellation that comes before it', () => {
  const later = { ...created('code 3'), sentAt: 10 }
  const changes = [{ id: 'code 3', events: ['qrcode.cancelled'], exchange: later }]
  const creation = delivery({ event: 'charge.created', webhook: 'wh-a', record: 'code 3' }, 0)
  const repeated = { ...creation, completeAt: 12 }
  const cancellation = delivery({ event: 'charge.closed', webhook: 'wh-a', record: 'code 3' }, 9)

  const form = new ServiceForm()
  learnEvents([creation, repeated, cancellation], changes, form)
  expect(form.toContractEvent('charge.closed')).toBe('qrcode.cancelled')
  expect(form.toContractEvent('charge.created')).toBe('charge.created')
})

test('it takes the later of two events for the cancellation, if a code is cancelled at once', () => {
  const deliveries = [
    { event: 'charge.created', webhook: 'wh-a', record: 'code 3' },
    { event: 'charge.closed', webhook: 'wh-a', record: 'code 3' },
    { event: 'charge.paid', webhook: 'wh-a', record: 'code 1' },
    { event: 'charge.paid', webhook: 'wh-a', record: 'code 2' },
  ].map(delivery)
  for (const inAnyOrder of [deliveries, deliveries.toReversed()]) {
    const form = new ServiceForm()
    learnEvents(inAnyOrder, CHANGES, form)
    expect(form.toContractEvent('charge.closed')).toBe('qrcode.cancelled')
    expect(form.toContractEvent('charge.created')).toBe('charge.created')
  }
})

test('it takes none of more than a hundred names for that of an event, since each has an id in it', () => {
  const delivered = Array.from({ length: 150 }, (_, i) => {
    const body = { type: `charge-${i}-paid`, data: { id: 'code 1' } }
    const other = delivery({ event: '', webhook: 'wh-a', record: 'code 1' }, i)
    return { ...other, text: JSON.stringify(body) }
  })
  const form = new ServiceForm()
  learnEvents(delivered, CHANGES, form)
  expect(form.learned).toEqual([])
})
