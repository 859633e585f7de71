import { beforeAll, describe, expect, test } from 'vitest'
import { reconcile } from '../../src/ledger/reconcile.ts'
import { createSandbox, type Sandbox } from '../../src/sandbox.ts'
import { sharedPostgres } from '../backends.ts'
import { type Callers, callersOf, newTxId, requestOf, type Sent } from '../callers.ts'
import { type Described, described } from '../contract.ts'
import { mutatedCodes, rawBodies } from '../hostile/bodies.ts'
import { edited, editsOf, nested, withPrototypeNames } from '../hostile/edges.ts'
import { type SeededRandom, seededRandom, words } from '../hostile/random.ts'
import { faultsInTime } from '../hostile/responses.ts'
import { BACKENDS } from '../started.ts'

const MUTATIONS = 400
const CODES = 18_000
const NOW = Date.parse('2026-11-21T12:00:00Z')

const TAKEN = `SELECT count(*) AS count FROM transfers WHERE status = 'pending'`
const failures: unknown[] = []

/** Isolated: resolves no name and opens no socket. Transfers settle after the test. */
const CLOSED = {
  now: () => NOW,
  checksResponses: true,
  limitsRates: false,
  maxWebhooks: 10_000,
  settleAfterMs: 86_400_000,
  observe: { failed: (error: unknown) => void failures.push(error) },
  poster: {
    lookup: async () => [],
    open: () => {
      throw new Error('deliveries must not be sent')
    },
  },
}

/** Reads come first, because lists would become long after the others. */
const readersFirst = described.toSorted((a, b) => Number(b.method === 'GET') - Number(a.method === 'GET'))

describe.each(BACKENDS)('on %s', (backend) => {
  let sandbox: Sandbox
  let callers: Callers
  beforeAll(async () => {
    const where = backend === 'postgres' && { databaseUrl: await sharedPostgres().newDatabase() }
    sandbox = await createSandbox({ ...CLOSED, ...where })
    callers = await callersOf(sandbox)
    return () => sandbox.close()
  })

  /** The failures, and the statuses of the responses. */
  async function sendAll(requests: readonly Planned[]) {
    const faults: string[] = []
    const statuses = new Set<number>()
    for (const { method, path, sent } of requests) {
      const { faults: found, status } = await faultsInTime(sandbox.service(requestOf(method, path, sent)))
      statuses.add(status)
      if (found.length > 0)
        faults.push(`${method} ${path} ${String(sent.body).slice(0, 300)}: ${found.join('; ')}`)
    }
    return { faults: faults.slice(0, 10), statuses: [...statuses].toSorted() }
  }

  test.each(readersFirst)('$method $path ($id) handles every changed request', async (operation) => {
    const requests = await mutationsOf(operation, callers, MUTATIONS)
    const { faults, statuses } = await sendAll(requests)
    expect(faults).toEqual([])
    // A 401 would mean that the token was tested instead.
    if (operation.id !== 'signIn') expect(statuses).not.toContain(401)
    if (operation.id !== 'signIn') expect(statuses.filter((it) => it < 300)).toHaveLength(1)
  })

  test.each(described.filter(({ schema }) => schema))(
    'handles invalid or unusual JSON bodies of $id',
    async ({ id, method, path, examples }) => {
      const { partner: authorization } = callers.tokens
      const bodies = rawBodies(JSON.stringify(Object.values(examples)[0]), 7)
      expect(bodies.length).toBe(200)
      // All operations read bodies with the same code.
      const some = id === 'createTransfer' ? bodies : bodies.filter((_, i) => i % 5 === 0)
      const plan = some.map((body) => ({ method, path: filled(path, 'x'), sent: { authorization, body } }))
      expect((await sendAll(plan)).faults).toEqual([])
    },
  )

  /** PostgreSQL gets a ninth: validation is the same, only strings matter. */
  const every = backend === 'sqlite' ? 1 : 9

  test('handles invalid payment codes', async () => {
    const { codes: right } = await someRecords(callers)
    const codes = ['', ...mutatedCodes(right, Math.ceil(CODES / every), seededRandom(3))]
    const [check, pay] = ['/mobile-bff/v1/pix/brcode/emv/', '/mobile-bff/v1/pix/out/'] as const
    const { faults, statuses } = await sendAll(
      codes.map((emv, i) => {
        const isPaid = i % 20 === 0
        const body = isPaid ? { type: 'emv', amount: '0.01', emv } : { emv }
        const authorization = callers.tokens.customer
        return { method: 'POST', path: isPaid ? pay : check, sent: { authorization, body } }
      }),
    )
    expect(faults).toEqual([])
    expect(statuses).toEqual(expect.arrayContaining([200, 400, 422]))
  })

  test('settles what it accepted, and its ledger adds up', async () => {
    const { store, worker, clock } = sandbox
    const count = (sql: string) => store.read((queries) => queries.get<{ count: unknown }>(sql))
    expect((await count(TAKEN))?.count).not.toBe(0n)
    await store.write((queries) => queries.run(`UPDATE webhooks SET status = 'inactive'`))
    await worker.moveTo(clock.now() + 2 * CLOSED.settleAfterMs)
    expect((await count(TAKEN))?.count).toBe(0n)
    expect(await store.read(reconcile)).toEqual([])
    expect(failures).toEqual([])
  })
})

