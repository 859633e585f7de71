import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actors, actorsOf, tokensOf } from './actors.ts'
import { KEYS } from './cast.ts'
import { faults } from './faults.ts'
import { remade } from './reply.ts'
import { planted } from './start.ts'
import { openWorld, type World } from './world.ts'
import { reply, wrapped } from './wrap.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

async function withFault(id: string): Promise<Actors> {
  const fault = faults.find((it) => it.id === id)
  if (!fault) throw new Error(`there is no fault ${id}`)
  return actorsOf(world, planted(world, fault.plant), await tokensOf(world))
}

const LOOK_UP = 'POST /pix/dict/check/'
const MORE = { dict_key: KEYS.beltrana, note: '' }

test('a fault in what is refused leaves alone who is refused for another reason', async () => {
  const as = await withFault('extra-member-crashes')
  expect((await as.by()(LOOK_UP, MORE)).status).toBe(401)
  expect((await as.partner(LOOK_UP, MORE, { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await as.partner(LOOK_UP, { note: '' })).status).toBe(400)
})

test('a fault in the check of a member leaves alone what a body is called', async () => {
  const as = await withFault('webhook-type-unchecked')
  const body = { type: 'everything', url: 'https://loja.example/pix' }
  expect((await as.partner('POST /partner/webhook', body, { 'content-type': 'text/plain' })).status).toBe(415)
})

test('an answer that is lost on purpose stays lost', async () => {
  const service = wrapped(
    world,
    reply(undefined, (it) => remade(it, { headers: { 'x-served-by': 'a' } })),
  )
  const as = actorsOf(world, service, await tokensOf(world))
  const lost = await as.partner('GET /partner/user', undefined, { 'x-sandbox-fault': 'lose-answer' })
  expect(lost.status).toBe(0)
})
