import { expect, test } from 'vitest'
import type { Exchange } from '../src/model/exchange.ts'
import { Model } from '../src/model.ts'
import { CONTRACT } from './story/call.ts'

/** A look-up of a key that issued this initiation_id. */
function lookUp(initiation_id: string): Exchange {
  const responseBody = { initiation_id }
  const exchange = {
    operation: { id: 'checkKey' },
    outcome: 'accepted',
    requestBody: {},
    responseBody,
  }
  // Values read no other part of an exchange.
  return exchange as unknown as Exchange
}

test('it counts the one-time values that were forgotten, whose second use nothing finds', () => {
  const model = new Model({ contract: CONTRACT })
  for (let count = 0; count < 10_001; count++) model.values.fold(lookUp(`ini_${count}`))
  expect(model.forgotten).toBe(1)
})