interface Planned {
  readonly method: string
  readonly path: string
  readonly sent: Sent
}

/** A record of each kind: their ids, and the codes that this service creates and accepts. */
async function someRecords({ partner }: Callers): Promise<{ ids: string[]; codes: string[] }> {
  const dict_key = '+5561912345678'
  const charge = { dict_key, amount: { original: '10.00' } }
  const due = { ...charge, tx_id: newTxId(), calendar: { due_date: '2026-12-15' } }
  const hook = { type: 'all', url: 'https://partner.example.com/' }
  const created = [
    await partner('POST', '/pix/qrcode/dynamic/due-date', { body: due }),
    await partner('POST', '/pix/qrcode/dynamic/immediate', { body: { ...charge, tx_id: newTxId() } }),
    await partner('POST', '/pix/qrcode/static/', { body: { dict_key, amount: '10.00', message: 'Oi' } }),
    await partner('POST', '/partner/webhook', { body: hook }),
  ].map(({ body }) => body)
  const { body: users } = await partner('GET', '/partner/user')
  const check = described.find(({ id }) => id === 'checkCode')
  const examples = Object.values(check?.examples ?? {}) as { emv: string }[]
  return {
    ids: [users.users[0].id, ...created.map(({ id }) => id)],
    codes: [...created, ...examples].flatMap(({ emv }) => emv ?? []),
  }
}

/** Requests of an operation. Three of four have something invalid or unusual in the body; path and query vary. */
async function mutationsOf(operation: Described, callers: Callers, count: number): Promise<Planned[]> {
  const random = seededRandom(20_260_101)
  const { schema, document, method } = operation
  const examples = Object.values(operation.examples)
  const edits = examples.flatMap((example) => (schema ? editsOf(document, schema, example) : []))
  const { ids } = await someRecords(callers)
  const { partner: authorization } = callers.tokens
  const planned: Planned[] = []
  for (let i = 0; i < count; i++) {
    const fresh = await freshOf(examples.length > 0 ? random.pick(examples) : undefined, callers)
    const chosen = Array.from({ length: schema ? i % 4 : 0 }, () => random.pick(edits))
    const body = chosen.reduce(edited, fresh)
    const sent = { authorization, ...(schema && { body: jsonOf(body, i) }) }
    planned.push({ method, path: pathOf(operation, ids, random), sent })
  }
  return planned
}

function jsonOf(body: unknown, i: number): string {
  const json = JSON.stringify(body) ?? ''
  if (i % 25 === 0) return withPrototypeNames(json)
  if (i % 25 === 1) return json.replace(/"[^"]*"(?=})/, nested(1 + ((i * 97) % 30_000)))
  return json
}

/** An example that the current state does not refuse. */
async function freshOf(example: unknown, { partner }: Callers): Promise<unknown> {
  const body = structuredClone(example) as Record<string, unknown> | undefined
  if (body && 'tx_id' in body) body.tx_id = newTxId()
  if (body && 'initiation_id' in body) {
    const { dict_key } = body
    body.initiation_id = (
      await partner('POST', '/pix/dict/check/', { body: { dict_key } })
    ).body.initiation_id
  }
  return body
}

const STRANGE = [
  ...words(`
    %00 a%00b %ff %ed%a0%80 %F4%8F%BF%BF %E2%80%AE % %zz %2F %2e%2e '-- %22 __proto__ constructor
    {webhook_id} * 0 -1 null %0d%0ax:%20y %F0%9F%98%80`),
  'x'.repeat(8_000),
]

function filled(path: string, value: string): string {
  return path.replace(/\{[^}]*\}/, value)
}

function pathOf({ path, parameters }: Described, ids: readonly string[], random: SeededRandom): string {
  const whole = filled(path, random.integer(2) ? random.pick(ids) : random.pick(STRANGE))
  const names = [
    ...parameters.filter((it) => it.in === 'query').map((it) => String(it.name)),
    'a',
    '__proto__',
  ]
  const pair = () => `${random.pick(names)}=${random.pick([...STRANGE, ...VALUES])}`
  const query = Array.from({ length: random.integer(4) }, pair).join('&')
  return query ? `${whole}?${query}` : whole
}

const VALUES = [
  ...words(`
    1 100 101 0 -1 1e2 01 1.0 +1 %31 ATIVA ativa CONCLUIDA 12345678909 c_ c_MQ c_MQ== c_MA c_LTE
    c_OTk5OTk5OTk5OTk5OTk5OTk5OQ c_Yk2pX9wQ7r MQ %5B%5D 1&limit=2`),
  '',
]
