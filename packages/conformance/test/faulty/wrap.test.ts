import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actors, actorsOf, tokensOf } from './actors.ts'
import { faults } from './faults.ts'
import { KEYS } from './fixtures.ts'
import { planted } from './plant.ts'
import { remade } from './responses.ts'
import { openTestSandbox, type TestSandbox } from './sandbox.ts'
import { changeResponse, wrapped } from './wrap.ts'

let sandbox: TestSandbox
beforeAll(async () => {
  sandbox = await openTestSandbox()
})
afterAll(() => sandbox.close())

async function withFault(id: string): Promise<Actors> {
  const fault = faults.find((it) => it.id === id)
  if (!fault) throw new Error(`there is no fault ${id}`)
  return actorsOf(sandbox, planted(sandbox, fault.plant), await tokensOf(sandbox))
}

const LOOK_UP = 'POST /pix/dict/check/'
const MORE = { dict_key: KEYS.beltrana, note: '' }

test('a fault in refusals does not affect callers that are refused for another reason', async () => {
  const as = await withFault('extra-field-crashes')
  expect((await as.by()(LOOK_UP, MORE)).status).toBe(401)
  expect((await as.partner(LOOK_UP, MORE, { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await as.partner(LOOK_UP, { note: '' })).status).toBe(400)
})

test('a fault in the check of a field does not affect the content-type', async () => {
  const as = await withFault('webhook-type-unchecked')
  const body = { type: 'everything', url: 'https://loja.example/pix' }
  expect((await as.partner('POST /partner/webhook', body, { 'content-type': 'text/plain' })).status).toBe(415)
})

test('a response that is lost on purpose stays lost', async () => {
  const service = wrapped(
    sandbox,
    changeResponse(undefined, (it) => remade(it, { headers: { 'x-served-by': 'a' } })),
  )
  const as = actorsOf(sandbox, service, await tokensOf(sandbox))
  const lost = await as.partner('GET /partner/user', undefined, { 'x-sandbox-fault': 'lose-response' })
  expect(lost.status).toBe(0)
})
