import { expect, test } from 'vitest'
import { sign, verify, WebhookError } from '../src/index.ts'
import { type Delivery, mutate, parts, randomFrom } from './mutate.ts'

export function testMutations(count: number): void {
  test('accepts no mutation of id, timestamp, signature, secret and body', async () => {
    const { accepted, untyped, codes, controls } = await hunt(count, 1)
    expect(accepted).toEqual([])
    expect(untyped).toEqual([])
    expect(controls).toBe(count / 100)
    expect(Object.keys(codes).sort()).toEqual([
      'id-invalid',
      'id-missing',
      'secret-invalid',
      'signature-invalid',
      'signature-mismatch',
      'signature-missing',
      'timestamp-invalid',
      'timestamp-missing',
      'timestamp-too-new',
      'timestamp-too-old',
    ])
  })
}

/** The number of mutants by error code, and the mutants that survived. */
type Catch = {
  codes: Record<string, number>
  accepted: Delivery[]
  untyped: unknown[]
  controls: number
}

const seconds = 1793629805
const now = () => seconds * 1000

/** Verifies `count` mutants of alternating parts, and an unchanged delivery after every hundred. */
async function hunt(count: number, seed: number): Promise<Catch> {
  const random = randomFrom(seed)
  const result: Catch = { codes: {}, accepted: [], untyped: [], controls: 0 }
  let delivery = await deliver(random)
  for (let i = 0; i < count; i++) {
    if (i % 100 === 0) {
      delivery = await deliver(random)
      await receive(delivery)
      result.controls++
    }
    const mutant = mutate(delivery, parts[i % parts.length] ?? 'id', random)
    await receive(mutant).then(
      () => result.accepted.push(mutant),
      (error: unknown) => note(result, error),
    )
  }
  return result
}

function note({ codes, untyped }: Catch, error: unknown): void {
  if (error instanceof WebhookError) codes[error.code] = (codes[error.code] ?? 0) + 1
  else untyped.push(error)
}

async function deliver(random: () => number): Promise<Delivery> {
  const secret = `whsec_${Buffer.from(Array.from({ length: 32 }, () => random() * 256)).toString('base64')}`
  const event = {
    type: 'transfer.settled',
    data: { amount: (random() * 1000).toFixed(2), description: 'Almoço' },
  }
  const body = new TextEncoder().encode(JSON.stringify(event))
  const headers = await sign(body, secret, { id: `msg_${Math.floor(random() * 1e9)}`, now })
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers
  return { id, timestamp, signature, secret, body }
}

function receive({ id, timestamp, signature, secret, body }: Delivery): Promise<unknown> {
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }
  return verify(body, headers, secret, { now })
}
