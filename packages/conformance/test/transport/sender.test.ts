import contractDocument from '@partner-payments/spec/openapi.json' with { type: 'json' }
import { expect, test } from 'vitest'
import { readContract } from '../../src/model/contract.ts'
import { NotSent } from '../../src/model/errors.ts'
import type { HttpResponse } from '../../src/model/http.ts'
import { createIdentities } from '../../src/transport/identities.ts'
import { createMask } from '../../src/transport/mask.ts'
import { createSender } from '../../src/transport/sender.ts'

const contract = readContract(contractDocument)
const FINE: HttpResponse = { status: 200, headers: {}, text: '', ms: 0 }

/** A sender whose responses the test triggers. */
function sender(guard = () => {}) {
  const responses: ((response: HttpResponse) => void)[] = []
  const transport = {
    send: () => new Promise<HttpResponse>((resolve) => responses.push(resolve)),
    close: async () => {},
  }
  const partner = { clientKey: 'partner', clientSecret: 'secret' }
  const identities = createIdentities({
    base: new URL('http://127.0.0.1'),
    contract,
    transport,
    mask: createMask(),
    partner,
    other: undefined,
    observe: () => {},
  })
  const seen: number[] = []
  const observe = ({ response }: { response: HttpResponse }) => void seen.push(response.status)
  return {
    responses,
    seen,
    sender: createSender({ contract, transport, identities, guard, clock: { now: () => 0 }, observe }),
  }
}

test('waits for requests in progress, and reports them to the observer', async () => {
  const { responses, seen, sender: it } = sender()
  const sent = it.send(undefined, {}, { identity: null })
  await Promise.resolve()
  const order: string[] = []
  const idle = it.idle().then(() => order.push(`idle after ${seen.length}`))
  await new Promise((resolve) => setImmediate(resolve))
  order.push('responded')
  responses[0]?.(FINE)
  await Promise.all([sent, idle])
  expect(order).toEqual(['responded', 'idle after 1'])
})

test('neither counts nor sends requests that the guard blocks, except for the cleanup', async () => {
  const refusing = () => {
    throw new NotSent('no')
  }
  const { responses, sender: it } = sender(refusing)
  await expect(it.send(undefined, {}, { identity: null })).rejects.toThrow(NotSent)
  expect([it.count, responses.length]).toEqual([0, 0])
  void it.send(undefined, {}, { identity: null, isCleaning: true })
  await new Promise((resolve) => setImmediate(resolve))
  expect([it.count, responses.length]).toEqual([1, 1])
})
