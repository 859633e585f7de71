import { createHmac } from 'node:crypto'
import { parsedJson, stringAt } from '../contract/json.ts'
import { fieldName } from '../contract/kinds.ts'
import type { RecordedDelivery } from '../history.ts'
import { type KnownRecord, sureValue } from '../model/records.ts'
import type { Model } from '../model.ts'
import { cited, type Rule } from './rule.ts'

export const deliveriesSigned: Rule = {
  id: 'deliveries-signed',
  says: 'A delivery is signed with a secret of its webhook, over its id, its time and its exact bytes.',
  advice: 'Sign the bytes that are sent, with the time of this attempt (Standard Webhooks 1.0.0).',
  settles: ['signature/'],
  readDelivery(delivery, model, report) {
    const secrets = webhooksOf(delivery, model).flatMap(({ id }) => model.secretsOf(id))
    if (secrets.length === 0) return
    const cites = cited(model.contract.behaviour.deliveries?.signature)
    const fault = signatureFault(
      delivery,
      secrets.map(({ secret }) => secret),
    )
    const message = `A delivery cannot be verified with the secret of its webhook: ${fault}.`
    if (fault === undefined) report.passed(delivery, cites)
    else report.failed(delivery, cites, message, { ...AT, about: fault, impact: 'high' })
  },
}

export const deliveriesSubscribed: Rule = {
  id: 'deliveries-subscribed',
  says: 'A webhook receives the events of its type, while it is active.',
  advice: 'Select the webhooks of an event by owner, type and state when it happens.',
  readDelivery(delivery, model, report) {
    const body = parsedJson(delivery.text)
    const [type = '', timestamp = ''] = ['/type', '/timestamp'].map((it) => stringAt(body, it))
    const webhooks = webhooksOf(delivery, model)
    const { events = {}, deliveries } = model.contract.behaviour
    const declared = events[type]
    // An event from before the last change of the webhook may arrive after it.
    const isLate = webhooks.some(
      (it) => it.lastNamed && Date.parse(timestamp) <= model.timeOf(it.lastNamed) + MARGIN,
    )
    if (!declared || webhooks.length === 0 || isLate) return
    const isMeant = webhooks.some((it) => mayReceive(it, declared.subscribers))
    const cites = cited(deliveries?.subscription.type)
    const message = `A webhook that does not subscribe to ${type}, or is not active, receives it.`
    if (isMeant) report.passed(delivery, cites)
    else report.failed(delivery, cites, message, { ...AT, about: type })
  },
}

export const deliveriesShaped: Rule = {
  id: 'deliveries-shaped',
  says: 'Every delivery matches the schema of its event.',
  advice: 'Show a record in events by the function that shows it in responses.',
  readDelivery(delivery, model, report) {
    const body = parsedJson(delivery.text)
    const name = stringAt(body, '/type') ?? ''
    const { headers } = delivery
    const { events = {}, deliveries } = model.contract.behaviour
    // The document states nothing of the payload.
    const source = cited(events[name], deliveries)
    const found = model.contract.deliveryDifferences({ name, headers, body })
    for (const { question, contract, pointer, message } of found) {
      const cites = question === undefined ? source : { question }
      const about = `${name} ${contract}`
      report.failed(delivery, cites, `A delivery of ${name}${pointer}: ${message}.`, { ...AT, about })
    }
    if (found.length === 0) report.passed(delivery, source)
  },
}

/** Findings about deliveries name the operation that registers webhooks. */
const AT = { operation: 'createWebhook' }
/** Milliseconds by which clocks may differ. */
const MARGIN = 1_000

/** The known webhooks with the URL of a delivery. */
function webhooksOf({ url }: RecordedDelivery, { kinds, records }: Model): readonly KnownRecord[] {
  const kind = kinds.find(({ name }) => name === 'webhook')
  const isAt = ({ fields }: KnownRecord) => fields.get('url')?.some(({ value }) => value === url)
  return kind ? records.of(kind).filter(isAt) : []
}

function mayReceive(webhook: KnownRecord, subscribers: readonly string[]): boolean {
  const { status = '/status', initial = [] } = webhook.kind.resource
  const [type, state] = ['type', fieldName(status)].map((it) => sureValue(webhook, it))
  const isActive = state === undefined || initial.includes(String(state))
  return webhook.isGone !== true && isActive && (type === undefined || subscribers.includes(String(type)))
}

/** Why a delivery does not verify (Standard Webhooks 1.0.0, "Verifying signatures"); undefined where it does. */
function signatureFault({ headers, text }: RecordedDelivery, secrets: readonly string[]): string | undefined {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((it) => headers[`webhook-${it}`])
  if (id === undefined || timestamp === undefined || signatures === undefined) return 'a header is missing'
  const expected = secrets.map((secret) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${text}`).digest('base64')}`
  })
  return signatures.split(' ').some((it) => expected.includes(it))
    ? undefined
    : 'the signature is another one'
}
