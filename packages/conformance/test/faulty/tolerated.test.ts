import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Actors, type Answer, actorsOf, tokensOf } from './actors.ts'
import { basic, CREDENTIALS } from './cast.ts'
import { cancelled, counted } from './probes/deliveries.ts'
import { planted } from './start.ts'
import { SLOWER, tolerated } from './tolerated.ts'
import { waits } from './waits.ts'
import { openWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await openWorld()
})
afterAll(() => world.close())

/** What is looked at, and what is to be seen at the right service and at the variant. */
type Look = readonly [see: (as: Actors) => Promise<unknown>, right: unknown, variant: unknown]

const users = (as: Actors) => as.partner('GET /partner/user')
const type = (answer: Answer) => answer.headers.get('content-type')

/** Over HTTP alone: what becomes of connections and of the case of names. */
const OF_SERVERS = ['connection-closes', 'header-names-in-capitals']

const looks: Readonly<Record<string, Look>> = {
  'extra-headers': [async (as) => (await users(as)).headers.has('x-served-by'), false, true],
  'member-order': [async (as) => Object.keys((await users(as)).body)[0], 'created_at', 'users'],
  'charset-parameter': [
    async (as) => type(await users(as)),
    'application/json',
    'application/json; charset=utf-8',
  ],
  'media-type-in-capitals': [async (as) => type(await users(as)), 'application/json', 'application/JSON'],
  '401-instead-of-403': [async (as) => (await as.customer('GET /partner/user')).status, 403, 401],
  'bad-id-answers-400': [async (as) => (await as.partner('GET /partner/user/fulano')).status, 404, 400],
  slower: [(as) => waits(() => users(as), SLOWER), false, true],
  'pretty-printed': [async (as) => (await users(as)).text.includes('\n'), false, true],
  'extra-members': [async (as) => 'api_version' in (await users(as)).body, false, true],
  'request-id-of-another-form': [
    async (as) => (await users(as)).headers.get('x-request-id')?.startsWith('req_'),
    true,
    false,
  ],
  'limits-rates': [
    async (as) => {
      const all = await Promise.all(Array.from({ length: 20 }, () => users(as)))
      return all.some(({ status }) => status === 429)
    },
    false,
    true,
  ],
  'one-token-at-a-time': [
    async (as) => {
      const signIn = () => as.by(basic(CREDENTIALS.partner))('POST /auth/partner/token/')
      const { access_token } = (await signIn()).body
      await signIn()
      return (await as.by(`Bearer ${access_token}`)('GET /partner/user')).status
    },
    200,
    401,
  ],
  'delivers-twice': [counted(cancelled), 1, 2],
  'coded-in-gzip': [async (as) => (await users(as)).headers.get('content-encoding'), null, 'gzip'],
  'problems-of-few-words': [
    async (as) => (await as.by()('GET /partner/user')).body.title,
    'Unauthorized',
    'Recusado',
  ],
  'realm-in-challenge': [
    async (as) => (await as.by()('GET /partner/user')).headers.get('www-authenticate')?.includes('realm'),
    false,
    true,
  ],
}

for (const variant of tolerated.filter(({ id }) => !OF_SERVERS.includes(id)))
  test(`${variant.id}: ${variant.describe}`, async () => {
    const [see, right, other] = looks[variant.id] ?? [async () => 'no look', '', '']
    const tokens = await tokensOf(world)
    world.relay = undefined
    const seen = [
      await see(actorsOf(world, world.app.fetch, tokens)),
      await see(actorsOf(world, planted(world, variant), tokens)),
    ]
    expect(seen).toEqual([right, other])
  })
