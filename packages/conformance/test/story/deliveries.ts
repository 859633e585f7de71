import { createHmac } from 'node:crypto'
import { fieldsOf } from '../../src/contract/json.ts'
import { call } from './call.ts'
import type { Json, Step, Story } from './story.ts'
import { countOf, example, secret, uuid } from './values.ts'

/** What is different in a delivery from that of a right service. */
export interface Delivered {
  /** The example of the event. Default: that of a cancelled QR code. */
  readonly name?: Parameters<typeof example>[0]
  /** The webhook, counted from the first one. Default: 0. */
  readonly to?: number
  /** Fields of the record in the event, added or replaced. */
  readonly data?: Json
  /** Fields of the event itself, added or replaced. */
  readonly edit?: Json
  /** Counts of webhooks whose secrets sign it. Default: that of the webhook. */
  readonly signedWith?: readonly number[]
  readonly headers?: Json
  /** What the receiver returns. Default: 204. */
  readonly status?: number
  /** An earlier message is attempted again with its body. */
  readonly message?: string
  readonly url?: string
}

/** Delivers an event about the last record to a webhook. */
export function deliver(delivered: Delivered = {}): Step {
  return (story) => {
    story.now += 1_000
    const { to = 0, message = `msg_${story.now}`, status = 204 } = delivered
    const webhooks = story.records.filter(({ kind }) => kind === 'webhook')
    const webhook: Json = webhooks[to]?.fields ?? {}

    const text = findDeliveredText(story, message) ?? buildEvent(story, delivered)
    const seconds = String(Math.floor(story.now / 1000))
    const { signedWith = [countOf(webhook.id)] } = delivered
    const signatures = signedWith.map((count) =>
      sign(`${message}.${seconds}.${text}`, secret(count)),
    )

    story.events.push({
      type: 'delivery',
      completeAt: story.now,
      url: delivered.url ?? String(webhook.url),
      headers: {
        'content-type': 'application/json',
        'webhook-id': message,
        'webhook-timestamp': seconds,
        'webhook-signature': signatures.join(' '),
        ...delivered.headers,
      },
      text,
      status,
    })
    story.now++
  }
}

/** The body of the first delivery of a message. Undefined if it was not delivered yet. */
function findDeliveredText(story: Story, message: string): string | undefined {
  const deliveries = story.events.filter((event) => event.type === 'delivery')
  const earlier = deliveries.find(({ headers }) => headers['webhook-id'] === message)
  return earlier?.text
}

/** The body of a new event. One about a QR code shows the last code of the story. */
function buildEvent(
  { now, records }: Story,
  { name = 'qrCodeCancelledEvent', data, edit }: Delivered,
): string {
  const isAboutCode = name.startsWith('qrCode')
  const code = isAboutCode ? records.findLast(({ kind }) => kind !== 'webhook') : undefined
  const event = example(name)
  return JSON.stringify({
    ...event,
    timestamp: new Date(now).toISOString(),
    data: { ...fieldsOf(event.data), ...code?.fields, ...data },
    ...edit,
  })
}

/** The signature of a text by Standard Webhooks. */
function sign(signed: string, secretText: string): string {
  const key = Buffer.from(secretText.replace('whsec_', ''), 'base64')
  return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
}

/** Rotates the secret of the first webhook. The new one is that of a webhook with this count. */
export function rotate(count: number): Step {
  const response = { ...example('credentialRotated'), id: uuid(1), secret: secret(count) }
  return call(`PATCH /partner/webhook/${uuid(1)}/secret`, undefined, response)
}
